#include "probe/counters.h"

#include "tree.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char net_text[] =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs\n"
    "    lo: 900 1 0 0 0 0 0 0 900 1 0 0 0 0 0 0\n"
    "  eth0:1000 2 0 0 0 0 0 0 500 3 0 0 0 0 0 0\n"
    "   ib0: 30 2 0 0 0 0 0 0 40 3 0 0 0 0 0 0\n"
    "docker0: 7000 2 0 0 0 0 0 0 8000 3 0 0 0 0 0 0\n"
    " short: 1 2 3\n";

static void io_is_parsed(void **state)
{
    struct counters_io io = {1, 2, 3, 4};
    (void)state;
    assert_true(counters_parse_io("rchar: 10\nwchar: 20\nsyscr: 5\nread_bytes: 4096\n"
                                  "write_bytes: 8192\ncancelled_write_bytes: 77\n",
                                  &io));
    assert_int_equal(io.rchar, 10);
    assert_int_equal(io.wchar, 20);
    assert_int_equal(io.read_bytes, 4096);
    assert_int_equal(io.write_bytes, 8192);
    assert_false(counters_parse_io("", &io));
    assert_false(counters_parse_io("rchar: none\nread_bytes:\n", &io));
    assert_false(counters_parse_io("rchar: 99999999999999999999\n", &io));
    assert_int_equal(io.rchar, 10);
}

static void stat_is_parsed(void **state)
{
    struct counters_cpu cpu = {1, 1};
    (void)state;
    /* user nice system idle iowait irq softirq steal guest guest_nice */
    assert_true(counters_parse_stat("intr 5\ncpu  10 1 20 100 50 2 3 4 9 9\ncpu0 1 1 1 1\n", &cpu));
    assert_int_equal(cpu.busy, 10 + 1 + 20 + 2 + 3 + 4);
    assert_int_equal(cpu.total, 40 + 100 + 50);
    assert_true(counters_parse_stat("cpu 1 2 3 4\n", &cpu)); /* kernels of old */
    assert_int_equal(cpu.busy, 6);
    assert_int_equal(cpu.total, 10);
    assert_false(counters_parse_stat("cpu0 1 2 3 4 5\n", &cpu));
    assert_false(counters_parse_stat("cpu  1 2 3\n", &cpu));
}

static void diskstats_are_parsed(void **state)
{
    static const char text[] = " 254       0 vda 11 12 13 14 15 16 17 18 19 20 21 0 0 0 0 5 6\n"
                               "   7       1 loop1 1 0 8 2\n";
    struct counters_disk d = {0};
    (void)state;
    assert_true(counters_parse_disk(text, 254, 0, &d));
    assert_int_equal(d.reads, 11);
    assert_int_equal(d.read_bytes, 13 * 512);
    assert_int_equal(d.writes, 15);
    assert_int_equal(d.written_bytes, 17 * 512);
    assert_int_equal(d.busy_ns, 20 * 1000000);
    assert_false(counters_parse_disk(text, 7, 1, &d));
    assert_false(counters_parse_disk(text, 254, 1, &d));
}

static void interfaces_are_parsed(void **state)
{
    const char *cursor = net_text;
    struct net_line line;
    (void)state;
    assert_true(counters_next_net(&cursor, &line));
    assert_string_equal(line.name, "lo");
    assert_true(counters_next_net(&cursor, &line));
    assert_string_equal(line.name, "eth0");
    assert_int_equal(line.received_bytes, 1000);
    assert_int_equal(line.sent_bytes, 500);
    assert_true(counters_next_net(&cursor, &line));
    assert_true(counters_next_net(&cursor, &line));
    assert_string_equal(line.name, "docker0");
    assert_false(counters_next_net(&cursor, &line));
}

static void cards_are_counted_once(void **state)
{
    struct tree t;
    struct counters c;
    (void)state;
    tree_make(&t);
    tree_file(&t, "/proc/net/dev", "%s", net_text);
    counters_read(t.root, COUNTERS_PROCESS, 0, 0, &c);
    assert_int_equal(c.net.received_bytes, 1000 + 30 + 7000); /* no card at all: everything */
    tree_file(&t, "/sys/class/net/eth0/device/vendor", "x");
    tree_file(&t, "/sys/class/net/ib0/device/vendor", "x");
    tree_file(&t, "/sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data", "100\n");
    tree_file(&t, "/sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_data", "200\n");
    counters_read(t.root, COUNTERS_PROCESS, 0, 0, &c);
    assert_int_equal(c.net.received_bytes, 1000 + 30 + 400);
    assert_int_equal(c.net.sent_bytes, 500 + 40 + 800);
    tree_free(&t);
}

