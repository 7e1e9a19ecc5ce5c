#include "model/stats.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

static void what_is_not_defined_is_nan(void **state)
{
    (void)state;
    double values[5] = {3, 1, 2, 5, 4};
    struct stats s = stats_of(values, 0);
    assert_int_equal(s.n, 0);
    assert_true(isnan(s.min) && isnan(s.median) && isnan(s.mean) && isnan(s.max));
    assert_true(isnan(s.sd) && isnan(s.cv) && isnan(s.ci95_low) && isnan(s.ci95_high));
    s = stats_of(values, 1);
    assert_true(s.min == 3 && s.median == 3 && s.mean == 3 && s.max == 3);
    assert_true(isnan(s.sd) && isnan(s.cv) && isnan(s.ci95_low));
    s = stats_of(values, 5);
    assert_true(s.median == 3 && isnan(s.ci95_low) && isnan(s.ci95_high));
    assert_true(isnan(stats_median(values, 0)));
    double zeros[3] = {0, 0, 0};
    s = stats_of(zeros, 3);
    assert_true(s.sd == 0 && isnan(s.cv));
}

static void known_samples(void **state)
{
    (void)state;
    double values[] = {8, 2, 4, 4, 5, 5, 7, 9};
    struct stats s = stats_of(values, 8);
    assert_true(values[0] == 2 && values[7] == 9); /* sorted in place */
    assert_true(s.min == 2 && s.max == 9 && s.median == 5);
    assert_near(s.mean, 5.5);
    assert_near(s.sd, sqrt(38.0 / 7)); /* squares 12.25 2.25 2.25 .25 .25 2.25 6.25 12.25 = 38 */
    assert_near(s.cv, s.sd / 5.5);
    assert_true(s.ci95_low == 2 && s.ci95_high == 9); /* n = 8: ranks 1 and 8 */
    double close[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    s = stats_of(close, 4);
    assert_near(s.sd, sqrt(30)); /* large mean, small spread */
    double huge[] = {1e308, 1.5e308};
    assert_near(stats_median(huge, 2), 1.25e308); /* their sum would not fit */
}

/* Ranks of the interval as printed in tables of the sign test, two-sided 5 %. */
static void interval_by_order_statistics(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        size_t low; /* rank from below; from above the same */
    } rows[] = {{6, 1},  {7, 1},  {8, 1},  {9, 2},   {10, 2},  {11, 2},  {12, 3},  {15, 4},
                {17, 5}, {20, 6}, {25, 8}, {30, 10}, {40, 14}, {50, 18}, {100, 40}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double values[128];
        for (size_t j = 0; j < rows[i].n; j++)
            values[j] = (double)(rows[i].n - j); /* ranks as values */
        struct stats s = stats_of(values, rows[i].n);
        if (s.ci95_low != (double)rows[i].low ||
            s.ci95_high != (double)(rows[i].n + 1 - rows[i].low))
            fail_msg("n %zu: %g to %g", rows[i].n, s.ci95_low, s.ci95_high);
    }
}

/* The same by adding up binomial terms, which fit into a double up to n = 1000. */
static void interval_is_the_binomial_one(void **state)
{
    (void)state;
    double values[1000];
    for (size_t n = 6; n <= 1000; n++) {
        double term = ldexp(1, -(int)n);
        double sum = term;
        size_t outside = 0;
        while (sum <= 0.025) {
            outside++;
            term *= (double)(n - outside + 1) / (double)outside;
            sum += term;
        }
        for (size_t i = 0; i < n; i++)
            values[i] = (double)(i + 1);
        struct stats s = stats_of(values, n);
        assert_true(s.ci95_low == (double)outside);
        assert_true(s.ci95_high == (double)(n + 1 - outside));
    }
}

static void many_values(void **state)
{
    (void)state;
    size_t n = 1000000;
    double *values = malloc(n * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < n; i++)
        values[i] = (double)(n - i);
    struct stats s = stats_of(values, n);
    assert_near(s.mean, 500000.5);
    assert_near(s.median, 500000.5);
    /* n/2 -+ 1.96 sqrt(n) / 2, to the rank */
    assert_true(fabs(s.ci95_low - (500000 - 979.98)) <= 1);
    assert_true(s.ci95_low + s.ci95_high == (double)n + 1);
    free(values);
}

/* 95 % means: of many samples, at least so many hold the true median. */
static void coverage(void **state)
{
    (void)state;
    static const size_t sizes[] = {6, 10, 25};
    struct rng rng = rng_make(1, 1);
    for (size_t k = 0; k < 3; k++) {
        unsigned inside = 0;
        for (unsigned round = 0; round < 4000; round++) {
            double values[25];
            for (size_t i = 0; i < sizes[k]; i++)
                values[i] = -log(rng_unit(&rng));
            struct stats s = stats_of(values, sizes[k]);
            inside += s.ci95_low <= log(2) && log(2) <= s.ci95_high;
        }
        assert_in_range(inside, 3760, 4000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_defined_is_nan),
        cmocka_unit_test(known_samples),
        cmocka_unit_test(interval_by_order_statistics),
        cmocka_unit_test(interval_is_the_binomial_one),
        cmocka_unit_test(many_values),
        cmocka_unit_test(coverage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
