/* Includes case A058: fractions and typos of sizes. */
#include "base/units.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define KI UINT64_C(1024)
#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void sizes_that_are_right(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
        int decimal;
    } rows[] = {
        {"0", 0, 0},
        {"47008", 47008, 0},
        {"512B", 512, 0},
        {"512b", 512, 0},
        {"4k", 4 * KI, 0},
        {"4K", 4 * KI, 0},
        {"4ki", 4 * KI, 0},
        {"4KiB", 4 * KI, 0},
        {"4 KiB", 4 * KI, 0},
        {"1m", KI * KI, 0},
        {"1.5m", 1572864, 0},
        {"1.50m", 1572864, 0},
        {"1.5MiB", 1572864, 0},
        {"1MiB", 1048576, 0},
        {"1MB", 1000000, 1},
        {"1mb", 1000000, 1},
        {"4kB", 4000, 1},
        {"1.5kB", 1500, 1},
        {"0.001kB", 1, 1},
        {"2g", 2 * KI * KI * KI, 0},
        {"2GB", UINT64_C(2000000000), 1},
        {"3t", 3 * KI * KI * KI * KI, 0},
        {"3TB", UINT64_C(3000000000000), 1},
        {"1p", KI * KI * KI * KI * KI, 0},
        {"1PB", UINT64_C(1000000000000000), 1},
        {"10EiB", UINT64_C(11529215046068469760), 0},
        {"10EB", UINT64_C(10000000000000000000), 1},
        {"10240p", UINT64_C(11529215046068469760), 0},
        {"15.5EiB", UINT64_C(17870283321406128128), 0},
        {"18446744073709551615", UINT64_MAX, 0},
        {"18446744073709551614.000", UINT64_MAX - 1, 0},
        {"0.0009765625k", 1, 0},
        {"0.000000000931322574615478515625g", 0, -1}, /* 1 byte, but finer than can be kept */
        {"000000000000000000000000000000004k", 4 * KI, 0},
        {"9007199254740993", UINT64_C(9007199254740993), 0}, /* 2^53 + 1: no double */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error e = error_none();
        uint64_t bytes = 0;
        int decimal = -2;
        int status = units_parse_size(rows[i].text, &bytes, &decimal, &e);
        if (rows[i].decimal < 0) {
            assert_int_equal(status, -1);
            continue;
        }
        if (status != 0 || bytes != rows[i].bytes || decimal != rows[i].decimal)
            fail_msg("%s: %d, %ju, %d %s", rows[i].text, status, (uintmax_t)bytes, decimal, e.text);
        assert_int_equal(e.status, STATUS_DONE);
        assert_int_equal(units_parse_size(rows[i].text, &bytes, NULL, NULL), 0);
    }
}

#define SIZE_RIGHT                                                                                 \
    "; write a number with k, m, g, t, p (powers of two, as 4m or 1.5MiB) or kB, MB, GB "          \
    "(powers of ten)"

