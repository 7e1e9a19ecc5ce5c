#include "probe/filesystem.h"

#include "probe/fstype.h"
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

static struct tree tree_of(void **state)
{
    return *(struct tree *)*state;
}

static int set_up(void **state)
{
    struct tree *t = malloc(sizeof *t);
    if (t == NULL)
        return -1;
    tree_make(t);
    /* Paths are resolved before they are looked for. */
    char *resolved = realpath(t->root, NULL);
    snprintf(t->root, sizeof t->root, "%s", resolved ? resolved : "");
    free(resolved);
    *state = t;
    return t->root[0] != '\0' ? 0 : -1;
}

static int tear_down(void **state)
{
    tree_free(*state);
    free(*state);
    return 0;
}

static void finds_the_nearest_directory(void **state)
{
    struct tree t = tree_of(state);
    struct filesystem fs;
    struct error e = error_none();
    char path[512];
    tree_file(&t, "/data/file", "x");
    static const char *const below[] = {"/data",        "/data/",          "/data/new",
                                        "/data/file",   "/data/a/b/c",     "/data//x",
                                        "/data/file/x", "/data/gone/../x", "/data/link"};
    tree_link(&t, "/data/link", "/proc/self/io");
    char expected[512];
    tree_path(&t, "/data", expected, sizeof expected);
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        assert_int_equal(probe_filesystem("", tree_path(&t, below[i], path, sizeof path), &fs, &e),
                         0);
        assert_string_equal(fs.parent, expected);
    }
    assert_int_equal(chdir(expected), 0);
    assert_int_equal(probe_filesystem("", "testFile", &fs, &e), 0);
    assert_string_equal(fs.parent, expected);
    assert_int_equal(probe_filesystem("", "a/b", &fs, &e), 0);
    assert_string_equal(fs.parent, expected);
    assert_int_equal(chdir("/"), 0);
}

static void room_is_that_of_statvfs(void **state)
{
    struct tree t = tree_of(state);
    struct filesystem fs;
    struct statvfs v;
    struct stat s;
    assert_int_equal(probe_filesystem(NULL, t.root, &fs, NULL), 0);
    assert_int_equal(statvfs(t.root, &v), 0);
    assert_int_equal(stat(t.root, &s), 0);
    assert_int_equal(fs.total_bytes, v.f_blocks * v.f_frsize);
    assert_true(fs.available_bytes <= fs.free_bytes && fs.free_bytes <= fs.total_bytes);
    assert_int_equal(fs.major, gnu_dev_major(s.st_dev));
    assert_int_equal(fs.minor, gnu_dev_minor(s.st_dev));
    assert_int_equal(fs.name_max, v.f_namemax);
    assert_true(fs.type[0] != '\0');
    assert_true(fs.mount_point[0] == '/');
}

static void a_path_too_long_is_an_error(void **state)
{
    char path[5000];
    struct filesystem fs;
    struct error e = error_none();
    (void)state;
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(probe_filesystem("", path, &fs, &e), -1);
    assert_string_equal(e.kind, "ENAMETOOLONG");
    e = error_none();
    assert_int_equal(probe_filesystem("", "a\\", &fs, &e), 0);
}

/* The mount of the fixture's own folder, as this mountinfo says. */
static void look(const struct tree *t, const char *line, struct filesystem *fs)
{
    struct error e = error_none();
    tree_file(t, "/proc/self/mountinfo", "1 0 99:1 / / rw - ext4 /dev/sdz rw\n%s\n", line);
    if (probe_filesystem(t->root, t->root, fs, &e) != 0)
        fail_msg("%s", e.text);
}

static void mount_facts_come_from_mountinfo(void **state)
{
    struct tree t = tree_of(state);
    struct filesystem fs;
    char line[2048], text[256];
    snprintf(line, sizeof line,
             "2 1 0:99 / %s rw,noatime - fuse.glusterfs node1:/g\\040v rw,user_id=0", t.root);
    look(&t, line, &fs);
    assert_string_equal(fs.type, "fuse.glusterfs");
    assert_string_equal(fs.source, "node1:/g v");
    assert_string_equal(fs.mount_point, t.root);
    assert_string_equal(fs.options, "rw,noatime,rw,user_id=0");
    assert_int_equal(fs.network, ANSWER_YES);
    assert_int_equal(fs.memory, ANSWER_NO);
    assert_int_equal(fs.page_cache, ANSWER_UNKNOWN);
    assert_string_equal(fs.device.name, "");
    filesystem_describe(&fs, text, sizeof text);
    assert_non_null(strstr(text, "fuse.glusterfs at "));
    assert_non_null(strstr(text, " (node1:/g v)"));
    snprintf(line, sizeof line, "2 1 0:99 / %s rw - gpfs fs1 rw", t.root);
    look(&t, line, &fs);
    assert_int_equal(fs.page_cache, ANSWER_NO);
    snprintf(line, sizeof line, "2 1 0:99 / %s rw - fuse.mine x rw", t.root);
    look(&t, line, &fs);
    assert_int_equal(fs.network, ANSWER_UNKNOWN);
    assert_int_equal(fs.memory, ANSWER_UNKNOWN);
}

