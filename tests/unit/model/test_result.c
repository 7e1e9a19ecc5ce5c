/* Linked with --wrap=reallocarray, so that memory can be made to run out. */
#include "model/result.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void *__real_reallocarray(void *p, size_t n, size_t bytes);
void *__wrap_reallocarray(void *p, size_t n, size_t bytes);

static int memory_left; /* calls that succeed from now on */

void *__wrap_reallocarray(void *p, size_t n, size_t bytes)
{
    return memory_left-- > 0 ? __real_reallocarray(p, n, bytes) : NULL;
}

static int plenty(void **state)
{
    (void)state;
    memory_left = 1000000;
    return 0;
}

static void test_grows_and_frees(void **state)
{
    struct report r = {0};
    (void)state;
    for (int i = 0; i < 9; i++) {
        struct test_result *t = report_test(&r, NULL);
        assert_non_null(t);
        assert_int_equal(t->phases_used, 0);
        for (int j = 0; j < 21; j++) {
            struct phase_result *p = test_phase(t, NULL);
            assert_non_null(p);
            assert_true(isnan(p->cached_fraction) && isnan(p->device_bytes) && isnan(p->node_cpu));
            assert_int_equal(p->counters[COUNTER_BYTES], 0);
            p->repetition = (uint64_t)j;
            p->latency[OP_READ] = calloc(1, sizeof(struct histogram));
            p->timeline = calloc(1, sizeof(struct timeline));
            p->rank_rates = calloc(3, sizeof(double));
        }
        assert_int_equal(test_fact(t, "a", "b", NULL), 0);
    }
    assert_int_equal(r.tests_used, 9);
    assert_int_equal(r.tests[8].phases_used, 21);
    assert_int_equal(r.tests[0].phases[20].repetition, 20);
    report_free(&r);
    assert_int_equal(r.tests_used, 0);
    assert_null(r.tests);
    report_free(&r); /* what is empty can be freed */
}

static void test_environment(void **state)
{
    struct report r = {0};
    char longer[600], key[24];
    (void)state;
    for (int i = 0; i < 40; i++) {
        snprintf(key, sizeof key, "key%d", i);
        assert_int_equal(report_environment(&r, key, "value", NULL), 0);
    }
    assert_int_equal(report_environment(&r, "key7", "new\x1b[31m", NULL), 0);
    assert_int_equal(r.environment_used, 40);
    assert_string_equal(report_environment_get(&r, "key7"), "new?[31m");
    assert_string_equal(report_environment_get(&r, "key8"), "value");
    assert_null(report_environment_get(&r, "key99"));
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(report_environment(&r, "long", longer, NULL), 0);
    const char *cut = report_environment_get(&r, "long");
    assert_int_equal(strlen(cut), sizeof r.environment[0].value - 1);
    assert_string_equal(cut + strlen(cut) - 4, "x...");
    report_free(&r);
}

static void test_memory_runs_out(void **state)
{
    struct report r = {0};
    struct error e = error_none();
    (void)state;
    memory_left = 0;
    assert_null(report_test(&r, &e));
    assert_int_equal(e.status, STATUS_FAILED);
    assert_non_null(strstr(e.text, "memory"));
    assert_int_equal(report_environment(&r, "k", "v", NULL), -1);
    assert_int_equal(r.tests_used + r.environment_used, 0);
    memory_left = 2;
    struct test_result *t = report_test(&r, NULL);
    assert_non_null(t);
    for (int i = 0; i < 4; i++)
        assert_non_null(test_phase(t, NULL));
    assert_null(test_phase(t, NULL)); /* the fifth needs more: the four are still there */
    assert_int_equal(t->phases_used, 4);
    assert_int_equal(test_fact(t, "k", "v", NULL), -1);
    report_free(&r);
}

static void test_warnings(void **state)
{
    struct phase_result p = {0};
    char code[24];
    (void)state;
    phase_warn(&p, "short-phase", 0.5, "it took %d s", 1);
    phase_warn(&p, "short-phase", 0.7, "again");
    assert_int_equal(p.warnings_used, 1);
    assert_string_equal(p.warnings[0].message, "it took 1 s");
    assert_true(fabs(p.warnings[0].figure - 0.5) < 1e-12);
    for (int i = 0; i < 2 * RESULT_WARNINGS; i++) {
        snprintf(code, sizeof code, "code-%d", i);
        phase_warn(&p, code, NAN, "%s", code);
    }
    assert_int_equal(p.warnings_used, RESULT_WARNINGS);
}

static struct error an_error(const char *kind, const char *path)
{
    struct error e = error_none();
    error_set(&e, STATUS_FAILED, kind, "read 4096 bytes: %s", kind);
    error_place(&e, path, 4096);
    return e;
}

static void test_errors_by_kind(void **state)
{
    struct phase_result p = {0};
    struct error io7 = an_error("EIO", "seven");
    struct error io3 = an_error("EIO", "three");
    struct error space = an_error("ENOSPC", "");
    char kind[24];
    (void)state;
    phase_error(&p, &io7, 7, "node1", 1);
    phase_error(&p, &io3, 3, "node0", 2);
    phase_error(&p, &io7, 9, "node1", 1);
    phase_error(&p, &space, 0, NULL, 5);
    assert_int_equal(p.errors_used, 2);
    assert_int_equal(p.errors[0].count, 4);
    assert_int_equal(p.errors[0].rank, 3);
    assert_string_equal(p.errors[0].path, "three");
    assert_string_equal(p.errors[0].host, "node0");
    assert_int_equal(p.errors[0].offset, 4096);
    assert_int_equal(p.errors[1].count, 5);
    for (int i = 0; i < 2 * RESULT_ERRORS; i++) {
        snprintf(kind, sizeof kind, "kind%d", i);
        struct error e = an_error(kind, "");
        phase_error(&p, &e, 1, "", 1);
    }
    assert_int_equal(p.errors_used, RESULT_ERRORS);
    uint64_t all = 0;
    for (size_t i = 0; i < p.errors_used; i++)
        all += p.errors[i].count;
    assert_int_equal(all, 9 + 2 * RESULT_ERRORS); /* none is lost */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_grows_and_frees, plenty),
        cmocka_unit_test_setup(test_environment, plenty),
        cmocka_unit_test_setup(test_memory_runs_out, plenty),
        cmocka_unit_test_setup(test_warnings, plenty),
        cmocka_unit_test_setup(test_errors_by_kind, plenty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
