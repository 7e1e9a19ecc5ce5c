/* The rules behind verdict_table: each adds its warning or is silent. */
#ifndef PARIO_JUDGE_RULES_H
#define PARIO_JUDGE_RULES_H

#include "judge/verdicts.h"

void rule_working_set(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_cached_writes(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_cached_reads(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_same_node_read(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_memory_fs(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_hollow_file(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_buffered_direct(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_short_phase(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_ragged_start(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_clock_offset(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_straggler(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_bimodal(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_unbalanced(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_cut_short(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_cpu_bound(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_harness_bound(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_oversubscribed(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_rate_missed(struct phase_result *p, const struct plan *plan, const struct world *w);
void rule_fs_full(struct phase_result *p, const struct plan *plan, const struct world *w);

#endif
