#include "model/topology.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void nodes_are_numbered_by_first_rank(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {900, 900, 7, 7, 900, 4000000000, 7, 7};
    static const uint32_t expected[] = {0, 0, 1, 1, 0, 2, 1, 1};
    struct topology t;
    struct error e = error_none();
    assert_int_equal(topology_from_nodes(&t, nodes, 8, &e), 0);
    for (uint64_t rank = 0; rank < 8; rank++)
        assert_int_equal(topology_node(&t, rank), expected[rank]);
    assert_int_equal(t.ranks, 8);
    assert_int_equal(t.nodes, 3);
    assert_int_equal(t.runs_used, 5);
    assert_int_equal(t.most_per_node, 4);
    assert_int_equal(t.fewest_per_node, 1);
    topology_free(&t);
    assert_null(t.runs);
}

/* Against a plain renumbering, for random placements. */
static void any_placement(void **state)
{
    (void)state;
    struct rng rng = rng_make(1, 1);
    for (unsigned round = 0; round < 200; round++) {
        uint64_t ranks = 1 + rng_below(&rng, 200);
        uint64_t kinds = 1 + rng_below(&rng, 20);
        uint32_t node_of[200];
        uint32_t seen[20];
        uint64_t count[20] = {0};
        uint32_t nodes = 0;
        for (uint64_t r = 0; r < ranks; r++)
            node_of[r] = r > 0 && rng_below(&rng, 3) ? node_of[r - 1]
                                                     : (uint32_t)(rng_below(&rng, kinds) * 77 + 5);
        struct topology t;
        assert_int_equal(topology_from_nodes(&t, node_of, ranks, NULL), 0);
        for (uint64_t r = 0; r < ranks; r++) {
            uint32_t k = 0;
            while (k < nodes && seen[k] != node_of[r])
                k++;
            if (k == nodes)
                seen[nodes++] = node_of[r];
            count[k]++;
            assert_int_equal(topology_node(&t, r), k);
        }
        uint64_t most = 0;
        uint64_t fewest = ranks;
        for (uint32_t k = 0; k < nodes; k++) {
            most = count[k] > most ? count[k] : most;
            fewest = count[k] < fewest ? count[k] : fewest;
        }
        assert_int_equal(t.nodes, nodes);
        assert_int_equal(t.most_per_node, most);
        assert_int_equal(t.fewest_per_node, fewest);
        topology_free(&t);
    }
}

static void regular_placements(void **state)
{
    (void)state;
    static const struct {
        uint64_t ranks;
        uint64_t per_node;
        bool cyclic;
        uint32_t nodes;
        uint64_t most;
        uint64_t fewest;
    } rows[] = {
        {1, 1, false, 1, 1, 1}, {1, 64, true, 1, 1, 1}, {7, 2, false, 4, 2, 1},
        {7, 2, true, 4, 2, 1},  {8, 2, false, 4, 2, 2}, {8, 2, true, 4, 2, 2},
        {5, 5, false, 1, 5, 5}, {5, 5, true, 1, 5, 5},  {10, 4, false, 3, 4, 2},
        {10, 4, true, 3, 4, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct topology t;
        assert_int_equal(
            topology_regular(&t, rows[i].ranks, rows[i].per_node, rows[i].cyclic, NULL), 0);
        assert_int_equal(t.nodes, rows[i].nodes);
        assert_int_equal(t.most_per_node, rows[i].most);
        assert_int_equal(t.fewest_per_node, rows[i].fewest);
        for (uint64_t rank = 0; rank < rows[i].ranks; rank++)
            assert_int_equal(topology_node(&t, rank),
                             rows[i].cyclic ? rank % rows[i].nodes : rank / rows[i].per_node);
        topology_free(&t);
    }
}

static void a_million_ranks(void **state)
{
    (void)state;
    const uint64_t ranks = 1000000;
    struct topology t;
    assert_int_equal(topology_regular(&t, ranks, 128, false, NULL), 0);
    assert_int_equal(t.nodes, 7813);
    assert_int_equal(t.runs_used, 7813);
    assert_int_equal(t.fewest_per_node, ranks % 128);
    for (uint64_t rank = 0; rank < ranks; rank += 997)
        assert_int_equal(topology_node(&t, rank), rank / 128);
    assert_int_equal(topology_node(&t, ranks - 1), 7812);
    topology_free(&t);

    uint32_t *node_of = malloc(ranks * sizeof *node_of);
    assert_non_null(node_of);
    for (uint64_t rank = 0; rank < ranks; rank++)
        node_of[rank] = (uint32_t)(rank % 1000);
    assert_int_equal(topology_from_nodes(&t, node_of, ranks, NULL), 0);
    assert_int_equal(t.nodes, 1000);
    assert_int_equal(t.most_per_node, 1000);
    for (uint64_t rank = 0; rank < ranks; rank += 997)
        assert_int_equal(topology_node(&t, rank), rank % 1000);
    free(node_of);
    topology_free(&t);

    assert_int_equal(topology_regular(&t, UINT64_C(10000000000), 1u << 20, false, NULL), 0);
    assert_int_equal(topology_node(&t, UINT64_C(9999999999)), t.nodes - 1);
    topology_free(&t);
}

static struct topology_run *runs_of(const struct topology_run *rows, uint64_t n)
{
    struct topology_run *runs = malloc((n ? n : 1) * sizeof *runs);
    assert_non_null(runs);
    memcpy(runs, rows, n * sizeof *runs);
    return runs;
}

static void runs_of_another_rank(void **state)
{
    (void)state;
    static const struct topology_run sound[] = {{0, 0}, {4, 1}, {8, 0}};
    static const struct {
        struct topology_run runs[3];
        uint64_t n;
    } broken[] = {
        {{{0, 0}}, 0},                  /* none */
        {{{1, 0}}, 1},                  /* does not begin with rank 0 */
        {{{0, 0}, {4, 1}, {4, 2}}, 3},  /* not rising */
        {{{0, 0}, {4, 2}, {8, 1}}, 3},  /* a number left out */
        {{{0, 1}, {4, 0}, {8, 1}}, 3},  /* not by first rank */
        {{{0, 0}, {4, 1}, {12, 0}}, 3}, /* beyond the last rank */
    };
    struct topology t;
    assert_int_equal(topology_from_runs(&t, runs_of(sound, 3), 3, 12, NULL), 0);
    assert_int_equal(t.nodes, 2);
    assert_int_equal(t.most_per_node, 8);
    assert_int_equal(t.fewest_per_node, 4);
    assert_int_equal(topology_node(&t, 11), 0);
    topology_free(&t);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct error e = error_none();
        assert_int_equal(
            topology_from_runs(&t, runs_of(broken[i].runs, broken[i].n), broken[i].n, 12, &e), -1);
        assert_string_equal(e.text, "the node map of 12 ranks is broken");
        assert_null(t.runs);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    struct topology t;
    struct error e = error_none();
    uint32_t node = 0;
    assert_int_equal(topology_from_nodes(&t, &node, 0, &e), -1);
    e = error_none();
    assert_int_equal(topology_regular(&t, 4, 0, false, &e), -1);
    assert_int_equal(topology_regular(&t, 0, 4, false, NULL), -1);
    e = error_none();
    assert_int_equal(topology_regular(&t, UINT64_C(1) << 40, 1, false, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    assert_non_null(strstr(e.text, "1099511627776 ranks at 1 per node"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_numbered_by_first_rank),
        cmocka_unit_test(any_placement),
        cmocka_unit_test(regular_placements),
        cmocka_unit_test(a_million_ranks),
        cmocka_unit_test(runs_of_another_rank),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
