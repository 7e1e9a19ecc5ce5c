/* What each rank did in a phase, as rows for a file: they come to rank 0 some at a time, so that
 * its memory does not grow with the ranks. */
#ifndef PARIO_RUN_ROWS_H
#define PARIO_RUN_ROWS_H

#include "comm/comm.h"
#include "model/sample.h"

struct rank_row { /* whole numbers alone: a chunk of rows is reduced as an array of them */
    uint64_t bytes;
    uint64_t operations;
    uint64_t failed;
    uint64_t elapsed_ns; /* the rank's own */
    uint64_t stage_ns[STAGES];
    uint64_t latency_p50_ns, latency_p99_ns, latency_max_ns; /* 0: none was measured */
};

struct rank_row rows_of(const struct sample *sample, enum op_kind about);

/* Collective. take is called on rank 0, for ranks first to first + n - 1. */
typedef void rows_take(void *context, uint64_t first, uint64_t n, const struct rank_row *rows);
void rows_collect(struct comm *comm, const struct rank_row *mine, rows_take *take, void *context);

#endif
