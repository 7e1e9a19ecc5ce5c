/* One rank of several fails, in every way of doing I/O: all stop, nobody waits for ever, and there
 * is one message, that rank's. */
#include "tests/flow/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* So much work that the others are stopped long before their end. */
#define ENDLESS "--threads 4 -b 1m -t 128k -s 5000000 -w -a sim --clock virtual "

static const struct phase_result *must_fail(struct flow *f, const char *words, const char *phase,
                                            const char *kind, const char *said)
{
    flow_run(f, words);
    assert_int_equal(f->status, STATUS_FAILED);
    assert_int_equal(f->worst.status, STATUS_FAILED);
    if (!strstr(f->worst.text, said) || !strstr(f->worst.text, "rank 2 ("))
        fail_msg("%s: %s", words, f->worst.text);
    assert_null(strstr(f->worst.text, "other rank"));
    const struct phase_result *p = flow_phase(f, phase, 0);
    assert_int_equal(p->errors_used, 1);
    assert_string_equal(p->errors[0].kind, kind);
    assert_int_equal(p->errors[0].count, 1);
    assert_int_equal(p->errors[0].rank, 2);
    flow_is(p, "failed_ranks", 1);
    assert_true(flow_value(p, "operations") < flow_value(p, "operations_planned"));
    return p;
}

#define STRIKE "--sim.error-rank 2 --sim.error-at "

static void synchronous(void **state)
{
    struct flow f;
    (void)state;
    const struct phase_result *p =
        must_fail(&f, ENDLESS STRIKE "5 --sim.error-op write", "write", "EIO",
                  "offset 2621440: write 131072 bytes (injected by sim): Input/output error");
    flow_is(p, "operations_failed", 1);
    assert_true(flow_value(p, "operations_rank_min") <= 4);
    assert_int_equal(p->cut, CUT_ERROR);
    flow_free(&f);
}

static void queued(void **state)
{
    struct flow f;
    (void)state;
    const struct phase_result *p = must_fail(
        &f, ENDLESS "--depth 8 " STRIKE "5 --sim.error-kind ENOSPC", "write", "ENOSPC", "No space");
    assert_int_equal(p->cut, CUT_FULL);
    flow_free(&f);
}

/* A read of rank 2 would take 100 s when another of its reads fails: it is given up at the next
 * look. */
static void a_stuck_read_is_given_up(void **state)
{
    struct flow f;
    (void)state;
    const struct phase_result *p =
        must_fail(&f,
                  "random -r -a sim --clock virtual --threads 3 -b 64m --depth 4 --sim.service 1ms "
                  "--sim.stall 100s --sim.stall-at 10 --sim.error-rank 2 --sim.error-at 20",
                  "read", "EIO", "offset ");
    assert_true(flow_value(p, "elapsed_s") < 50); /* the other ranks need 4.1 for all */
    flow_is(p, "operations_failed", 1);
    assert_true(p->latency[OP_READ]->max < 2000000);
    flow_free(&f);
}

/* All make the same number of calls, so all stop at the same operation; what the failed rank took
 * part in without moving anything is no operation of its own. */
static void collective(void **state)
{
    struct flow f;
    (void)state;
    const struct phase_result *p = must_fail(&f, ENDLESS "-c " STRIKE "5 --sim.error-op write",
                                             "write", "EIO", "offset 2621440");
    flow_is(p, "operations_rank_min", 4);
    double most = flow_value(p, "operations_rank_max");
    flow_is(p, "operations", 3 * most + 4);
    flow_is(p, "bytes", 131072 * (3 * most + 4));
    assert_int_equal(p->latency[OP_WRITE]->count, (uint64_t)(3 * most + 4));
    flow_free(&f);
}

/* Wherever it strikes, with barriers in the stream or without. */
static void any_operation(void **state)
{
    static const char *const manners[] = {"", "-g", "-c", "-c -g", "--depth 4", "--depth 4 -g"};
    static const char *const where[] = {"open", "write", "sync", "close"};
    (void)state;
    for (size_t i = 0; i < sizeof manners / sizeof manners[0]; i++)
        for (size_t k = 0; k < sizeof where / sizeof where[0]; k++) {
            struct flow f;
            char line[512];
            snprintf(line, sizeof line,
                     "--threads 4 -b 1m -t 128k -e -a sim --clock virtual %s " STRIKE
                     "1 --sim.error-op %s",
                     manners[i], where[k]);
            flow_run(&f, line);
            assert_int_equal(f.status, STATUS_FAILED);
            if (!strstr(f.worst.text, "rank 2 (") || !strstr(f.worst.text, where[k]))
                fail_msg("%s: %s", line, f.worst.text);
            assert_int_equal(f.report.tests[0].phases_used, 1);
            assert_int_equal(f.report.tests[0].phases[0].errors_used, 1);
            flow_free(&f);
        }
}

