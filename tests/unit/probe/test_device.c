#include "probe/device.h"

#include "tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A disk with a partition, as sysfs lays it out. */
static void make_disk(struct tree *t)
{
    tree_make(t);
    tree_link(t, "/sys/dev/block/259:0", "../../devices/pci0/block/nvme0n1");
    tree_link(t, "/sys/dev/block/259:2", "../../devices/pci0/block/nvme0n1/nvme0n1p2");
    tree_file(t, "/sys/devices/pci0/block/nvme0n1/queue/rotational", "0\n");
    tree_file(t, "/sys/devices/pci0/block/nvme0n1/queue/logical_block_size", "512\n");
    tree_file(t, "/sys/devices/pci0/block/nvme0n1/queue/physical_block_size", "4096\n");
    tree_file(t, "/sys/devices/pci0/block/nvme0n1/queue/scheduler", "[none] mq-deadline\n");
    tree_file(t, "/sys/devices/pci0/block/nvme0n1/device/model", "Fast Disk 9      \n");
    tree_file(t, "/sys/devices/pci0/block/nvme0n1/size", "2000\n");
    tree_file(t, "/sys/devices/pci0/block/nvme0n1/nvme0n1p2/partition", "2\n");
    tree_file(t, "/sys/devices/pci0/block/nvme0n1/nvme0n1p2/size", "1000\n");
}

static void a_disk_is_described(void **state)
{
    struct tree t;
    struct device d;
    (void)state;
    make_disk(&t);
    assert_true(device_look(t.root, 259, 0, &d));
    assert_string_equal(d.name, "nvme0n1");
    assert_string_equal(d.model, "Fast Disk 9");
    assert_string_equal(d.scheduler, "none");
    assert_int_equal(d.rotational, ANSWER_NO);
    assert_int_equal(d.logical_block_bytes, 512);
    assert_int_equal(d.physical_block_bytes, 4096);
    assert_int_equal(d.bytes, 2000 * 512);
    assert_int_equal(d.memory, ANSWER_NO);
    tree_free(&t);
}

static void a_partition_has_its_disks_queue(void **state)
{
    struct tree t;
    struct device d;
    (void)state;
    make_disk(&t);
    assert_true(device_look(t.root, 259, 2, &d));
    assert_string_equal(d.name, "nvme0n1p2");
    assert_string_equal(d.model, "Fast Disk 9");
    assert_int_equal(d.physical_block_bytes, 4096);
    assert_int_equal(d.bytes, 1000 * 512);
    tree_free(&t);
}

static void what_is_not_told_is_unknown(void **state)
{
    struct tree t;
    struct device d;
    (void)state;
    tree_make(&t);
    tree_link(&t, "/sys/dev/block/253:0", "../../devices/virtual/block/zram0");
    tree_link(&t, "/sys/dev/block/1:3", "../../devices/virtual/block/ram3");
    tree_link(&t, "/sys/dev/block/8:0", "../../devices/virtual/block/ramdisk");
    tree_link(&t, "/sys/dev/block/7:0", "../../devices/virtual/block/loop0");
    tree_file(&t, "/sys/devices/virtual/block/loop0/loop/backing_file", "/dev/shm/image\n");
    assert_false(device_look(t.root, 0, 30, &d));
    assert_string_equal(d.name, "");
    assert_int_equal(d.memory, ANSWER_UNKNOWN);
    assert_true(device_look(t.root, 253, 0, &d));
    assert_int_equal(d.memory, ANSWER_YES);
    assert_int_equal(d.rotational, ANSWER_UNKNOWN);
    assert_int_equal(d.logical_block_bytes, PROBE_UNKNOWN);
    assert_int_equal(d.bytes, PROBE_UNKNOWN);
    assert_true(device_look(t.root, 1, 3, &d));
    assert_int_equal(d.memory, ANSWER_YES);
    assert_true(device_look(t.root, 8, 0, &d));
    assert_int_equal(d.memory, ANSWER_NO);
    assert_true(device_look(t.root, 7, 0, &d));
    assert_string_equal(d.backing_file, "/dev/shm/image");
    tree_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disk_is_described),
        cmocka_unit_test(a_partition_has_its_disks_queue),
        cmocka_unit_test(what_is_not_told_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
