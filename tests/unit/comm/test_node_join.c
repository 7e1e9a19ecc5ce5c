#include "comm/node_join.h"

#include "model/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

enum { MOST = 8 };

struct placement {
    const char *what;
    uint64_t ranks;
    struct node_sign signs[MOST]; /* boot, host, shares */
    uint32_t node_of[MOST];       /* as topology numbers them */
};

static const struct placement placements[] = {
    {"block, uneven",
     6,
     {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}, {2, 2, 3}, {3, 3, 4}, {3, 3, 4}},
     {0, 0, 0, 1, 2, 2}},
    {"cyclic, uneven", 5, {{1, 1, 0}, {2, 2, 1}, {1, 1, 0}, {2, 2, 1}, {1, 1, 0}}, {0, 1, 0, 1, 0}},
    {"equal host names", 4, {{1, 9, 0}, {2, 9, 1}, {1, 9, 0}, {2, 9, 1}}, {0, 1, 0, 1}},
    {"equal host names, which MPI believes",
     4,
     {{1, 9, 0}, {2, 9, 0}, {1, 9, 0}, {2, 9, 0}},
     {0, 1, 0, 1}},
    {"groups of MPI smaller than a node",
     4,
     {{1, 5, 0}, {1, 5, 0}, {1, 5, 2}, {1, 5, 2}},
     {0, 0, 0, 0}},
    {"containers of one node that share memory",
     4,
     {{1, 5, 0}, {1, 6, 0}, {1, 5, 0}, {1, 6, 0}},
     {0, 0, 0, 0}},
    {"clones of one virtual machine",
     4,
     {{1, 5, 0}, {1, 6, 1}, {1, 5, 0}, {1, 6, 1}},
     {0, 1, 0, 1}},
    {"joined over two corners", 4, {{1, 5, 0}, {1, 6, 0}, {1, 6, 2}, {1, 7, 2}}, {0, 0, 0, 0}},
    {"no boot ids", 4, {{0, 5, 0}, {0, 5, 0}, {0, 6, 2}, {0, 6, 2}}, {0, 0, 1, 1}},
    {"a boot id that one does not know",
     4,
     {{1, 5, 0}, {0, 5, 0}, {2, 6, 2}, {2, 6, 2}},
     {0, 0, 1, 1}},
    {"one rank", 1, {{1, 5, 0}}, {0}},
};

static void test_placements(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof placements / sizeof placements[0]; i++) {
        const struct placement *p = &placements[i];
        uint32_t nodes[MOST];
        struct topology t;

        assert_int_equal(node_join(p->signs, p->ranks, nodes, NULL), 0);
        assert_int_equal(topology_from_nodes(&t, nodes, p->ranks, NULL), 0);
        for (uint64_t rank = 0; rank < p->ranks; rank++)
            if (topology_node(&t, rank) != p->node_of[rank])
                fail_msg("%s: rank %d is on node %u, not %u", p->what, (int)rank,
                         topology_node(&t, rank), p->node_of[rank]);
        topology_free(&t);
    }
}

static void test_sign(void **state)
{
    (void)state;
    char path[] = "/tmp/pario-boot-id.XXXXXX";
    int fd = mkstemp(path);
    struct node_sign here = node_sign_here("a", 3, NULL);

    assert_true(fd >= 0);
    assert_int_equal(node_sign_here("a", 3, path).boot, 0);
    assert_int_equal(write(fd, "8f3c\n", 5), 5);
    struct node_sign other = node_sign_here("b", 3, path);

    assert_true(other.boot != 0 && other.boot != here.boot);
    assert_true(other.host != here.host && other.host != 0);
    assert_int_equal(other.shares, 3);
    assert_int_equal(node_sign_here("a", 3, NULL).boot, here.boot);
    assert_int_equal(node_sign_here("a", 3, "/nonexistent/boot_id").boot, 0);
    close(fd);
    unlink(path);
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A million ranks on 50,000 nodes of 20, placed in turn, half of the nodes with equal names. */
static void test_a_million_ranks(void **state)
{
    (void)state;
    enum { RANKS = 1000000, NODES = 50000 };
    struct node_sign *signs = malloc(RANKS * sizeof *signs);
    uint32_t *nodes = malloc(RANKS * sizeof *nodes);
    struct topology t;

    assert_true(signs != NULL && nodes != NULL);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        uint32_t node = rank % NODES;

        signs[rank] =
            (struct node_sign){1 + node * UINT64_C(0x9e3779b97f4a7c15), node % 2 ? 7 : node, node};
    }
    double start = seconds();

    assert_int_equal(node_join(signs, RANKS, nodes, NULL), 0);
    assert_int_equal(topology_from_nodes(&t, nodes, RANKS, NULL), 0);
    printf("# %.2f s, %zu bytes of rank 0 a rank\n", seconds() - start,
           sizeof *signs + sizeof *nodes + sizeof *nodes + sizeof *t.runs);
    assert_int_equal(t.nodes, NODES);
    assert_int_equal(t.most_per_node, RANKS / NODES);
    assert_int_equal(t.fewest_per_node, RANKS / NODES);
    for (uint32_t rank = 0; rank < RANKS; rank += 997)
        assert_int_equal(topology_node(&t, rank), rank % NODES);
    topology_free(&t);
    free(nodes);
    free(signs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_placements),
        cmocka_unit_test(test_sign),
        cmocka_unit_test(test_a_million_ranks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
