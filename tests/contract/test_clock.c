/* Every clock keeps clock.h: it never goes back, sleeps at least as long as asked, and its
 * nanoseconds are nanoseconds. */
#include "clock/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

static int64_t raw_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void assert_keeps_contract(const struct clock *clock)
{
    int64_t last = clock->now_ns(clock);

    assert_true(last >= 0);
    for (int i = 0; i < 100000; i++) {
        int64_t now = clock->now_ns(clock);

        assert_true(now >= last);
        last = now;
    }
    const int64_t waits_ns[] = {0, 1, 1000, 70 * 1000, 3 * 1000 * 1000, -5};

    for (size_t i = 0; i < sizeof waits_ns / sizeof waits_ns[0]; i++) {
        int64_t until = clock->now_ns(clock) + waits_ns[i];

        clock->sleep_until(clock, until);
        assert_true(clock->now_ns(clock) >= until);
    }
}

/* The clock's rate against the kernel's, in ppm, from readings enclosed by two of the kernel's. */
static double rate_error_ppm(const struct clock *clock, int64_t span_ns)
{
    int64_t own[2] = {0, 0}, kernel[2] = {0, 0};

    for (int end = 0; end < 2; end++) {
        int64_t best = INT64_MAX;

        for (int i = 0; i < 50; i++) {
            int64_t before = raw_ns();
            int64_t now = clock->now_ns(clock);
            int64_t width = raw_ns() - before;

            if (width < best) {
                best = width;
                own[end] = now;
                kernel[end] = before + width / 2;
            }
        }
        if (end == 0)
            clock->sleep_until(clock, own[0] + span_ns);
    }
    double apart = (double)((own[1] - own[0]) - (kernel[1] - kernel[0]));

    return 1e6 * apart / (double)(kernel[1] - kernel[0]);
}

static void test_monotonic(void **state)
{
    (void)state;
    struct clock clock = clock_monotonic();

    assert_string_equal(clock.name, "monotonic");
    assert_false(clock.is_virtual);
    assert_keeps_contract(&clock);
    /* The kernel may slew its clock by 500 ppm. */
    double ppm = rate_error_ppm(&clock, 100 * 1000 * 1000);

    assert_true(ppm > -600 && ppm < 600);
}

static void test_tsc_is_exact_or_says_why_not(void **state)
{
    (void)state;
    struct clock clock;
    struct error e = error_none();

    if (clock_tsc(&clock, &e) != 0) {
        assert_int_equal(e.status, STATUS_FAILED);
        assert_true(strlen(e.text) > 0);
        skip();
    }
    assert_string_equal(clock.name, "tsc");
    assert_false(clock.is_virtual);
    assert_keeps_contract(&clock);
    double ppm = rate_error_ppm(&clock, 200 * 1000 * 1000);

    assert_true(ppm > -50 && ppm < 50);
}

static void test_tsc_does_not_overflow_for_years(void **state)
{
    (void)state;
    struct clock clock;

    if (clock_tsc(&clock, NULL) != 0)
        skip();
    int64_t now = clock.now_ns(&clock);
    /* As if started ten years ago. */
    double ticks = 10.0 * 365 * 86400 * 1e9 * 4294967296.0 / (double)clock.multiplier;

    clock.origin -= (uint64_t)ticks;
    double later = (double)(clock.now_ns(&clock) - now);

    assert_true(later > 3.1535e17 && later < 3.1537e17);
}

static void test_real_is_the_best_there_is(void **state)
{
    (void)state;
    struct clock tsc;
    int has_tsc = clock_tsc(&tsc, NULL) == 0;
    struct clock best = clock_real(false);
    struct clock forced = clock_real(true);

    assert_string_equal(best.name, has_tsc ? "tsc" : "monotonic");
    assert_string_equal(forced.name, "monotonic");
    assert_keeps_contract(&best);
}

static void test_virtual_advances_only_by_sleeping(void **state)
{
    (void)state;
    int64_t own_ns = 42;
    struct clock clock = clock_virtual(&own_ns);

    assert_string_equal(clock.name, "virtual");
    assert_true(clock.is_virtual);
    assert_int_equal(clock.now_ns(&clock), 42);
    assert_int_equal(clock.now_ns(&clock), 42);
    clock.sleep_until(&clock, 3600LL * 1000000000);
    assert_int_equal(clock.now_ns(&clock), 3600LL * 1000000000);
    clock.sleep_until(&clock, 5);
    assert_int_equal(clock.now_ns(&clock), 3600LL * 1000000000);
    assert_keeps_contract(&clock);
}

static void test_virtual_clocks_are_apart(void **state)
{
    (void)state;
    int64_t a_ns = 0, b_ns = 0;
    struct clock a = clock_virtual(&a_ns), b = clock_virtual(&b_ns);

    a.sleep_until(&a, 1000);
    assert_int_equal(a.now_ns(&a), 1000);
    assert_int_equal(b.now_ns(&b), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monotonic),
        cmocka_unit_test(test_tsc_is_exact_or_says_why_not),
        cmocka_unit_test(test_tsc_does_not_overflow_for_years),
        cmocka_unit_test(test_real_is_the_best_there_is),
        cmocka_unit_test(test_virtual_advances_only_by_sleeping),
        cmocka_unit_test(test_virtual_clocks_are_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
