/* One phase result as a JSON object, in the keys of schema pario/1. */
#include "formats/json_parts.h"

#include "model/metrics.h"

#include <math.h>

static json_t *stages(struct text *out, const struct phase_result *p)
{
    json_t *all = json_object();
    for (size_t i = 0; i < STAGES; i++) {
        const struct stage_spread *s = &p->stages[i];
        json_t *stage = json_object();
        json_put(out, stage, "max_s", json_number((double)s->max_ns / 1e9));
        json_put(out, stage, "median_s", json_number((double)s->median_ns / 1e9));
        json_put(out, stage, "min_s", json_number((double)s->min_ns / 1e9));
        json_put(out, stage, "sum_s", json_number((double)s->sum_ns / 1e9));
        if (s->max_ns > 0) {
            json_put(out, stage, "slowest_rank", json_whole(s->slowest_rank));
            json_put(out, stage, "slowest_host", json_words(s->slowest_host));
        }
        json_put(out, all, stage_name((enum stage)i), stage);
    }
    return all;
}

/* [[upper, count]..] of the cells that hold anything. */
static json_t *cells(struct text *out, const struct histogram *h)
{
    json_t *list = json_array();
    for (size_t i = 0; i < HISTOGRAM_CELLS; i++) {
        if (h->cells[i] == 0)
            continue;
        json_t *cell = json_array();
        json_push(out, cell, json_whole(histogram_cell_high(i)));
        json_push(out, cell, json_whole(h->cells[i]));
        json_push(out, list, cell);
    }
    return list;
}

static json_t *latency(struct text *out, const struct histogram *h)
{
    static const struct {
        const char *key;
        double q;
    } quantiles[] = {{"p50", 0.5},  {"p90", 0.9},     {"p95", 0.95},
                     {"p99", 0.99}, {"p99_9", 0.999}, {"p99_99", 0.9999}};
    json_t *o = json_object();
    json_put(out, o, "count", json_whole(h->count));
    json_put(out, o, "mean", json_number(histogram_mean(h)));
    json_put(out, o, "sd", json_number(histogram_sd(h)));
    json_put(out, o, "min", json_whole(h->min));
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        json_put(out, o, quantiles[i].key, json_whole(histogram_quantile(h, quantiles[i].q)));
    json_put(out, o, "max", json_whole(h->max));
    json_put(out, o, "histogram", cells(out, h));
    return o;
}

static json_t *latencies(struct text *out, const struct phase_result *p)
{
    json_t *all = json_object();
    for (size_t i = 0; i < OP_KINDS; i++)
        if (p->latency[i] && p->latency[i]->count > 0)
            json_put(out, all, op_name((enum op_kind)i), latency(out, p->latency[i]));
    return all;
}

static json_t *modes(struct text *out, const struct modes *m)
{
    json_t *o = json_object();
    json_put(out, o, "bimodal", json_boolean(m->bimodal));
    json_put(out, o, "coefficient", json_number(m->coefficient));
    json_put(out, o, "split_explains", json_number(m->split_explains));
    json_put(out, o, "slow_ranks", json_whole(m->slow_ranks));
    json_put(out, o, "fast_ranks", json_whole(m->fast_ranks));
    json_put(out, o, "slow_mean_per_s", json_number(m->slow_mean_per_s));
    json_put(out, o, "fast_mean_per_s", json_number(m->fast_mean_per_s));
    json_put(out, o, "by", m->by[0] ? json_words(m->by) : json_null());
    json_put(out, o, "by_explains", json_number(m->by_explains));
    json_put(out, o, "detail", json_words(m->detail));
    return o;
}

