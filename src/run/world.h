/* Where the ranks come from: MPI, threads of this process, or one rank alone. */
#ifndef PARIO_RUN_WORLD_H
#define PARIO_RUN_WORLD_H

#include "comm/comm.h"
#include "model/settings.h"

enum world_kind { WORLD_SELF, WORLD_THREADS, WORLD_MPI };

struct world_job {
    enum world_kind kind;
    uint64_t threads;        /* WORLD_THREADS: how many ranks */
    uint64_t ranks_per_node; /* WORLD_THREADS: as if so many were on a node; 0: all on one */
    enum clock_choice clock;
    /* Runs on every rank, in its own thread with threads. */
    void (*rank)(void *context, struct comm *comm);
    void *context;
};

/* MPI must have been started. 0 when every rank ran; -1 where they could not be made. */
int world_run(const struct world_job *job, struct error *e);

#endif
