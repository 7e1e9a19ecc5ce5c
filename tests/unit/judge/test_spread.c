#include "judge/spread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RANKS 64

static const char *const hosts[] = {"node0", "node1", "node2", "node3"};

/* A little apart from each other, so that nothing is exactly equal: 100 to 102. */
static double about_100(size_t rank)
{
    return 100 + (double)(rank * 7 % 16) / 8;
}

struct world_of_ranks {
    double rates[RANKS];
    struct topology topology;
    struct spread_ranks ranks;
    struct spread spread;
};

static struct world_of_ranks *make(size_t n, uint64_t per_node, bool cyclic)
{
    struct world_of_ranks *w = calloc(1, sizeof *w);
    assert_non_null(w);
    assert_int_equal(topology_regular(&w->topology, n, per_node, cyclic, NULL), 0);
    w->ranks = (struct spread_ranks){
        .per_s = w->rates, .n = n, .bytes = true, .topology = &w->topology, .hosts = hosts};
    for (size_t i = 0; i < n; i++)
        w->rates[i] = about_100(i);
    return w;
}

static const struct modes *judge(struct world_of_ranks *w)
{
    assert_int_equal(spread_of(&w->spread, &w->ranks, NULL), 0);
    return &w->spread.modes;
}

static void drop(struct world_of_ranks *w)
{
    topology_free(&w->topology);
    free(w);
}

static void test_figures(void **state)
{
    struct world_of_ranks *w = make(4, 2, false);
    const double rates[] = {40, 10, 30, 20};
    (void)state;
    memcpy(w->rates, rates, sizeof rates);
    judge(w);
    assert_int_equal(w->spread.ranks, 4);
    assert_true(w->spread.bytes);
    assert_true(fabs(w->spread.min_per_s - 10) < 1e-12);
    assert_true(fabs(w->spread.median_per_s - 25) < 1e-12);
    assert_true(fabs(w->spread.max_per_s - 40) < 1e-12);
    assert_true(fabs(w->spread.sum_per_s - 100) < 1e-12);
    assert_true(fabs(w->spread.cv - sqrt(500.0 / 3) / 25) < 1e-12);
    assert_int_equal(w->spread.slowest_used, 4);
    assert_int_equal(w->spread.slowest[0].rank, 1);
    assert_string_equal(w->spread.slowest[0].host, "node0");
    assert_int_equal(w->spread.slowest[1].rank, 3);
    assert_string_equal(w->spread.slowest[1].host, "node1");
    assert_true(isnan(w->spread.modes.coefficient));
    drop(w);
}

static void test_nobody(void **state)
{
    struct world_of_ranks *w = make(4, 2, false);
    (void)state;
    for (size_t i = 0; i < 4; i++)
        w->rates[i] = NAN;
    judge(w);
    assert_int_equal(w->spread.ranks, 0);
    w->rates[2] = 5;
    judge(w);
    assert_int_equal(w->spread.ranks, 1);
    assert_int_equal(w->spread.slowest[0].rank, 2);
    w->ranks.n = 0;
    judge(w);
    assert_int_equal(w->spread.ranks, 0);
    drop(w);
}

static void test_one_hump(void **state)
{
    struct world_of_ranks *w = make(RANKS, 16, false);
    (void)state;
    assert_false(judge(w)->bimodal);
    for (size_t i = 0; i < RANKS; i++) /* uniform */
        w->rates[i] = 100 + (double)i;
    assert_false(judge(w)->bimodal);
    for (size_t i = 0; i < RANKS; i++) /* all the same */
        w->rates[i] = 100;
    assert_false(judge(w)->bimodal);
    assert_true(isnan(w->spread.modes.coefficient));
    for (size_t i = 0; i < RANKS; i++) /* a straggler is not a hump */
        w->rates[i] = i == 5 ? 10 : about_100(i);
    assert_false(judge(w)->bimodal);
    for (size_t i = 0; i < RANKS; i++) /* two humps that nobody needs to care about */
        w->rates[i] = i < 32 ? 100 + (double)i / 1000 : 101 + (double)i / 1000;
    assert_false(judge(w)->bimodal);
    assert_true(w->spread.modes.coefficient > 5.0 / 9);
    drop(w);
}

