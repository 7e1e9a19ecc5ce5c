/* The main job on a storage whose truth is known, with a clock on which nothing passes but that
 * storage's time: every figure of the result is what the model implies, to the last digit. */
#include "tests/flow/flow.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

/* 32 transfers of 128 KiB: 131,072 ns at 1 GB/s and 118,928 ns of service are 250 us together. An
 * open takes 1.1 ms, a sync 3 ms, a close 1.9 ms: 14 ms for a rank, and 28 ms for rank 2, on which
 * everything takes twice as long. */
#define STORAGE                                                                                    \
    " -a sim --clock virtual --sim.service 118928ns --sim.rate 1GB --sim.open 1100us --sim.sync "  \
    "3ms --sim.close 1900us "
#define JOB "--threads 4 -b 4m -t 128k" STORAGE "--sim.slow-rank 2 "

static void main_job(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, JOB "-e");
    assert_int_equal(f.status, STATUS_DONE);
    const struct phase_result *p = flow_phase(&f, "write", 0);
    const double bytes = 16 * MIB;
    flow_is(p, "bytes", bytes);
    flow_is(p, "operations", 128);
    flow_is(p, "operations_planned", 128);
    flow_is(p, "operations_failed", 0);
    flow_is(p, "operations_rank_min", 32);
    flow_is(p, "operations_rank_max", 32);
    flow_is(p, "elapsed_s", 0.028);
    flow_is(p, "elapsed_lower_s", 0.028);
    flow_is(p, "compat.ior_total_s", 0.028);
    flow_is(p, "bandwidth_bytes_per_s", bytes / 0.028);
    flow_is(p, "operations_per_s", 128 / 0.028);
    flow_is(p, "transfer_bandwidth_bytes_per_s", bytes / 0.016);
    flow_is(p, "durable_bandwidth_bytes_per_s", bytes / 0.0242); /* without rank 2's close */
    flow_free(&f);
}

/* When the fast ranks are done after 14 ms, the slow one is behind its 23rd transfer of 0.5 ms,
 * since its first began after 2.2 ms; 14 ms are the border of a timeline's cell. */
static void stonewall_and_tail(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, JOB "-e");
    const struct phase_result *p = flow_phase(&f, "write", 0);
    const double moved = 12 * MIB + 23 * 131072.0;
    flow_is(p, "stonewall_s", 0.014);
    flow_is(p, "stonewall_bytes", moved);
    flow_is(p, "stonewall_operations", 3 * 32 + 23);
    flow_is(p, "stonewall_bandwidth_bytes_per_s", moved / 0.014);
    flow_is(p, "stonewall_operations_per_s", (3 * 32 + 23) / 0.014);
    flow_is(p, "tail_rank_s", 3 * 0.014);
    flow_free(&f);
}

static void stages(void **state)
{
    static const struct {
        enum stage stage;
        int64_t ns;
    } expected[] = {{STAGE_OPEN, 1100000},
                    {STAGE_TRANSFER, 8 * MS},
                    {STAGE_SYNC, 3 * MS},
                    {STAGE_CLOSE, 1900000}};
    struct flow f;
    (void)state;
    flow_run(&f, JOB "-e");
    const struct phase_result *p = flow_phase(&f, "write", 0);
    uint64_t all_ns = 0, known_ns = 0;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct stage_spread *s = &p->stages[expected[i].stage];
        uint64_t ns = (uint64_t)expected[i].ns;
        assert_int_equal(s->min_ns, ns);
        assert_int_equal(s->median_ns, ns);
        assert_int_equal(s->max_ns, 2 * ns);
        assert_int_equal(s->sum_ns, 5 * ns);
        known_ns += s->sum_ns;
    }
    for (int i = 0; i < STAGES; i++)
        all_ns += p->stages[i].sum_ns;
    assert_int_equal(all_ns, known_ns);
    assert_int_equal(all_ns, (3 * 14 + 28) * MS); /* each instant in exactly one stage */
    flow_free(&f);
}

static void latencies(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, JOB "-e");
    const struct phase_result *p = flow_phase(&f, "write", 0);
    const double mean = (96 * 250000.0 + 32 * 500000.0) / 128;
    const double squares = 96 * 250000.0 * 250000.0 + 32 * 500000.0 * 500000.0;
    flow_is(p, "latency_min_ns", 250000);
    flow_is(p, "latency_max_ns", 500000);
    flow_is(p, "latency_mean_ns", mean);
    assert_true(fabs(flow_value(p, "latency_sd_ns") - sqrt((squares - 128 * mean * mean) / 127)) <
                1e-3);
    assert_true(flow_near(flow_value(p, "latency_p50_ns"), 250000));
    assert_true(flow_near(flow_value(p, "latency_p90_ns"), 500000));
    assert_true(flow_value(p, "latency_p99_99_ns") <= 500000);
    assert_int_equal(p->latency[OP_WRITE]->count, 128);
    assert_int_equal(p->latency[OP_SYNC]->count, 4);
    assert_int_equal(p->latency[OP_SYNC]->min, 3 * MS);
    assert_int_equal(p->latency[OP_SYNC]->max, 6 * MS);
    assert_int_equal(p->latency[OP_OPEN]->sum, 5 * 1100000);
    assert_int_equal(p->latency[OP_CLOSE]->sum, 5 * 1900000);
    flow_free(&f);
}

