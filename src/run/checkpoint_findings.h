/* What a run of checkpoints tells over all of them: the first against the others, stragglers, and
 * how often to save. */
#ifndef PARIO_RUN_CHECKPOINT_FINDINGS_H
#define PARIO_RUN_CHECKPOINT_FINDINGS_H

#include "model/checkpoint.h"
#include "model/result.h"

/* Rank 0: findings of the test, from its results of the phases
 * checkpoint and restart. */
void checkpoint_findings(struct test_result *test, const struct checkpoint_plan *plan);

#endif
