/* When a repeated phase has come to rest: the bounds of SNIA's test, met and missed. */
#include "judge/steady.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void five_rounds_are_needed(void **state)
{
    static const double rates[] = {100, 100, 100, 100};
    (void)state;
    assert_false(steady_of(rates, 4).known);
    assert_false(steady_of(rates, 4).steady);
}

static void only_the_last_five_count(void **state)
{
    static const double rates[] = {900, 500, 100, 101, 99, 100, 100};
    (void)state;
    assert_true(steady_of(rates, 7).steady);
    assert_false(steady_of(rates, 6).steady);
}

/* A line that falls by exactly 10 % of the mean is still steady, one by 10.1 % is not. */
static void a_slope_is_found(void **state)
{
    const double just[] = {105, 102.5, 100, 97.5, 95};
    const double more[] = {105.05, 102.525, 100, 97.475, 94.95};
    (void)state;
    struct steady s = steady_of(just, 5);
    assert_true(fabs(s.slope - 0.1) < 1e-9);
    assert_true(fabs(s.range - 0.1) < 1e-9);
    s = steady_of(more, 5);
    assert_true(fabs(s.slope - 0.101) < 1e-9);
    assert_false(s.steady);
}

/* Up and down without a slope: 21 % of the mean are too much. */
static void a_range_is_found(void **state)
{
    const double wild[] = {110.5, 89.5, 100, 89.5, 110.5};
    const double calm[] = {109.5, 90.5, 100, 90.5, 109.5};
    (void)state;
    assert_true(fabs(steady_of(wild, 5).range - 0.21) < 1e-9);
    assert_false(steady_of(wild, 5).steady);
    assert_true(steady_of(calm, 5).steady);
}

static void phases_are_told_apart(void **state)
{
    struct phase_result phases[10];
    struct test_result t = {.phases = phases, .phases_used = 10};
    (void)state;
    for (size_t i = 0; i < 10; i++) {
        phases[i] = phase_result_blank();
        strcpy(phases[i].phase, i % 2 ? "read" : "write");
        phases[i].about = i % 2 ? OP_READ : OP_WRITE;
        phases[i].counters[COUNTER_BYTES] = 1000;
        phases[i].elapsed_ns = i % 2 ? 1000000 : 1000000 * (i + 1);
    }
    assert_true(steady_phase(&t, "read").steady);
    assert_false(steady_phase(&t, "write").steady);
    assert_false(steady_test(&t));
    struct plan plan = {.until_steady = true, .repetitions = 5};
    phases[8].repetition = phases[9].repetition = 4;
    steady_judge(&t, &phases[9], &plan);
    assert_int_equal(phases[9].warnings_used, 0);
    steady_judge(&t, &phases[8], &plan);
    assert_int_equal(phases[8].warnings_used, 1);
    assert_string_equal(phases[8].warnings[0].code, "not-steady");
    plan.repetitions = 6; /* there is still one to come */
    phases[8].warnings_used = 0;
    steady_judge(&t, &phases[8], &plan);
    assert_int_equal(phases[8].warnings_used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_rounds_are_needed), cmocka_unit_test(only_the_last_five_count),
        cmocka_unit_test(a_slope_is_found),       cmocka_unit_test(a_range_is_found),
        cmocka_unit_test(phases_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
