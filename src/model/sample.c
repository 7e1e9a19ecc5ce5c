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
}
