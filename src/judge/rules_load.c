/* Something other than the storage at its limit. */
#include "judge/rules.h"

#include <inttypes.h>
#include <math.h>

#define NODE_CPU_LIMIT 0.8
#define RANK_CPU_LIMIT 0.9
#define HARNESS_LIMIT 0.03
#define FULL_LIMIT 0.85

/* What lowers the CPU's share in an operation. */
static const char *lighter(const struct phase_result *p)
{
    return op_is_transfer(p->about) ? "larger transfers, " : "";
}

void rule_cpu_bound(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan, (void)w;
    double elapsed = (double)p->counters[COUNTER_ELAPSED_NS];
    double rank = elapsed > 0 ? (double)p->counters[COUNTER_CPU_MAX_NS] / elapsed : 0;
    if (p->node_cpu > NODE_CPU_LIMIT)
        phase_warn(p, "cpu-bound", p->node_cpu,
                   "%.0f %% of a node's cores were in use: the CPU may have set the rate, not the "
                   "storage. Use %sfewer ranks per node, or more nodes.",
                   100 * p->node_cpu, lighter(p));
    else if (rank > RANK_CPU_LIMIT)
        phase_warn(
            p, "cpu-bound", rank,
            "a rank was on the CPU for %.0f %% of its time: the CPU may have set the rate, not "
            "the storage. Use %smore ranks.",
            100 * fmin(1, rank), lighter(p));
}

void rule_harness_bound(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan, (void)w;
    double all = 0;
    for (size_t i = 0; i < STAGES; i++)
        all += (double)p->stages[i].sum_ns;
    double own = (double)p->stages[STAGE_FILL].sum_ns + (double)p->stages[STAGE_CHECK].sum_ns +
                 (double)p->stages[STAGE_THINK].sum_ns;
    if (all <= 0 || own <= HARNESS_LIMIT * all)
        return;
    phase_warn(
        p, "harness-bound", own / all,
        "ranks spent %.1f %% of their time filling, checking and thinking: the rate is of that "
        "too. Compare with transfer_bandwidth, or leave out what is not needed; --data pool takes "
        "less to make.",
        100 * own / all);
}

void rule_oversubscribed(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan;
    if (w->cores == 0 || w->most_per_node <= w->cores)
        return;
    phase_warn(p, "oversubscribed", (double)w->most_per_node / w->cores,
               "%" PRIu64 " ranks share the %" PRIu32
               " cores of a node: they wait for each other. Use "
               "at most one rank per core.",
               w->most_per_node, w->cores);
}

void rule_rate_missed(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)w;
    double late_ns = (double)p->counters[COUNTER_RATE_MISSED];
    double asked = plan->access.rate_per_s * (double)p->ranks;
    double reached =
        p->elapsed_ns ? (double)p->counters[COUNTER_OPERATIONS] * 1e9 / (double)p->elapsed_ns : 0;
    if (plan->access.rate_per_s <= 0 || late_ns < 10e6 || late_ns < 0.01 * (double)p->elapsed_ns)
        return;
    phase_warn(
        p, "rate-missed", reached,
        "%.0f operations per second were asked for, %.0f were done: a rank was %.0f ms late in "
        "the end. Latencies from the time due grow as long as this lasts. Ask for less, or use "
        "more ranks or a queue (--depth).",
        asked, reached, late_ns / 1e6);
}

void rule_fs_full(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan;
    bool space = w->fs_used > FULL_LIMIT;
    double used = space ? w->fs_used : w->inodes_used;
    if (!space && !(w->inodes_used > FULL_LIMIT))
        return;
    phase_warn(
        p, "fs-full", used,
        "%.0f %% of the file system's %s are in use: nearly full ones are slower. Free some, or "
        "measure on another.",
        100 * used, space ? "space" : "inodes");
}