static json_t *spread(struct text *out, const struct spread *s)
{
    if (s->ranks == 0)
        return json_null();
    json_t *o = json_object();
    json_put(out, o, "unit", json_string(s->bytes ? "bytes_per_s" : "operations_per_s"));
    json_put(out, o, "ranks", json_whole(s->ranks));
    json_put(out, o, "min_per_s", json_number(s->min_per_s));
    json_put(out, o, "median_per_s", json_number(s->median_per_s));
    json_put(out, o, "max_per_s", json_number(s->max_per_s));
    json_put(out, o, "cv", json_number(s->cv));
    json_t *slowest = json_array();
    for (size_t i = 0; i < s->slowest_used; i++) {
        json_t *slow = json_object();
        json_put(out, slow, "rank", json_whole(s->slowest[i].rank));
        json_put(out, slow, "host", json_words(s->slowest[i].host));
        json_put(out, slow, "per_s", json_number(s->slowest[i].per_s));
        json_push(out, slowest, slow);
    }
    json_put(out, o, "slowest", slowest);
    json_put(out, o, "modes", isnan(s->modes.coefficient) ? json_null() : modes(out, &s->modes));
    return o;
}

/* Latencies over time, in intervals of their own. */
static json_t *series(struct text *out, const struct phase_result *p)
{
    static const char *const keys[] = {"operations", "mean", "p50", "p99", "max", "depth"};
    enum { KEYS = sizeof keys / sizeof *keys };
    json_t *o, *lists[KEYS];
    if (!p->series)
        return json_null();
    o = json_object();
    json_put(out, o, "interval_s", json_number((double)p->series_interval_ns / 1e9));
    for (size_t k = 0; k < KEYS; k++)
        lists[k] = json_array();
    for (size_t i = 0; i < p->series_used; i++) {
        const struct series_row *r = &p->series[i];
        bool any = r->operations > 0;
        json_push(out, lists[0], json_whole(r->operations));
        json_push(out, lists[1], any ? json_number(r->mean_ns) : json_null());
        json_push(out, lists[2], any ? json_whole(r->p50_ns) : json_null());
        json_push(out, lists[3], any ? json_whole(r->p99_ns) : json_null());
        json_push(out, lists[4], any ? json_whole(r->max_ns) : json_null());
        json_push(out, lists[5], json_number(r->depth));
    }
    for (size_t k = 0; k < KEYS; k++)
        json_put(out, o, keys[k], lists[k]);
    return o;
}

static json_t *timeline(struct text *out, const struct phase_result *p, const struct timeline *t)
{
    if (!t)
        return json_null();
    json_t *bytes = json_array();
    json_t *operations = json_array();
    for (size_t i = 0; i <= t->current && i < TIMELINE_CELLS; i++) {
        json_push(out, bytes, json_whole(t->cells[i].bytes));
        json_push(out, operations, json_whole(t->cells[i].operations));
    }
    json_t *o = json_object();
    json_put(out, o, "interval_s", json_number((double)t->interval_ns / 1e9));
    json_put(out, o, "bytes", bytes);
    json_put(out, o, "operations", operations);
    json_put(out, o, "latency", series(out, p));
    return o;
}

static json_t *cache(struct text *out, const struct phase_result *p)
{
    if (!p->cache_label[0])
        return json_null();
    json_t *o = json_object();
    json_put(out, o, "label", json_words(p->cache_label));
    json_put(out, o, "cached_fraction", json_number(p->cached_fraction));
    json_put(out, o, "device_bytes", json_number(p->device_bytes));
    return o;
}

static json_t *errors(struct text *out, const struct phase_result *p)
{
    json_t *list = json_array();
    for (size_t i = 0; i < p->errors_used; i++) {
        const struct error_tally *t = &p->errors[i];
        json_t *first = json_object();
        json_put(out, first, "rank", json_whole(t->rank));
        json_put(out, first, "host", json_words(t->host));
        json_put(out, first, "path", json_words(t->path));
        json_put(out, first, "offset",
                 t->offset == ERROR_NO_OFFSET ? json_null() : json_whole(t->offset));
        json_put(out, first, "message", json_words(t->message));
        json_t *o = json_object();
        json_put(out, o, "kind", json_words(t->kind));
        json_put(out, o, "count", json_whole(t->count));
        json_put(out, o, "first", first);
        json_push(out, list, o);
    }
    return list;
}

