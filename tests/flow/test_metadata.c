/* Metadata on a storage whose truth is known, with a clock on which nothing passes but that
 * storage's time. */
#include "tests/flow/flow.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define SIM                                                                                        \
    " -a sim --clock virtual --sim.meta 1ms --sim.open 2ms --sim.close 3ms --sim.service 4ms "

static void every_phase(void **state)
{
    (void)state;
    static const struct {
        const char *phase;
        double operations, elapsed_s;
    } rows[] = {
        {"tree-create", 3, 0.003}, {"mkdir", 40, 0.010},  {"dir-stat", 40, 0.010},
        {"rmdir", 40, 0.010},      {"create", 40, 0.080}, {"stat", 40, 0.010},
        {"read", 40, 0.090},       {"unlink", 40, 0.010}, {"tree-remove", 3, 0.003},
    };
    struct flow f;
    flow_run(&f, "metadata --threads 4 -n 10 -z 1 -b 2 -w 100 -e 100" SIM);
    assert_int_equal(f.status, STATUS_DONE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct phase_result *p = flow_phase(&f, rows[i].phase, 0);
        flow_is(p, "operations", rows[i].operations);
        flow_is(p, "operations_planned", rows[i].operations);
        flow_is(p, "operations_failed", 0);
        flow_is(p, "elapsed_s", rows[i].elapsed_s);
        flow_is(p, "operations_per_s", rows[i].operations / rows[i].elapsed_s);
    }
    const struct phase_result *create = flow_phase(&f, "create", 0);
    flow_is(create, "bytes", 4000);
    flow_is(create, "bandwidth_bytes_per_s", 4000 / 0.080);
    assert_int_equal(create->latency[OP_WRITE]->count, 40);
    assert_int_equal(create->latency[OP_CLOSE]->max, 3 * MS);
    flow_free(&f);
}

/* A010: the leaves hold all items, and every phase visits all of them. */
static void leaves_alone(void **state)
{
    (void)state;
    struct flow f;
    flow_run(&f, "metadata --threads 1 -b 10 -z 1 -L -F -I 100" SIM);
    flow_is(flow_phase(&f, "tree-create", 0), "operations", 11);
    flow_is(flow_phase(&f, "create", 0), "operations", 1000);
    flow_is(flow_phase(&f, "stat", 0), "operations", 1000);
    flow_is(flow_phase(&f, "stat", 0), "operations_per_s", 1000);
    flow_is(flow_phase(&f, "unlink", 0), "operations", 1000);
    flow_free(&f);
}

/* A007, A008 and mdtest's own figure: one definition, the slowest rank inside. */
static void unequal_ranks(void **state)
{
    (void)state;
    struct flow f;
    flow_run(&f, "metadata --threads 4 -n 10 -F --phases create,stat -i 3 --sim.slow-rank 2" SIM);
    for (uint64_t i = 0; i < 3; i++) {
        const struct phase_result *p = flow_phase(&f, "stat", i);
        flow_is(p, "elapsed_s", 0.020);
        flow_is(p, "operations_per_s", 40 / 0.020);
        flow_is(p, "compat.mdtest_rate", 40 / 0.020);
        flow_is(p, "stonewall_s", 0.010);
        flow_is(p, "stonewall_operations",
                34); /* the slow rank's fifth ends at 10 ms, not before */
    }
    flow_free(&f);
}

/* mdtest divides what was asked for by the time of what was done. */
static void deadline(void **state)
{
    (void)state;
    struct flow f;
    flow_run(&f, "metadata --threads 2 -n 1000 -D --phases mkdir,dir-stat -W 50ms "
                 "--sim.slow-rank 1" SIM);
    const struct phase_result *p = flow_phase(&f, "mkdir", 0);
    flow_is(p, "operations_planned", 2000);
    flow_is(p, "operations", 75);
    flow_is(p, "operations_rank_min", 25);
    flow_is(p, "elapsed_s", 0.050);
    flow_is(p, "operations_per_s", 1500);
    flow_is(p, "compat.mdtest_rate", 1000);
    flow_is(flow_phase(&f, "dir-stat", 0), "operations_planned", 75);
    flow_is(flow_phase(&f, "dir-stat", 0), "operations", 75);
    flow_free(&f);
    flow_run(&f, "metadata --threads 2 -n 1000 -D --phases mkdir,dir-stat -W 50ms --wear-out "
                 "--sim.slow-rank 1" SIM);
    p = flow_phase(&f, "mkdir", 0);
    flow_is(p, "operations", 100);
    flow_is(p, "elapsed_s", 0.100);
    flow_is(p, "operations_per_s", 1000);
    flow_free(&f);
}

/* A109: rank 1 creates 1, stats 2, reads 3, removes 0; and what a rank finds there is what the
 * other one made before its deadline. */
