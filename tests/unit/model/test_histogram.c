#include "model/histogram.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct histogram *make(void)
{
    struct histogram *h = malloc(sizeof *h);
    assert_non_null(h);
    histogram_clear(h);
    return h;
}

/* Values around every power of two, and random ones of every magnitude. */
static uint64_t value_at(struct rng *rng, unsigned i)
{
    unsigned bit = i % 64;
    uint64_t power = UINT64_C(1) << bit;
    switch (i / 64 % 4) {
    case 0:
        return power;
    case 1:
        return power - 1;
    case 2:
        return power + 1;
    default:
        return power | (rng_next(rng) & (power - 1));
    }
}

static void cells_are_in_order_and_leave_no_gap(void **state)
{
    (void)state;
    assert_true(histogram_cell_low(0) == 0);
    for (size_t cell = 0; cell < HISTOGRAM_CELLS; cell++) {
        uint64_t low = histogram_cell_low(cell);
        uint64_t high = histogram_cell_high(cell);
        assert_true(low <= high);
        assert_int_equal(histogram_cell(low), cell);
        assert_int_equal(histogram_cell(high), cell);
        if (cell + 1 < HISTOGRAM_CELLS)
            assert_true(histogram_cell_low(cell + 1) == high + 1);
    }
    assert_true(histogram_cell_high(HISTOGRAM_CELLS - 1) == UINT64_MAX);
}

static void a_middle_is_within_one_part_in_128(void **state)
{
    (void)state;
    struct rng rng = rng_make(1, 1);
    for (unsigned i = 0; i < 64 * 4 * 500; i++) {
        uint64_t value = value_at(&rng, i);
        size_t cell = histogram_cell(value);
        assert_in_range(cell, 0, HISTOGRAM_CELLS - 1);
        uint64_t low = histogram_cell_low(cell);
        uint64_t middle = low + (histogram_cell_high(cell) - low) / 2;
        uint64_t off = value > middle ? value - middle : middle - value;
        assert_true((unsigned __int128)off * 128 <= value);
    }
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void check_quantiles(const uint64_t *sorted, size_t n, const struct histogram *h)
{
    static const double quantiles[] = {1e-9, 0.01, 0.1,   0.25,   0.5,      0.75, 0.9,
                                       0.95, 0.99, 0.999, 0.9999, 0.999999, 1};
    uint64_t last = 0;
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        double exact_rank = ceil(quantiles[i] * (double)n - 1e-6);
        size_t rank = exact_rank < 1 ? 1 : (size_t)exact_rank;
        uint64_t truth = sorted[rank - 1];
        uint64_t q = histogram_quantile(h, quantiles[i]);
        uint64_t off = q > truth ? q - truth : truth - q;
        assert_true((unsigned __int128)off * 128 <= truth);
        assert_true(q >= sorted[0] && q <= sorted[n - 1]);
        assert_true(q >= last);
        last = q;
    }
    assert_true(histogram_quantile(h, 1) == sorted[n - 1]);
    assert_true(histogram_quantile(h, 1e-12) == sorted[0]);
}

static void quantiles_stay_near_the_truth(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    uint64_t *values = malloc(MOST * sizeof *values);
    assert_non_null(values);
    struct rng rng = rng_make(2, 2);
    for (unsigned round = 0; round < 60; round++) {
        struct histogram *h = make();
        size_t n = round < 30 ? round + 1 : 1 + (size_t)rng_below(&rng, MOST);
        uint64_t width = UINT64_C(1) << rng_below(&rng, 64);
        uint64_t base = round % 2 ? rng_below(&rng, UINT64_C(1) << 40) : 0;
        for (size_t i = 0; i < n; i++) {
            values[i] = round % 3 == 0 ? base : base / 2 + rng_below(&rng, width);
            histogram_add(h, values[i]);
        }
        qsort(values, n, sizeof *values, ascending);
        assert_int_equal(h->count, n);
        assert_true(h->min == values[0] && h->max == values[n - 1]);
        check_quantiles(values, n, h);
        free(h);
    }
    free(values);
}

/* 0.07 * 100 is 7.000000000000001 in binary: still the 7th of 100. */
static void ranks_are_not_pushed_up_by_rounding(void **state)
{
    (void)state;
    struct histogram *h = make();
    for (uint64_t i = 1; i <= 100; i++)
        histogram_add(h, i);
    for (unsigned percent = 1; percent <= 100; percent++) {
        uint64_t q = histogram_quantile(h, percent / 100.0);
        uint64_t off = q > percent ? q - percent : percent - q;
        assert_true(percent > 64 ? off <= 1 : off == 0);
    }
    free(h);
}

