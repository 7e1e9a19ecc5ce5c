#include "run/rows.h"

#include <string.h>

/* Rows that travel at a time. */
#define CHUNK 128

struct rank_row rows_of(const struct sample *s, enum op_kind about)
{
    const struct histogram *h = s->latency[about];
    struct rank_row row = {.bytes = s->counters[COUNTER_BYTES],
                           .operations = s->counters[COUNTER_OPERATIONS],
                           .failed = s->counters[COUNTER_FAILED],
                           .elapsed_ns = s->counters[COUNTER_ELAPSED_NS]};
    memcpy(row.stage_ns, s->stage_ns, sizeof row.stage_ns);
    if (h && h->count) {
        row.latency_p50_ns = histogram_quantile(h, 0.5);
        row.latency_p99_ns = histogram_quantile(h, 0.99);
        row.latency_max_ns = h->max;
    }
    return row;
}

/* Each rank's row is added to zeros: any comm can do that, and no message waits for another. */
void rows_collect(struct comm *comm, const struct rank_row *mine, rows_take *take, void *context)
{
    struct rank_row rows[CHUNK];
    for (uint64_t first = 0; first < comm->size; first += CHUNK) {
        uint64_t n = comm->size - first < CHUNK ? comm->size - first : CHUNK;
        memset(rows, 0, sizeof rows);
        if (comm->rank >= first && comm->rank < first + n)
            rows[comm->rank - first] = *mine;
        comm_reduce_all(comm, REDUCE_SUM, (uint64_t *)rows, n * sizeof *rows / sizeof(uint64_t));
        if (comm->rank == 0)
            take(context, first, n, rows);
    }
}
