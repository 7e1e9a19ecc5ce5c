/* Checkpoints on a storage of known truth: each duration follows from the list of what is done. */
#include "tests/flow/flow.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A rank: open 2, four writes of 10, sync 20, close 3, rename 1, sync of the directory 1. Rank 0
 * before: directory made 1 and synced 1; after: the marker, 1 + 10 + 20 + 3 + 1 + 1. */
#define RUN                                                                                        \
    "checkpoint --threads 2 -b 4m -t 1m -a sim --clock virtual --sim.service 10ms --sim.open 2ms " \
    "--sim.close 3ms --sim.sync 20ms --sim.meta 1ms --retain 1 "

static double finding(const struct flow *f, const char *key)
{
    const struct test_result *t = &f->report.tests[0];
    for (size_t i = 0; i < t->findings_used; i++)
        if (strcmp(t->findings[i].key, key) == 0)
            return strtod(t->findings[i].value, NULL);
    fail_msg("there is no finding %s", key);
    return 0;
}

static void assert_stage(const struct phase_result *p, enum stage stage, int64_t max_ns,
                         uint64_t slowest)
{
    assert_int_equal(p->stages[stage].max_ns, max_ns);
    assert_int_equal(p->stages[stage].slowest_rank, slowest);
}

static void each_stage_is_known(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, RUN "--steps 3 --compute 50ms --jitter 100%");
    const struct phase_result *p = flow_phase(&f, "checkpoint", 0);
    flow_is(p, "elapsed_s", 0.105);
    flow_is(p, "blocked_s", 0.105);
    flow_is(p, "open_max_s", 0.002);
    flow_is(p, "transfer_max_s", 0.04);
    flow_is(p, "sync_max_s", 0.02);
    flow_is(p, "close_max_s", 0.003);
    flow_is(p, "rename_max_s", 0.001);
    flow_is(p, "directory_sync_max_s", 0.002);
    flow_is(p, "marker_max_s", 0.036);
    flow_is(p, "durable_bandwidth_bytes_per_s", 8 * MIB / 0.064);
    flow_is(p, "return_bandwidth_bytes_per_s", 8 * MIB / 0.044);
    assert_stage(p, STAGE_MARKER, 36 * MS, 0);
    assert_stage(p, STAGE_BARRIER, 38 * MS, 1);
    assert_int_equal(p->own.median_ns, 67 * MS + MS / 2);
    /* The second and third also remove the one before: a file each, then rank 0 the directory. */
    flow_is(flow_phase(&f, "checkpoint", 1), "elapsed_s", 0.107);
    flow_is(flow_phase(&f, "checkpoint", 2), "elapsed_s", 0.107);
    assert_true(flow_near(finding(&f, "blocked_first_s"), 0.105));
    assert_true(flow_near(finding(&f, "blocked_others_median_s"), 0.107));
    flow_free(&f);
}

/* Rank 1 takes twice as long for everything: 134 ms for its own files against 68. */
static void a_straggler_is_named(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, RUN "--threads 3 --steps 1 --sim.slow-rank 1");
    const struct phase_result *p = flow_phase(&f, "checkpoint", 0);
    assert_stage(p, STAGE_TRANSFER, 80 * MS, 1);
    assert_stage(p, STAGE_SYNC, 40 * MS, 1);
    assert_stage(p, STAGE_MARKER, 36 * MS, 0);
    flow_is(p, "elapsed_s", 0.172);
    assert_int_equal(p->own.max_ns, 134 * MS);
    assert_int_equal(p->own.median_ns, 68 * MS);
    assert_true(flow_near(finding(&f, "straggler_ratio"), 134.0 / 68));
    assert_true(flow_near(finding(&f, "mlperf_duration_s"), 0.134));
    assert_true(flow_near(finding(&f, "mlperf_rank_bytes_per_s"), 4 * MIB / 0.134));
    flow_free(&f);
}

