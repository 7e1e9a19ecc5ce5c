#include "probe/slurm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static char *nothing(const char *name)
{
    (void)name;
    return NULL;
}

static char *an_end(const char *name)
{
    return strcmp(name, "SLURM_JOB_END_TIME") == 0 ? "1700000600" : NULL;
}

static char *a_limit(const char *name)
{
    if (strcmp(name, "SLURM_JOB_END_TIME") == 0)
        return "soon";
    if (strcmp(name, "SLURM_JOB_START_TIME") == 0)
        return "1700000000";
    if (strcmp(name, "SLURM_TIMELIMIT") == 0)
        return "UNLIMITED";
    return strcmp(name, "SBATCH_TIMELIMIT") == 0 ? "1:30:00" : NULL;
}

static char *only_a_start(const char *name)
{
    return strcmp(name, "SLURM_JOB_START_TIME") == 0 ? "1700000000" : NULL;
}

static void time_left_is_found(void **state)
{
    (void)state;
    struct slurm_time t = slurm_left(nothing, 1700000000);
    assert_false(t.known);
    assert_string_equal(t.from, "");
    t = slurm_left(an_end, 1700000000);
    assert_true(t.known);
    assert_int_equal(t.seconds_left, 600);
    assert_string_equal(t.from, "SLURM_JOB_END_TIME");
    t = slurm_left(an_end, 1700000700);
    assert_true(t.known);
    assert_int_equal(t.seconds_left, -100);
    t = slurm_left(a_limit, 1700000400);
    assert_true(t.known);
    assert_int_equal(t.seconds_left, 5000);
    assert_string_equal(t.from, "SBATCH_TIMELIMIT");
    assert_false(slurm_left(only_a_start, 1700000000).known);
}

static void limits_are_parsed(void **state)
{
    static const struct {
        const char *text;
        int64_t seconds; /* -1: refused */
    } rows[] = {
        {"90", 5400},
        {"30:15", 1815},
        {"1:30:00", 5400},
        {"2-12", 216000},
        {"2-12:30", 217800},
        {"2-12:30:05", 217805},
        {"0", 0},
        {"", -1},
        {"-1", -1},
        {"1-", -1},
        {"1:2:3:4", -1},
        {"1:", -1},
        {":1", -1},
        {"UNLIMITED", -1},
        {"INFINITE", -1},
        {"1h", -1},
        {"1-2-3", -1},
        {"99999999999", -1},
        {"999999999999-1", -1},
        {"1 ", -1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t seconds = 12345;
        bool good = slurm_parse_limit(rows[i].text, &seconds);
        if (good != (rows[i].seconds >= 0) || seconds != (good ? rows[i].seconds : 12345))
            fail_msg("%s gave %d, %lld", rows[i].text, good, (long long)seconds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_left_is_found),
        cmocka_unit_test(limits_are_parsed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
