/* Reductions that travel together come to what each alone would. */
#include "run/bundle.h"

#include "run/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { RANKS = 5 };

struct outcome_of_rank {
    uint64_t sum[2], least, most[3], huge;
};

static void reduce(void *context, struct comm *comm, bool all)
{
    struct outcome_of_rank *o = (struct outcome_of_rank *)context + comm->rank;
    uint64_t r = comm->rank;
    *o = (struct outcome_of_rank){.sum = {r, 10 * r + 1},
                                  .least = 7 + r,
                                  .most = {r, 100 - r, 0},
                                  .huge = r == 3 ? UINT64_MAX : UINT64_MAX - 1};
    struct bundle b = {0};
    bundle_add(&b, REDUCE_MAX, o->most, 3);
    bundle_add(&b, REDUCE_SUM, o->sum, 2);
    bundle_add(&b, REDUCE_MIN, &o->least, 1);
    bundle_add(&b, REDUCE_MIN, &o->huge, 1);
    bundle_add(&b, REDUCE_SUM, NULL, 0);
    bundle_reduce(&b, comm, all);
    assert_int_equal(b.used, 0);
}

static void to_first(void *context, struct comm *comm)
{
    reduce(context, comm, false);
}

static void to_all(void *context, struct comm *comm)
{
    reduce(context, comm, true);
}

static void check(const struct outcome_of_rank *o)
{
    assert_int_equal(o->sum[0], 0 + 1 + 2 + 3 + 4);
    assert_int_equal(o->sum[1], 10 * (0 + 1 + 2 + 3 + 4) + RANKS);
    assert_int_equal(o->least, 7);
    assert_int_equal(o->most[0], 4);
    assert_int_equal(o->most[1], 100);
    assert_int_equal(o->most[2], 0);
    assert_true(o->huge == UINT64_MAX - 1);
}

static void run(void (*rank)(void *context, struct comm *comm), struct outcome_of_rank *outcomes)
{
    struct error e = error_none();
    struct world_job job = {.kind = WORLD_THREADS,
                            .threads = RANKS,
                            .clock = CLOCK_VIRTUAL,
                            .rank = rank,
                            .context = outcomes};
    assert_int_equal(world_run(&job, &e), 0);
}

static void test_to_first(void **state)
{
    struct outcome_of_rank outcomes[RANKS];
    (void)state;
    run(to_first, outcomes);
    check(&outcomes[0]);
}

static void test_to_all(void **state)
{
    struct outcome_of_rank outcomes[RANKS];
    (void)state;
    run(to_all, outcomes);
    for (int i = 0; i < RANKS; i++)
        check(&outcomes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_to_first),
                                       cmocka_unit_test(test_to_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
