#include "model/metrics.h"

#include "base/wrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct metric *metric_find(const char *key)
{
    for (const struct metric *m = metric_table; m->key; m++)
        if (strcmp(m->key, key) == 0)
            return m;
    return NULL;
}

double metric_value(const struct metric *m, const struct phase_result *p)
{
    if (m->whole)
        return (double)m->whole(p);
    return m->seconds ? m->amount(p) / m->seconds(p) : m->amount(p);
}

struct stats metric_summary(const struct test_result *t, const char *phase, const struct metric *m)
{
    size_t n = 0;
    double total = 0;
    double seconds = 0;
    double *values = calloc(t->phases_used + 1, sizeof *values);
    for (size_t i = 0; values && i < t->phases_used; i++) {
        const struct phase_result *p = &t->phases[i];
        double value = metric_value(m, p);
        if (strcmp(p->phase, phase) != 0 || isnan(value))
            continue;
        values[n++] = value;
        if (m->seconds) {
            total += m->amount(p);
            seconds += m->seconds(p);
        }
    }
    struct stats s = stats_of(values, n);
    free(values);
    if (m->seconds && n > 0) {
        s.mean = total / seconds;
        s.cv = s.sd / s.mean;
    }
    return s;
}

const char *metric_unit_name(enum metric_unit unit)
{
    static const char *const names[] = {
        [METRIC_COUNT] = "",  [METRIC_BYTES] = "bytes",           [METRIC_SECONDS] = "s",
        [METRIC_NS] = "ns",   [METRIC_BYTES_PER_S] = "bytes / s", [METRIC_PER_S] = "1 / s",
        [METRIC_SHARE] = "1",
    };
    return names[unit];
}

void metrics_help(struct text *out)
{
    enum { INDENT = 4, WIDTH = 96 };
    text_add(out,
             "What every number means. Times are differences on one clock. A number that would "
             "mean\nnothing is \"-\" in text, empty in CSV and null in JSON.\n\n");
    for (const struct metric *m = metric_table; m->key; m++) {
        const char *unit = metric_unit_name(m->unit);
        text_add(out, "%s%s%s%s", m->key, *unit ? " [" : "", unit, *unit ? "]" : "");
        if (m->heading)
            text_add(out, ", in the table \"%s\"", m->heading);
        text_add(out, "\n%*s", INDENT, "");
        text_wrap(out, m->meaning, INDENT, INDENT, WIDTH);
    }
}
