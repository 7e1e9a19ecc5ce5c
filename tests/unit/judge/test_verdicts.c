/* A clean phase in which every rule is silent; then one change at a time, each provoking its rule
 * and no other. */
#include "judge/verdicts.h"

#include "tests/support/document.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GIB (UINT64_C(1) << 30)
#define SECOND UINT64_C(1000000000)

struct scene {
    struct phase_result phase;
    struct world world;
};

/* 32 ranks on 2 nodes of 16 cores and 64 GiB write 256 GiB in 100 s. */
static void clean(struct scene *s, enum op_kind about)
{
    *s = (struct scene){.world = {.memory_bytes = 64 * GIB,
                                  .cores = 16,
                                  .most_per_node = 16,
                                  .nodes = 2,
                                  .fs_used = 0.5,
                                  .inodes_used = NAN}};
    struct phase_result *p = &s->phase;
    p->about = about;
    p->ranks = 32;
    p->elapsed_ns = 100 * SECOND;
    p->counters[COUNTER_BYTES] = 256 * GIB;
    p->counters[COUNTER_OPERATIONS] = 256 * 1024;
    p->counters[COUNTER_PLANNED] = 256 * 1024;
    p->counters[COUNTER_ELAPSED_NS] = 100 * SECOND - 500000;
    p->counters[COUNTER_OPERATIONS_MIN] = 8192;
    p->counters[COUNTER_OPERATIONS_MAX] = 8192;
    p->counters[COUNTER_CPU_MAX_NS] = 20 * SECOND;
    p->stages[STAGE_TRANSFER].sum_ns = 31 * 100 * SECOND;
    p->stages[STAGE_FILL].sum_ns = 50 * SECOND;
    p->spread = (struct spread){.ranks = 32,
                                .bytes = true,
                                .min_per_s = 70e6,
                                .median_per_s = 86e6,
                                .max_per_s = 90e6,
                                .slowest_used = 1,
                                .slowest = {{5, "node1", 70e6}},
                                .modes.coefficient = 0.4};
    p->cached_fraction = 0;
    p->device_bytes = NAN;
    p->node_cpu = 0.3;
    if (about == OP_READ) {
        strcpy(p->cache_label, "cold");
        p->device_bytes = 256.0 * (double)GIB;
    }
}

static const struct warning *found(const struct phase_result *p, const char *code)
{
    for (size_t i = 0; i < p->warnings_used; i++)
        if (strcmp(p->warnings[i].code, code) == 0)
            return &p->warnings[i];
    return NULL;
}

static void judge(struct scene *s)
{
    const struct plan plan = {.ranks = 32};
    verdicts_phase(&s->phase, &plan, &s->world);
}

/* Exactly this warning, with these words in it; figure NAN: any. */
static void expect(struct scene *s, const char *code, double figure, const char *words)
{
    judge(s);
    const struct warning *w = found(&s->phase, code);
    if (!w)
        fail_msg("%s is silent", code);
    for (size_t i = 0; i < s->phase.warnings_used; i++)
        if (strcmp(s->phase.warnings[i].code, code) != 0)
            fail_msg("%s where %s is meant", s->phase.warnings[i].code, code);
    if (!strstr(w->message, words))
        fail_msg("%s says \"%s\", not \"%s\"", code, w->message, words);
    if (!isnan(figure) && !(fabs(w->figure - figure) < 1e-9))
        fail_msg("%s has figure %.17g, not %.17g", code, w->figure, figure);
    assert_true(strlen(w->message) + 1 < sizeof w->message); /* not cut */
    assert_int_equal(w->message[strlen(w->message) - 1], '.');
}

static void test_clean(void **state)
{
    static const enum op_kind kinds[] = {OP_WRITE, OP_READ, OP_STAT};
    struct scene s;
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        clean(&s, kinds[i]);
        judge(&s);
        if (s.phase.warnings_used)
            fail_msg("%s where nothing is wrong: %s", s.phase.warnings[0].code,
                     s.phase.warnings[0].message);
    }
    clean(&s, OP_WRITE); /* a deadline is a normal end */
    s.phase.counters[COUNTER_STOPPED] = 1;
    s.phase.counters[COUNTER_OPERATIONS] -= 100;
    judge(&s);
    assert_int_equal(s.phase.warnings_used, 0);
}

