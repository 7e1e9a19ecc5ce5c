#include "probe/memory.h"

#include "tree.h"

#include <math.h>
#include <setjmp.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char meminfo[] = "MemTotal:       2000 kB\n"
                              "MemAvailable:   1500 kB\n"
                              "Cached:          300 kB\n"
                              "SwapCached:        1 kB\n"
                              "Dirty:            10 kB\n"
                              "HugePages_Total:   7\n"
                              "HugePages_Free:    3\n"
                              "Hugepagesize:   2048 kB\n"
                              "Odd:            many kB\n";

static void rows_are_found(void **state)
{
    (void)state;
    assert_int_equal(memory_row(meminfo, "MemTotal"), 2000 * 1024);
    assert_int_equal(memory_row(meminfo, "HugePages_Total"), 7);
    assert_int_equal(memory_row(meminfo, "Cached"), 300 * 1024);
    assert_int_equal(memory_row(meminfo, "Mem"), PROBE_UNKNOWN);
    assert_int_equal(memory_row(meminfo, "Odd"), PROBE_UNKNOWN);
    assert_int_equal(memory_row("", "MemTotal"), PROBE_UNKNOWN);
    assert_int_equal(memory_row("MemTotal: 99999999999999999999999999 kB", "MemTotal"),
                     PROBE_UNKNOWN);
}

static void the_limit_is_usable(void **state)
{
    struct tree t;
    struct memory_facts m;
    (void)state;
    tree_make(&t);
    tree_file(&t, "/proc/meminfo", "%s", meminfo);
    memory_read(t.root, &m);
    assert_int_equal(m.node_bytes, 2000 * 1024);
    assert_int_equal(m.usable_bytes, 2000 * 1024);
    assert_int_equal(m.available_bytes, 1500 * 1024);
    assert_int_equal(m.huge_pages_free, 3);
    assert_int_equal(m.swap_bytes, PROBE_UNKNOWN);
    tree_file(&t, "/proc/self/cgroup", "0::/\n");
    tree_file(&t, "/proc/self/mountinfo", "1 0 0:1 / /cg rw - cgroup2 none rw\n");
    tree_file(&t, "/cg/memory.max", "1000\n");
    tree_file(&t, "/cg/cpu.max", "50000 100000\n");
    memory_read(t.root, &m);
    assert_int_equal(m.usable_bytes, 1000);
    assert_int_equal(m.node_bytes, 2000 * 1024);
    assert_true(m.cores_usable == 0.5);
    assert_true(m.cores_node == 0.5);
    tree_file(&t, "/cg/memory.max", "100000000000\n");
    tree_file(&t, "/cg/cpu.max", "900000000 100000\n");
    memory_read(t.root, &m);
    assert_int_equal(m.usable_bytes, 2000 * 1024);
    assert_true(m.cores_usable == m.cores_allowed);
    assert_true(m.cores_node == m.cores_online);
    tree_file(&t, "/cg/cpuset.cpus.effective", "0\n");
    memory_read(t.root, &m);
    assert_true(m.cores_node == 1);
    tree_free(&t);
}

static void affinity_is_respected(void **state)
{
    struct memory_facts m;
    cpu_set_t before, one;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    memory_read("", &m);
    double node = m.cores_node;
    assert_int_equal(m.cores_allowed, CPU_COUNT(&before));
    assert_true(m.cores_online >= 1);
    assert_true(m.node_bytes != PROBE_UNKNOWN && m.usable_bytes <= m.node_bytes);
    CPU_ZERO(&one);
    for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    memory_read("", &m);
    assert_int_equal(m.cores_allowed, 1);
    assert_true(m.cores_usable <= 1);
    assert_true(m.cores_node == node); /* a launcher's binding does not shrink the node */
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_found),
        cmocka_unit_test(the_limit_is_usable),
        cmocka_unit_test(affinity_is_respected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
