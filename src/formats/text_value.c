#include "formats/text_parts.h"

#include "base/units.h"
#include "base/wrap.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends a unit to a number that has one. */
static char *with_unit(char *buf, double value, const char *unit)
{
    size_t used = strlen(buf);
    if (!isnan(value))
        snprintf(buf + used, UNITS_TEXT - used, "%s", unit);
    return buf;
}

char *text_value(char *buf, enum metric_unit unit, double value)
{
    switch (unit) {
    case METRIC_BYTES:
        return units_size(buf, value);
    case METRIC_SECONDS:
        return units_time(buf, value * 1e9);
    case METRIC_NS:
        return units_time(buf, value);
    case METRIC_BYTES_PER_S:
        return units_rate(buf, value);
    case METRIC_SHARE:
        return with_unit(units_number(buf, value * 100), value, " %");
    case METRIC_PER_S:
        return with_unit(units_number(buf, value), value, "/s");
    case METRIC_COUNT:
        break;
    }
    return units_number(buf, value);
}

void text_pair(struct text *out, size_t columns, const char *label, const char *words)
{
    size_t bytes = strlen(words) + 1, used = strlen(label);
    char *clean = malloc(bytes);
    if (!clean) {
        out->failed = true;
        return;
    }
    size_t gap = used < columns ? columns - used : 1; /* a label never touches its value */
    text_add(out, "  %s%*s", label, (int)gap, "");
    text_wrap(out, text_copy(clean, bytes, words), 2 + used + gap, 2 + columns, TEXT_WIDTH);
    free(clean);
}

void text_line(struct text *out, const char *label, const char *words)
{
    text_pair(out, TEXT_LABEL, label, words);
}

void text_row_head(struct text *out, const struct phase_result *p)
{
    char name[sizeof p->phase + 1];
    snprintf(name, sizeof name, "%s%s", p->phase, p->cut ? "*" : "");
    /* A part of a part stands beneath it: "mixed read 64k" as "  read 64k". */
    const char *part = strlen(name) > 12 ? strchr(name, ' ') : NULL;
    if (part)
        text_add(out, "  %-10s %3" PRIu64, part + 1, p->repetition);
    else
        text_add(out, "%-12s %3" PRIu64, text_copy(name, sizeof name, name), p->repetition);
}
