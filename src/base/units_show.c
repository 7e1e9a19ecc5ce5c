/* Numbers as people read them. Decimals are made from whole numbers, so that no locale puts a
 * comma. */
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* "-", "inf" and the sign; what is left for the others is finite and not negative. True: all done.
 */
static bool show_special(char **out, double *value)
{
    if (isnan(*value)) {
        memcpy(*out, "-", 2);
        return true;
    }
    if (signbit(*value) && *value != 0)
        *(*out)++ = '-';
    *value = fabs(*value);
    if (isinf(*value)) {
        memcpy(*out, "inf", 4);
        return true;
    }
    return false;
}

static double power_of_ten(unsigned n)
{
    double power = 1;
    while (n-- > 0)
        power *= 10;
    return power;
}

/* value with so many decimals, then a suffix; beyond 10^15 as m.mme+xx, which nothing measured
 * reaches. */
static void show_decimal(char *out, double value, unsigned decimals, const char *suffix)
{
    size_t room = UNITS_TEXT - 1; /* a sign may stand before it */
    if (value >= 1e15) {
        unsigned exponent = 0;
        for (; value >= 10; value /= 10)
            exponent++;
        snprintf(out, room, "%ue+%u%s", (unsigned)value, exponent, suffix);
        return;
    }
    double power = power_of_ten(decimals);
    uint64_t scaled = (uint64_t)(value * power + 0.5);
    uint64_t base = (uint64_t)power;
    if (decimals == 0)
        snprintf(out, room, "%" PRIu64 "%s", scaled, suffix);
    else
        snprintf(out, room, "%" PRIu64 ".%0*" PRIu64 "%s", scaled / base, (int)decimals,
                 scaled % base, suffix);
}

/* Decimals that make three digits of it. */
static unsigned three_digits(double value)
{
    if (value < 9.995)
        return 2;
    return value < 99.95 ? 1 : 0;
}

struct step {
    double from; /* values of at least this are shown in it */
    double factor;
    const char *suffix;
};

static const struct step *step_for(const struct step *steps, double value)
{
    while (value < steps->from)
        steps++;
    return steps;
}

#define KIB 1024.0
#define MIB (KIB * KIB)
#define GIB (KIB * MIB)
#define TIB (KIB * GIB)
#define PIB (KIB * TIB)
#define EIB (KIB * PIB)

char *units_size(char *buf, double bytes)
{
    static const struct step steps[] = {
        {EIB, EIB, " EiB"}, {PIB, PIB, " PiB"}, {TIB, TIB, " TiB"}, {GIB, GIB, " GiB"},
        {MIB, MIB, " MiB"}, {KIB, KIB, " KiB"}, {0, 1, " B"},
    };
    char *out = buf;
    if (show_special(&out, &bytes))
        return buf;
    const struct step *s = step_for(steps, bytes);
    double value = bytes / s->factor;
    if (value >= 1023.995 && s > steps) { /* would be rounded up to 1024 */
        s--;
        value = bytes / s->factor;
    }
    unsigned decimals = 0;
    while (decimals < 2 && value * power_of_ten(decimals) != floor(value * power_of_ten(decimals)))
        decimals++;
    bool exact = value * power_of_ten(decimals) == floor(value * power_of_ten(decimals));
    if (!exact && bytes < MIB && bytes == floor(bytes))
        show_decimal(out, bytes, 0, " B");
    else
        show_decimal(out, value, decimals, s->suffix);
    return buf;
}

char *units_rate(char *buf, double bytes_per_s)
{
    static const struct step steps[] = {
        {10 * PIB, PIB, " PiB/s"}, {10 * TIB, TIB, " TiB/s"}, {10 * GIB, GIB, " GiB/s"},
        {MIB, MIB, " MiB/s"},      {KIB, KIB, " KiB/s"},      {0, 1, " B/s"},
    };
    char *out = buf;
    if (show_special(&out, &bytes_per_s))
        return buf;
    const struct step *s = step_for(steps, bytes_per_s);
    show_decimal(out, bytes_per_s / s->factor, 2, s->suffix);
    return buf;
}

char *units_time(char *buf, double ns)
{
    /* From where three digits of the smaller unit would be rounded up to a whole one of this. */
    static const struct step steps[] = {
        {86400e9 * 2, 86400e9, " d"},
        {3600e9 * 2, 3600e9, " h"},
        {600e9, 60e9, " min"},
        {999.5e6, 1e9, " s"},
        {999.5e3, 1e6, " ms"},
        {999.5, 1e3, " us"},
        {0, 1, " ns"},
    };
    char *out = buf;
    if (show_special(&out, &ns))
        return buf;
    const struct step *s = step_for(steps, ns);
    double value = ns / s->factor;
    bool whole = s->factor == 1 && value == floor(value);
    show_decimal(out, value, whole ? 0 : three_digits(value), s->suffix);
    return buf;
}

char *units_number(char *buf, double value)
{
    static const struct step steps[] = {
        {999.5e12, 1e15, "P"}, {999.5e9, 1e12, "T"}, {999.5e6, 1e9, "G"},
        {999.5e3, 1e6, "M"},   {9999.5, 1e3, "k"},   {0, 1, ""},
    };
    char *out = buf;
    if (show_special(&out, &value))
        return buf;
    const struct step *s = step_for(steps, value);
    double scaled = value / s->factor;
    bool whole = s->factor == 1 && scaled == floor(scaled);
    show_decimal(out, scaled, whole ? 0 : three_digits(scaled), s->suffix);
    return buf;
}
