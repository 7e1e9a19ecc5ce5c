/* Options shown: their values as a user would write them, and the nearest name to a wrong one. */
#include "model/option.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct unit {
    uint64_t factor;
    const char *suffix;
};

/* In the largest unit that leaves it whole. */
static void show_whole(char *buf, size_t bytes, uint64_t value, const struct unit *units)
{
    while (units->factor > 1 && (value == 0 || value % units->factor != 0))
        units++;
    snprintf(buf, bytes, "%" PRIu64 "%s", value / units->factor, value == 0 ? "" : units->suffix);
}

/* The shortest text that reads back as the same number; a point in every locale. */
static void show_double(char *buf, size_t bytes, double value, const char *suffix)
{
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    for (char *c = text; *c; c++)
        if (!strchr("0123456789+-e", *c))
            *c = '.';
    snprintf(buf, bytes, "%s%s", text, suffix);
}

static void show_choice(char *buf, size_t bytes, const char *choices, int64_t index)
{
    const char *c = choices;
    for (; index > 0 && c; index--) {
        c = strchr(c, '|');
        c = c ? c + 1 : NULL;
    }
    snprintf(buf, bytes, "%.*s", c ? (int)strcspn(c, "|") : 0, c ? c : "");
}

char *option_show(const struct option *option, const void *values, char *buf, size_t bytes)
{
    static const struct unit sizes[] = {{UINT64_C(1) << 50, "p"}, {UINT64_C(1) << 40, "t"},
                                        {UINT64_C(1) << 30, "g"}, {UINT64_C(1) << 20, "m"},
                                        {UINT64_C(1) << 10, "k"}, {1, ""}};
    static const struct unit times[] = {{UINT64_C(86400000000000), "d"},
                                        {UINT64_C(3600000000000), "h"},
                                        {UINT64_C(60000000000), "m"},
                                        {UINT64_C(1000000000), "s"},
                                        {UINT64_C(1000000), "ms"},
                                        {UINT64_C(1000), "us"},
                                        {1, "ns"}};
    const void *value = (const char *)values + option->field;
    switch (option->kind) {
    case OPTION_FLAG:
        snprintf(buf, bytes, "%s", *(const bool *)value ? "yes" : "no");
        break;
    case OPTION_COUNTER:
    case OPTION_COUNT:
        snprintf(buf, bytes, "%" PRId64, *(const int64_t *)value);
        break;
    case OPTION_SIZE:
        show_whole(buf, bytes, *(const uint64_t *)value, sizes);
        break;
    case OPTION_SIZES:
        sizes_show(value, buf, bytes);
        break;
    case OPTION_TIME:
        show_whole(buf, bytes, (uint64_t) * (const int64_t *)value, times);
        break;
    case OPTION_PERCENT:
        show_double(buf, bytes, *(const double *)value, "%");
        break;
    case OPTION_NUMBER:
        show_double(buf, bytes, *(const double *)value, "");
        break;
    case OPTION_CHOICE:
        show_choice(buf, bytes, option->choices, *(const int64_t *)value);
        break;
    case OPTION_TEXT:
        snprintf(buf, bytes, "%s", *(char *const *)value ? *(char *const *)value : "");
        break;
    }
    return buf;
}

#define NAME_MOST 48 /* longer ones are not compared */

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to insert, delete, replace or exchange with the next to get from a to b, in any case. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][NAME_MOST + 1];
    size_t *before = rows[0];
    size_t *above = rows[1];
    size_t *row = rows[2];
    size_t n = strlen(b);
    for (size_t j = 0; j <= n; j++)
        above[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = least(above[j - 1] + !same, 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[n];
}

/* As distance, but a beginning of at least three letters of the name is always near. */
static size_t how_far(const char *typed, const char *name)
{
    size_t n = strlen(typed);
    if (n > NAME_MOST || strlen(name) > NAME_MOST)
        return NAME_MOST;
    size_t d = distance(typed, name);
    if (n >= 3 && strncasecmp(typed, name, n) == 0)
        return least(d, 1);
    return d;
}

const char *option_nearest(const struct option *table, const char *name)
{
    const char *nearest = NULL;
    size_t best = strlen(name) / 3 + 1; /* nearer than this is near enough */
    if (best > 4)
        best = 4;
    for (const struct option *o = table; o->name; o++) {
        const char *candidates[] = {o->name, o->directive};
        for (size_t i = 0; i < 2; i++) {
            size_t d = candidates[i] ? how_far(name, candidates[i]) : NAME_MOST;
            if (d < best) {
                best = d;
                nearest = candidates[i];
            }
        }
    }
    return nearest;
}
