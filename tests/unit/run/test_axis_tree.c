#include "run/axis_tree.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

static bool has_child(const struct axis_tree *tree, uint64_t rank)
{
    for (uint32_t i = 0; i < tree->children_used; i++)
        if (tree->children[i] == rank)
            return true;
    return false;
}

static uint64_t log2_up(uint64_t n)
{
    uint64_t log = 0;
    while ((UINT64_C(1) << log) < n)
        log++;
    return log;
}

/* Everybody is reached once, over few steps, and nodes are crossed once each. */
static void check_tree(const struct topology *t)
{
    struct axis_tree *trees = calloc(t->ranks, sizeof *trees);
    uint64_t crossings = 0, children = 0;
    assert_non_null(trees);
    for (uint64_t rank = 0; rank < t->ranks; rank++)
        trees[rank] = axis_tree_of(t, rank);
    for (uint64_t rank = 0; rank < t->ranks; rank++) {
        uint64_t steps = 0;
        children += trees[rank].children_used;
        assert_int_equal(trees[rank].is_root, rank == 0);
        if (rank == 0)
            continue;
        assert_true(has_child(&trees[trees[rank].parent], rank));
        crossings += topology_node(t, rank) != topology_node(t, trees[rank].parent);
        for (uint64_t at = rank; at != 0; at = trees[at].parent)
            assert_true(++steps <= log2_up(t->nodes) + log2_up(t->most_per_node));
    }
    assert_int_equal(children, t->ranks - 1);
    assert_int_equal(crossings, t->nodes - 1);
    free(trees);
}

static void regular_placements(void **state)
{
    (void)state;
    for (uint64_t ranks = 1; ranks < 70; ranks++)
        for (uint64_t per_node = 1; per_node < 20; per_node += 3)
            for (int cyclic = 0; cyclic < 2; cyclic++) {
                struct topology t;
                assert_int_equal(topology_regular(&t, ranks, per_node, cyclic, NULL), 0);
                check_tree(&t);
                topology_free(&t);
            }
}

static void any_placement(void **state)
{
    (void)state;
    struct rng rng = rng_make(5, 5);
    for (int round = 0; round < 100; round++) {
        uint32_t nodes[100];
        uint64_t ranks = 1 + rng_below(&rng, 100);
        struct topology t;
        for (uint64_t rank = 0; rank < ranks; rank++)
            nodes[rank] = (uint32_t)rng_below(&rng, 12);
        assert_int_equal(topology_from_nodes(&t, nodes, ranks, NULL), 0);
        check_tree(&t);
        topology_free(&t);
    }
}

static void a_million_ranks(void **state)
{
    (void)state;
    struct topology t;
    assert_int_equal(topology_regular(&t, 1000000, 20, false, NULL), 0);
    struct axis_tree first = axis_tree_of(&t, 0), last = axis_tree_of(&t, 999999);
    assert_int_equal(first.children_used, 16 + 5); /* 50000 nodes, 20 ranks */
    assert_int_equal(last.parent, 999980 + 18);
    topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_placements),
        cmocka_unit_test(any_placement),
        cmocka_unit_test(a_million_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
