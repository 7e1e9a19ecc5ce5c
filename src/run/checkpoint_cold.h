/* Before a restart: what this run's nodes have cached of a checkpoint goes as far as it may, and is
 * looked for. */
#ifndef PARIO_RUN_CHECKPOINT_COLD_H
#define PARIO_RUN_CHECKPOINT_COLD_H

#include "run/phase_run.h"

/* Collective: --cold and --between, as the plan has them, for the checkpoint that is read next by
 * the readers that are chosen. A command that fails ends the run; what may not be dropped is said.
 */
void cold_make(struct rank_run *r, struct phase_end *end);

/* Counts the pages of what this rank reads of the checkpoint, and those that are cached here; of
 * the rank's first 64 files, for all. With --cold=all what looking made known is dropped again. */
void cold_look(const struct checkpoint_plan *plan, uint64_t *counters);

#endif
