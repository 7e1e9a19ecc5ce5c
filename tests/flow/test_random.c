/* Random, mixed, paced and queued I/O on a storage of known truth and a clock on which nothing
 * passes but that storage's time. */
#include "tests/flow/flow.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define SIM " -b 4m -t 4k -a sim --clock virtual "

/* 1000 operations due each ms, 0.1 ms each: latency is the same from hand-over and from the time
 * due. */
static void a_rate_is_kept(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "random -r --threads 2" SIM "--sim.service 100us --rate 1000/s -D 1");
    const struct phase_result *p = flow_phase(&f, "read", 0);
    assert_int_equal(p->counters[COUNTER_OPERATIONS], 2000);
    assert_int_equal(p->counters[COUNTER_RATE_MISSED], 0);
    assert_int_equal(p->intended->count, 2000);
    assert_int_equal(p->intended->max, 100000);
    assert_int_equal(p->latency[OP_READ]->max, 100000);
    flow_free(&f);
}

/* The 501st operation, due after 0.5 s, takes 1.0001 s. What is due meanwhile waits: k operations
 * later 1000.1 - 0.9 k ms from the time due, until the rank has caught up; a loop that waits for
 * answers would show one slow operation in 3000. */
static void a_stall_is_not_omitted(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f,
             "random -r --threads 1" SIM "--sim.service 100us --sim.stall 1s --sim.stall-at 501 "
             "--rate 1000/s -D 3");
    const struct phase_result *p = flow_phase(&f, "read", 0);
    assert_int_equal(p->counters[COUNTER_OPERATIONS], 3000);
    assert_int_equal(histogram_quantile(p->latency[OP_READ], 0.999), 100000);
    assert_int_equal(p->latency[OP_READ]->max, 1000100000);
    assert_int_equal(p->intended->max, 1000100000);
    assert_true(flow_near((double)histogram_quantile(p->intended, 0.99), 973.1e6));
    assert_true(flow_near((double)histogram_quantile(p->intended, 0.9), 730.1e6));
    flow_free(&f);
}

/* 10,000 operations per second are asked for and 1000 done. */
static void a_missed_rate_is_known(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "random -r --threads 1" SIM "--sim.service 1ms --rate 10000/s -D 1");
    const struct phase_result *p = flow_phase(&f, "read", 0);
    assert_int_equal(p->counters[COUNTER_OPERATIONS], 1000);
    assert_int_equal(p->counters[COUNTER_RATE_MISSED], 1 + 999 * MS - 999 * MS / 10);
    flow_free(&f);
}

/* A constant service time and a queue that is full to the end: as many rounds as depth goes into.
 */
static void a_queue_is_kept_full(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "random -r --threads 1" SIM "--sim.service 1ms --depth 8");
    const struct phase_result *p = flow_phase(&f, "read", 0);
    flow_is(p, "operations", 1024);
    flow_is(p, "elapsed_s", 0.128);
    flow_free(&f);
}

/* Depth = throughput x latency, whatever the distribution. */
static void littles_law_holds(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "random -r --threads 2" SIM "--sim.service 1ms --sim.distribution exponential "
                 "--depth 16 -D 4");
    const struct phase_result *p = flow_phase(&f, "read", 0);
    double depth = flow_value(p, "operations_per_s") * flow_value(p, "latency_mean_ns") / 1e9;
    assert_true(fabs(depth / 32 - 1) < 0.02);
    flow_free(&f);
}

/* Quantiles of an exponential distribution are -ln(1 - q) means. */
static void percentiles_are_the_models(void **state)
{
    static const double quantiles[] = {0.5, 0.9, 0.95, 0.99};
    struct flow f;
    (void)state;
    flow_run(&f, "random -r --threads 1" SIM "--sim.service 1ms --sim.distribution exponential");
    const struct phase_result *p = flow_phase(&f, "read", 0);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        /* The storage takes the quantiles (i + 0.5) / 1024, each once. */
        double q = (ceil(quantiles[i] * 1024) - 0.5) / 1024;
        double expected = -log(1 - q) * 1e6;
        double found = (double)histogram_quantile(p->latency[OP_READ], quantiles[i]);
        assert_true(fabs(found / expected - 1) < 0.008);
    }
    flow_free(&f);
}

static void directions_are_apart_and_together(void **state)
{
    struct flow f;
    struct phase_result read, write;
    (void)state;
    flow_run(&f, "random --read-percent 70 --threads 2" SIM "--sim.service 1ms -D 2");
    const struct phase_result *p = flow_phase(&f, "mixed", 0);
    assert_int_equal(p->counters[COUNTER_OPERATIONS], 4000);
    assert_int_equal(p->counters[COUNTER_READ_OPERATIONS], 2800);
    assert_true(phase_result_part(p, 0, &read));
    assert_true(phase_result_part(p, 1, &write));
    flow_is(&read, "operations", 2800);
    flow_is(&write, "operations", 1200);
    flow_is(&read, "bytes", 2800 * 4096);
    flow_is(&write, "bytes", 1200 * 4096);
    assert_int_equal(p->latency[OP_READ]->count, 2800);
    assert_int_equal(p->latency[OP_WRITE]->count, 1200);
    flow_free(&f);
}

