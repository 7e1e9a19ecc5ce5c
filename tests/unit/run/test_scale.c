/* 1,000,000 ranks on 50,000 nodes, as rank 0 meets them: the node map, the plan, who reads whose
 * blocks, and the reduction of a phase. Prints what it took. */
#include "tests/unit/model/plans.h"

#include "run/reduce.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

enum { RANKS = 1000000, NODES = 50000, PER_NODE = RANKS / NODES, MOST_BYTES_A_RANK = 300 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t heap_bytes(void)
{
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

static void say(const char *what, double since, size_t before)
{
    printf("# %s: %.3f s, %.1f bytes a rank\n", what, seconds() - since,
           (double)(heap_bytes() - before) / RANKS);
    assert_true(heap_bytes() - before <= (size_t)RANKS * MOST_BYTES_A_RANK);
}

/* No reader on its writer's node, and nobody read twice among those that are looked at. */
static void check_order(const struct topology *t, enum reorder_kind kind, uint64_t step)
{
    struct reorder r = reorder_make(kind, t, 1, 42);
    unsigned char *read = calloc(RANKS, 1);
    assert_non_null(read);
    for (uint64_t rank = 0; rank < RANKS; rank += step) {
        uint64_t source = reorder_source(&r, rank);
        assert_true(source < RANKS && !read[source]);
        assert_true(topology_node(t, rank) != topology_node(t, source));
        read[source] = 1;
    }
    assert_false(reorder_meets(&r));
    free(read);
}

static void node_map_and_orders(void **state)
{
    (void)state;
    for (int cyclic = 0; cyclic < 2; cyclic++) {
        struct topology t;
        double start = seconds();
        size_t before = heap_bytes();
        assert_int_equal(topology_regular(&t, RANKS, PER_NODE, cyclic, NULL), 0);
        assert_int_equal(t.nodes, NODES);
        say(cyclic ? "node map, ranks in turn" : "node map, in blocks", start, before);
        start = seconds();
        check_order(&t, REORDER_CONSTANT, cyclic ? 199999 : 9973);
        check_order(&t, REORDER_RANDOM, cyclic ? 199999 : 9973);
        say("orders of reading", start, before);
        topology_free(&t);
    }
}

static void plan_of_all(void **state)
{
    (void)state;
    struct settings s = plans_settings();
    double start = seconds();
    size_t before = heap_bytes();
    plans_set(&s, "file-per-process", "yes");
    plans_set(&s, "block", "1g");
    struct plan p = plans_make(&s, RANKS);
    char path[4096];
    assert_int_equal(p.files, RANKS);
    assert_int_equal(p.total_bytes, (uint64_t)RANKS << 30);
    assert_int_equal(plan_path(&p, RANKS - 1, path, sizeof path), 0);
    assert_string_equal(path, "testFile.00999999");
    say("plan", start, before);
    option_free(settings_table, &s);
}

/* Every other rank did what this one did. */
static void as_all(struct comm *c, enum reduce_rule rule, uint64_t *values, size_t n)
{
    for (size_t i = 0; rule == REDUCE_SUM && i < n; i++)
        values[i] *= c->size;
}

static void as_root(struct comm *c, uint64_t root, void *data, size_t bytes)
{
    (void)c, (void)data, (void)bytes;
    assert_int_equal(root, 0);
}

static void nothing_of_each(struct comm *c, const void *mine, size_t bytes, void *all)
{
    (void)c, (void)mine, (void)bytes, (void)all;
    fail_msg("something is gathered from each of a million ranks");
}

static void reduction(void **state)
{
    (void)state;
    static const struct comm_ops ops = {
        .name = "as if", .reduce = as_all, .broadcast = as_root, .gather = nothing_of_each};
    struct comm comm = {.ops = &ops, .size = RANKS, .host = "node0"};
    struct phase_result result = phase_result_blank();
    struct sample sample;
    double start = seconds();
    size_t before = heap_bytes();
    assert_int_equal(sample_start(&sample, 1u << OP_WRITE, 1000000, NULL), 0);
    for (int i = 0; i < 100; i++) {
        histogram_add(sample.latency[OP_WRITE], 1000);
        timeline_add(&sample.timeline, i * 1000000, 4096);
    }
    sample.counters[COUNTER_BYTES] = 409600;
    sample.counters[COUNTER_OPERATIONS] = 100;
    sample.counters[COUNTER_ELAPSED_NS] = 100000000;
    result.about = OP_WRITE;
    assert_int_equal(reduce_sample(&result, &sample, &comm, NULL), 0);
    assert_int_equal(result.counters[COUNTER_BYTES], UINT64_C(409600) * RANKS);
    assert_int_equal(result.latency[OP_WRITE]->count, UINT64_C(100) * RANKS);
    assert_int_equal(result.timeline->cells[0].bytes, UINT64_C(4096) * RANKS);
    say("reduction of a phase", start, before);
    phase_result_free(&result);
    sample_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(node_map_and_orders),
        cmocka_unit_test(plan_of_all),
        cmocka_unit_test(reduction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
