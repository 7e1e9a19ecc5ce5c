#include "probe/direct.h"

#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>

#include <cmocka.h>

static int entries(const char *folder)
{
    int n = 0;
    DIR *d = opendir(folder);
    while (d != NULL && readdir(d) != NULL)
        n++;
    if (d != NULL)
        closedir(d);
    return n - 2;
}

/* What the probe answers is true: a transfer as it says works, and the folder is as before. */
static void answers_hold(void **state)
{
    struct tree t;
    struct direct_facts f;
    struct error e = error_none();
    char path[512];
    void *memory = NULL;
    (void)state;
    tree_make(&t);
    assert_int_equal(direct_probe(tree_path(&t, "/new", path, sizeof path), &f, &e), 0);
    assert_int_equal(entries(t.root), 0);
    assert_int_not_equal(f.supported, ANSWER_UNKNOWN);
    int fd = open(path, O_RDWR | O_CREAT | O_DIRECT, 0600);
    if (f.supported == ANSWER_YES) {
        assert_true(fd >= 0);
        assert_true(f.memory_bytes > 0 && f.transfer_bytes > 0);
        assert_int_equal(posix_memalign(&memory, 65536, 65536 + f.memory_bytes), 0);
        memset(memory, 1, 65536 + f.memory_bytes);
        char *at = (char *)memory + f.memory_bytes;
        assert_int_equal(pwrite(fd, at, f.transfer_bytes, 0), f.transfer_bytes);
        assert_int_equal(pwrite(fd, at, f.transfer_bytes, f.transfer_bytes), f.transfer_bytes);
        assert_int_equal(pread(fd, at, f.transfer_bytes, f.transfer_bytes), f.transfer_bytes);
        free(memory);
    } else {
        assert_int_equal(fd, -1);
    }
    if (fd >= 0)
        close(fd);
    struct direct_facts again;
    assert_int_equal(direct_probe(t.root, &again, &e), 0);
    assert_int_equal(again.supported, f.supported);
    assert_int_equal(again.transfer_bytes, f.transfer_bytes);
    tree_free(&t);
}

static void an_existing_file_is_only_read(void **state)
{
    struct tree t;
    struct direct_facts f;
    char path[512], data[4];
    (void)state;
    tree_make(&t);
    tree_file(&t, "/file", "data");
    tree_path(&t, "/file", path, sizeof path);
    assert_int_equal(chmod(path, 0400), 0);
    assert_int_equal(direct_probe(path, &f, NULL), 0);
    int fd = open(path, O_RDONLY);
    assert_int_equal(read(fd, data, sizeof data), 4);
    close(fd);
    assert_memory_equal(data, "data", 4);
    assert_int_equal(f.in_effect, ANSWER_UNKNOWN);
    tree_free(&t);
}

static void memory_is_never_direct(void **state)
{
    struct tree t;
    struct direct_facts f;
    (void)state;
    tree_make(&t);
    if (mount("none", t.root, "tmpfs", 0, "size=1m") != 0) {
        print_message("# no mount here (%s)\n", strerror(errno));
        tree_free(&t);
        skip();
    }
    int status = direct_probe(t.root, &f, NULL);
    umount(t.root);
    tree_free(&t);
    assert_int_equal(status, 0);
    if (f.supported == ANSWER_YES) /* Linux 6.6 and later */
        assert_int_equal(f.in_effect, ANSWER_NO);
}

static void a_full_disk_is_an_error(void **state)
{
    struct tree t;
    struct direct_facts f;
    struct error e = error_none();
    (void)state;
    tree_make(&t);
    if (mount("none", t.root, "tmpfs", 0, "size=16k") != 0) {
        print_message("# no mount here (%s)\n", strerror(errno));
        tree_free(&t);
        skip();
    }
    int status = direct_probe(t.root, &f, &e);
    int left = entries(t.root);
    umount(t.root);
    tree_free(&t);
    assert_int_equal(status, -1);
    assert_string_equal(e.kind, "ENOSPC");
    assert_int_equal(left, 0);
}

static void no_directory_is_an_error(void **state)
{
    struct direct_facts f;
    struct error e = error_none();
    (void)state;
    assert_int_equal(direct_probe("/nowhere/at/all", &f, &e), -1);
    assert_string_equal(e.kind, "ENOENT");
    assert_non_null(strstr(e.text, "/nowhere/at"));
}

static void sizes_are_checked(void **state)
{
    struct direct_facts f = {.supported = ANSWER_YES, .transfer_bytes = 512};
    struct error e = error_none();
    (void)state;
    assert_int_equal(direct_check(&f, 131072, 4194304, "F", &e), 0);
    assert_int_equal(direct_check(&f, 47008, 47008, "F", &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    assert_string_equal(e.text,
                        "transfer size 47008 is not a multiple of 512 bytes, as direct I/O on "
                        "F needs; 46592 or 47104 would be");
    e = error_none();
    assert_int_equal(direct_check(&f, 100, 4096, "F", &e), -1);
    assert_non_null(strstr(e.text, "512 or 1024 would be"));
    e = error_none();
    assert_int_equal(direct_check(&f, 512, 1000, "F", &e), -1);
    assert_non_null(strstr(e.text, "block size 1000"));
    f.transfer_bytes = 1;
    assert_int_equal(direct_check(&f, 47008, 47008, "F", NULL), 0);
    f.supported = ANSWER_NO;
    e = error_none();
    assert_int_equal(direct_check(&f, 4096, 4096, "F", &e), -1);
    assert_non_null(strstr(e.text, "F: its file system cannot do direct I/O"));
    f = (struct direct_facts){0};
    assert_int_equal(direct_check(&f, 47008, 47008, "F", NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_hold),
        cmocka_unit_test(an_existing_file_is_only_read),
        cmocka_unit_test(memory_is_never_direct),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(no_directory_is_an_error),
        cmocka_unit_test(sizes_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