static void merging_is_addition(void **state)
{
    (void)state;
    struct histogram *parts[3] = {make(), make(), make()};
    struct histogram *whole = make();
    struct rng rng = rng_make(3, 3);
    for (unsigned i = 0; i < 3000; i++) {
        uint64_t value = value_at(&rng, (unsigned)rng_below(&rng, 64 * 40)) >> 8;
        histogram_add(whole, value);
        histogram_add(parts[i % 2], value); /* the third stays empty */
    }
    struct histogram *sum = make();
    for (unsigned i = 0; i < 3; i++)
        histogram_merge(sum, parts[i]);
    assert_true(sum->min == whole->min && sum->max == whole->max);
    assert_true(sum->count == whole->count && sum->sum == whole->sum);
    assert_true(fabs(sum->sum_squares / whole->sum_squares - 1) < 1e-12);
    assert_memory_equal(sum->cells, whole->cells, sizeof sum->cells);
    for (unsigned i = 0; i < 3; i++)
        free(parts[i]);
    free(sum);
    free(whole);
}

static void mean_and_deviation(void **state)
{
    (void)state;
    struct histogram *h = make();
    assert_true(histogram_mean(h) == 0 && histogram_sd(h) == 0);
    assert_true(histogram_quantile(h, 0.5) == 0);
    histogram_add(h, 100);
    assert_true(histogram_mean(h) == 100 && histogram_sd(h) == 0);
    static const uint64_t more[] = {102, 104, 106, 108};
    for (size_t i = 0; i < 4; i++)
        histogram_add(h, more[i]);
    assert_true(fabs(histogram_mean(h) - 104) < 1e-9);
    assert_true(fabs(histogram_sd(h) - sqrt(10)) < 1e-9); /* squares 16+4+0+4+16 over n - 1 = 4 */
    histogram_clear(h);
    for (unsigned i = 0; i < 1000; i++)
        histogram_add(h, 1000000007);
    assert_true(histogram_sd(h) == 0);
    for (unsigned i = 0; i < 1000; i++)
        histogram_add(h, 1000000009);
    assert_true(histogram_sd(h) <= 1.001);
    free(h);
}

static void the_largest_values_have_a_place(void **state)
{
    (void)state;
    struct histogram *h = make();
    histogram_add(h, UINT64_MAX);
    histogram_add(h, UINT64_MAX);
    histogram_add(h, 0);
    assert_true(h->sum == UINT64_MAX); /* saturated */
    assert_true(histogram_quantile(h, 0.5) >= UINT64_MAX / 128 * 127);
    struct histogram *other = make();
    histogram_add(other, 5);
    histogram_merge(h, other);
    assert_true(h->sum == UINT64_MAX);
    assert_int_equal(h->count, 4);
    free(h);
    free(other);
}

static void many_at_once_are_as_one_by_one(void **state)
{
    (void)state;
    struct histogram *one = make(), *all = make();
    uint64_t values[200], sum = 0;
    for (uint64_t i = 0; i < 200; i++) {
        values[i] = i * i * i * i * 29 % 1000003;
        sum += values[i];
        histogram_add(one, values[i]);
    }
    assert_int_equal(histogram_add_all(all, values, 64) + histogram_add_all(all, values + 64, 136),
                     sum);
    assert_memory_equal(one, all, sizeof *one);
    histogram_add_all(all, (const uint64_t[]){UINT64_MAX, UINT64_MAX}, 2);
    assert_true(all->sum == UINT64_MAX); /* saturated */
    histogram_add_all(all, values, 2);
    assert_true(all->sum == UINT64_MAX);
    assert_int_equal(all->count, 204);
    free(one);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_in_order_and_leave_no_gap),
        cmocka_unit_test(a_middle_is_within_one_part_in_128),
        cmocka_unit_test(quantiles_stay_near_the_truth),
        cmocka_unit_test(ranks_are_not_pushed_up_by_rounding),
        cmocka_unit_test(merging_is_addition),
        cmocka_unit_test(mean_and_deviation),
        cmocka_unit_test(the_largest_values_have_a_place),
        cmocka_unit_test(many_at_once_are_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