static void strides(void **state)
{
    (void)state;
    struct flow f;
    flow_run(&f, "metadata --threads 4 -n 100 -F -N 1 -W 50ms --phases create,stat "
                 "--sim.slow-rank 1" SIM);
    const struct phase_result *p = flow_phase(&f, "create", 0);
    flow_is(p, "operations", 3 * 13 + 7);
    p = flow_phase(&f, "stat", 0);
    flow_is(p, "operations", 3 * 13 + 7);
    flow_is(p, "elapsed_s", 0.026); /* the slow rank, on 13 files of a fast one */
    flow_free(&f);
}

/* mdtest's defect 3: what failed is no success. An item whose data could not be written failed as a
 * whole; the others are done. */
static void failures_are_counted(void **state)
{
    (void)state;
    struct flow f;
    flow_run(&f, "metadata --threads 2 -n 10 -F -w 10 --phases create --sim.error-at 3 "
                 "--sim.error-op write --sim.error-kind EACCES" SIM);
    const struct phase_result *p = flow_phase(&f, "create", 0);
    assert_int_equal(f.status, STATUS_FAILED);
    flow_is(p, "operations", 19);
    flow_is(p, "operations_failed", 1);
    flow_is(p, "operations_planned", 20);
    assert_int_equal(p->errors_used, 1);
    assert_string_equal(p->errors[0].kind, "EACCES");
    assert_int_equal(p->errors[0].count, 1);
    assert_int_equal(p->errors[0].rank, 0);
    assert_int_equal(p->latency[OP_CLOSE]->count, 20);
    flow_free(&f);
    flow_run(&f, "metadata --threads 2 -n 10 -F --phases create,stat --sim.error-at 3 "
                 "--sim.error-rank -1 --sim.error-op stat --sim.error-kind ENOENT" SIM);
    p = flow_phase(&f, "stat", 0);
    flow_is(p, "operations", 18);
    flow_is(p, "operations_failed", 2);
    assert_int_equal(p->errors[0].count, 2);
    assert_non_null(strstr(f.worst.text, "stat: 2 failures of 1 kind"));
    flow_free(&f);
}

/* A full disk strikes whatever comes next: all ranks stop. */
static void a_full_disk_stops(void **state)
{
    (void)state;
    struct flow f;
    flow_run(&f, "metadata --threads 2 -n 1000 -F --sim.error-at 3 --sim.error-op create "
                 "--sim.error-kind ENOSPC" SIM);
    const struct phase_result *p = flow_phase(&f, "create", 0);
    assert_int_equal(f.status, STATUS_FAILED);
    flow_is(p, "operations_failed", 1);
    assert_true(flow_value(p, "operations_rank_min") <= 2); /* the other may hear of it earlier */
    assert_int_equal(p->cut, CUT_FULL);
    flow_free(&f);
}

static bool exists(const char *folder, const char *name)
{
    char path[256];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return lstat(path, &s) == 0;
}

static void failed_runs_leave_nothing(void **state)
{
    (void)state;
    char folder[128];
    struct flow f;
    flow_folder(folder);
    flow_run_in(&f, folder,
                "metadata --threads 3 -n 20 -b 2 -z 2 -d %/out -w 100 --sim.error-at 7 "
                "--sim.error-rank 1 --sim.error-op create --sim.error-kind ENOSPC --sim.store" SIM);
    assert_int_equal(f.status, STATUS_FAILED);
    assert_false(exists(folder, "out"));
    flow_free(&f);
    flow_clean(folder);
}

/* What one run created and kept the next goes on with, and the last removes. */
static void kept_trees(void **state)
{
    (void)state;
    char folder[128];
    struct flow f;
    flow_folder(folder);
    flow_run_in(&f, folder,
                "metadata -C --threads 2 -n 20 -F -w 100 -b 2 -z 1 -d %/out -W 100ms "
                "--sim.store --sim.slow-rank 1" SIM);
    double made = flow_value(flow_phase(&f, "create", 0), "operations");
    assert_int_equal(made, 13 + 7);
    flow_free(&f);
    flow_run_in(&f, folder,
                "metadata -T -E -X --threads 2 -n 20 -F -b 2 -z 1 -d %/out "
                "--sim.store" SIM);
    assert_int_equal(f.status, STATUS_DONE);
    flow_is(flow_phase(&f, "stat", 0), "operations", made);
    flow_is(flow_phase(&f, "read", 0), "verified_bytes", made * 100);
    flow_free(&f);
    flow_run_in(&f, folder, "metadata -r --threads 2 -n 20 -F -b 2 -z 1 -d %/out --sim.store" SIM);
    assert_int_equal(f.status, STATUS_DONE);
    flow_is(flow_phase(&f, "unlink", 0), "operations", made);
    assert_false(exists(folder, "out"));
    flow_free(&f);
    flow_clean(folder);
}

