#include "model/timeline.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct timeline *make(int64_t interval_ns)
{
    struct timeline *t = malloc(sizeof *t);
    assert_non_null(t);
    timeline_start(t, interval_ns);
    return t;
}

static void totals(const struct timeline *t, uint64_t *bytes, uint64_t *operations)
{
    *bytes = 0;
    *operations = 0;
    for (size_t i = 0; i < TIMELINE_CELLS; i++) {
        *bytes += t->cells[i].bytes;
        *operations += t->cells[i].operations;
    }
}

static void entries_fall_into_their_cell(void **state)
{
    (void)state;
    struct timeline *t = make(100);
    static const struct {
        int64_t at_ns;
        size_t cell;
    } rows[] = {{0, 0}, {99, 0}, {100, 1}, {199, 1}, {1000, 10}, {204799, 2047}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t before = t->cells[rows[i].cell].operations;
        timeline_add(t, rows[i].at_ns, 10);
        assert_int_equal(t->current, rows[i].cell);
        assert_int_equal(t->cells[rows[i].cell].operations, before + 1);
        assert_int_equal(t->interval_ns, 100);
    }
    free(t);
}

static void folding_keeps_sums_and_places(void **state)
{
    (void)state;
    struct rng rng = rng_make(1, 1);
    for (unsigned round = 0; round < 40; round++) {
        struct timeline *t = make((int64_t)(1 + rng_below(&rng, 1000)));
        int64_t first = t->interval_ns;
        enum { ENTRIES = 5000 };
        int64_t *times = malloc(ENTRIES * sizeof *times);
        assert_non_null(times);
        int64_t at = 0;
        uint64_t bytes = 0;
        for (unsigned i = 0; i < ENTRIES; i++) {
            at += (int64_t)rng_below(&rng, UINT64_C(1) << (round / 2));
            if (i == ENTRIES / 2 && round % 2)
                at *= 1000; /* a long pause: several folds at once */
            times[i] = at;
            timeline_add(t, at, i);
            bytes += i;
        }
        uint64_t all_bytes;
        uint64_t all_operations;
        totals(t, &all_bytes, &all_operations);
        assert_true(all_bytes == bytes && all_operations == ENTRIES);
        assert_true(at < t->interval_ns * TIMELINE_CELLS);
        assert_int_equal(t->interval_ns % first, 0);
        assert_true(t->interval_ns == first || at >= t->interval_ns * TIMELINE_CELLS / 2);
        for (unsigned i = 0; i < ENTRIES; i++) /* every entry is where its time says */
            t->cells[times[i] / t->interval_ns].operations--;
        totals(t, &all_bytes, &all_operations);
        assert_int_equal(all_operations, 0);
        free(times);
        free(t);
    }
}

static void what_was_moved_by_a_time(void **state)
{
    (void)state;
    struct rng rng = rng_make(2, 2);
    struct timeline *t = make(50);
    enum { ENTRIES = 4000 };
    int64_t times[ENTRIES];
    int64_t at = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        at += (int64_t)rng_below(&rng, 100);
        times[i] = at;
        timeline_add(t, at, 4096);
    }
    uint64_t last_bytes = 0;
    for (int64_t when = -10; when < at + 200; when += 7) {
        uint64_t bytes;
        uint64_t operations;
        timeline_until(t, when, &bytes, &operations);
        uint64_t truth = 0;
        while (truth < ENTRIES && times[truth] < when)
            truth++;
        size_t cell = when < 0 ? 0 : (size_t)(when / t->interval_ns);
        uint64_t bound = cell < TIMELINE_CELLS ? t->cells[cell].operations : 0;
        uint64_t off = operations > truth ? operations - truth : truth - operations;
        assert_true(off <= bound);
        assert_true(bytes >= last_bytes && bytes <= UINT64_C(4096) * ENTRIES);
        assert_true(bytes / 4096 >= operations && bytes / 4096 <= operations + 1);
        last_bytes = bytes;
    }
    uint64_t bytes;
    uint64_t operations;
    timeline_until(t, times[ENTRIES - 1], &bytes, &operations);
    assert_true(bytes == UINT64_C(4096) * ENTRIES && operations == ENTRIES);
    timeline_until(t, 0, &bytes, &operations);
    assert_true(bytes == 0 && operations == 0);
    free(t);
}

