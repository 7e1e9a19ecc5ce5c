/* What a repetition of a workload consists of. One row a workload, in scenario.c. */
#ifndef PARIO_RUN_SCENARIO_H
#define PARIO_RUN_SCENARIO_H

#include "run/phase_run.h"

struct scenario {
    unsigned workload; /* WORKLOAD_... */
    /* Collective, once, before anything is touched and before buffers are made: what is there, may
     * it be touched, is there room. 0, or -1 with this rank's own error. */
    int (*look)(struct rank_run *r, struct error *e);
    /* Collective, once for each repetition, plan.repetition set. What went wrong in *end. */
    void (*repeat)(struct rank_run *r, struct phase_end *end);
    /* Collective, once, after the last one; NULL: nothing is left to do. */
    void (*finish)(struct rank_run *r, struct phase_end *end);
};

extern const struct scenario scenario_bulk, scenario_random, scenario_metadata, scenario_checkpoint;

/* The row of a workload; there is one for each that the command line has. */
const struct scenario *scenario_of(int64_t workload);

/* For scenarios. Something went wrong, or the run is to stop: what would follow is left out. */
bool run_ended(const struct phase_end *end);
/* The phase of that name, unless the run ended before; a timed one after the pause asked for. */
void run_phase(struct rank_run *r, struct phase_end *end, const char *name);
/* Whose blocks each rank reads in this repetition. */
void run_reorder(struct rank_run *r);
/* Buffers and data as the plan has them; also 0 or -1 with an error. */
int run_make_buffers(struct rank_run *r, struct error *e);
void run_free_buffers(struct rank_run *r);
/* Collective: makes every rank know of any rank's own error. */
void run_agree(struct rank_run *r, struct error *mine, struct phase_end *end);

#endif
