#include "probe/cgroup.h"

#include "tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define V1 "9:name=systemd:/s\n4:memory:/job/step\n3:cpu,cpuacct:/job\n0::/unified\n"

static void own_path_is_found(void **state)
{
    char path[16];
    (void)state;
    assert_true(cgroup_path(V1, "memory", path, sizeof path));
    assert_string_equal(path, "/job/step");
    assert_true(cgroup_path(V1, "cpu", path, sizeof path));
    assert_string_equal(path, "/job");
    assert_true(cgroup_path(V1, "cpuacct", path, sizeof path));
    assert_true(cgroup_path(V1, "", path, sizeof path));
    assert_string_equal(path, "/unified");
    assert_false(cgroup_path(V1, "cpuset", path, sizeof path));
    assert_false(cgroup_path(V1, "mem", path, sizeof path));
    assert_false(cgroup_path("4:memory", "memory", path, sizeof path));
    assert_false(cgroup_path("4:memory:/a/name/that/does/not/fit\n", "memory", path, sizeof path));
    assert_false(cgroup_path("", "memory", path, sizeof path));
    assert_true(cgroup_path("1:cpu:/a:b", "cpu", path, sizeof path));
    assert_string_equal(path, "/a:b");
}

static void version_one_is_walked_up(void **state)
{
    struct tree t;
    struct cgroup_limits l;
    (void)state;
    tree_make(&t);
    tree_file(&t, "/proc/self/cgroup", V1);
    tree_file(&t, "/proc/self/mountinfo",
              "1 0 0:1 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
              "2 0 0:2 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
    tree_file(&t, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    tree_file(&t, "/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000000\n");
    tree_file(&t, "/sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", "2000000\n");
    tree_file(&t, "/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "150000\n");
    tree_file(&t, "/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    tree_file(&t, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    tree_file(&t, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    cgroup_read(t.root, &l);
    assert_int_equal(l.memory_bytes, 1000000);
    assert_string_equal(l.memory_where, "/sys/fs/cgroup/memory/job/memory.limit_in_bytes");
    assert_true(l.cores == 1.5);
    assert_string_equal(l.cores_where, "/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us");
    tree_free(&t);
}

static void version_two_is_walked_up(void **state)
{
    struct tree t;
    struct cgroup_limits l;
    (void)state;
    tree_make(&t);
    tree_file(&t, "/proc/self/cgroup", "0::/slurm/job_7/step_0\n");
    tree_file(&t, "/proc/self/mountinfo", "1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    tree_file(&t, "/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n");
    tree_file(&t, "/sys/fs/cgroup/slurm/job_7/step_0/cpu.max", "max 100000\n");
    tree_file(&t, "/sys/fs/cgroup/slurm/job_7/memory.max", "8192\n");
    tree_file(&t, "/sys/fs/cgroup/slurm/job_7/memory.high", "4096\n");
    tree_file(&t, "/sys/fs/cgroup/slurm/cpu.max", "250000 100000\n");
    cgroup_read(t.root, &l);
    assert_int_equal(l.memory_bytes, 4096);
    assert_string_equal(l.memory_where, "/sys/fs/cgroup/slurm/job_7/memory.high");
    assert_true(l.cores == 2.5);
    tree_free(&t);
}

/* In a container the mount shows a part of the tree, or the path lies outside of it. */
static void containers_see_a_part(void **state)
{
    struct tree t;
    struct cgroup_limits l;
    (void)state;
    tree_make(&t);
    tree_file(&t, "/proc/self/cgroup", "4:memory:/docker/abc/inner\n");
    tree_file(&t, "/proc/self/mountinfo",
              "1 0 0:1 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
    tree_file(&t, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "5000\n");
    tree_file(&t, "/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "4000\n");
    cgroup_read(t.root, &l);
    assert_int_equal(l.memory_bytes, 4000);
    tree_file(&t, "/proc/self/cgroup", "4:memory:/elsewhere\n");
    cgroup_read(t.root, &l);
    assert_int_equal(l.memory_bytes, 5000);
    tree_file(&t, "/proc/self/cgroup", "4:memory:/docker/abc/../../up\n");
    cgroup_read(t.root, &l);
    assert_int_equal(l.memory_bytes, 5000);
    tree_free(&t);
}

static void nothing_told_is_no_limit(void **state)
{
    struct tree t;
    struct cgroup_limits l;
    (void)state;
    tree_make(&t);
    cgroup_read(t.root, &l);
    assert_int_equal(l.memory_bytes, PROBE_UNKNOWN);
    assert_true(isnan(l.cores));
    assert_string_equal(l.memory_where, "");
    tree_free(&t);
}

static void sets_of_cpus_are_counted(void **state)
{
    static const struct {
        const char *list;
        uint32_t cpus;
    } rows[] = {{"0", 1},  {"0-3", 4}, {"0-3,8", 5}, {"1,3,5-6", 4}, {"", 0},      {"3-0", 0},
                {"0,", 0}, {",0", 0},  {"a", 0},     {"0-", 0},      {"0-1-2", 0}, {"0-99999", 0}};
    struct tree t;
    struct cgroup_limits l;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(cgroup_count_cpus(rows[i].list), rows[i].cpus);
    tree_make(&t);
    tree_file(&t, "/proc/self/cgroup", "5:cpuset:/job\n0::/job\n");
    tree_file(&t, "/proc/self/mountinfo",
              "1 0 0:1 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
              "2 0 0:2 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    cgroup_read(t.root, &l);
    assert_int_equal(l.cpus, 0);
    tree_file(&t, "/sys/fs/cgroup/unified/job/cpuset.cpus.effective", "2-4\n");
    cgroup_read(t.root, &l);
    assert_int_equal(l.cpus, 3);
    tree_file(&t, "/sys/fs/cgroup/cpuset/job/cpuset.effective_cpus", "2-3\n");
    cgroup_read(t.root, &l);
    assert_int_equal(l.cpus, 2);
    tree_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_path_is_found),        cmocka_unit_test(version_one_is_walked_up),
        cmocka_unit_test(version_two_is_walked_up), cmocka_unit_test(containers_see_a_part),
        cmocka_unit_test(nothing_told_is_no_limit), cmocka_unit_test(sets_of_cpus_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
