/* Parsing reads the digits itself, as whole number and fraction apart, and multiplies exactly:
 * neither the locale nor binary fractions can change what the user wrote. */
#include "base/units.h"

#include "base/text.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FRACTION_DIGITS 18 /* 10^18 times the largest unit is far below 2^128 */

struct unit {
    const char *name;
    uint64_t factor;
    bool decimal;
    bool fold_case;
};

/* What a kind of value is called and how it is written right. */
struct grammar {
    const char *noun;
    const char *right;
    const char *least_step; /* what a fraction must be whole of */
    const char *limit;
    uint64_t most;
    const struct unit *units;
};

#define KIB UINT64_C(1024)

static const struct unit size_units[] = {
    {"", 1, false, true},
    {"b", 1, false, true},
    {"k", KIB, false, true},
    {"ki", KIB, false, true},
    {"kib", KIB, false, true},
    {"m", KIB *KIB, false, true},
    {"mi", KIB *KIB, false, true},
    {"mib", KIB *KIB, false, true},
    {"g", KIB *KIB *KIB, false, true},
    {"gi", KIB *KIB *KIB, false, true},
    {"gib", KIB *KIB *KIB, false, true},
    {"t", KIB *KIB *KIB *KIB, false, true},
    {"ti", KIB *KIB *KIB *KIB, false, true},
    {"tib", KIB *KIB *KIB *KIB, false, true},
    {"p", KIB *KIB *KIB *KIB *KIB, false, true},
    {"pi", KIB *KIB *KIB *KIB *KIB, false, true},
    {"pib", KIB *KIB *KIB *KIB *KIB, false, true},
    {"eib", KIB *KIB *KIB *KIB *KIB *KIB, false, true}, /* a bare e would read 1e as 1 EiB */
    {"kb", UINT64_C(1000), true, true},
    {"mb", UINT64_C(1000000), true, true},
    {"gb", UINT64_C(1000000000), true, true},
    {"tb", UINT64_C(1000000000000), true, true},
    {"pb", UINT64_C(1000000000000000), true, true},
    {"eb", UINT64_C(1000000000000000000), true, true},
    {NULL, 0, false, false},
};

static const struct unit time_units[] = {
    {"", UINT64_C(1000000000), false, false},      {"ns", 1, false, false},
    {"us", UINT64_C(1000), false, false},          {"ms", UINT64_C(1000000), false, false},
    {"s", UINT64_C(1000000000), false, false},     {"m", UINT64_C(60000000000), false, false},
    {"min", UINT64_C(60000000000), false, false},  {"h", UINT64_C(3600000000000), false, false},
    {"d", UINT64_C(86400000000000), false, false}, {NULL, 0, false, false},
};

static const struct unit count_units[] = {
    {"", 1, false, true},
    {"k", KIB, false, true},
    {"m", KIB *KIB, false, true},
    {"g", KIB *KIB *KIB, false, true},
    {"t", KIB *KIB *KIB *KIB, false, true},
    {"p", KIB *KIB *KIB *KIB *KIB, false, true},
    {NULL, 0, false, false},
};

static const struct grammar size_grammar = {
    .noun = "size",
    .right = "write a number with k, m, g, t, p (powers of two, as 4m or 1.5MiB) or kB, MB, GB "
             "(powers of ten)",
    .least_step = "bytes",
    .limit = "18446744073709551615 bytes, just below 16 EiB",
    .most = UINT64_MAX,
    .units = size_units,
};

static const struct grammar time_grammar = {
    .noun = "time",
    .right =
        "write a number with ns, us, ms, s, m, h or d (as 30s, 1.5h or 500ms); seconds without one",
    .least_step = "nanoseconds",
    .limit = "106751d, about 292 years",
    .most = INT64_MAX,
    .units = time_units,
};

static const struct grammar count_grammar = {
    .noun = "whole number",
    .right = "write digits, with k, m, g, t, p for powers of 1024 (as 12 or 10k)",
    .least_step = "ones",
    .limit = "9223372036854775807",
    .most = INT64_MAX,
    .units = count_units,
};

/* A value quoted in a message: short enough to read, and sane on a terminal. */
#define QUOTE_BYTES 64
static char *quote(char buf[QUOTE_BYTES], const char *text)
{
    text_copy(buf, QUOTE_BYTES - 3, text);
    if (strlen(text) >= QUOTE_BYTES - 3)
        memcpy(buf + strlen(buf), "...", 4);
    return buf;
}

/* The message for what cannot be read at all: says what looks wrong, then what would be right. */
static int refuse(const char *text, const char *noun, const char *right, struct error *e)
{
    char shown[QUOTE_BYTES];
    const char *because = "";
    if (text[0] == '\0')
        return error_set(e, STATUS_USAGE, "usage", "an empty value is no %s; %s", noun, right);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c >= 0x80)
            because = " (it holds a character outside ASCII, perhaps a dash or blank pasted from a "
                      "document)";
    if (!*because && text[0] == '-' && isalpha((unsigned char)text[1]))
        because = " (it looks like the next option)";
    if (!*because && strchr(text, ','))
        because = " (one value is meant, and its fraction stands after a point)";
    return error_set(e, STATUS_USAGE, "usage", "'%s' is not a %s%s; %s", quote(shown, text), noun,
                     because, right);
}