static void huge_amounts_do_not_overflow(void **state)
{
    (void)state;
    struct timeline *t = make(1);
    timeline_add(t, 0, UINT64_C(10) << 60); /* 10 EiB */
    timeline_add(t, INT64_MAX, 1);
    uint64_t bytes;
    uint64_t operations;
    timeline_until(t, INT64_MAX, &bytes, &operations);
    assert_true(bytes == (UINT64_C(10) << 60) + 1 && operations == 2);
    timeline_until(t, t->interval_ns / 2, &bytes, &operations);
    assert_true(bytes == UINT64_C(5) << 60);
    free(t);
}

static void coarsening_makes_timelines_match(void **state)
{
    (void)state;
    struct timeline *fine = make(1000);
    struct timeline *coarse = make(1000);
    for (int64_t i = 0; i < 2000; i++) {
        timeline_add(fine, i * 900, 3);
        timeline_add(coarse, i * 900, 3);
    }
    timeline_add(coarse, 20000000, 5);
    assert_true(coarse->interval_ns > fine->interval_ns);
    timeline_coarsen(fine, coarse->interval_ns);
    assert_int_equal(fine->interval_ns, coarse->interval_ns);
    timeline_add(fine, 20000000, 5);
    assert_memory_equal(fine->cells, coarse->cells, sizeof fine->cells);
    assert_int_equal(fine->current, coarse->current);
    assert_int_equal(fine->cell_end_ns, coarse->cell_end_ns);
    free(fine);
    free(coarse);
}

static void shifting_moves_everything(void **state)
{
    (void)state;
    struct timeline *t = make(100);
    timeline_add(t, 0, 1);
    timeline_add(t, 250, 20);
    timeline_shift(t, 49);
    assert_int_equal(t->cells[0].bytes, 1);
    timeline_shift(t, 51);
    assert_int_equal(t->cells[0].operations, 0);
    assert_int_equal(t->cells[1].bytes, 1);
    assert_int_equal(t->cells[3].bytes, 20);
    assert_int_equal(t->current, 3);
    timeline_shift(t, 100 * TIMELINE_CELLS); /* needs room: two cells become one */
    assert_int_equal(t->interval_ns, 200);
    assert_int_equal(t->cells[TIMELINE_CELLS / 2].bytes, 1);
    assert_int_equal(t->cells[TIMELINE_CELLS / 2 + 1].bytes, 20);
    uint64_t bytes, operations;
    totals(t, &bytes, &operations);
    assert_int_equal(bytes, 21);
    assert_int_equal(operations, 2);
    free(t);
}

static void many_at_once_are_as_one_by_one(void **state)
{
    struct timeline *one = malloc(sizeof *one), *all = malloc(sizeof *all);
    (void)state;
    assert_non_null(one);
    assert_non_null(all);
    timeline_start(one, 1000);
    timeline_start(all, 1000);
    timeline_add(one, 1500, 7);
    timeline_add(all, 1500, 7);
    for (int64_t at = 1600; at < 1990; at += 30)
        timeline_add(one, at, 4096);
    timeline_add_all(all, 1960, 13 * 4096, 13);
    assert_memory_equal(one, all, sizeof *one);
    free(one);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_fall_into_their_cell),
        cmocka_unit_test(folding_keeps_sums_and_places),
        cmocka_unit_test(what_was_moved_by_a_time),
        cmocka_unit_test(huge_amounts_do_not_overflow),
        cmocka_unit_test(coarsening_makes_timelines_match),
        cmocka_unit_test(shifting_moves_everything),
        cmocka_unit_test(many_at_once_are_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