static void test_too_few(void **state)
{
    struct world_of_ranks *w = make(15, 5, false);
    (void)state;
    for (size_t i = 0; i < 15; i++)
        w->rates[i] *= i % 2 ? 0.5 : 1;
    assert_false(judge(w)->bimodal);
    drop(w);
}

static void test_by_host(void **state)
{
    struct world_of_ranks *w = make(RANKS, 16, true); /* rank i on node i % 4 */
    (void)state;
    for (size_t i = 0; i < RANKS; i++)
        w->rates[i] *= i % 4 == 2 || (i % 4 == 3 && i != 7) ? 0.5 : 1; /* with an exception */
    const struct modes *m = judge(w);
    assert_true(m->bimodal);
    assert_int_equal(m->slow_ranks, 31);
    assert_int_equal(m->fast_ranks, 33);
    assert_true(fabs(m->slow_mean_per_s - 50) < 1 && fabs(m->fast_mean_per_s - 101) < 1);
    assert_string_equal(m->by, "host");
    assert_string_equal(m->detail, "slow: node2, node3");
    assert_true(m->by_explains > 0.9 && m->by_explains < 1);
    drop(w);
}

static void test_by_parity(void **state)
{
    struct world_of_ranks *w = make(16, 4, false);
    (void)state;
    for (size_t i = 0; i < 16; i++)
        w->rates[i] *= i % 2 ? 0.5 : 1;
    const struct modes *m = judge(w);
    assert_true(m->bimodal);
    assert_string_equal(m->by, "parity");
    assert_string_equal(m->detail, "slow: odd ranks");
    drop(w);
}

static void test_by_order(void **state)
{
    struct world_of_ranks *w = make(RANKS, 16, true);
    (void)state;
    for (size_t i = 0; i < RANKS; i++)
        w->rates[i] *= i >= 40 ? 0.5 : 1;
    const struct modes *m = judge(w);
    assert_true(m->bimodal);
    assert_string_equal(m->by, "order");
    assert_string_equal(m->detail, "slow: ranks 40 to 63");
    assert_true(fabs(m->by_explains - 1) < 1e-12);
    drop(w);
}

static void test_by_file(void **state)
{
    uint64_t files[RANKS];
    struct world_of_ranks *w = make(RANKS, 16, false);
    (void)state;
    for (size_t i = 0; i < RANKS; i++) {
        files[i] = i * 5 % 8;
        w->rates[i] *= files[i] == 3 || files[i] == 6 ? 0.5 : 1;
    }
    w->ranks.files = files;
    const struct modes *m = judge(w);
    assert_true(m->bimodal);
    assert_string_equal(m->by, "file");
    assert_string_equal(m->detail, "slow: file 3, file 6");
    for (size_t i = 0; i < RANKS; i++) /* a file each explains nothing */
        files[i] = i;
    assert_string_equal(judge(w)->by, "");
    drop(w);
}

/* Slow where a hash says so: no grouping explains it. */
static void test_by_nothing(void **state)
{
    struct world_of_ranks *w = make(RANKS, 16, false);
    (void)state;
    for (size_t i = 0; i < RANKS; i++)
        w->rates[i] *= (i * i * 31 / 7) % 3 == 0 ? 0.5 : 1;
    const struct modes *m = judge(w);
    assert_true(m->bimodal);
    assert_string_equal(m->by, "");
    assert_string_equal(m->detail, "");
    drop(w);
}

static void test_without_node_map(void **state)
{
    struct world_of_ranks *w = make(RANKS, 16, false);
    (void)state;
    w->ranks.topology = NULL;
    w->ranks.hosts = NULL;
    for (size_t i = 0; i < RANKS; i++)
        w->rates[i] *= i < 16 ? 0.5 : 1;
    const struct modes *m = judge(w);
    assert_string_equal(m->by, "order");
    assert_string_equal(m->detail, "slow: ranks 0 to 15");
    assert_string_equal(w->spread.slowest[0].host, "");
    drop(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),    cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_one_hump),   cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_by_host),    cmocka_unit_test(test_by_parity),
        cmocka_unit_test(test_by_order),   cmocka_unit_test(test_by_file),
        cmocka_unit_test(test_by_nothing), cmocka_unit_test(test_without_node_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
