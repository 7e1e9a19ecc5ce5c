#include "model/metrics.h"

#include "tests/support/document.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MIB (1024.0 * 1024.0)
#define SECOND UINT64_C(1000000000)

static double value(const char *key, const struct phase_result *p)
{
    const struct metric *m = metric_find(key);
    assert_non_null(m);
    return metric_value(m, p);
}

/* 4 ranks move 8 MiB in 2 s; the first is done after 1 s, with 6 MiB moved by all. */
static void fill(struct phase_result *p)
{
    p->about = OP_WRITE;
    p->ranks = 4;
    p->elapsed_ns = 2 * SECOND;
    p->stonewall_ns = SECOND;
    p->stonewall_bytes = 6 * 1024 * 1024;
    p->stonewall_operations = 6;
    p->counters[COUNTER_BYTES] = 8 * 1024 * 1024;
    p->counters[COUNTER_OPERATIONS] = 8;
    p->counters[COUNTER_ELAPSED_NS] = 19 * SECOND / 10;
    p->counters[COUNTER_DURABLE_NS] = 16 * SECOND / 10;
    p->stages[STAGE_TRANSFER] = (struct stage_spread){
        .max_ns = SECOND, .median_ns = SECOND, .min_ns = SECOND, .sum_ns = 4 * SECOND};
    p->stages[STAGE_OPEN] = (struct stage_spread){
        .max_ns = SECOND / 4, .median_ns = 0, .min_ns = 0, .sum_ns = SECOND / 4};
    p->spread = (struct spread){.ranks = 4, .bytes = true, .sum_per_s = 9 * MIB};
    strcpy(p->phase, "write");
}

static void test_definitions(void **state)
{
    static const struct {
        const char *key;
        double expected;
    } rows[] = {
        {"bandwidth_bytes_per_s", 4 * MIB},
        {"operations_per_s", 4},
        {"transfer_bandwidth_bytes_per_s", 8 * MIB},
        {"durable_bandwidth_bytes_per_s", 5 * MIB},
        {"stonewall_bandwidth_bytes_per_s", 6 * MIB},
        {"stonewall_operations_per_s", 6},
        {"rank_sum_bandwidth_bytes_per_s", 9 * MIB},
        {"elapsed_s", 2},
        {"elapsed_lower_s", 1.9},
        {"compat.ior_total_s", 1.9},
        {"stonewall_s", 1},
        {"transfer_max_s", 1},
        {"open_max_s", 0.25},
        {"bytes", 8 * MIB},
        {"operations", 8},
        {"tail_rank_s", 4 * 1.9 - 4.25},
    };
    struct phase_result p = {0};
    (void)state;
    fill(&p);
    p.synced = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!(fabs(value(rows[i].key, &p) - rows[i].expected) < 1e-9 * rows[i].expected))
            fail_msg("%s is %.17g, expected %.17g", rows[i].key, value(rows[i].key, &p),
                     rows[i].expected);
}

static void test_no_rate_of_nothing(void **state)
{
    struct phase_result p = {.about = OP_WRITE};
    struct phase_result unsynced = {0};
    struct phase_result stat = {0};
    (void)state;
    p.cached_fraction = p.node_cpu = NAN;
    for (const struct metric *m = metric_table; m->key; m++)
        if (!m->whole)
            assert_true(isnan(metric_value(m, &p)));
    p.elapsed_ns = SECOND; /* time has passed, and nothing was moved */
    p.stonewall_ns = SECOND;
    for (const struct metric *m = metric_table; m->key; m++)
        if (m->seconds)
            assert_true(isnan(metric_value(m, &p)));
    fill(&unsynced);
    assert_true(isnan(value("durable_bandwidth_bytes_per_s", &unsynced)));
    assert_true(isnan(value("sync_max_s", &unsynced)));
    assert_true(isnan(value("latency_p50_ns", &unsynced)));
    fill(&stat); /* what moved no bytes has no bandwidth */
    stat.about = OP_STAT;
    stat.counters[COUNTER_BYTES] = 0;
    stat.spread.bytes = false;
    for (const struct metric *m = metric_table; m->key; m++)
        if (m->unit == METRIC_BYTES_PER_S)
            assert_true(isnan(metric_value(m, &stat)));
    assert_true(isnan(value("compat.ior_total_s", &stat)));
    assert_true(fabs(value("operations_per_s", &stat) - 4) < 1e-12);
    stat.counters[COUNTER_OPERATIONS_MIN] = 1; /* of 4 ranks, in 2 s */
    assert_true(fabs(value("compat.mdtest_rate", &stat) - 2) < 1e-12);
    stat.counters[COUNTER_OPERATIONS_MIN] = 0;
    assert_true(isnan(value("compat.mdtest_rate", &stat)));
}

static void test_counts_are_exact(void **state)
{
    struct phase_result p = {.about = OP_WRITE};
    (void)state;
    p.counters[COUNTER_BYTES] = (UINT64_C(10) << 60) + 1;
    assert_true(metric_find("bytes")->whole(&p) == (UINT64_C(10) << 60) + 1);
}

