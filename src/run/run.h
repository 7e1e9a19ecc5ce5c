/* A run on one rank: repetitions x phases of a test, with what lies between them. All ranks call it
 * and take the same way through it; results exist on rank 0 alone. */
#ifndef PARIO_RUN_RUN_H
#define PARIO_RUN_RUN_H

#include "backends/backend.h"
#include "comm/comm.h"
#include "model/plan.h"
#include "model/result.h"
#include "run/watch.h"

#include <stdio.h>

struct run_sink { /* told on rank 0, outside of every measured time */
    void *context;
    void (*test)(void *context, const struct test_result *test, const struct plan *plan);
    /* Takes over what *phase owns. */
    void (*phase)(void *context, struct test_result *test, struct phase_result *phase,
                  const struct plan *plan);
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

/* Collective. The status of the run, the same on all ranks; what went wrong in *worst, on all
 * ranks. */
enum status run_test(const struct run_job *job, struct comm *comm, struct error *worst);

#endif
