/* Whose blocks are read: a bijection that leaves the node wherever that is possible, for regular,
 * uneven, cyclic and random node maps. */
#include "model/reorder.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MOST 96

static void map(struct topology *t, const uint32_t *nodes, uint64_t ranks)
{
    struct error e = error_none();
    assert_int_equal(topology_from_nodes(t, nodes, ranks, &e), 0);
}

/* Checks both kinds over the map; offsets and seeds of any size. */
static void check(const struct topology *t)
{
    static const uint64_t offsets[] = {0, 1, 2, 3, 7, 1000000, UINT64_MAX};
    for (int kind = REORDER_NONE; kind <= REORDER_RANDOM; kind++)
        for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
            struct reorder r = reorder_make((enum reorder_kind)kind, t, offsets[i], offsets[i]);
            bool met[MOST] = {false}, meets = false, itself = false;
            for (uint64_t rank = 0; rank < t->ranks; rank++) {
                uint64_t source = reorder_source(&r, rank);
                assert_true(source < t->ranks);
                assert_false(met[source]);
                met[source] = true;
                meets |= topology_node(t, source) == topology_node(t, rank);
                itself |= source == rank;
            }
            assert_int_equal(reorder_meets(&r), meets);
            if (kind == REORDER_NONE)
                continue;
            assert_int_equal(meets, t->ranks < 2 * t->most_per_node);
            if (kind == REORDER_CONSTANT && t->ranks > 1) /* A029: nobody its own, even so */
                assert_false(itself);
        }
}

static void regular_maps(void **state)
{
    (void)state;
    for (uint64_t ranks = 1; ranks <= 64; ranks++)
        for (uint64_t per_node = 1; per_node <= ranks; per_node++)
            for (int cyclic = 0; cyclic < 2; cyclic++) {
                struct topology t;
                struct error e = error_none();
                assert_int_equal(topology_regular(&t, ranks, per_node, cyclic, &e), 0);
                check(&t);
                topology_free(&t);
            }
}

static void random_maps(void **state)
{
    struct rng rng = rng_make(1, 2);
    (void)state;
    for (int i = 0; i < 2000; i++) {
        uint32_t nodes[MOST];
        uint64_t ranks = 1 + rng_below(&rng, MOST), most = 1 + rng_below(&rng, 8);
        for (uint64_t rank = 0; rank < ranks; rank++)
            nodes[rank] = (uint32_t)rng_below(&rng, most);
        struct topology t;
        map(&t, nodes, ranks);
        check(&t);
        topology_free(&t);
    }
}

/* A031: two nodes, ranks dealt out in turn; rank + 2 would lie on the same node. */
static void cyclic_placement(void **state)
{
    static const uint32_t nodes[] = {0, 1, 0, 1};
    struct topology t;
    (void)state;
    map(&t, nodes, 4);
    struct reorder r = reorder_make(REORDER_CONSTANT, &t, 1, 0);
    assert_int_equal(reorder_source(&r, 0), 1);
    assert_int_equal(reorder_source(&r, 2), 3);
    assert_int_equal(reorder_source(&r, 1), 0);
    assert_int_equal(reorder_source(&r, 3), 2);
    assert_false(reorder_meets(&r));
    topology_free(&t);
}

/* A032: 64 ranks on nodes of 20 slots: one distance for all. */
static void uneven_nodes(void **state)
{
    struct topology t;
    struct error e = error_none();
    (void)state;
    assert_int_equal(topology_regular(&t, 64, 20, false, &e), 0);
    struct reorder r = reorder_make(REORDER_CONSTANT, &t, 1, 0);
    for (uint64_t rank = 0; rank < 64; rank++)
        assert_int_equal(reorder_source(&r, rank), (rank + 20) % 64);
    assert_false(reorder_meets(&r));
    check(&t);
    topology_free(&t);
}

/* Even blocks of ranks: IOR's own arithmetic, (rank + Q x ranks per node) mod N. */
static void equals_iors_on_even_blocks(void **state)
{
    struct topology t;
    struct error e = error_none();
    (void)state;
    assert_int_equal(topology_regular(&t, 48, 8, false, &e), 0);
    for (uint64_t q = 1; q < 6; q++) {
        struct reorder r = reorder_make(REORDER_CONSTANT, &t, q, 0);
        for (uint64_t rank = 0; rank < 48; rank++)
            assert_int_equal(reorder_source(&r, rank), (rank + 8 * q) % 48);
    }
    topology_free(&t);
}

/* A029: -Z on one node: eight files, eight readers, whatever the seed; and seeds differ. */
static void random_reads_every_block_once(void **state)
{
    struct topology t;
    struct error e = error_none();
    unsigned differ = 0;
    (void)state;
    assert_int_equal(topology_regular(&t, 8, 8, false, &e), 0);
    uint64_t first[8];
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct reorder r = reorder_make(REORDER_RANDOM, &t, 1, seed);
        bool met[8] = {false}, same = true;
        for (uint64_t rank = 0; rank < 8; rank++) {
            uint64_t source = reorder_source(&r, rank);
            assert_false(met[source]);
            met[source] = true;
            if (seed == 0)
                first[rank] = source;
            same &= first[rank] == source;
        }
        differ += !same;
    }
    assert_true(differ > 90);
    topology_free(&t);
}

/* A million ranks and more on regular nodes: no table of ranks is needed. */
static void large_maps(void **state)
{
    struct topology t;
    struct error e = error_none();
    (void)state;
    assert_int_equal(topology_regular(&t, 10000000, 100000, false, &e), 0);
    struct reorder r = reorder_make(REORDER_CONSTANT, &t, 1, 0);
    assert_int_equal(reorder_source(&r, 0), 100000);
    assert_int_equal(reorder_source(&r, 9999999), 99999);
    r = reorder_make(REORDER_RANDOM, &t, 1, 5);
    for (uint64_t rank = 0; rank < 10000000; rank += 199999)
        assert_int_not_equal(topology_node(&t, reorder_source(&r, rank)), topology_node(&t, rank));
    topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_maps),
        cmocka_unit_test(random_maps),
        cmocka_unit_test(cyclic_placement),
        cmocka_unit_test(uneven_nodes),
        cmocka_unit_test(equals_iors_on_even_blocks),
        cmocka_unit_test(random_reads_every_block_once),
        cmocka_unit_test(large_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