static void spread(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, JOB "-e");
    const struct spread *s = &flow_phase(&f, "write", 0)->spread;
    const double fast = 4 * MIB / 0.014, slow = 4 * MIB / 0.028;
    const double mean = (3 * fast + slow) / 4;
    const double sd = sqrt((3 * (fast - mean) * (fast - mean) + (slow - mean) * (slow - mean)) / 3);
    assert_int_equal(s->ranks, 4);
    assert_true(s->bytes);
    assert_true(s->min_per_s == slow && s->median_per_s == fast && s->max_per_s == fast);
    assert_true(fabs(s->sum_per_s - (3 * fast + slow)) < 1e-6);
    assert_true(fabs(s->cv - sd / mean) < 1e-12);
    assert_int_equal(s->slowest[0].rank, 2);
    assert_true(flow_value(flow_phase(&f, "write", 0), "rank_sum_bandwidth_bytes_per_s") ==
                s->sum_per_s);
    flow_free(&f);
}

/* Without -e nothing is synced, and no figure says otherwise. */
static void read_phase(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, JOB);
    const struct phase_result *w = flow_phase(&f, "write", 0), *r = flow_phase(&f, "read", 0);
    flow_is(w, "elapsed_s", 0.022);
    flow_is(w, "durable_bandwidth_bytes_per_s", NAN);
    flow_is(r, "elapsed_s", 0.022);
    flow_is(r, "bytes", 16 * MIB);
    flow_is(r, "bandwidth_bytes_per_s", 16 * MIB / 0.022);
    flow_is(r, "sync_max_s", NAN);
    assert_int_equal(r->latency[OP_READ]->count, 128);
    assert_null(r->latency[OP_WRITE]);
    flow_free(&f);
}

/* Segments, repetitions, and a pause before each phase that no figure knows of. */
static void repetitions(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, JOB "-w -s 3 -i 6 -d 2s");
    const struct test_result *t = &f.report.tests[0];
    assert_int_equal(t->phases_used, 6);
    for (uint64_t i = 0; i < 6; i++) {
        const struct phase_result *p = flow_phase(&f, "write", i);
        flow_is(p, "elapsed_s", (2.2 + 96 * 0.5 + 3.8) / 1000);
        flow_is(p, "bytes", 48 * MIB);
    }
    struct stats s = metric_summary(t, "write", metric_find("bandwidth_bytes_per_s"));
    double rate = 48 * MIB / 0.054;
    assert_int_equal(s.n, 6);
    assert_true(s.min == rate && s.max == rate && s.median == rate && s.sd == 0);
    assert_true(s.ci95_low == rate && s.ci95_high == rate);
    assert_true(fabs(s.mean - rate) < 1e-6);
    flow_free(&f);
}

/* Barriers between the stages: all wait for the slowest in each, and the wait is a stage. */
static void barriers(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, JOB "-w -g");
    const struct phase_result *p = flow_phase(&f, "write", 0);
    flow_is(p, "elapsed_s", 0.022);
    assert_int_equal(p->stages[STAGE_BARRIER].max_ns, (uint64_t)(1100000 + 8 * MS));
    assert_int_equal(p->stages[STAGE_BARRIER].min_ns, 0);
    flow_is(p, "stonewall_s", 0.0201); /* 2.2 + 16 + 1.9 ms */
    flow_free(&f);
}

/* Eight in flight, served beside each other: eight take the time of one. */
static void queue(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "--threads 3 -b 4m -t 128k --depth 8 -a sim --clock virtual --sim.service 2ms");
    const struct phase_result *p = flow_phase(&f, "read", 0);
    flow_is(p, "elapsed_s", 32 / 8 * 0.002);
    flow_is(p, "latency_min_ns", 2e6);
    flow_is(p, "latency_max_ns", 2e6);
    flow_is(p, "transfer_max_s", 0.008);
    flow_is(p, "bytes", 12 * MIB);
    flow_free(&f);
}

/* Served one after another, eight in flight: the last waits for the seven before it. */
static void serial_queue(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "--threads 2 -b 4m -t 128k --depth 8 -a sim --clock virtual --sim.service 2ms "
                 "--sim.serial -r");
    const struct phase_result *p = flow_phase(&f, "read", 0);
    flow_is(p, "elapsed_s", 32 * 0.002);
    flow_is(p, "latency_min_ns", 2e6); /* the first finds the server idle */
    flow_is(p, "latency_max_ns", 16e6);
    flow_is(p, "latency_mean_ns", (1 + 2 + 3 + 4 + 5 + 6 + 7 + 25 * 8) / 32.0 * 2e6);
    flow_free(&f);
}

