#include "run/checkpoint_findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct totals {
    size_t steps;
    double first_s;   /* blocked by the first */
    double *others_s; /* by each other */
    size_t others;
    double longest_s;    /* sum over steps of the maximum over ranks: MLPerf's duration */
    double least_per_s;  /* sum over steps of the slowest rank's rate: MLPerf's throughput */
    double straggler;    /* worst slowest / median of what ranks spend on their own files */
    double unique_per_s; /* of the last restart */
};

static void put(struct test_result *t, const char *key, double value)
{
    if (!isnan(value))
        test_finding(t, key, value, NULL);
}

static void add_step(struct totals *all, const struct phase_result *p)
{
    double blocked_s = (double)p->counters[COUNTER_BLOCKED_NS] / 1e9;
    if (p->cut != CUT_NONE)
        return;
    if (all->steps++ == 0)
        all->first_s = blocked_s;
    else
        all->others_s[all->others++] = blocked_s;
    all->longest_s += (double)p->own.max_ns / 1e9;
    all->least_per_s += p->spread.min_per_s;
    double ratio = p->own.median_ns > 0 ? (double)p->own.max_ns / (double)p->own.median_ns : NAN;
    if (ratio > all->straggler)
        all->straggler = ratio;
}

static void collect(struct totals *all, const struct test_result *t,
                    const struct checkpoint_plan *plan)
{
    for (size_t i = 0; i < t->phases_used; i++) {
        const struct phase_result *p = &t->phases[i];
        if (strcmp(p->phase, "checkpoint") == 0)
            add_step(all, p);
        else if (p->elapsed_ns && p->cut == CUT_NONE)
            all->unique_per_s = (double)plan->bytes * 1e9 / (double)p->elapsed_ns;
    }
}

static void advise(struct test_result *t, const struct checkpoint_plan *plan, double cost_s)
{
    double mtbf_s = (double)plan->mtbf_ns / 1e9, given_s = (double)plan->compute_ns / 1e9;
    double young_s = checkpoint_young_s(cost_s, mtbf_s);
    double daly_s = checkpoint_daly_s(cost_s, mtbf_s);
    put(t, "interval_young_s", young_s);
    put(t, "waste_at_young", checkpoint_waste(cost_s, young_s, mtbf_s));
    put(t, "interval_daly_s", daly_s);
    put(t, "waste_at_daly", checkpoint_waste(cost_s, daly_s, mtbf_s));
    put(t, "waste_at_compute", checkpoint_waste(cost_s, given_s, mtbf_s));
}

void checkpoint_findings(struct test_result *t, const struct checkpoint_plan *plan)
{
    struct totals all = {.straggler = 0, .unique_per_s = NAN};
    all.others_s = calloc(t->phases_used + 1, sizeof *all.others_s);
    if (!all.others_s)
        return;
    collect(&all, t, plan);
    struct stats others = stats_of(all.others_s, all.others);
    double n = (double)all.steps;
    if (all.steps) {
        put(t, "blocked_first_s", all.first_s);
        put(t, "blocked_others_median_s", all.others ? others.median : NAN);
        put(t, "straggler_ratio", all.straggler > 0 ? all.straggler : NAN);
        put(t, "mlperf_duration_s", all.longest_s / n);
        put(t, "mlperf_rank_bytes_per_s", all.least_per_s / n);
    }
    put(t, "restart_unique_bytes_per_s", all.unique_per_s);
    if (plan->mtbf_ns && all.steps)
        advise(t, plan, all.others ? others.median : all.first_s);
    free(all.others_s);
}