static void memory_is_seen_through_layers(void **state)
{
    struct tree t = tree_of(state);
    struct filesystem fs;
    char line[4096];
    tree_file(&t, "/upper/x", "x");
    snprintf(line, sizeof line, "2 1 0:99 / %s rw - tmpfs tmpfs rw", t.root);
    look(&t, line, &fs);
    assert_int_equal(fs.memory, ANSWER_YES);
    const char *overlay = "2 1 0:98 / %s rw - overlay overlay rw,lowerdir=/l,upperdir=%s%s\n"
                          "3 1 0:97 / %s/upper rw - %s none rw";
    snprintf(line, sizeof line, overlay, t.root, t.root, "/upper", t.root, "tmpfs");
    look(&t, line, &fs);
    assert_string_equal(fs.type, "overlay");
    assert_int_equal(fs.memory, ANSWER_YES);
    snprintf(line, sizeof line, overlay, t.root, t.root, "/upper", t.root, "xfs");
    look(&t, line, &fs);
    assert_int_equal(fs.memory, ANSWER_NO);
    /* A folder of another mount namespace: not here, so nothing is known. */
    snprintf(line, sizeof line, overlay, t.root, t.root, "/gone", t.root, "tmpfs");
    look(&t, line, &fs);
    assert_int_equal(fs.memory, ANSWER_UNKNOWN);
}

static void memory_is_seen_through_devices(void **state)
{
    struct tree t = tree_of(state);
    struct filesystem fs;
    struct stat s;
    char line[4096], link[64];
    assert_int_equal(stat(t.root, &s), 0);
    snprintf(link, sizeof link, "/sys/dev/block/%u:%u", gnu_dev_major(s.st_dev),
             gnu_dev_minor(s.st_dev));
    tree_file(&t, "/images/disk", "x");
    tree_link(&t, link, "../../devices/virtual/block/loop3");
    tree_file(&t, "/sys/devices/virtual/block/loop3/loop/backing_file", "%s/images/disk\n", t.root);
    snprintf(line, sizeof line,
             "2 1 98:1 / %s rw - ext4 /dev/loop3 rw\n3 1 0:97 / %s/images rw - tmpfs none rw",
             t.root, t.root);
    look(&t, line, &fs);
    assert_string_equal(fs.device.name, "loop3");
    assert_string_equal(fs.type, "ext4");
    assert_int_equal(fs.memory, ANSWER_YES);
    snprintf(line, sizeof line,
             "2 1 98:1 / %s rw - ext4 /dev/loop3 rw\n3 1 0:97 / %s/images rw - "
             "xfs /dev/sda rw",
             t.root, t.root);
    tree_file(&t, "/sys/devices/virtual/block/loop3/loop/backing_file", "/gone/disk\n");
    look(&t, line, &fs);
    assert_int_equal(fs.memory, ANSWER_UNKNOWN);
}

/* A136: 0 of 0 inodes is no share. */
static void zero_of_zero_is_unknown(void **state)
{
    struct filesystem fs;
    (void)state;
    assert_int_equal(probe_filesystem("", "/proc/self", &fs, NULL), 0);
    assert_int_equal(fs.total_inodes, PROBE_UNKNOWN);
    assert_int_equal(fs.total_bytes, PROBE_UNKNOWN);
    assert_true(isnan(filesystem_used(&fs)));
    assert_true(isnan(filesystem_inodes_used(&fs)));
    fs = (struct filesystem){
        .total_bytes = 200, .free_bytes = 50, .total_inodes = 10, .free_inodes = 10};
    assert_true(filesystem_used(&fs) == 0.75);
    assert_true(filesystem_inodes_used(&fs) == 0);
}

static void types_are_known(void **state)
{
    (void)state;
    assert_int_equal(fstype_find("lustre").network, ANSWER_YES);
    assert_int_equal(fstype_find("nfs4").network, ANSWER_YES);
    assert_int_equal(fstype_find("fuse.mfs").network, ANSWER_YES);
    assert_int_equal(fstype_find("xfs").network, ANSWER_NO);
    assert_int_equal(fstype_find("ramfs").memory, ANSWER_YES);
    assert_int_equal(fstype_find("hugetlbfs").memory, ANSWER_YES);
    assert_int_equal(fstype_find("zfs").page_cache, ANSWER_NO);
    assert_int_equal(fstype_find("never-heard-of").network, ANSWER_UNKNOWN);
}

/* A real tmpfs, where mounting is allowed. */
static void a_real_tmpfs_is_memory(void **state)
{
    struct tree t = tree_of(state);
    struct filesystem fs;
    char path[512];
    tree_file(&t, "/m y/x", "x");
    tree_path(&t, "/m y", path, sizeof path);
    if (mount("pario test", path, "tmpfs", 0, "size=8m,nr_inodes=100") != 0) {
        print_message("# no mount here (%s)\n", strerror(errno));
        skip();
    }
    int status = probe_filesystem("", path, &fs, NULL);
    umount(path);
    assert_int_equal(status, 0);
    assert_string_equal(fs.type, "tmpfs");
    assert_string_equal(fs.mount_point, path);
    assert_string_equal(fs.source, "pario test");
    assert_int_equal(fs.memory, ANSWER_YES);
    assert_int_equal(fs.network, ANSWER_NO);
    assert_int_equal(fs.total_bytes, 8 << 20);
    assert_int_equal(fs.total_inodes, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_the_nearest_directory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(room_is_that_of_statvfs, set_up, tear_down),
        cmocka_unit_test(a_path_too_long_is_an_error),
        cmocka_unit_test_setup_teardown(mount_facts_come_from_mountinfo, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_is_seen_through_layers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_is_seen_through_devices, set_up, tear_down),
        cmocka_unit_test(zero_of_zero_is_unknown),
        cmocka_unit_test(types_are_known),
        cmocka_unit_test_setup_teardown(a_real_tmpfs_is_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
