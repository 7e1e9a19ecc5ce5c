/* Where the time of checkpoints goes: each stage of the slowest rank, the first step apart from the
 * others, for the first one meets empty caches, cold servers and directories that do not exist. */
#include "formats/text_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number of a phase that is shown over its steps. */
struct line {
    const char *name;
    const struct metric *metric; /* NULL: stage */
    enum stage stage;
};

static double value_s(const struct line *l, const struct phase_result *p)
{
    double s = l->metric ? metric_value(l->metric, p) : (double)p->stages[l->stage].max_ns / 1e9;
    return s > 0 ? s : NAN;
}

static void who(struct text *out, const struct line *l, const struct phase_result *worst)
{
    const struct stage_spread *s = &worst->stages[l->stage];
    char value[TEXT_VALUE], host[sizeof s->slowest_host];
    text_add(out, " %4" PRIu64, worst->repetition);
    if (!l->metric)
        text_add(out, " %8s %8" PRIu64 "  %s", text_value(value, METRIC_NS, (double)s->median_ns),
                 s->slowest_rank,
                 s->slowest_host[0] ? text_copy(host, sizeof host, s->slowest_host) : "-");
    text_add(out, "\n");
}

static void one_line(struct text *out, const struct test_result *t, const char *phase,
                     const struct line *l, double *others)
{
    const struct phase_result *first = NULL, *worst = NULL;
    size_t n = 0;
    char value[TEXT_VALUE];
    for (size_t i = 0; i < t->phases_used; i++) {
        const struct phase_result *p = &t->phases[i];
        double s = value_s(l, p);
        if (strcmp(p->phase, phase) != 0)
            continue;
        if (!first)
            first = p;
        else if (!isnan(s))
            others[n++] = s;
        if (!isnan(s) && (!worst || s > value_s(l, worst)))
            worst = p;
    }
    if (!worst)
        return;
    text_add(out, "%-12s %-14s", phase, l->name);
    text_add(out, " %8s", text_value(value, METRIC_SECONDS, value_s(l, first)));
    text_add(out, " %8s", text_value(value, METRIC_SECONDS, stats_of(others, n).median));
    text_add(out, " %8s", text_value(value, METRIC_SECONDS, value_s(l, worst)));
    who(out, l, worst);
}

static void lines(struct text *out, const struct test_result *t, const char *phase, double *others)
{
    static const char *const keys[] = {"blocked_s", "drain_s"};
    static const char *const names[] = {"blocked", "drain"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct line l = {.name = names[i], .metric = metric_find(keys[i])};
        one_line(out, t, phase, &l, others);
    }
    for (int i = 0; i < STAGES; i++) {
        struct line l = {.name = stage_name((enum stage)i), .stage = (enum stage)i};
        one_line(out, t, phase, &l, others);
    }
}

static void caches(struct text *out, const struct test_result *t)
{
    char value[TEXT_VALUE];
    for (size_t i = 0; i < t->phases_used; i++) {
        const struct phase_result *p = &t->phases[i];
        if (strcmp(p->phase, "restart") == 0 && p->cache_label[0])
            text_add(out,
                     "The restart of repetition %" PRIu64
                     " was %s: of what it read %s lay in the page cache before.\n",
                     p->repetition, p->cache_label,
                     isnan(p->cached_fraction)
                         ? "it is not known how much"
                         : text_value(value, METRIC_SHARE, p->cached_fraction));
    }
}

/* What the program waits for, in words. */
static const char *until_when(const struct settings *s)
{
    if (!s->checkpoint_background)
        return "from its beginning until it is whole";
    return s->checkpoint_staging
               ? "until it is copied, and for a drain longer than the work beside it"
               : "until it is written and marked: nothing is copied";
}

void text_checkpoint(struct text *out, const struct report *r, const struct test_result *t)
{
    if (strcmp(t->workload, "checkpoint") != 0 || t->phases_used == 0)
        return;
    double *others = calloc(t->phases_used, sizeof *others);
    if (!others) {
        out->failed = true;
        return;
    }
    text_add(out, "\nStages, of the slowest rank; others: median over the steps but the first\n");
    text_add(out, "%-12s %-14s %8s %8s %8s %4s %8s %8s  %s\n", "phase", "stage", "first", "others",
             "worst", "rep", "median", "slowest", "host");
    lines(out, t, "checkpoint", others);
    lines(out, t, "restart", others);
    if (strcmp(t->phases[0].phase, "checkpoint") == 0)
        text_add(out, "Blocked: %s.\n", until_when(r->settings));
    caches(out, t);
    free(others);
}