/* Copying takes no time on a virtual clock, so nobody waits where there is memory and work enough.
 */
static void a_copy_is_drained_beside_the_work(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, RUN "--steps 2 --compute 200ms --background --staging 4m");
    const struct phase_result *p = flow_phase(&f, "checkpoint", 0);
    flow_is(p, "elapsed_s", 0.105);
    flow_is(p, "drain_s", 0.105);
    assert_int_equal(p->counters[COUNTER_BLOCKED_NS], 0);
    flow_free(&f);
}

/* The drain of 105 ms lasts 45 ms longer than the work. */
static void a_long_drain_blocks(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, RUN "--steps 1 --compute 60ms --background --staging 4m");
    flow_is(flow_phase(&f, "checkpoint", 0), "blocked_s", 0.045);
    flow_free(&f);
}

/* Room for two transfers: the last is copied once two are written: 2 + 2 + 20 ms after the start.
 */
static void little_memory_blocks_until_the_rest_is_copied(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, RUN "--steps 1 --compute 1s --background --staging 2m");
    const struct phase_result *p = flow_phase(&f, "checkpoint", 0);
    flow_is(p, "elapsed_s", 0.105);
    flow_is(p, "blocked_s", 0.024);
    flow_is(p, "drain_s", 0.081);
    flow_free(&f);
}

/* An area that is no multiple of the transfers is used to its last byte, with a queue, too: two
 * writes and a half fit, the fourth's last part is copied when the second is through. */
static void an_odd_area_is_used_up(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, RUN "--steps 1 --compute 1s --background --staging 2560k");
    flow_is(flow_phase(&f, "checkpoint", 0), "blocked_s", 0.024);
    flow_free(&f);
    flow_run(&f, RUN "--steps 1 --compute 1s --background --staging 1m");
    flow_is(flow_phase(&f, "checkpoint", 0), "blocked_s", 0.034);
    flow_free(&f);
    flow_run(&f, RUN "--steps 1 --compute 1s --background --staging 1536k --depth 4");
    flow_is(flow_phase(&f, "checkpoint", 0), "blocked_s", 0.034);
    flow_free(&f);
}

/* From the start of the first checkpoint to that of the second. */
static int64_t period_ns(const char *words)
{
    struct flow f;
    flow_run(&f, words);
    uint64_t first = flow_phase(&f, "checkpoint", 0)->counters[COUNTER_START_FIRST_NS];
    uint64_t second = flow_phase(&f, "checkpoint", 1)->counters[COUNTER_START_FIRST_NS];
    flow_free(&f);
    return (int64_t)(second - first);
}

/* Work begins when the program is no longer blocked; without a copy it goes on beside the drain,
 * which the program waits for before it changes what it saves. */
static void work_and_drain_go_on_side_by_side(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, RUN "--steps 1 --compute 1s --background");
    flow_is(flow_phase(&f, "checkpoint", 0), "blocked_s", 0.105);
    flow_is(flow_phase(&f, "checkpoint", 0), "drain_s", 0.105);
    flow_free(&f);
    assert_int_equal(period_ns(RUN "--steps 2 --compute 1s"), 1105 * MS);
    assert_int_equal(period_ns(RUN "--steps 2 --compute 1s --background"), 1000 * MS);
    assert_int_equal(period_ns(RUN "--steps 2 --compute 1s --background --staging 4m"), 1000 * MS);
    assert_int_equal(period_ns(RUN "--steps 2 --compute 1s --background --staging 2m"), 1024 * MS);
    assert_int_equal(period_ns(RUN "--steps 2 --compute 60ms --background --staging 4m"), 105 * MS);
}

