/* A run on one rank: repetitions x phases of a test, with what lies between them. All ranks call it
 * and take the same way through it; results exist on rank 0 alone. */
#ifndef PARIO_RUN_RUN_H
#define PARIO_RUN_RUN_H

#include "backends/backend.h"
#include "comm/comm.h"
#include "model/plan.h"
#include "model/result.h"
#include "run/engine.h"
#include "run/rows.h"
#include "run/watch.h"

#include <stdio.h>

struct run_sink { /* told on rank 0, outside of every measured time */
    void *context;
    void (*test)(void *context, const struct test_result *test, const struct plan *plan);
    /* Before that, with --per-rank: what some of the ranks did in the phase. */
    void (*rows)(void *context, const struct test_result *test, const struct phase_result *phase,
                 uint64_t first, uint64_t n, const struct rank_row *rows);
    /* Takes over what *phase owns. */
    void (*phase)(void *context, struct test_result *test, struct phase_result *phase,
                  const struct plan *plan);
    /* Whether the repetitions so far suffice; asked where the plan goes on until they do. */
    bool (*enough)(void *context, const struct test_result *test);
};

struct run_job {
    const struct settings *settings;
    const struct backend *backend;
    const void *backend_options;
    const char *workload;
    const struct watch *watch;
    FILE *terminal;        /* for the progress line; NULL: none */
    struct report *report; /* used by rank 0 alone */
    struct run_sink sink;
};

/* What came of a phase or a run, the same on all ranks. */
struct phase_end {
    struct error worst;       /* STATUS_DONE: nobody failed */
    enum stop_reason stopped; /* the most serious reason of any rank */
};

/* Collective. The status of the run. */
enum status run_test(const struct run_job *job, struct comm *comm, struct phase_end *end);

/* Collective over comm: the comm of its first n ranks (all: n = 0), which the others wait for in
 * run_team_end. NULL on those, and with an error where it failed. */
struct comm *run_team(struct comm *comm, uint64_t n, struct error *e);
void run_team_end(struct comm *team, struct comm *comm);

#endif
