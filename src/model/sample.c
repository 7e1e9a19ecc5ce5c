#include "model/sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int sample_start(struct sample *s, uint32_t kinds, int64_t interval_ns, struct error *e)
{
    memset(s->counters, 0, sizeof s->counters);
    memset(s->stage_ns, 0, sizeof s->stage_ns);
    memset(s->latency, 0, sizeof s->latency);
    s->intended = NULL;
    s->series = NULL;
    s->sized = NULL;
    s->sized_used = 0;
    timeline_start(&s->timeline, interval_ns);
    for (unsigned kind = 0; kind < OP_KINDS; kind++) {
        if (!(kinds & 1u << kind))
            continue;
        s->latency[kind] = malloc(sizeof *s->latency[kind]);
        if (!s->latency[kind]) {
            sample_free(s);
            return error_errno(e, ENOMEM, "latency histogram of %s", op_name(kind));
        }
        histogram_clear(s->latency[kind]);
    }
    return 0;
}

int sample_add_intended(struct sample *s, struct error *e)
{
    s->intended = malloc(sizeof *s->intended);
    if (!s->intended)
        return error_errno(e, ENOMEM, "latency histogram from the time due");
    histogram_clear(s->intended);
    return 0;
}

int sample_add_series(struct sample *s, int64_t interval_ns, struct error *e)
{
    s->series = malloc(sizeof *s->series);
    if (!s->series)
        return error_errno(e, ENOMEM, "latencies over time");
    series_start(s->series, interval_ns);
    return 0;
}

int sample_add_sizes(struct sample *s, const struct sizes *sizes, enum op_kind about,
                     enum op_kind also, struct error *e)
{
    size_t n = (size_t)sizes->used * (also ? 2 : 1);
    s->sized = malloc(n * sizeof *s->sized);
    if (!s->sized)
        return error_errno(e, ENOMEM, "latency histograms of %zu sizes", n);
    for (size_t i = 0; i < n; i++) {
        s->sized[i].bytes = sizes->each[i % sizes->used].bytes;
        s->sized[i].kind = i < sizes->used ? about : also;
        histogram_clear(&s->sized[i].latency);
    }
    s->sized_used = n;
    return 0;
}

void sample_sized(struct sample *s, enum op_kind kind, uint64_t bytes, uint64_t latency_ns)
{
    for (size_t i = 0; i < s->sized_used; i++)
        if (s->sized[i].bytes == bytes && s->sized[i].kind == kind)
            histogram_add(&s->sized[i].latency, latency_ns);
}

void sample_restart(struct sample *s)
{
    uint64_t planned = s->counters[COUNTER_PLANNED], pages = s->counters[COUNTER_CACHE_PAGES],
             cached = s->counters[COUNTER_CACHED_PAGES];
    memset(s->counters, 0, sizeof s->counters);
    s->counters[COUNTER_PLANNED] = planned;
    s->counters[COUNTER_CACHE_PAGES] = pages;
    s->counters[COUNTER_CACHED_PAGES] = cached;
    memset(s->stage_ns, 0, sizeof s->stage_ns);
    for (unsigned kind = 0; kind < OP_KINDS; kind++)
        if (s->latency[kind])
            histogram_clear(s->latency[kind]);
    if (s->intended)
        histogram_clear(s->intended);
    timeline_start(&s->timeline, s->timeline.interval_ns);
    if (s->series)
        series_start(s->series, s->series->interval_ns);
    for (size_t i = 0; i < s->sized_used; i++)
        histogram_clear(&s->sized[i].latency);
}

void sample_free(struct sample *s)
{
    for (unsigned kind = 0; kind < OP_KINDS; kind++) {
        free(s->latency[kind]);
        s->latency[kind] = NULL;
    }
    free(s->intended);
    s->intended = NULL;
    free(s->series);
    s->series = NULL;
    free(s->sized);
    s->sized = NULL;
}
