/* What -v adds: latency of every kind of operation, stages, slowest ranks, what the backend read
 * back; and -v -v: what is recorded of the world, and all settings. */
#include "formats/text_parts.h"

#include "formats/words.h"
#include "model/option.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void latency_row(struct text *out, const struct phase_result *p, enum op_kind kind)
{
    static const double quantiles[] = {0.5, 0.9, 0.95, 0.99, 0.999, 0.9999};
    const struct histogram *h = p->latency[kind];
    char value[TEXT_VALUE];
    text_row_head(out, p);
    text_add(out, " %-8s %8s", op_name(kind), text_value(value, METRIC_COUNT, (double)h->count));
    text_add(out, " %8s", text_value(value, METRIC_NS, histogram_mean(h)));
    text_add(out, " %8s", text_value(value, METRIC_NS, (double)h->min));
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        text_add(out, " %7s",
                 text_value(value, METRIC_NS, (double)histogram_quantile(h, quantiles[i])));
    text_add(out, " %7s\n", text_value(value, METRIC_NS, (double)h->max));
}

static void latencies(struct text *out, const struct test_result *t)
{
    text_add(out, "\nLatency of every kind of operation\n");
    text_add(out, "%-12s %3s %-8s %8s %8s %8s %7s %7s %7s %7s %7s %7s %7s\n", "phase", "rep", "",
             "count", "mean", "min", "p50", "p90", "p95", "p99", "p99.9", "p99.99", "max");
    for (size_t i = 0; i < t->phases_used; i++)
        for (size_t k = 0; k < OP_KINDS; k++)
            if (t->phases[i].latency[k] && t->phases[i].latency[k]->count > 0)
                latency_row(out, &t->phases[i], (enum op_kind)k);
}

static double share_of_time(const struct phase_result *p, size_t stage)
{
    double all = 0;
    for (size_t i = 0; i < STAGES; i++)
        all += (double)p->stages[i].sum_ns;
    return all > 0 ? (double)p->stages[stage].sum_ns / all : NAN;
}

static void stage_row(struct text *out, const struct phase_result *p, size_t stage)
{
    const struct stage_spread *s = &p->stages[stage];
    char value[TEXT_VALUE];
    text_row_head(out, p);
    text_add(out, " %-8s", stage_name((enum stage)stage));
    text_add(out, " %8s", text_value(value, METRIC_NS, (double)s->min_ns));
    text_add(out, " %8s", text_value(value, METRIC_NS, (double)s->median_ns));
    text_add(out, " %8s", text_value(value, METRIC_NS, (double)s->max_ns));
    text_add(out, " %12s\n", text_value(value, METRIC_SHARE, share_of_time(p, stage)));
}

static void stages(struct text *out, const struct test_result *t)
{
    text_add(out, "\nTime of a rank in each stage, over ranks\n");
    text_add(out, "%-12s %3s %-8s %8s %8s %8s %12s\n", "phase", "rep", "stage", "min", "median",
             "max", "of all time");
    for (size_t i = 0; i < t->phases_used; i++)
        for (size_t k = 0; k < STAGES; k++)
            if (t->phases[i].stages[k].max_ns > 0)
                stage_row(out, &t->phases[i], k);
}

static void cpu_row(struct text *out, const struct phase_result *p)
{
    static const enum counter times[] = {COUNTER_USER_NS, COUNTER_SYSTEM_NS};
    const uint64_t *n = p->counters;
    char value[TEXT_VALUE], share[TEXT_VALUE];
    double busy = (double)n[COUNTER_USER_NS] + (double)n[COUNTER_SYSTEM_NS];
    text_row_head(out, p);
    for (size_t i = 0; i < 2; i++)
        text_add(out, " %8s %7s", text_value(value, METRIC_NS, (double)n[times[i]]),
                 text_value(share, METRIC_SHARE, (double)n[times[i]] / busy));
    text_add(out, " %8s", text_value(value, METRIC_COUNT, (double)n[COUNTER_SWITCHES]));
    text_add(out, " %12s\n", text_value(value, METRIC_SHARE, p->node_cpu));
}