/* A107: time spent on names does not take in the wait for data, also where that is in flight. */
static void names_do_not_wait_for_data(void **state)
{
    static const enum stage names[] = {STAGE_OPEN, STAGE_CLOSE, STAGE_RENAME, STAGE_DIRECTORY_SYNC};
    struct flow one, other;
    (void)state;
    flow_run(&one, RUN "--steps 1 --compute 1s");
    flow_run(&other, RUN "--steps 1 --compute 1s --background --staging 4m --depth 4");
    const struct phase_result *p = flow_phase(&one, "checkpoint", 0);
    const struct phase_result *q = flow_phase(&other, "checkpoint", 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(p->stages[names[i]].max_ns, q->stages[names[i]].max_ns);
    assert_int_equal(p->stages[STAGE_TRANSFER].max_ns, 40 * MS);
    assert_int_equal(q->stages[STAGE_TRANSFER].max_ns, 10 * MS);
    flow_free(&one);
    flow_free(&other);
}

/* The leader writes for both, 40 ms more; the other hands over its last transfer after 2 + 2 + 40 +
 * 30 ms. */
static void a_leader_writes_for_its_group(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, RUN "--steps 2 --shape groups");
    const struct phase_result *p = flow_phase(&f, "checkpoint", 0);
    flow_is(p, "elapsed_s", 0.145);
    flow_is(p, "bytes", 8 * MIB);
    flow_is(p, "operations", 8);
    flow_is(p, "operations_planned", 8);
    assert_stage(p, STAGE_TRANSFER, 80 * MS, 0);
    assert_stage(p, STAGE_EXCHANGE, 72 * MS, 1);
    assert_int_equal(p->spread.ranks, 1); /* who writes nothing is not slow */
    flow_free(&f);
}

/* Whoever fails, and whenever: nobody waits for ever, and the failure is told. */
static void a_group_ends_with_its_leader(void **state)
{
    static const char *const at[] = {"open --sim.error-at 1",  "write --sim.error-at 1",
                                     "write --sim.error-at 5", "write --sim.error-at 8",
                                     "write --sim.error-at 9", "sync --sim.error-at 1",
                                     "close --sim.error-at 1", "mkdir --sim.error-at 1"};
    (void)state;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (unsigned depth = 1; depth <= 4; depth += 3) {
            struct flow f;
            char words[512];
            snprintf(words, sizeof words,
                     RUN "--threads 3 --steps 2 --shape groups --sim.error-rank 0 --depth %u "
                         "--sim.error-op %s",
                     depth, at[i]);
            flow_run(&f, words);
            assert_int_equal(f.status, STATUS_FAILED);
            assert_int_equal(f.worst.errno_value, EIO);
            flow_free(&f);
        }
}

static void assert_refused(const char *words, const char *why)
{
    struct flow f;
    flow_run(&f, words);
    assert_int_equal(f.status, STATUS_USAGE);
    assert_non_null(strstr(f.worst.text, why));
    flow_free(&f);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    assert_refused(RUN "--staging 4m", "needs --background");
    assert_refused(RUN "--background --staging 4k", "smaller than one transfer");
    assert_refused(RUN "--background --restart", "needs -w");
    assert_refused(RUN "--group 2", "needs --shape groups");
    assert_refused(RUN "--shape groups --background --staging 4m", "--staging does not go");
    assert_refused(RUN "--shape groups --tensors 4", "--tensors does not go");
    assert_refused(RUN "--shape groups -b 2g -t 2g", "at most 1 GiB");
    assert_refused(RUN "-b 1000t --background --staging 1000t", "that are available on it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stage_is_known),
        cmocka_unit_test(a_straggler_is_named),
        cmocka_unit_test(a_copy_is_drained_beside_the_work),
        cmocka_unit_test(a_long_drain_blocks),
        cmocka_unit_test(little_memory_blocks_until_the_rest_is_copied),
        cmocka_unit_test(an_odd_area_is_used_up),
        cmocka_unit_test(work_and_drain_go_on_side_by_side),
        cmocka_unit_test(names_do_not_wait_for_data),
        cmocka_unit_test(a_leader_writes_for_its_group),
        cmocka_unit_test(a_group_ends_with_its_leader),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
