#include "base/units.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define KI 1024.0
#define MI (KI * KI)
#define GI (KI * MI)

struct row {
    double value;
    const char *text;
};

static void check(char *(*show)(char *, double), const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char buf[UNITS_TEXT];
        assert_ptr_equal(show(buf, rows[i].value), buf);
        assert_string_equal(buf, rows[i].text);
    }
}

static void sizes(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {0, "0 B"},
        {1, "1 B"},
        {47008, "47008 B"},
        {1023, "1023 B"},
        {1024, "1 KiB"},
        {1536, "1.5 KiB"},
        {1280, "1.25 KiB"},
        {1000000, "1000000 B"},
        {MI, "1 MiB"},
        {MI - 1, "1048575 B"},
        {4 * MI, "4 MiB"},
        {4 * MI + 1, "4.00 MiB"},
        {1.5 * GI, "1.5 GiB"},
        {100 * MI + 300 * KI, "100.29 MiB"},
        {GI - 1, "1.00 GiB"},
        {960 * GI, "960 GiB"},
        {10 * GI * GI, "10 EiB"},
        {18446744073709551615.0, "16 EiB"},
        {0.5, "0.5 B"},
        {-4096, "-4 KiB"},
        {NAN, "-"},
        {INFINITY, "inf"},
    };
    check(units_size, rows, sizeof rows / sizeof rows[0]);
}

static void rates(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {0, "0.00 B/s"},
        {1000, "1000.00 B/s"},
        {10 * KI, "10.00 KiB/s"},
        {MI, "1.00 MiB/s"},
        {1234.56 * MI, "1234.56 MiB/s"},
        {10 * GI - 1, "10240.00 MiB/s"},
        {12.34 * GI, "12.34 GiB/s"},
        {12345.67 * GI, "12.06 TiB/s"},
        {NAN, "-"},
        {-INFINITY, "-inf"},
    };
    check(units_rate, rows, sizeof rows / sizeof rows[0]);
}

static void times(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {0, "0 ns"},         {1, "1 ns"},         {12, "12 ns"},           {12.34, "12.3 ns"},
        {999, "999 ns"},     {999.6, "1.00 us"},  {1000, "1.00 us"},       {12345, "12.3 us"},
        {99949, "99.9 us"},  {99951, "100 us"},   {999499, "999 us"},      {999500, "1.00 ms"},
        {1.5e9, "1.50 s"},   {9.996e9, "10.0 s"}, {59.9e9, "59.9 s"},      {599e9, "599 s"},
        {600e9, "10.0 min"}, {9000e9, "2.50 h"},  {86400e9 * 3, "3.00 d"}, {-1500, "-1.50 us"},
        {NAN, "-"},
    };
    check(units_time, rows, sizeof rows / sizeof rows[0]);
}

static void numbers(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {0, "0"},           {-0.0, "0"},      {1234, "1234"},     {9999, "9999"},
        {10000, "10.0k"},   {12345, "12.3k"}, {999499, "999k"},   {999500, "1.00M"},
        {4560000, "4.56M"}, {7.5e9, "7.50G"}, {0.5, "0.50"},      {12.34, "12.3"},
        {1234.5, "1235"},   {NAN, "-"},       {-12345, "-12.3k"},
    };
    check(units_number, rows, sizeof rows / sizeof rows[0]);
}

static void the_buffer_is_always_enough(void **state)
{
    (void)state;
    static const double values[] = {
        DBL_MAX, -DBL_MAX, DBL_MIN, -DBL_MIN, 1e15, 1e16, 1e300, -9.99e14, 123456789.123456789,
        4.9e-324};
    char *(*const shows[])(char *, double) = {units_size, units_rate, units_time, units_number};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        for (size_t j = 0; j < 4; j++) {
            char buf[UNITS_TEXT + 8];
            memset(buf, '#', sizeof buf);
            shows[j](buf, values[i]);
            assert_true(strlen(buf) < UNITS_TEXT);
            for (size_t k = strlen(buf) + 1; k < sizeof buf; k++)
                assert_int_equal(buf[k], '#');
        }
    }
}

/* What is shown of a whole number of bytes that is exact can be read back. */
static void an_exact_size_reads_back(void **state)
{
    (void)state;
    static const uint64_t values[] = {0,       1,          511,     47008,     1024,
                                      1536,    1048576,    1572864, 123456,    UINT64_C(1) << 40,
                                      3 << 20, 0x50000000, 1280,    999 << 10, UINT64_C(10) << 60};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char buf[UNITS_TEXT];
        uint64_t back = 1;
        assert_int_equal(units_parse_size(units_size(buf, (double)values[i]), &back, NULL, NULL),
                         0);
        assert_true(back == values[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(rates),
        cmocka_unit_test(times),
        cmocka_unit_test(numbers),
        cmocka_unit_test(the_buffer_is_always_enough),
        cmocka_unit_test(an_exact_size_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