/* Nothing known of the world, and a phase that did not run: nothing to say. */
static void test_nothing_known(void **state)
{
    struct scene s = {.world = {.fs_used = NAN, .inodes_used = NAN}};
    (void)state;
    s.phase.about = OP_READ;
    s.phase.cached_fraction = s.phase.device_bytes = s.phase.node_cpu = NAN;
    judge(&s);
    assert_int_equal(s.phase.warnings_used, 0);
}

static void test_working_set(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_READ);
    s.world.memory_bytes = 86 * GIB; /* 128 GiB per node: 1.49 times */
    expect(&s, "working-set", 128.0 / 86, "128 GiB");
    clean(&s, OP_READ);
    s.world.memory_bytes = 85 * GIB;
    judge(&s);
    assert_int_equal(s.phase.warnings_used, 0);
}

static void test_cached_writes(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.world.memory_bytes = 256 * GIB;
    judge(&s);
    const struct warning *w = found(&s.phase, "cached-writes");
    assert_non_null(w);
    assert_true(fabs(w->figure - 0.5) < 1e-9);
    assert_non_null(strstr(w->message, "-e (fsync)"));
    assert_non_null(found(&s.phase, "working-set")); /* which cached writes imply */
    for (int way = 0; way < 2; way++) {
        clean(&s, OP_WRITE);
        s.world.memory_bytes = 256 * GIB;
        s.phase.synced = way == 0;
        s.world.direct = way == 1;
        judge(&s);
        assert_null(found(&s.phase, "cached-writes"));
    }
    s.world.direct_buffered = true; /* direct in name alone */
    judge(&s);
    assert_non_null(found(&s.phase, "cached-writes"));
}

static void test_cached_reads(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_READ);
    s.phase.cached_fraction = 0.25;
    expect(&s, "cached-reads", 0.25, "25.0 %");
    clean(&s, OP_READ);
    s.phase.device_bytes = 64.0 * (double)GIB;
    expect(&s, "cached-reads", 0.25, "only 64 GiB of 256 GiB");
    clean(&s, OP_READ);
    strcpy(s.phase.cache_label, "mixed");
    expect(&s, "cached-reads", NAN, "mixed");
}

static void test_same_node_read(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_READ);
    s.world.same_node_read = true;
    expect(&s, "same-node-read", NAN, "Use -C");
    clean(&s, OP_READ);
    s.world.same_node_read = true;
    s.world.nodes = 1;
    expect(&s, "same-node-read", NAN, "two nodes");
    clean(&s, OP_WRITE);
    s.world.same_node_read = true;
    judge(&s);
    assert_int_equal(s.phase.warnings_used, 0);
}

static void test_memory_fs(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.world.memory_fs = true;
    strcpy(s.world.fs_type, "ramfs");
    expect(&s, "memory-fs", NAN, "(ramfs)");
}

static void test_hollow_file(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_READ);
    s.world.hollow = true;
    expect(&s, "hollow-file", NAN, "reading those measures nothing");
}

static void test_buffered_direct(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.world.direct = s.world.direct_buffered = true;
    strcpy(s.world.fs_type, "fuse");
    expect(&s, "buffered-direct", NAN, "on fuse");
}

static void test_short_phase(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.phase.elapsed_ns = s.phase.counters[COUNTER_ELAPSED_NS] = SECOND - 1;
    s.phase.counters[COUNTER_CPU_MAX_NS] = 0;
    expect(&s, "short-phase", (SECOND - 1) / 1e9, "less than 1.00 s");
    clean(&s, OP_STAT);
    s.phase.elapsed_ns = s.phase.counters[COUNTER_ELAPSED_NS] = SECOND / 10;
    s.phase.counters[COUNTER_CPU_MAX_NS] = 0;
    judge(&s);
    assert_int_equal(s.phase.warnings_used, 0);
    s.phase.elapsed_ns--;
    s.phase.counters[COUNTER_ELAPSED_NS]--;
    expect(&s, "short-phase", NAN, "more files");
}

