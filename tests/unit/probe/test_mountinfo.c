#include "probe/mountinfo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char mounts[] =
    "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard\n"
    "28 27 0:30 / /mnt/a\\040b\\134c rw - tmpfs none rw,size=4k\n"
    "29 27 0:31 / /mnt rw,nosuid shared:2 master:1 - nfs4 server:/x rw,vers=4.2\n"
    "not a line\n"
    "30 27 0:32 / /mnt/deep rw - fuse.glusterfs node1:/gv rw\n"
    "31 27 x:33 / /bad rw - ext4 /dev/x rw\n"
    "32 27 0:34 / /lone rw shared:3 ext4 no separator\n"
    "33 29 0:35 / /mnt/auto rw - autofs systemd-1 rw\n"
    "34 33 0:36 / /mnt/auto rw - nfs server:/auto rw\n"
    "35 27 0:37 / /empty rw - tmpfs  rw,size=1k\n"
    "36 27 7:0 /sub /bind rw - ext4 /dev/loop0 rw";

static void expect_type(const char *path, uint32_t major, uint32_t minor, const char *type)
{
    struct mount_line line;
    char found[64];
    assert_true(mountinfo_find(mounts, path, major, minor, &line));
    assert_string_equal(mountinfo_decode(line.type, found, sizeof found), type);
}

static void the_deepest_mount_wins(void **state)
{
    (void)state;
    expect_type("/home/x", 0, 0, "ext4");
    expect_type("/mnt", 0, 0, "nfs4");
    expect_type("/mnt/other", 0, 0, "nfs4");
    expect_type("/mnt/deep/er", 0, 0, "fuse.glusterfs");
    expect_type("/mnt/deeper", 0, 0, "nfs4"); /* a name that merely begins so */
    expect_type("/bind/file", 0, 0, "ext4");
}

static void of_one_place_the_latest_wins(void **state)
{
    (void)state;
    expect_type("/mnt/auto/x", 0, 0, "nfs");
}

static void the_device_wins_over_the_depth(void **state)
{
    (void)state;
    /* /mnt/deep may be hidden below a later mount on /mnt: stat knows. */
    expect_type("/mnt/deep/er", 0, 31, "nfs4");
    /* btrfs shows numbers that mountinfo does not have. */
    expect_type("/mnt/deep/er", 0, 99, "fuse.glusterfs");
}

static void escapes_are_undone(void **state)
{
    struct mount_line line;
    char text[64], small[4];
    (void)state;
    assert_true(mountinfo_find(mounts, "/mnt/a b\\c/file", 0, 0, &line));
    assert_string_equal(mountinfo_decode(line.point, text, sizeof text), "/mnt/a b\\c");
    assert_string_equal(mountinfo_decode(line.point, small, sizeof small), "/mn");
    struct slice odd = {"a\\0", 3};
    assert_string_equal(mountinfo_decode(odd, text, sizeof text), "a\\0");
    struct slice high = {"\\303\\244", 8};
    assert_string_equal(mountinfo_decode(high, text, sizeof text), "\303\244");
}

static void fields_are_told_apart(void **state)
{
    struct mount_line line;
    char text[64];
    (void)state;
    assert_true(mountinfo_find(mounts, "/empty", 0, 0, &line));
    assert_int_equal(line.source.length, 0);
    assert_true(mountinfo_option(line.super, "size", text, sizeof text));
    assert_string_equal(text, "1k");
    assert_true(mountinfo_find(mounts, "/bind", 7, 0, &line));
    assert_true(mountinfo_is(line.root, "/sub"));
    assert_int_equal(line.major, 7);
    assert_true(mountinfo_is(line.super, "rw"));
}

static void broken_lines_are_passed_over(void **state)
{
    const char *cursor = mounts;
    struct mount_line line;
    int lines = 0;
    (void)state;
    while (mountinfo_next(&cursor, &line))
        lines++;
    assert_int_equal(lines, 8);
    assert_int_equal(*cursor, '\0');
    assert_false(mountinfo_find("", "/", 0, 0, &line));
    assert_false(mountinfo_find("5000000000 1 0:1 / / rw", "/", 0, 0, &line));
    assert_false(mountinfo_find("1 1 4294967296:1 / / rw - t s o", "/", 0, 0, &line));
}

static void options_are_found_whole(void **state)
{
    char value[64];
    const char *text = "rw,upperdir=/a\\054b,xupperdir=/no,lowerdir=/x:/y,nodir,work=";
    struct slice options = {text, strlen(text)};
    (void)state;
    assert_true(mountinfo_option(options, "upperdir", value, sizeof value));
    assert_string_equal(value, "/a,b");
    assert_true(mountinfo_option(options, "nodir", value, sizeof value));
    assert_string_equal(value, "");
    assert_true(mountinfo_option(options, "work", value, sizeof value));
    assert_string_equal(value, "");
    assert_true(mountinfo_option(options, "rw", NULL, 0));
    assert_false(mountinfo_option(options, "dir", NULL, 0));
    assert_false(mountinfo_option(options, "upper", NULL, 0));
    struct slice ends = {"rw,a\\", 5};
    assert_false(mountinfo_option(ends, "b", NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_deepest_mount_wins),
        cmocka_unit_test(of_one_place_the_latest_wins),
        cmocka_unit_test(the_device_wins_over_the_depth),
        cmocka_unit_test(escapes_are_undone),
        cmocka_unit_test(fields_are_told_apart),
        cmocka_unit_test(broken_lines_are_passed_over),
        cmocka_unit_test(options_are_found_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
