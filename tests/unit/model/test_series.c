/* Latencies over time: nothing is lost when intervals double, and cells are as narrow as promised.
 */
#include "model/series.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct series *fresh(int64_t interval_ns)
{
    struct series *s = malloc(sizeof *s);
    assert_non_null(s);
    series_start(s, interval_ns);
    return s;
}

static uint64_t count(const struct series *s, size_t interval)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < SERIES_CELLS; i++)
        sum += s->intervals[interval].cells[i];
    return sum;
}

static void cells_are_narrow(void **state)
{
    (void)state;
    for (uint64_t v = 0; v < 100; v++)
        assert_true(series_cell_low(series_cell(v)) <= v);
    for (int bit = 0; bit < 64; bit++) {
        uint64_t value = (UINT64_C(1) << bit) + (UINT64_C(1) << bit) / 3;
        size_t cell = series_cell(value);
        assert_true(cell < SERIES_CELLS);
        assert_true(series_cell_low(cell) <= value);
        double middle = (double)series_cell_middle(cell);
        assert_true(fabs(middle / (double)value - 1) <= 1.0 / 32);
    }
    assert_true(series_cell(UINT64_MAX) < SERIES_CELLS);
}

static void operations_fall_into_their_interval(void **state)
{
    struct series *s = fresh(1000);
    (void)state;
    series_add(s, 0, 5);
    series_add(s, 999, 6);
    series_add(s, 1000, 7);
    series_add(s, 127999, 8);
    assert_int_equal(s->interval_ns, 1000);
    assert_int_equal(count(s, 0), 2);
    assert_int_equal(count(s, 1), 1);
    assert_int_equal(count(s, 127), 1);
    assert_int_equal(s->intervals[0].sum_ns, 11);
    assert_int_equal(s->intervals[0].max_ns, 6);
    free(s);
}

static void doubling_loses_nothing(void **state)
{
    struct series *s = fresh(10);
    uint64_t all = 0, sum = 0;
    (void)state;
    for (int64_t at = 0; at < 100000; at += 7)
        series_add(s, at, (uint64_t)at % 50);
    assert_int_equal(s->interval_ns, 1280); /* 10 x 2^7: the first that 128 of last so long */
    for (size_t i = 0; i < SERIES_INTERVALS; i++) {
        all += count(s, i);
        sum += s->intervals[i].sum_ns;
    }
    uint64_t expected = 0;
    for (int64_t at = 0; at < 100000; at += 7)
        expected += (uint64_t)at % 50;
    assert_int_equal(all, 14286);
    assert_int_equal(sum, expected);
    assert_int_equal(count(s, 0), 183); /* 0, 7, ... 1274 */
    series_coarsen(s, 5120);
    assert_int_equal(count(s, 0), 732);
    free(s);
}

static void a_row_is_what_was_added(void **state)
{
    static uint64_t cells[SERIES_CELLS];
    (void)state;
    for (uint64_t v = 1; v <= 1000; v++)
        cells[series_cell(v * 1000)]++;
    struct series_row r = series_row_of(cells, 500500000, 1000000, 1000000000);
    assert_int_equal(r.operations, 1000);
    assert_true(fabs((double)r.p50_ns / 500000 - 1) < 1.0 / 16);
    assert_true(fabs((double)r.p99_ns / 990000 - 1) < 1.0 / 16);
    assert_true(fabs(r.mean_ns - 500500) < 1e-6);
    assert_true(fabs(r.depth - 0.5005) < 1e-12); /* half a second of latencies in one */
    static const uint64_t none[SERIES_CELLS];
    assert_int_equal(series_row_of(none, 0, 0, 1).operations, 0);
}

static void many_at_once_are_as_one_by_one(void **state)
{
    struct series *one = malloc(sizeof *one), *all = malloc(sizeof *all);
    uint64_t latencies[50];
    (void)state;
    assert_non_null(one);
    assert_non_null(all);
    series_start(one, 1000000);
    series_start(all, 1000000);
    for (uint64_t i = 0; i < 50; i++) {
        latencies[i] = i * i * i * 17 % 90001;
        series_add(one, 5, latencies[i]);
    }
    series_add_all(all, latencies, 20);
    series_add_all(all, latencies + 20, 30);
    assert_memory_equal(one, all, sizeof *one);
    free(one);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_narrow),
        cmocka_unit_test(operations_fall_into_their_interval),
        cmocka_unit_test(doubling_loses_nothing),
        cmocka_unit_test(a_row_is_what_was_added),
        cmocka_unit_test(many_at_once_are_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