/* In every workload, whatever kind of operation is struck: where a run has it, it fails with the
 * one message of that rank; where it has not, nothing happens. */
static void every_workload(void **state)
{
    static const char *const jobs[] = {"bulk -b 1m -t 128k -F -e -g -w -r -i 2",
                                       "bulk -b 1m -t 128k -z",
                                       "bulk -b 1m -t 128k -C -w -r -D 1",
                                       "random -b 1m",
                                       "random -b 1m --depth 8",
                                       "checkpoint",
                                       "metadata -n 20",
                                       "metadata -n 20 -u",
                                       "metadata -n 20 -F -S -i 2"};
    unsigned struck = 0;
    (void)state;
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
        for (int kind = 0; kind < OP_BARRIER; kind++) {
            struct flow f;
            char line[512];
            const char *name = op_name((enum op_kind)kind);
            snprintf(line, sizeof line,
                     "%s --threads 4 -a sim --clock virtual " STRIKE "2 --sim.error-op %s", jobs[i],
                     name);
            flow_run(&f, line);
            if (f.status == STATUS_FAILED && strstr(f.worst.text, "rank 2 (") &&
                strstr(f.worst.text, name) && !strstr(f.worst.text, "other rank"))
                struck++;
            else if (f.status != STATUS_DONE)
                fail_msg("%s: %s", line, f.worst.text);
            flow_free(&f);
        }
    assert_true(struck >= 20);
}

/* All at once (collective calls keep them together): one message, the lowest rank's, with how many
 * there are. */
static void all_ranks(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "--threads 5 -c -b 1m -t 128k -a sim --clock virtual --sim.error-rank -1 "
                 "--sim.error-at 3");
    assert_int_equal(f.status, STATUS_FAILED);
    assert_non_null(strstr(f.worst.text, "rank 0 ("));
    assert_non_null(strstr(f.worst.text, "(and 4 other ranks failed, 1 kind of failure in all)"));
    const struct phase_result *p = flow_phase(&f, "write", 0);
    assert_int_equal(p->errors_used, 1);
    assert_int_equal(p->errors[0].count, 5);
    flow_free(&f);
}

/* What is retried is no failure. */
static void retried(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "--threads 4 -b 1m -t 128k -a sim --clock virtual --sim.error-at 3 "
                 "--sim.error-rank -1 --sim.error-kind EINTR");
    assert_int_equal(f.status, STATUS_DONE);
    flow_is(flow_phase(&f, "write", 0), "retries", 4);
    flow_is(flow_phase(&f, "write", 0), "operations", 32);
    flow_free(&f);
}

/* The repetitions that would have followed are not begun. */
static void later_repetitions(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "--threads 4 -b 1m -t 128k -i 3 -a sim --clock virtual " STRIKE
                 "1 --sim.error-op read");
    assert_int_equal(f.status, STATUS_FAILED);
    assert_int_equal(f.report.tests[0].phases_used, 2);
    flow_free(&f);
}

/* On real files: the one that the job itself made short, and the files are gone afterwards. */
static void on_files(const char *manner)
{
    struct flow f;
    char folder[128], path[256], line[512];
    flow_folder(folder);
    snprintf(line, sizeof line, "--threads 4 -b 1m -t 128k -w -k -F -o %s/f %s", folder, manner);
    flow_run(&f, line);
    assert_int_equal(f.status, STATUS_DONE);
    flow_free(&f);
    snprintf(path, sizeof path, "%s/f.00000002", folder);
    assert_int_equal(truncate(path, 700000), 0);
    snprintf(line, sizeof line, "--threads 4 -b 1m -t 128k -r -F -o %s/f %s", folder, manner);
    flow_run(&f, line);
    assert_int_equal(f.status, STATUS_FAILED);
    if (!strstr(f.worst.text, "f.00000002, offset ") || !strstr(f.worst.text, "the file ends here"))
        fail_msg("%s: %s", line, f.worst.text);
    assert_int_equal(flow_phase(&f, "read", 0)->errors_used, 1);
    flow_free(&f);
    assert_int_equal(rmdir(folder), 0);
}

static void short_file_posix(void **state)
{
    (void)state;
    on_files("-a posix");
}

static void short_file_uring(void **state)
{
    (void)state;
    if (backend_find("uring")->unavailable)
        skip();
    on_files("-a uring --depth 8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synchronous),
        cmocka_unit_test(queued),
        cmocka_unit_test(a_stuck_read_is_given_up),
        cmocka_unit_test(collective),
        cmocka_unit_test(any_operation),
        cmocka_unit_test(every_workload),
        cmocka_unit_test(all_ranks),
        cmocka_unit_test(retried),
        cmocka_unit_test(later_repetitions),
        cmocka_unit_test(short_file_posix),
        cmocka_unit_test(short_file_uring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
