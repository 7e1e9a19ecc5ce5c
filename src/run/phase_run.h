/* One phase on one rank, from opening the backend to the reduced result. */
#ifndef PARIO_RUN_PHASE_RUN_H
#define PARIO_RUN_PHASE_RUN_H

#include "model/fill.h"
#include "run/axis.h"
#include "run/ballast.h"
#include "run/engine.h"
#include "run/home.h"
#include "run/run.h"
#include "run/staging.h"
#include "run/storage.h"
#include "run/tensor_list.h"

struct scenario;

struct rank_run { /* what lasts for a whole test on this rank */
    const struct run_job *job;
    struct comm *comm;
    struct plan plan;
    struct fill *fill;
    void **buffers;           /* one per slot, inside fill */
    struct test_result *test; /* rank 0 */
    const struct scenario *scenario;
    struct ballast ballast;
    struct reorder reorder; /* whose blocks are read */
    uint64_t readable;      /* transfers that there is data for where this rank reads */
    int64_t limit_ns;       /* on this rank's clock; 0: none */
    struct storage storage;
    bool made;                  /* ... by this run */
    bool laid_out;              /* random: the file is there as a whole */
    struct home home;           /* metadata: the directory that the trees are in */
    uint64_t acting, goal;      /* metadata: whose items the next phase works on, and how many */
    struct error item_error;    /* the first phase in which single items failed; the same on all */
    struct tensor_list tensors; /* checkpoints: as listed by the user */
    struct staging staging;     /* checkpoints: memory to copy into */
    int64_t interval_ns;        /* ... the work of this rank that follows the next one */
    int64_t overlapped_ns;      /* ... and how much of it went on while the last was written */
    uint64_t issued;            /* own operations handed out in the last phase, done or not */
    uint64_t done;              /* own operations of the last timed phase on this rank */
    struct axis axis;
};

/* Collective. Failures of single items, where the phase counts them, go to run->item_error and end
 * nothing. timed phases leave a result with the test and tell the sink. */
struct phase_end phase_run(struct rank_run *run, const struct phase *phase);

#endif
