/* A binary heap. */
#include "backends/sim_queue.h"

#include <stdlib.h>

struct sim_queue *sim_queue_make(uint32_t capacity)
{
    struct sim_queue *q = calloc(1, sizeof *q + capacity * sizeof q->heap[0]);
    if (q != NULL)
        q->capacity = capacity;
    return q;
}

static bool earlier(const struct sim_flight *a, const struct sim_flight *b)
{
    return a->done_ns < b->done_ns || (a->done_ns == b->done_ns && a->sequence < b->sequence);
}

void sim_queue_push(struct sim_queue *q, int64_t done_ns, const struct completion *completion)
{
    struct sim_flight flight = {
        .done_ns = done_ns, .sequence = q->pushed++, .completion = *completion};
    uint32_t at = q->used++;
    while (at > 0 && earlier(&flight, &q->heap[(at - 1) / 2])) {
        q->heap[at] = q->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    q->heap[at] = flight;
}

struct sim_flight sim_queue_pop(struct sim_queue *q)
{
    struct sim_flight first = q->heap[0];
    struct sim_flight last = q->heap[--q->used];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < q->used && earlier(&q->heap[child + 1], &q->heap[child]))
            child++;
        if (child >= q->used || !earlier(&q->heap[child], &last))
            break;
        q->heap[at] = q->heap[child];
        at = child;
    }
    q->heap[at] = last;
    return first;
}

void sim_queue_cancel(struct sim_queue *q, int64_t now_ns, int error)
{
    /* Cutting all times to now keeps parents before children. */
    for (uint32_t i = 0; i < q->used; i++) {
        struct sim_flight *flight = &q->heap[i];
        if (flight->done_ns <= now_ns)
            continue;
        flight->done_ns = now_ns;
        flight->completion.outcome = (struct outcome){.error = error};
    }
}