static void cpu(struct text *out, const struct test_result *t)
{
    bool headed = false;
    for (size_t i = 0; i < t->phases_used; i++) {
        const struct phase_result *p = &t->phases[i];
        if (p->counters[COUNTER_USER_NS] + p->counters[COUNTER_SYSTEM_NS] == 0)
            continue;
        if (!headed)
            text_add(out, "\nCPU time of all ranks\n%-12s %3s %8s %7s %8s %7s %8s %12s\n", "phase",
                     "rep", "user", "", "system", "", "switches", "busiest node");
        headed = true;
        cpu_row(out, p);
    }
}

static void slow_row(struct text *out, const struct phase_result *p, const struct slow_rank *slow)
{
    char value[TEXT_VALUE], host[sizeof slow->host];
    enum metric_unit unit = p->spread.bytes ? METRIC_BYTES_PER_S : METRIC_PER_S;
    text_row_head(out, p);
    text_add(out, " %8" PRIu64 " %13s  %s\n", slow->rank, text_value(value, unit, slow->per_s),
             slow->host[0] ? text_copy(host, sizeof host, slow->host) : "-");
}

static void slowest(struct text *out, const struct test_result *t)
{
    bool headed = false;
    for (size_t i = 0; i < t->phases_used; i++) {
        const struct phase_result *p = &t->phases[i];
        for (size_t k = 0; p->spread.ranks > 1 && k < p->spread.slowest_used; k++) {
            if (!headed)
                text_add(out, "\nSlowest ranks\n%-12s %3s %8s %13s  %s\n", "phase", "rep", "rank",
                         "rate", "host");
            headed = true;
            slow_row(out, p, &p->spread.slowest[k]);
        }
    }
}

/* Keys come from elsewhere, of any length: the values line up behind the longest. */
static void pairs(struct text *out, const char *title, const struct fact_text *pairs, size_t n)
{
    size_t columns = TEXT_LABEL;
    for (size_t i = 0; i < n; i++)
        if (strlen(pairs[i].key) >= columns)
            columns = strlen(pairs[i].key) + 1;
    if (n > 0)
        text_add(out, "\n%s\n", title);
    for (size_t i = 0; i < n; i++)
        text_pair(out, columns, pairs[i].key, pairs[i].value);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* A finding's unit is the end of its name. */
void text_findings(struct text *out, const struct test_result *t)
{
    size_t columns = TEXT_LABEL;
    for (size_t i = 0; i < t->findings_used; i++)
        if (strlen(t->findings[i].key) >= columns)
            columns = strlen(t->findings[i].key) + 1;
    if (t->findings_used > 0)
        text_add(out, "\nOver all of them\n");
    for (size_t i = 0; i < t->findings_used; i++) {
        const struct fact_text *f = &t->findings[i];
        enum metric_unit unit = ends_with(f->key, "_bytes_per_s") ? METRIC_BYTES_PER_S
                                : ends_with(f->key, "_s")         ? METRIC_SECONDS
                                                                  : METRIC_COUNT;
        char value[TEXT_VALUE];
        bool plain = unit == METRIC_COUNT; /* ratios and numbers, as they are */
        text_pair(out, columns, f->key,
                  plain ? f->value : text_value(value, unit, strtod(f->value, NULL)));
    }
}

void text_details(struct text *out, const struct test_result *t)
{
    if (t->phases_used > 0) {
        latencies(out, t);
        stages(out, t);
        cpu(out, t);
        slowest(out, t);
    }
    pairs(out, "The backend says", t->facts, t->facts_used);
}

static void settings(struct text *out, const struct option *table, const void *values,
                     const enum origin *origins, const char *prefix)
{
    char name[96], value[1024];
    for (size_t i = 0; table && table[i].name; i++) {
        snprintf(name, sizeof name, "%s%s%s", prefix ? prefix : "", prefix ? "." : "",
                 table[i].name);
        option_show(&table[i], values, value, sizeof value);
        text_add(out, "  %-22s %s (%s)\n", name,
                 value[0] ? text_copy(value, sizeof value, value) : "-",
                 origins ? words_origin(origins[i]) : "origin not known");
    }
}

void text_record(struct text *out, const struct report *r)
{
    pairs(out, "Environment", r->environment, r->environment_used);
    text_add(out, "\nSettings, and where each comes from\n");
    settings(out, r->settings_table, r->settings, r->origins, NULL);
    settings(out, r->backend_table, r->backend_options, r->backend_origins, r->backend_prefix);
}