json_t *json_warnings(struct text *out, const struct warning *warnings, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *o = json_object();
        json_put(out, o, "code", json_words(warnings[i].code));
        json_put(out, o, "message", json_words(warnings[i].message));
        json_put(out, o, "figure", json_number(warnings[i].figure));
        json_push(out, list, o);
    }
    return list;
}

static void put_metrics(struct text *out, json_t *o, const struct phase_result *p)
{
    for (const struct metric *m = metric_table; m->key; m++)
        if (!m->json_apart)
            json_put(out, o, m->key,
                     m->whole ? json_whole(m->whole(p)) : json_number(metric_value(m, p)));
}

static void put_main(struct text *out, json_t *o, const struct phase_result *p)
{
    static const char *const keys[] = {"bytes", "operations", "bandwidth_bytes_per_s",
                                       "operations_per_s"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const struct metric *m = metric_find(keys[k]);
        json_put(out, o, keys[k],
                 m->whole ? json_whole(m->whole(p)) : json_number(metric_value(m, p)));
    }
}

/* Of a mixed phase: {read: {bytes, operations, ..}, write: ..}. */
static json_t *directions(struct text *out, const struct phase_result *p)
{
    struct phase_result part;
    json_t *all = json_object();
    if (!p->also)
        return all;
    for (size_t i = 0; i < 2 && phase_result_part(p, i, &part); i++) {
        json_t *o = json_object();
        put_main(out, o, &part);
        json_put(out, all, op_name(part.about), o);
    }
    return all;
}

/* Where sizes are mixed: [{operation, transfer_bytes, bytes, .., latency_ns}, ..]. */
static json_t *sizes(struct text *out, const struct phase_result *p)
{
    struct phase_result part;
    json_t *all = json_array();
    size_t first = p->also ? 2 : 0;
    for (size_t i = 0; i < p->sized_used && phase_result_part(p, first + i, &part); i++) {
        json_t *o = json_object();
        json_put(out, o, "operation", json_words(op_name(part.about)));
        json_put(out, o, "transfer_bytes", json_whole(p->sized[i].bytes));
        put_main(out, o, &part);
        json_put(out, o, "latency_ns", latency(out, &p->sized[i].latency));
        json_push(out, all, o);
    }
    return all;
}

json_t *json_phase(struct text *out, const struct phase_result *p)
{
    static const char *const cuts[] = {[CUT_NONE] = NULL,
                                       [CUT_SIGNAL] = "signal",
                                       [CUT_TIME_LIMIT] = "time-limit",
                                       [CUT_ERROR] = "error",
                                       [CUT_FULL] = "full"};
    json_t *o = json_object();
    json_put(out, o, "phase", json_words(p->phase));
    json_put(out, o, "repetition", json_whole(p->repetition));
    json_put(out, o, "step", json_whole(p->step));
    json_put(out, o, "ranks", json_whole(p->ranks));
    put_metrics(out, o, p);
    json_put(out, o, "cut", json_words(cuts[p->cut]));
    json_put(out, o, "deadline_struck", json_boolean(p->counters[COUNTER_STOPPED] > 0));
    json_put(out, o, "stages", stages(out, p));
    json_put(out, o, "directions", directions(out, p));
    json_put(out, o, "sizes", sizes(out, p));
    json_put(out, o, "latency_ns", latencies(out, p));
    json_put(out, o, "intended_latency_ns", p->intended ? latency(out, p->intended) : json_null());
    json_put(out, o, "spread", spread(out, &p->spread));
    json_put(out, o, "timeline", timeline(out, p, p->timeline));
    json_put(out, o, "cache", cache(out, p));
    json_put(out, o, "errors", errors(out, p));
    json_put(out, o, "warnings", json_warnings(out, p->warnings, p->warnings_used));
    return o;
}