static void sizes_that_are_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"10x", "'10x' is not a size" SIZE_RIGHT},
        {"abc", "'abc' is not a size" SIZE_RIGHT},
        {"", "an empty value is no size" SIZE_RIGHT},
        {"-", "'-' is not a size" SIZE_RIGHT},
        {"-1", "'-1' is negative; a size is 0 or more"},
        {"-1.5m", "'-1.5m' is negative; a size is 0 or more"},
        {"+1", "'+1' is not a size" SIZE_RIGHT},
        {" 1", "' 1' is not a size" SIZE_RIGHT},
        {"1 ", "'1 ' is not a size" SIZE_RIGHT},
        {"1  k", "'1  k' is not a size" SIZE_RIGHT},
        {"1\n", "'1?' is not a size" SIZE_RIGHT},
        {"k", "'k' is not a size" SIZE_RIGHT},
        {".5m", "'.5m' is not a size" SIZE_RIGHT},
        {"1.m", "'1.m' is not a size" SIZE_RIGHT},
        {"1.5.2m", "'1.5.2m' is not a size" SIZE_RIGHT},
        {"1e6", "'1e6' is not a size" SIZE_RIGHT},
        {"1e", "'1e' is not a size" SIZE_RIGHT},
        {"0x10", "'0x10' is not a size" SIZE_RIGHT},
        {"1kk", "'1kk' is not a size" SIZE_RIGHT},
        {"4kBs", "'4kBs' is not a size" SIZE_RIGHT},
        {"1mi b", "'1mi b' is not a size" SIZE_RIGHT},
        {"nan", "'nan' is not a size" SIZE_RIGHT},
        {"inf", "'inf' is not a size" SIZE_RIGHT},
        {"1_000", "'1_000' is not a size" SIZE_RIGHT},
        {"1,5m", "'1,5m' is not a size (one value is meant, and its fraction stands after a "
                 "point)" SIZE_RIGHT},
        {"\xe2\x80\x93"
         "4m",
         "'\xe2\x80\x93"
         "4m' is not a size (it holds a character outside ASCII, perhaps a dash or "
         "blank pasted from a document)" SIZE_RIGHT},
        {"-e", "'-e' is not a size (it looks like the next option)" SIZE_RIGHT},
        {"1.3", "'1.3' does not come out as whole bytes"},
        {"0.1k", "'0.1k' does not come out as whole bytes"},
        {"1.0000000000000000001m", "'1.0000000000000000001m' does not come out as whole bytes"},
        {"16EiB",
         "'16EiB' is more than fits (at most 18446744073709551615 bytes, just below 16 EiB)"},
        {"16384p",
         "'16384p' is more than fits (at most 18446744073709551615 bytes, just below 16 EiB)"},
        {"18446744073709551616", "'18446744073709551616' is more than fits (at most "
                                 "18446744073709551615 bytes, just below 16 EiB)"},
        {"99999999999999999999999999999999999999999999999999999999999999999999999999999999",
         "'999999999999999999999999999999999999999999999999999999999999...' is more than fits (at "
         "most 18446744073709551615 bytes, just below 16 EiB)"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error e = error_none();
        uint64_t bytes = 77;
        assert_int_equal(units_parse_size(rows[i].text, &bytes, NULL, &e), -1);
        assert_int_equal(e.status, STATUS_USAGE);
        assert_string_equal(e.kind, "usage");
        assert_string_equal(e.text, rows[i].message);
        assert_int_equal(bytes, 77);
    }
}

static void times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ns; /* -1: refused */
    } rows[] = {
        {"0", 0},
        {"30", INT64_C(30000000000)},
        {"30s", INT64_C(30000000000)},
        {"1.5", INT64_C(1500000000)},
        {"5m", INT64_C(300000000000)},
        {"5min", INT64_C(300000000000)},
        {"2h", INT64_C(7200000000000)},
        {"1.5h", INT64_C(5400000000000)},
        {"1d", INT64_C(86400000000000)},
        {"100ns", 100},
        {"50us", 50000},
        {"10ms", 10000000},
        {"0.5us", 500},
        {"1.5 ms", 1500000},
        {"0.000000001", 1},
        {"106751d", INT64_C(9223286400000000000)},
        {"9223372036854775807ns", INT64_MAX},
        {"9223372036854775808ns", -1},
        {"106752d", -1},
        {"0.5ns", -1},
        {"0.0000000001", -1},
        {"-1", -1},
        {"-5m", -1},
        {"", -1},
        {"5 ", -1},
        {"5M", -1},
        {"5x", -1},
        {"1:30", -1},
        {"1h30m", -1},
        {"inf", -1},
        {"nan", -1},
        {"50\xc2\xb5s", -1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error e = error_none();
        int64_t ns = -1;
        int status = units_parse_time(rows[i].text, &ns, &e);
        if (status != (rows[i].ns < 0 ? -1 : 0) || ns != rows[i].ns)
            fail_msg("%s: %d, %jd %s", rows[i].text, status, (intmax_t)ns, e.text);
        assert_int_equal(e.status, status ? STATUS_USAGE : STATUS_DONE);
    }
    struct error e = error_none();
    int64_t ns;
    units_parse_time("10x", &ns, &e);
    assert_string_equal(e.text, "'10x' is not a time; write a number with ns, us, ms, s, m, h or d "
                                "(as 30s, 1.5h or 500ms); seconds without one");
}