static void test_ragged_start(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.phase.counters[COUNTER_ELAPSED_NS] = 97 * SECOND;
    expect(&s, "ragged-start", 3, "3.00 s longer");
    clean(&s, OP_WRITE); /* 1 s of 100 is not more than 1 % */
    s.phase.counters[COUNTER_ELAPSED_NS] = 99 * SECOND;
    judge(&s);
    assert_int_equal(s.phase.warnings_used, 0);
}

static void set_clocks(struct phase_result *p, uint64_t own_ns, uint64_t wall_ns)
{
    p->counters[COUNTER_START_FIRST_NS] = p->counters[COUNTER_START_LAST_NS] = SECOND;
    p->counters[COUNTER_END_FIRST_NS] = p->counters[COUNTER_END_LAST_NS] = SECOND + own_ns;
    p->counters[COUNTER_WALL_FIRST_NS] = 7 * SECOND;
    p->counters[COUNTER_WALL_LAST_NS] = 7 * SECOND + wall_ns;
    p->counters[COUNTER_CLOCK_APART_NS] = 345 * SECOND;
    p->counters[COUNTER_CLOCK_ERROR_NS] = 1000;
    p->clock_rank = 5;
    snprintf(p->clock_host, sizeof p->clock_host, "node1");
}

static void test_clock_offset(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    set_clocks(&s.phase, 100 * SECOND, 445 * SECOND);
    expect(&s, "clock-offset", 345, "rank 5 on node1");
    clean(&s, OP_WRITE);
    set_clocks(&s.phase, 100 * SECOND, 0 - SECOND);
    expect(&s, "clock-offset", 345, "a time below zero instead of 100 s");
    clean(&s, OP_WRITE); /* 1 s of 100 is not more than 1 % */
    set_clocks(&s.phase, 100 * SECOND, 101 * SECOND);
    judge(&s);
    assert_int_equal(s.phase.warnings_used, 0);
    set_clocks(&s.phase, 100 * SECOND, 445 * SECOND); /* nothing is known better */
    s.phase.counters[COUNTER_CLOCK_ERROR_NS] = 345 * SECOND;
    judge(&s);
    assert_int_equal(s.phase.warnings_used, 0);
}

static void test_straggler(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.phase.spread.min_per_s = s.phase.spread.slowest[0].per_s = 43e6;
    s.phase.spread.slowest_used = 2;
    s.phase.spread.slowest[1] = (struct slow_rank){9, "node0", 80e6};
    expect(&s, "straggler", 2, "Slow: rank 5 on node1. ");
    clean(&s, OP_STAT);
    s.phase.spread.bytes = false;
    s.phase.spread.min_per_s = s.phase.spread.slowest[0].per_s = 43e6;
    expect(&s, "straggler", 2, "43.0M/s");
}

static void test_bimodal(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.phase.spread.modes = (struct modes){.bimodal = true,
                                          .coefficient = 0.9,
                                          .slow_ranks = 16,
                                          .fast_ranks = 16,
                                          .slow_mean_per_s = 64 * 1048576.0,
                                          .fast_mean_per_s = 80 * 1048576.0,
                                          .by = "host",
                                          .detail = "slow: node1"};
    expect(&s, "bimodal", 0.9, "by host: slow: node1");
    clean(&s, OP_WRITE);
    s.phase.spread.modes.bimodal = true;
    expect(&s, "bimodal", 0.4, "neither host");
}

static void test_unbalanced(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.phase.counters[COUNTER_OPERATIONS_MIN] = 4096;
    expect(&s, "unbalanced", 0.5, "from 4096 to 8192");
    clean(&s, OP_WRITE); /* what does not divide evenly is no fault */
    s.phase.counters[COUNTER_OPERATIONS_MIN] = 1;
    s.phase.counters[COUNTER_OPERATIONS_MAX] = 2;
    judge(&s);
    assert_int_equal(s.phase.warnings_used, 0);
}

