#include "probe/environment.h"

#include "tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *get(const struct report *r, const char *key)
{
    return report_environment_get(r, key);
}

static void facts_are_recorded(void **state)
{
    struct tree t;
    struct report r = {0};
    struct error e = error_none();
    char *variables[] = {"SLURM_JOB_ID=7",
                         "SLURM_NTASKS=4",
                         "HOME=/root",
                         "SLURM_JWT=secret",
                         "SLURM_JOB_NAME=a\tb",
                         "no equals sign",
                         "LD_PRELOAD=libdarshan.so",
                         "=odd",
                         NULL};
    struct fact_text versions[] = {{"hdf5", "1.14.0"}, {"liburing", "2.3"}};
    struct environment_given given = {.mpi = "Open MPI 4.1.4",
                                      .versions = versions,
                                      .versions_used = 2,
                                      .variables = variables,
                                      .started_s = 1709208000};
    (void)state;
    tree_make(&t);
    tree_file(&t, "/etc/os-release", "NAME=\"D\"\nPRETTY_NAME=\"Debian 12 (bookworm)\"\n");
    tree_file(&t, "/proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU 9\nmodel name\t: B\n");
    tree_file(&t, "/proc/meminfo", "MemTotal: 1024 kB\n");
    tree_file(&t, "/proc/self/status", "Name:\tx\nUmask:\t0022\n");
    tree_file(&t, "/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    tree_file(&t, "/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    assert_int_equal(probe_environment(&r, t.root, &given, &e), 0);
    assert_string_equal(get(&r, "started"), "2024-02-29T12:00:00Z");
    assert_string_equal(get(&r, "os"), "Debian 12 (bookworm)");
    assert_string_equal(get(&r, "cpu"), "Fast CPU 9");
    assert_string_equal(get(&r, "memory_bytes"), "1048576");
    assert_string_equal(get(&r, "umask"), "0022");
    assert_string_equal(get(&r, "transparent_huge_pages"), "madvise");
    assert_string_equal(get(&r, "clock_source"), "tsc");
    assert_string_equal(get(&r, "mpi"), "Open MPI 4.1.4");
    assert_string_equal(get(&r, "hdf5"), "1.14.0");
    assert_string_equal(get(&r, "liburing"), "2.3");
    assert_string_equal(get(&r, "SLURM_JOB_ID"), "7");
    assert_string_equal(get(&r, "SLURM_JOB_NAME"), "a?b");
    assert_string_equal(get(&r, "LD_PRELOAD"), "libdarshan.so");
    assert_non_null(get(&r, "host"));
    assert_non_null(strstr(get(&r, "kernel"), "Linux"));
    assert_non_null(get(&r, "limit_open_files"));
    assert_null(get(&r, "HOME"));
    assert_null(get(&r, "SLURM_JWT"));
    assert_null(get(&r, "swap_bytes"));
    assert_null(get(&r, "cgroup_cores"));
    report_free(&r);
    tree_free(&t);
}

static void variables_are_bounded(void **state)
{
    enum { MANY = 500 };
    static char text[MANY][32];
    char *variables[MANY + 1] = {0};
    struct report with = {0}, without = {0};
    (void)state;
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "SLURM_JOB_%d=x", i);
        variables[i] = text[i];
    }
    struct environment_given given = {0};
    assert_int_equal(probe_environment(&without, "", &given, NULL), 0);
    given.variables = variables;
    assert_int_equal(probe_environment(&with, "", &given, NULL), 0);
    assert_int_equal(with.environment_used - without.environment_used, 64);
    assert_null(get(&without, "started"));
    assert_null(get(&without, "mpi"));
    report_free(&with);
    report_free(&without);
}

static void variables_are_chosen(void **state)
{
    (void)state;
    assert_true(environment_variable_counts("SLURM_NNODES"));
    assert_true(environment_variable_counts("SLURM_JOB_END_TIME"));
    assert_true(environment_variable_counts("SLURM_NTASKS_PER_NODE"));
    assert_true(environment_variable_counts("ROMIO_HINTS"));
    assert_false(environment_variable_counts("SLURM_PROCID"));
    assert_false(environment_variable_counts("SLURM_NNODES_X"));
    assert_false(environment_variable_counts("PASSWORD"));
    assert_false(environment_variable_counts(""));
}

static void a_file_system_is_recorded(void **state)
{
    struct report r = {0};
    struct filesystem fs = {.type = "ext4",
                            .mount_point = "/data",
                            .total_bytes = 100,
                            .available_bytes = PROBE_UNKNOWN,
                            .total_inodes = PROBE_UNKNOWN,
                            .free_inodes = PROBE_UNKNOWN,
                            .block_bytes = 4096,
                            .memory = ANSWER_NO,
                            .device = {.name = "sda",
                                       .bytes = PROBE_UNKNOWN,
                                       .logical_block_bytes = 512,
                                       .physical_block_bytes = PROBE_UNKNOWN,
                                       .rotational = ANSWER_YES}};
    (void)state;
    assert_int_equal(environment_filesystem(&r, &fs, NULL), 0);
    assert_string_equal(get(&r, "file_system"), "ext4");
    assert_string_equal(get(&r, "file_system_mount"), "/data");
    assert_string_equal(get(&r, "file_system_bytes"), "100");
    assert_string_equal(get(&r, "file_system_memory"), "no");
    assert_string_equal(get(&r, "device"), "sda");
    assert_string_equal(get(&r, "device_rotational"), "yes");
    assert_string_equal(get(&r, "device_logical_block_bytes"), "512");
    assert_null(get(&r, "file_system_network"));
    assert_null(get(&r, "file_system_available_bytes"));
    assert_null(get(&r, "file_system_source"));
    assert_null(get(&r, "device_model"));
    report_free(&r);
}

static void times_are_iso(void **state)
{
    char buf[ENVIRONMENT_TIME];
    (void)state;
    assert_string_equal(environment_time(buf, 0), "1970-01-01T00:00:00Z");
    assert_string_equal(environment_time(buf, 4102444799), "2099-12-31T23:59:59Z");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_recorded),   cmocka_unit_test(variables_are_bounded),
        cmocka_unit_test(variables_are_chosen), cmocka_unit_test(a_file_system_is_recorded),
        cmocka_unit_test(times_are_iso),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