static void counts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t count; /* -99: refused */
    } rows[] = {
        {"0", 0},
        {"12", 12},
        {"-3", -3},
        {"-0", 0},
        {"10k", 10240},
        {"1.5k", 1536},
        {"2m", 2097152},
        {"1g", INT64_C(1073741824)},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775807", -INT64_MAX},
        {"9223372036854775808", -99},
        {"8192p", -99},
        {"8191p", INT64_C(9222246136947933184)},
        {"1.5", -99},
        {"0.1k", -99},
        {"--3", -99},
        {"-", -99},
        {"", -99},
        {"1e6", -99},
        {"10kB", -99},
        {"12 ranks", -99},
        {"nan", -99},
        {"0x1f", -99},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error e = error_none();
        int64_t count = -99;
        int status = units_parse_count(rows[i].text, &count, &e);
        if (status != (rows[i].count == -99 ? -1 : 0) || count != rows[i].count)
            fail_msg("%s: %d, %jd %s", rows[i].text, status, (intmax_t)count, e.text);
    }
}

static void shares_and_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double percent; /* NAN: refused */
        double number;
    } rows[] = {
        {"80%", 80, NAN},
        {"80", 80, 80},
        {"12.5%", 12.5, NAN},
        {"0", 0, 0},
        {"100%", 100, NAN},
        {"0.1", 0.1, 0.1},
        {"100.0001", NAN, 100.0001},
        {"-1", NAN, -1},
        {"1e6", NAN, 1e6},
        {"1E-3", NAN, 1e-3},
        {"1e+3", NAN, 1e3},
        {"123456789012345678", NAN, 123456789012345678.0},
        {"0.12345678901234567890123", 0.12345678901234567890123, 0.12345678901234567890123},
        {"1e", NAN, NAN},
        {"1e+", NAN, NAN},
        {"1e999", NAN, NAN},
        {"80%%", NAN, NAN},
        {"80 %", NAN, NAN},
        {"%", NAN, NAN},
        {"", NAN, NAN},
        {"nan", NAN, NAN},
        {"inf", NAN, NAN},
        {"-inf", NAN, NAN},
        {"0x10", NAN, NAN},
        {"1,5", NAN, NAN},
        {".5", NAN, NAN},
        {"5.", NAN, NAN},
        {"80 percent", NAN, NAN},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double value = NAN;
        int status = units_parse_percent(rows[i].text, &value, NULL);
        if (status != (isnan(rows[i].percent) ? -1 : 0) ||
            !(value == rows[i].percent || (isnan(value) && isnan(rows[i].percent))))
            fail_msg("percent %s: %d, %g", rows[i].text, status, value);
        value = NAN;
        status = units_parse_number(rows[i].text, &value, NULL);
        if (status != (isnan(rows[i].number) ? -1 : 0) ||
            !(value == rows[i].number || (isnan(value) && isnan(rows[i].number))))
            fail_msg("number %s: %d, %g", rows[i].text, status, value);
    }
}

/* A library may have chosen a locale with a decimal comma. */
static void no_locale_changes_a_number(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", NULL};
    size_t i = 0;
    while (names[i] && !setlocale(LC_ALL, names[i]))
        i++;
    if (!names[i])
        skip();
    char comma[8];
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    assert_string_equal(comma, "0,5");
    uint64_t bytes;
    double number;
    assert_int_equal(units_parse_size("1.5m", &bytes, NULL, NULL), 0);
    assert_int_equal(bytes, 1572864);
    assert_int_equal(units_parse_number("0.5", &number, NULL), 0);
    assert_true(number == 0.5);
    assert_int_equal(units_parse_size("1,5m", &bytes, NULL, NULL), -1);
    assert_int_equal(units_parse_number("0,5", &number, NULL), -1);
    char buf[UNITS_TEXT];
    assert_string_equal(units_rate(buf, 1.5 * 1048576), "1.50 MiB/s");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_are_right),
        cmocka_unit_test(sizes_that_are_wrong),
        cmocka_unit_test(times),
        cmocka_unit_test(counts),
        cmocka_unit_test(shares_and_numbers),
        cmocka_unit_test(no_locale_changes_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