static void test_cut_short(void **state)
{
    static const struct {
        enum cut cut;
        const char *words;
    } rows[] = {{CUT_SIGNAL, "a signal"},
                {CUT_TIME_LIMIT, "the time limit"},
                {CUT_ERROR, "an error"},
                {CUT_FULL, "a full file system"}};
    struct scene s;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clean(&s, OP_WRITE);
        s.phase.counters[COUNTER_OPERATIONS] /= 4;
        s.phase.cut = rows[i].cut;
        expect(&s, "cut-short", 0.25, rows[i].words);
    }
    clean(&s, OP_WRITE);
    s.phase.counters[COUNTER_FAILED_RANKS] = 1;
    expect(&s, "cut-short", 1, "an error");
    clean(&s, OP_WRITE);
    s.phase.counters[COUNTER_OPERATIONS]--;
    expect(&s, "cut-short", NAN, "262143 of 262144");
}

static void test_cpu_bound(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.phase.node_cpu = 0.81;
    expect(&s, "cpu-bound", 0.81, "81 %");
    clean(&s, OP_WRITE);
    s.phase.counters[COUNTER_CPU_MAX_NS] = s.phase.counters[COUNTER_ELAPSED_NS];
    expect(&s, "cpu-bound", 1, "a rank");
}

static void test_harness_bound(void **state)
{
    static const enum stage stages[] = {STAGE_FILL, STAGE_CHECK, STAGE_THINK};
    struct scene s;
    (void)state;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        clean(&s, OP_WRITE);
        s.phase.stages[STAGE_FILL].sum_ns = 0;
        s.phase.stages[STAGE_TRANSFER].sum_ns = 96 * SECOND;
        s.phase.stages[stages[i]].sum_ns = 4 * SECOND;
        expect(&s, "harness-bound", 0.04, "4.0 %");
    }
}

static void test_oversubscribed(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.world.cores = 8;
    expect(&s, "oversubscribed", 2, "16 ranks share the 8 cores");
}

static void test_rate_missed(void **state)
{
    struct scene s;
    struct plan plan = {.ranks = 32, .access.rate_per_s = 1000};
    (void)state;
    clean(&s, OP_WRITE);
    s.phase.counters[COUNTER_RATE_MISSED] = s.phase.elapsed_ns / 50;
    verdicts_phase(&s.phase, &plan, &s.world);
    assert_int_equal(s.phase.warnings_used, 1);
    assert_string_equal(s.phase.warnings[0].code, "rate-missed");
    clean(&s, OP_WRITE);
    s.phase.counters[COUNTER_RATE_MISSED] = s.phase.elapsed_ns / 200;
    verdicts_phase(&s.phase, &plan, &s.world);
    assert_int_equal(s.phase.warnings_used, 0);
}

static void test_fs_full(void **state)
{
    struct scene s;
    (void)state;
    clean(&s, OP_WRITE);
    s.world.fs_used = 0.9;
    expect(&s, "fs-full", 0.9, "space");
    clean(&s, OP_WRITE);
    s.world.inodes_used = 0.86;
    expect(&s, "fs-full", 0.86, "inodes");
}

static void test_document(void **state)
{
    struct text table = {0};
    (void)state;
    text_add(&table, "| code | when |\n| --- | --- |\n");
    for (const struct verdict *v = verdict_table; v->code; v++)
        text_add(&table, "| `%s` | %s |\n", v->code, v->when);
    const char *wrong = document_section("doc/metrics.md", "verdicts", &table);
    if (wrong)
        fail_msg("doc/metrics.md, section verdicts: %s", wrong);
    text_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean),           cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_working_set),     cmocka_unit_test(test_cached_writes),
        cmocka_unit_test(test_cached_reads),    cmocka_unit_test(test_same_node_read),
        cmocka_unit_test(test_memory_fs),       cmocka_unit_test(test_hollow_file),
        cmocka_unit_test(test_buffered_direct), cmocka_unit_test(test_short_phase),
        cmocka_unit_test(test_ragged_start),    cmocka_unit_test(test_clock_offset),
        cmocka_unit_test(test_straggler),       cmocka_unit_test(test_bimodal),
        cmocka_unit_test(test_unbalanced),      cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_cpu_bound),       cmocka_unit_test(test_harness_bound),
        cmocka_unit_test(test_oversubscribed),  cmocka_unit_test(test_rate_missed),
        cmocka_unit_test(test_fs_full),         cmocka_unit_test(test_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
