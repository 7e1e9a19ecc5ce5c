/* Removing checkpoints: each rank its share of the files, for they may be many, and rank 0 what is
 * left. */
#ifndef PARIO_RUN_CHECKPOINT_CLEAR_H
#define PARIO_RUN_CHECKPOINT_CLEAR_H

#include "run/phase_run.h"

/* Collective: all that is pario's at -o, whoever wrote it. Killed at any moment, the directory is
 * still known as pario's, and nothing in it is taken for whole. */
void checkpoint_clear(struct rank_run *r, struct phase_end *end);

#endif