static void missing_files_are_unknown(void **state)
{
    struct tree t;
    struct counters a, b;
    (void)state;
    tree_make(&t);
    counters_read(t.root, COUNTERS_PROCESS, 254, 0, &a);
    tree_file(&t, "/proc/self/io", "read_bytes: 5\n");
    tree_file(&t, "/proc/thread-self/io", "read_bytes: 3\n");
    counters_read(t.root, COUNTERS_PROCESS, 254, 0, &b);
    assert_int_equal(b.io.read_bytes, 5);
    assert_int_equal(b.io.rchar, PROBE_UNKNOWN);
    struct counters d = counters_diff(&a, &b);
    assert_int_equal(d.io.read_bytes, PROBE_UNKNOWN);
    assert_int_equal(d.disk.reads, PROBE_UNKNOWN);
    assert_int_equal(d.net.sent_bytes, PROBE_UNKNOWN);
    assert_true(isnan(counters_node_cpu(&d)));
    counters_read(t.root, COUNTERS_THREAD, 254, 0, &b);
    assert_int_equal(b.io.read_bytes, 3);
    tree_free(&t);
}

static void differences_are_taken(void **state)
{
    struct tree t;
    struct counters a, b;
    (void)state;
    tree_make(&t);
    tree_file(&t, "/proc/stat", "cpu  100 0 50 850 0 0 0 0 0 0\n");
    tree_file(&t, "/proc/diskstats", "8 0 sda 1 0 8 0 2 0 16 0 0 5 0\n");
    counters_read(t.root, COUNTERS_PROCESS, 8, 0, &a);
    tree_file(&t, "/proc/stat", "cpu  160 0 70 970 0 0 0 0 0 0\n");
    tree_file(&t, "/proc/diskstats", "8 0 sda 4 0 48 0 2 0 16 0 0 9 0\n");
    counters_read(t.root, COUNTERS_PROCESS, 8, 0, &b);
    struct counters d = counters_diff(&a, &b);
    assert_true(fabs(counters_node_cpu(&d) - 0.4) < 1e-12);
    assert_int_equal(d.disk.reads, 3);
    assert_int_equal(d.disk.read_bytes, 40 * 512);
    assert_int_equal(d.disk.writes, 0);
    assert_int_equal(d.disk.busy_ns, 4000000);
    d = counters_diff(&b, &a);
    assert_int_equal(d.disk.reads, PROBE_UNKNOWN); /* a counter that went backwards */
    tree_free(&t);
}

/* Work in the real world shows up in the real counters. */
static void real_counters_move(void **state)
{
    struct counters a, b;
    char block[4096];
    (void)state;
    counters_read("", COUNTERS_THREAD, 0, 0, &a);
    int fd = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < 20000; i++)
        assert_int_equal(read(fd, block, sizeof block), sizeof block);
    close(fd);
    counters_read("", COUNTERS_THREAD, 0, 0, &b);
    struct counters d = counters_diff(&a, &b);
    if (d.io.rchar != PROBE_UNKNOWN)
        assert_true(d.io.rchar >= 20000 * sizeof block);
    assert_true(d.usage.user_ns != PROBE_UNKNOWN && d.usage.system_ns != PROBE_UNKNOWN);
    assert_true(d.usage.user_ns + d.usage.system_ns > 0);
    assert_int_not_equal(d.usage.switches, PROBE_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(io_is_parsed),           cmocka_unit_test(stat_is_parsed),
        cmocka_unit_test(diskstats_are_parsed),   cmocka_unit_test(interfaces_are_parsed),
        cmocka_unit_test(cards_are_counted_once), cmocka_unit_test(missing_files_are_unknown),
        cmocka_unit_test(differences_are_taken),  cmocka_unit_test(real_counters_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