/* Digits of a decimal number, whole part and fraction apart. */
struct digits {
    uint64_t whole;
    uint64_t fraction; /* of 10^places */
    uint64_t scale;    /* 10^places */
    bool overflow;     /* the whole part is beyond 64 bits */
    bool too_fine;     /* more places than can be kept */
    const char *end;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* False where no number stands at text. "1." and ".5" are no numbers. */
static bool read_digits(const char *text, struct digits *d)
{
    *d = (struct digits){.scale = 1};
    const char *c = text;
    if (!is_digit(*c))
        return false;
    for (; is_digit(*c); c++)
        if (__builtin_mul_overflow(d->whole, 10u, &d->whole) ||
            __builtin_add_overflow(d->whole, (uint64_t)(*c - '0'), &d->whole))
            d->overflow = true;
    if (*c == '.') {
        c++;
        if (!is_digit(*c))
            return false;
        const char *end = c;
        for (const char *p = c; is_digit(*p); p++)
            if (*p != '0')
                end = p + 1; /* zeros at the end say nothing */
        d->too_fine = end - c > FRACTION_DIGITS;
        for (; c < end && !d->too_fine; c++) {
            d->fraction = d->fraction * 10 + (uint64_t)(*c - '0');
            d->scale *= 10;
        }
        while (is_digit(*c))
            c++;
    }
    d->end = c;
    return true;
}

static const struct unit *find_unit(const struct unit *units, const char *name)
{
    for (; units->name; units++)
        if ((units->fold_case ? strcasecmp : strcmp)(units->name, name) == 0)
            return units;
    return NULL;
}

/* digits[unit], exactly. *unit tells which one it was. */
static int parse(const char *text, const struct grammar *g, uint64_t *value,
                 const struct unit **unit, struct error *e)
{
    char shown[QUOTE_BYTES];
    struct digits d;
    if (!read_digits(text, &d))
        return refuse(text, g->noun, g->right, e);
    const char *name = d.end;
    if (name[0] == ' ' && name[1] != '\0')
        name++; /* "4 MiB", as results are printed */
    *unit = find_unit(g->units, name);
    if (!*unit)
        return refuse(text, g->noun, g->right, e);
    unsigned __int128 fraction = (unsigned __int128)d.fraction * (*unit)->factor;
    if (d.too_fine || fraction % d.scale != 0)
        return error_set(e, STATUS_USAGE, "usage", "'%s' does not come out as whole %s",
                         quote(shown, text), g->least_step);
    unsigned __int128 sum = (unsigned __int128)d.whole * (*unit)->factor + fraction / d.scale;
    if (d.overflow || sum > g->most)
        return error_set(e, STATUS_USAGE, "usage", "'%s' is more than fits (at most %s)",
                         quote(shown, text), g->limit);
    *value = (uint64_t)sum;
    return 0;
}

static int refuse_negative(const char *text, const struct grammar *g, struct error *e)
{
    char shown[QUOTE_BYTES];
    struct digits d;
    if (text[0] != '-' || !read_digits(text + 1, &d))
        return 0;
    return error_set(e, STATUS_USAGE, "usage", "'%s' is negative; a %s is 0 or more",
                     quote(shown, text), g->noun);
}

int units_parse_size(const char *text, uint64_t *bytes, int *decimal, struct error *e)
{
    const struct unit *unit;
    if (refuse_negative(text, &size_grammar, e) || parse(text, &size_grammar, bytes, &unit, e))
        return -1;
    if (decimal)
        *decimal = unit->decimal;
    return 0;
}

int units_parse_time(const char *text, int64_t *ns, struct error *e)
{
    const struct unit *unit;
    uint64_t value;
    if (refuse_negative(text, &time_grammar, e) || parse(text, &time_grammar, &value, &unit, e))
        return -1;
    *ns = (int64_t)value;
    return 0;
}

int units_parse_count(const char *text, int64_t *count, struct error *e)
{
    const struct unit *unit;
    uint64_t value;
    bool negative = text[0] == '-' && is_digit(text[1]);
    if (parse(text + negative, &count_grammar, &value, &unit, e))
        return -1;
    *count = negative ? -(int64_t)value : (int64_t)value;
    return 0;
}

/* True if text is [-]digits[.digits][e[+-]digits] followed by nothing but tail; *value is then its
 * nearest double, whatever the locale. */
static bool read_double(const char *text, const char *tail, bool exponent, double *value)
{
    struct digits d;
    if (!read_digits(text + (text[0] == '-'), &d))
        return false;
    const char *end = d.end;
    if (exponent && (*end == 'e' || *end == 'E')) {
        end++;
        end += *end == '+' || *end == '-';
        if (!is_digit(*end))
            return false;
        while (is_digit(*end))
            end++;
    }
    if (*end != '\0' && strcmp(end, tail) != 0)
        return false;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return false;
    *value = strtod_l(text, NULL, c_locale);
    freelocale(c_locale);
    return true;
}

int units_parse_percent(const char *text, double *percent, struct error *e)
{
    char shown[QUOTE_BYTES];
    double value;
    if (!read_double(text, "%", false, &value))
        return refuse(text, "share", "write a number from 0 to 100, as 80% or 12.5", e);
    if (value < 0 || value > 100)
        return error_set(e, STATUS_USAGE, "usage", "'%s' is outside of 0 to 100 %%",
                         quote(shown, text));
    *percent = value;
    return 0;
}

int units_parse_number(const char *text, double *number, struct error *e)
{
    char shown[QUOTE_BYTES];
    double value;
    if (!read_double(text, "", true, &value))
        return refuse(text, "number", "write digits, as 3, 0.25 or 1e6", e);
    if (!isfinite(value))
        return error_set(e, STATUS_USAGE, "usage", "'%s' is more than fits (at most 1.79e308)",
                         quote(shown, text));
    *number = value;
    return 0;
}
