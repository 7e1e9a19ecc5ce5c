/* Time and ranks: did all of them do the same, at the same time, for long enough? */
#include "judge/rules.h"

#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BANDWIDTH_FLOOR_NS 1000000000u
#define METADATA_FLOOR_NS 100000000u
#define RAGGED_SHARE 0.01
#define RAGGED_NS 1000000u
#define STRAGGLER_FACTOR 1.5
#define UNBALANCED_LIMIT 0.05

static double own_elapsed_ns(const struct phase_result *p)
{
    return (double)p->counters[COUNTER_ELAPSED_NS];
}

void rule_short_phase(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan, (void)w;
    uint64_t floor = op_is_transfer(p->about) ? BANDWIDTH_FLOOR_NS : METADATA_FLOOR_NS;
    char elapsed[UNITS_TEXT], least[UNITS_TEXT];
    if (p->elapsed_ns >= floor || p->elapsed_ns == 0)
        return;
    phase_warn(
        p, "short-phase", (double)p->elapsed_ns / 1e9,
        "the phase took %s, less than %s: start and end weigh heavily, and chance too. Do more "
        "per phase (%s).",
        units_time(elapsed, (double)p->elapsed_ns), units_time(least, (double)floor),
        op_is_transfer(p->about) ? "larger -b or -s" : "more files");
}

void rule_ragged_start(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan, (void)w;
    double gap = (double)p->elapsed_ns - own_elapsed_ns(p);
    char gap_text[UNITS_TEXT], elapsed[UNITS_TEXT];
    if (own_elapsed_ns(p) <= 0 || gap <= RAGGED_NS || gap <= RAGGED_SHARE * (double)p->elapsed_ns)
        return;
    phase_warn(
        p, "ragged-start", gap / 1e9,
        "elapsed (%s) is %s longer than any rank worked: ranks started late, or barriers were "
        "slow. The rate counts it; look for busy cores or too many ranks per node.",
        units_time(elapsed, (double)p->elapsed_ns), units_time(gap_text, gap));
}

/* A rate of ranks as people read it. */
static char *rate_text(char *buf, const struct spread *s, double per_s)
{
    if (s->bytes)
        return units_rate(buf, per_s);
    size_t used = strlen(units_number(buf, per_s));
    snprintf(buf + used, UNITS_TEXT - used, "/s");
    return buf;
}

/* "3 on node1, 7 on node3": the ranks that are slow, of the slowest that are known. */
static void name_stragglers(struct text *names, const struct spread *s)
{
    for (size_t i = 0; i < s->slowest_used; i++) {
        const struct slow_rank *slow = &s->slowest[i];
        if (STRAGGLER_FACTOR * slow->per_s < s->median_per_s)
            text_add(names, "%s%" PRIu64 "%s%s", i ? ", " : "", slow->rank,
                     slow->host[0] ? " on " : "", slow->host);
    }
}

void rule_straggler(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan, (void)w;
    const struct spread *s = &p->spread;
    char slow[UNITS_TEXT + 4], median[UNITS_TEXT + 4];
    struct text names = {0};
    if (s->ranks < 2 || !(STRAGGLER_FACTOR * s->min_per_s < s->median_per_s))
        return;
    name_stragglers(&names, s);
    phase_warn(
        p, "straggler", s->median_per_s / s->min_per_s,
        "the slowest rank reached %s, the median %s. Slow: rank %s. Look at these hosts, and at "
        "the files and targets that these ranks use.",
        rate_text(slow, s, s->min_per_s), rate_text(median, s, s->median_per_s),
        names.data ? names.data : "?");
    text_free(&names);
}

void rule_bimodal(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan, (void)w;
    const struct modes *m = &p->spread.modes;
    char slow[UNITS_TEXT + 4], fast[UNITS_TEXT + 4];
    if (p->spread.ranks == 0 || !m->bimodal)
        return;
    rate_text(slow, &p->spread, m->slow_mean_per_s);
    rate_text(fast, &p->spread, m->fast_mean_per_s);
    if (m->by[0])
        phase_warn(p, "bimodal", m->coefficient,
                   "there are two kinds of ranks: %" PRIu64 " with %s and %" PRIu64 " with %s on "
                   "average. Told apart by %s: %s. Look at what these share.",
                   m->slow_ranks, slow, m->fast_ranks, fast, m->by, m->detail);
    else
        phase_warn(
            p, "bimodal", m->coefficient,
            "there are two kinds of ranks: %" PRIu64 " with %s and %" PRIu64 " with %s on "
            "average; neither host, file, parity nor order of ranks tells them apart. Look at "
            "storage targets and network paths.",
            m->slow_ranks, slow, m->fast_ranks, fast);
}

void rule_unbalanced(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)w;
    uint64_t least = p->counters[COUNTER_OPERATIONS_MIN];
    uint64_t most = p->counters[COUNTER_OPERATIONS_MAX];
    if (plan->workload == WORKLOAD_CHECKPOINT && plan->checkpoint.layout.shape == CHECKPOINT_GROUPS)
        return; /* some collect, others hand over: as it was asked for */
    if (most <= least + 1 || (double)most <= (1 + UNBALANCED_LIMIT) * (double)least)
        return;
    bool timed = p->counters[COUNTER_STOPPED] && !plan->wear_out;
    phase_warn(p, "unbalanced", (double)least / (double)most,
               "ranks did unequal work, from %" PRIu64 " to %" PRIu64 " operations%s. Compare with "
               "%s.",
               least, most, timed ? " in the same time" : ": the last ones worked alone at the end",
               timed ? "the rates of single ranks" : "the rate at first rank done");
}

static bool any_failed(const struct phase_result *p)
{
    return p->errors_used || p->counters[COUNTER_FAILED_RANKS] || p->counters[COUNTER_FAILED];
}

static const char *cut_advice(const struct phase_result *p, const char **by)
{
    static const char *const reasons[][2] = {
        [CUT_NONE] = {"something", "See the messages of the run."},
        [CUT_SIGNAL] = {"a signal", "Run it again in full."},
        [CUT_TIME_LIMIT] = {"the time limit", "Allow more time, or do less."},
        [CUT_ERROR] = {"an error", "See the errors, and run it again."},
        [CUT_FULL] = {"a full file system", "Free space, or write less (smaller -b or -s)."},
    };
    enum cut cut = p->cut == CUT_NONE && any_failed(p) ? CUT_ERROR : p->cut;
    *by = reasons[cut][0];
    return reasons[cut][1];
}

void rule_cut_short(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan, (void)w;
    const char *by;
    const char *advice = cut_advice(p, &by);
    uint64_t done = p->counters[COUNTER_OPERATIONS];
    uint64_t planned = p->counters[COUNTER_PLANNED];
    bool early = done < planned && !p->counters[COUNTER_STOPPED];
    if (p->cut == CUT_NONE && !any_failed(p) && !early)
        return;
    if (planned && done >= planned) {
        phase_warn(p, "cut-short", 1, "all %" PRIu64 " operations were done, but not well (%s). %s",
                   done, by, advice);
        return;
    }
    phase_warn(p, "cut-short", planned ? (double)done / (double)planned : NAN,
               "stopped by %s after %" PRIu64 " of %" PRIu64
               " operations: the figures are of the part "
               "that was done. %s",
               by, done, planned, advice);
}
