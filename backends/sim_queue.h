/* Operations in flight, the earliest completion first; equal ones in the order of hand-over. */
#ifndef PARIO_BACKENDS_SIM_QUEUE_H
#define PARIO_BACKENDS_SIM_QUEUE_H

#include "backends/backend.h"

struct sim_flight {
    int64_t done_ns;
    uint64_t sequence; /* set by sim_queue_push */
    struct completion completion;
};

struct sim_queue {
    uint32_t used;
    uint32_t capacity;
    uint64_t pushed;
    struct sim_flight heap[];
};

/* NULL when memory runs out. Freed by free(). */
struct sim_queue *sim_queue_make(uint32_t capacity);
/* There is room: the engine has no more in flight than slots. */
void sim_queue_push(struct sim_queue *q, int64_t done_ns, const struct completion *completion);
/* Takes out the earliest; there is one. */
struct sim_flight sim_queue_pop(struct sim_queue *q);
static inline const struct sim_flight *sim_queue_first(const struct sim_queue *q)
{
    return q->used > 0 ? &q->heap[0] : NULL;
}
/* Whatever is not complete at now_ns fails with this error now. */
void sim_queue_cancel(struct sim_queue *q, int64_t now_ns, int error);

#endif