static void test_latency_is_of_own_operation(void **state)
{
    struct phase_result p = {.about = OP_WRITE};
    struct histogram *write = malloc(sizeof *write);
    struct histogram *open = malloc(sizeof *open);
    (void)state;
    histogram_clear(write);
    histogram_clear(open);
    for (uint64_t i = 1; i <= 100; i++)
        histogram_add(write, 1000 * i);
    histogram_add(open, 7);
    p.latency[OP_WRITE] = write;
    p.latency[OP_OPEN] = open;
    assert_true(fabs(value("latency_p50_ns", &p) - 50000) <= 50000.0 / 128);
    assert_true(fabs(value("latency_p99_ns", &p) - 99000) <= 99000.0 / 128);
    assert_true(value("latency_p99_99_ns", &p) <= value("latency_max_ns", &p));
    assert_int_equal((long)value("latency_max_ns", &p), 100000);
    assert_int_equal((long)value("latency_min_ns", &p), 1000);
    assert_true(fabs(value("latency_mean_ns", &p) - 50500) < 1e-6);
    free(write);
    free(open);
}

/* Rates of 4 and 1: 8 MiB in 2 s and in 8 s are 16 MiB in 10 s. */
static void test_summary(void **state)
{
    struct phase_result phases[3] = {0};
    struct test_result t = {.phases = phases, .phases_used = 3};
    (void)state;
    fill(&phases[0]);
    fill(&phases[1]);
    fill(&phases[2]);
    phases[1].elapsed_ns = 8 * SECOND;
    strcpy(phases[2].phase, "read");
    const struct metric *m = metric_find("bandwidth_bytes_per_s");
    struct stats s = metric_summary(&t, "write", m);
    assert_int_equal(s.n, 2);
    assert_true(fabs(s.min - 1 * MIB) < 1e-6 && fabs(s.max - 4 * MIB) < 1e-6);
    assert_true(fabs(s.median - 2.5 * MIB) < 1e-6);
    assert_true(fabs(s.mean - 1.6 * MIB) < 1e-6);
    assert_true(fabs(s.sd - 3 / sqrt(2) * MIB) < 1e-6);
    assert_true(fabs(s.cv - s.sd / s.mean) < 1e-12);
    assert_true(isnan(s.ci95_low));
    s = metric_summary(&t, "read", m);
    assert_int_equal(s.n, 1);
    assert_true(isnan(s.sd));
    /* what has no value in a repetition is left out */
    phases[1].counters[COUNTER_BYTES] = 0;
    s = metric_summary(&t, "write", m);
    assert_int_equal(s.n, 1);
    assert_int_equal(metric_summary(&t, "stat", m).n, 0);
}

static bool ends_with(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void test_rows_are_sound(void **state)
{
    (void)state;
    for (const struct metric *m = metric_table; m->key; m++) {
        assert_true((m->whole != NULL) != (m->amount != NULL));
        assert_true(!m->seconds || m->amount);
        assert_true(m->meaning && ends_with(m->meaning, "."));
        assert_ptr_equal(metric_find(m->key), m); /* no key stands twice */
        if (m->unit == METRIC_BYTES_PER_S)
            assert_true(ends_with(m->key, "_bytes_per_s"));
        if (m->unit == METRIC_PER_S)
            assert_true(ends_with(m->key, "_per_s") || strcmp(m->key, "compat.mdtest_rate") == 0);
        if (m->unit == METRIC_NS)
            assert_true(ends_with(m->key, "_ns"));
        if (m->unit == METRIC_SECONDS)
            assert_true(ends_with(m->key, "_s"));
        for (const char *c = m->key; *c; c++)
            assert_true(islower(*c) || isdigit(*c) || *c == '_' || *c == '.');
    }
    assert_null(metric_find("no_such_metric"));
}

static void test_help_tells_all(void **state)
{
    struct text out = {0};
    (void)state;
    metrics_help(&out);
    assert_false(out.failed);
    for (const struct metric *m = metric_table; m->key; m++)
        assert_non_null(strstr(out.data, m->key));
    for (char *line = out.data; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 96);
    text_free(&out);
}

static void test_document(void **state)
{
    struct text table = {0};
    (void)state;
    text_add(&table, "| key | unit | text | meaning |\n| --- | --- | --- | --- |\n");
    for (const struct metric *m = metric_table; m->key; m++)
        text_add(&table, "| `%s` | %s | %s | %s |\n", m->key, metric_unit_name(m->unit),
                 m->heading ? m->heading : "", m->meaning);
    const char *wrong = document_section("doc/metrics.md", "metrics", &table);
    if (wrong)
        fail_msg("doc/metrics.md, section metrics: %s", wrong);
    text_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions),      cmocka_unit_test(test_no_rate_of_nothing),
        cmocka_unit_test(test_counts_are_exact), cmocka_unit_test(test_latency_is_of_own_operation),
        cmocka_unit_test(test_summary),          cmocka_unit_test(test_rows_are_sound),
        cmocka_unit_test(test_help_tells_all),   cmocka_unit_test(test_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