/* A thousand and twenty-four quantiles of a distribution, each once: percentiles are known. */
static void distribution(void **state)
{
    struct flow f;
    double sum_ns = 0;
    (void)state;
    flow_run(&f, "--threads 2 -F -t 4k -b 4m -w -a sim --clock virtual --sim.service 1ms "
                 "--sim.distribution exponential");
    const struct phase_result *p = flow_phase(&f, "write", 0);
    for (int i = 0; i < 1024; i++)
        sum_ns += (double)llround(-1e6 * log1p(-(i + 0.5) / 1024));
    flow_is(p, "elapsed_s", sum_ns / 1e9);
    flow_is(p, "latency_mean_ns", sum_ns / 1024);
    assert_true(flow_near(flow_value(p, "latency_p50_ns"), -1e6 * log1p(-511.5 / 1024)));
    assert_true(flow_near(flow_value(p, "latency_p99_ns"), -1e6 * log1p(-1013.5 / 1024)));
    flow_is(p, "latency_max_ns", (double)llround(-1e6 * log1p(-1023.5 / 1024)));
    flow_free(&f);
}

/* Every fourth transfer moves half: the rest is asked for, and it stays one operation. */
static void short_transfers(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "--threads 2 -b 1m -t 128k -w -a sim --clock virtual --sim.service 1ms "
                 "--sim.short 4");
    const struct phase_result *p = flow_phase(&f, "write", 0);
    /* Calls 4, 8 and so on are short: 8 operations take 10 calls, the 4th and the 8th. */
    flow_is(p, "operations", 16);
    flow_is(p, "bytes", 2 * MIB);
    flow_is(p, "short_transfers", 4);
    flow_is(p, "elapsed_s", 0.010);
    flow_is(p, "latency_max_ns", 2e6);
    flow_is(p, "latency_min_ns", 1e6);
    flow_free(&f);
}

/* The operation under way when the deadline strikes is ended, and that is all. */
static void deadline(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "--threads 4 -b 4m -t 128k -s 1000 -w -D 10ms -a sim --clock virtual "
                 "--sim.service 3ms --sim.slow-rank 1 --sim.slow-factor 3");
    const struct phase_result *p = flow_phase(&f, "write", 0);
    assert_int_equal(f.status, STATUS_DONE);
    assert_int_equal(p->cut, CUT_NONE);
    flow_is(p, "operations", 3 * 4 + 2); /* after 3, 6, 9, 12 ms, and after 9 and 18 */
    flow_is(p, "operations_rank_min", 2);
    flow_is(p, "elapsed_s", 0.018);
    flow_is(p, "operations_planned", 4 * 32000);
    flow_free(&f);
}

/* A deadline in collective I/O is a normal end as well, and all stop at the same operation. */
static void collective_deadline(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "--threads 4 -c -b 4m -t 128k -s 1000 -w -D 1s -a sim --clock virtual "
                 "--sim.service 10ms --sim.slow-rank 1 --sim.slow-factor 3");
    const struct phase_result *p = flow_phase(&f, "write", 0);
    assert_int_equal(f.status, STATUS_DONE);
    assert_int_equal(p->cut, CUT_NONE);
    assert_int_equal(p->counters[COUNTER_OPERATIONS_MIN], p->counters[COUNTER_OPERATIONS_MAX]);
    assert_true(flow_value(p, "elapsed_s") < 1.3);
    flow_free(&f);
}

static void alone_and_many(void **state)
{
    static const char *const lines[] = {"--threads 1", "--threads 2", "--threads 7",
                                        "--threads 64 -F"};
    static const double ranks[] = {1, 2, 7, 64};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct flow f;
        char line[512];
        snprintf(line, sizeof line, "%s -b 4m -t 128k" STORAGE, lines[i]);
        flow_run(&f, line);
        const struct phase_result *p = flow_phase(&f, "read", 0);
        flow_is(p, "elapsed_s", 0.011);
        flow_is(p, "bytes", ranks[i] * 4 * MIB);
        flow_is(p, "bandwidth_bytes_per_s", ranks[i] * 4 * MIB / 0.011);
        flow_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(main_job),       cmocka_unit_test(stonewall_and_tail),
        cmocka_unit_test(stages),         cmocka_unit_test(latencies),
        cmocka_unit_test(spread),         cmocka_unit_test(read_phase),
        cmocka_unit_test(repetitions),    cmocka_unit_test(barriers),
        cmocka_unit_test(queue),          cmocka_unit_test(serial_queue),
        cmocka_unit_test(distribution),   cmocka_unit_test(short_transfers),
        cmocka_unit_test(deadline),       cmocka_unit_test(collective_deadline),
        cmocka_unit_test(alone_and_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