/* rename and link leave names as they were, so phases can follow in any order. */
static void phases_in_any_order(void **state)
{
    (void)state;
    char folder[128];
    struct flow f;
    flow_folder(folder);
    flow_run_in(
        &f, folder,
        "metadata --threads 2 -n 10 -I 3 -d %/out --rename-to other -w 50 -e 50 -X --phases "
        "mkdir,create,link,rename,read,chmod,dir-rename,list,dir-stat,stat,rename,link,"
        "unlink,rmdir --sim.store" SIM);
    assert_int_equal(f.status, STATUS_DONE);
    flow_is(flow_phase(&f, "link", 0), "operations", 20);
    flow_is(flow_phase(&f, "rename", 0), "operations", 20);
    flow_is(flow_phase(&f, "dir-rename", 0), "operations", 20);
    flow_is(flow_phase(&f, "list", 0), "operations", 4);
    flow_is(flow_phase(&f, "list", 0), "entries", 40);
    flow_is(flow_phase(&f, "read", 0), "verified_bytes", 1000);
    assert_false(exists(folder, "out"));
    flow_free(&f);
    flow_clean(folder);
}

/* Every block of 20 operations holds each kind as often as its weight says: 2 creates and as many
 * removals of 3 + 1 and 1 ms, 12 stats, 4 reads of 2 + 3 ms: 42 ms. */
static void a_mix_keeps_its_weights(void **state)
{
    (void)state;
    struct flow f;
    flow_run(&f, "metadata --threads 3 -n 50 --mix create:2,stat:12,read:4,unlink:2 -W 420ms" SIM);
    const struct phase_result *p = flow_phase(&f, "mixed", 0);
    assert_int_equal(f.status, STATUS_DONE);
    flow_is(p, "operations", 3 * 200);
    flow_is(p, "elapsed_s", 0.420);
    flow_is(p, "operations_per_s", 600 / 0.420);
    assert_int_equal(p->latency[OP_CREATE]->count, 3 * 20);
    assert_int_equal(p->latency[OP_STAT]->count, 3 * 120);
    assert_int_equal(p->latency[OP_OPEN]->count, 3 * 40);
    assert_int_equal(p->latency[OP_UNLINK]->count, 3 * 20);
    flow_free(&f);
}

/* An open loop: 100 operations a second for a second, whatever they take, as long as it is less
 * than the pace; those before the mix are not paced, and have no such latencies. */
static void a_mix_keeps_its_rate(void **state)
{
    (void)state;
    struct flow f;
    flow_run(&f, "metadata --threads 2 -n 50 --mix create:2,stat:12,read:4,unlink:2 -W 1s "
                 "--rate 100/s" SIM);
    const struct phase_result *p = flow_phase(&f, "mixed", 0);
    assert_int_equal(f.status, STATUS_DONE);
    flow_is(p, "operations", 2 * 100);
    assert_non_null(p->intended);
    assert_int_equal(p->intended->count, 2 * 100);
    assert_null(flow_phase(&f, "create", 0)->intended);
    flow_free(&f);
}

/* With a queue, what is under way goes on while the next operation is not due yet: when the last is
 * handed over nothing else is left, and it takes 1 ms, or 2 + 4 + 3 ms. */
static void a_chain_does_not_wait_for_the_next(void **state)
{
    (void)state;
    for (int n = 21; n < 29; n++) {
        struct flow f;
        char line[256];
        snprintf(line, sizeof line,
                 "metadata --threads 1 -F -n %d --mix stat:1,read:1 -e 100 -w 100 --depth 4 "
                 "--rate 100/s" SIM,
                 n);
        flow_run(&f, line);
        assert_int_equal(f.status, STATUS_DONE);
        uint64_t after_ns = flow_phase(&f, "mixed", 0)->elapsed_ns - (uint64_t)(n - 1) * 10000000;
        if (after_ns != 1000000)
            assert_int_equal(after_ns, 9000000);
        flow_free(&f);
    }
}

/* On real files, with a queue: what is looked up is there, whatever is in flight beside it. */
static void a_mix_finds_its_files(void **state)
{
    (void)state;
    char folder[128];
    struct flow f;
    flow_folder(folder);
    flow_run_in(
        &f, folder,
        "metadata --threads 2 -n 300 -b 3 -z 1 --mix create:5,stat:5,read:5,unlink:5 -w 100 "
        "-e 100 -X -d %/out --depth 7 -i 2 --sim.store" SIM);
    if (f.status != STATUS_DONE)
        fail_msg("%s", f.worst.text);
    for (uint64_t i = 0; i < 2; i++) {
        const struct phase_result *p = flow_phase(&f, "mixed", i);
        flow_is(p, "operations", 600);
        flow_is(p, "operations_failed", 0);
        flow_is(p, "verified_bytes", 150 * 100);
    }
    assert_false(exists(folder, "out"));
    flow_free(&f);
    flow_clean(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_phase),
        cmocka_unit_test(leaves_alone),
        cmocka_unit_test(unequal_ranks),
        cmocka_unit_test(deadline),
        cmocka_unit_test(strides),
        cmocka_unit_test(failures_are_counted),
        cmocka_unit_test(a_full_disk_stops),
        cmocka_unit_test(failed_runs_leave_nothing),
        cmocka_unit_test(kept_trees),
        cmocka_unit_test(phases_in_any_order),
        cmocka_unit_test(a_mix_keeps_its_weights),
        cmocka_unit_test(a_mix_keeps_its_rate),
        cmocka_unit_test(a_chain_does_not_wait_for_the_next),
        cmocka_unit_test(a_mix_finds_its_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