/* The first second is left out; the stall in it does not show. */
static void a_ramp_is_left_out(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "random -r --threads 2" SIM "--sim.service 1ms --sim.open 3ms --sim.stall 100ms "
                 "--sim.stall-at 10 --sim.error-rank -1 --ramp 1 -D 2");
    const struct phase_result *p = flow_phase(&f, "read", 0);
    flow_is(p, "operations", 4000);
    flow_is(p, "elapsed_s", 2);
    flow_is(p, "operations_per_s", 2000);
    assert_int_equal(p->latency[OP_READ]->max, 1 * MS);
    assert_int_equal(p->stages[STAGE_TRANSFER].max_ns, 2000 * MS);
    assert_int_equal(p->stages[STAGE_OPEN].max_ns, 0);
    flow_free(&f);
}

static void pauses_are_a_stage_of_their_own(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "random -r --threads 1" SIM "--sim.service 100us --think 900us");
    const struct phase_result *p = flow_phase(&f, "read", 0);
    flow_is(p, "operations", 1024);
    assert_int_equal(p->stages[STAGE_TRANSFER].max_ns, 1024 * MS / 10);
    assert_int_equal(p->stages[STAGE_THINK].max_ns, 1024 * MS / 10 * 9);
    flow_is(p, "elapsed_s", 1.024);
    flow_free(&f);
}

/* Once, or again and again until the deadline. */
static void a_deadline_loops_over_the_data(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "random -w --threads 2" SIM "--sim.service 1ms -D 3");
    flow_is(flow_phase(&f, "write", 0), "operations", 6000); /* the file has room for 2048 */
    flow_free(&f);
    flow_run(&f, "--threads 2 -w" SIM "--sim.service 1ms -D 3");
    flow_is(flow_phase(&f, "write", 0), "operations", 2048);
    flow_free(&f);
}

/* At the deadline ranks had done 999 and 499, and each had one in flight; the slow one goes on to
 * 1000. */
static void wear_out_makes_ranks_equal(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "random -w --threads 2" SIM
                 "--sim.service 1ms --sim.open 300us --sim.slow-rank 1 -D 1 "
                 "--wear-out");
    const struct phase_result *p = flow_phase(&f, "write", 0);
    flow_is(p, "operations", 2000);
    flow_is(p, "stonewall_s", 1);
    flow_is(p, "stonewall_operations", 1498);
    flow_is(p, "elapsed_s", 2.0006);
    flow_free(&f);
}

/* Of each 10 operations of a rank 7 have 4 KiB and 3 have 64 KiB, in both directions; a size's
 * rate and latencies are its own. */
static void sizes_are_apart_and_together(void **state)
{
    struct flow f;
    struct phase_result part;
    (void)state;
    flow_run(&f, "random --read-percent 50 --threads 2 -b 4m -t 4k:70,64k:30 -a sim "
                 "--clock virtual --sim.service 1ms -D 2");
    const struct phase_result *p = flow_phase(&f, "mixed", 0);
    flow_is(p, "operations", 4000);
    flow_is(p, "bytes", 2800 * 4096 + 1200 * 65536);
    assert_int_equal(p->sized_used, 4);
    uint64_t count[4];
    for (size_t i = 0; i < 4; i++) {
        assert_true(phase_result_part(p, 2 + i, &part));
        count[i] = part.counters[COUNTER_OPERATIONS];
        flow_is(&part, "bytes", (double)(count[i] * (i % 2 ? 65536 : 4096)));
        flow_is(&part, "operations_per_s", (double)count[i] / 2);
        assert_int_equal(part.latency[part.about]->max, 1 * MS);
    }
    assert_string_equal(part.phase, "mixed write 64k");
    assert_int_equal(count[0] + count[1], 2000);
    assert_int_equal(count[0] + count[2], 2800);
    assert_false(phase_result_part(p, 6, &part));
    flow_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_is_kept),
        cmocka_unit_test(a_stall_is_not_omitted),
        cmocka_unit_test(a_missed_rate_is_known),
        cmocka_unit_test(a_queue_is_kept_full),
        cmocka_unit_test(littles_law_holds),
        cmocka_unit_test(percentiles_are_the_models),
        cmocka_unit_test(directions_are_apart_and_together),
        cmocka_unit_test(sizes_are_apart_and_together),
        cmocka_unit_test(a_ramp_is_left_out),
        cmocka_unit_test(pauses_are_a_stage_of_their_own),
        cmocka_unit_test(a_deadline_loops_over_the_data),
        cmocka_unit_test(wear_out_makes_ranks_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
