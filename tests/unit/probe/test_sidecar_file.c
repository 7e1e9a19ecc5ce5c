/* Sidecars on a real file system: replaced in one step, never in place of somebody's file. */
#include "probe/sidecar.h"

#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>

#include <cmocka.h>

static void fill(struct sidecar *s, uint64_t seed)
{
    *s = (struct sidecar){.run = "r1",
                          .program = "0.1.0",
                          .data = "stamped",
                          .order = "sequence",
                          .seed = seed,
                          .ranks = 2,
                          .segments = 1,
                          .block_bytes = 4096,
                          .transfer_bytes = 4096};
    assert_int_equal(sidecar_add_written(s, 1, NULL), 0);
    assert_int_equal(sidecar_add_written(s, 1, NULL), 0);
}

static void it_comes_back_as_it_was(void **state)
{
    struct tree t;
    struct sidecar s, again;
    struct file_facts f;
    struct error e = error_none();
    char data[512], path[600];
    bool there = true;
    (void)state;
    tree_make(&t);
    tree_file(&t, "/o", "data");
    tree_path(&t, "/o", data, sizeof data);
    assert_int_equal(sidecar_path(data, path, sizeof path, NULL), 0);
    assert_int_equal(sidecar_read(path, &again, &there, &e), 0);
    assert_false(there);
    fill(&s, 1);
    assert_int_equal(file_look(data, &f, NULL), 0);
    assert_int_equal(sidecar_add_file(&s, 0, &f, NULL), 0);
    assert_int_equal(sidecar_write(path, &s, &e), 0);
    s.seed = 2; /* and once more, over it */
    assert_int_equal(sidecar_write(path, &s, &e), 0);
    assert_int_equal(sidecar_read(path, &again, &there, &e), 0);
    assert_true(there);
    assert_int_equal(again.seed, 2);
    assert_int_equal(sidecar_owns(&again, 0, &f), OWNERSHIP_OWN);
    /* Somebody puts a file of the same name there: another birth, whatever the inode. */
    assert_int_equal(unlink(data), 0);
    tree_file(&t, "/o", "other");
    assert_int_equal(file_look(data, &f, NULL), 0);
    assert_int_equal(sidecar_owns(&again, 0, &f), OWNERSHIP_FOREIGN);
    sidecar_free(&s);
    sidecar_free(&again);
    tree_free(&t);
}

static int count_files(const struct tree *t)
{
    struct dirent **list = NULL;
    int n = scandir(t->root, &list, NULL, NULL);
    for (int i = 0; i < n; i++)
        free(list[i]);
    free(list);
    return n - 2;
}

static void foreign_files_are_left_alone(void **state)
{
    struct tree t;
    struct sidecar s;
    struct error e = error_none();
    char path[512];
    bool there;
    (void)state;
    tree_make(&t);
    fill(&s, 1);
    tree_file(&t, "/mine.pario", "letters to my aunt\n");
    tree_path(&t, "/mine.pario", path, sizeof path);
    assert_int_equal(sidecar_write(path, &s, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    assert_non_null(strstr(e.text, "mine.pario is in the way"));
    struct file_facts f;
    assert_int_equal(file_look(path, &f, NULL), 0);
    assert_int_equal(f.size_bytes, 19);
    sidecar_free(&s);
    e = error_none();
    assert_int_equal(sidecar_read(path, &s, &there, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    assert_non_null(strstr(e.text, "mine.pario: line 1: "));
    tree_link(&t, "/link.pario", "mine.pario");
    fill(&s, 1);
    e = error_none();
    assert_int_equal(sidecar_write(tree_path(&t, "/link.pario", path, sizeof path), &s, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    assert_int_equal(count_files(&t), 2);
    sidecar_free(&s);
    e = error_none();
    assert_int_equal(sidecar_read(path, &s, &there, &e), -1);
    assert_non_null(strstr(e.text, "link.pario is not a regular file"));
    assert_int_equal(mkdir(tree_path(&t, "/dir.pario", path, sizeof path), 0700), 0);
    e = error_none();
    assert_int_equal(sidecar_read(path, &s, &there, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    tree_free(&t);
}

static void a_broken_one_is_replaced(void **state)
{
    struct tree t;
    struct sidecar s, again;
    char path[512];
    bool there;
    (void)state;
    tree_make(&t);
    fill(&s, 9);
    tree_file(&t, "/o.pario", "pario-sidecar 1\nrun ");
    assert_int_equal(sidecar_write(tree_path(&t, "/o.pario", path, sizeof path), &s, NULL), 0);
    assert_int_equal(sidecar_read(path, &again, &there, NULL), 0);
    assert_int_equal(again.seed, 9);
    assert_int_equal(count_files(&t), 1);
    sidecar_free(&s);
    sidecar_free(&again);
    tree_free(&t);
}

/* A full disk: the old one stays whole, and no half one is left beside it. */
static void a_failure_leaves_the_old_one(void **state)
{
    struct tree t;
    struct sidecar s, again = {0};
    struct error e = error_none();
    char path[512];
    bool there = false;
    (void)state;
    tree_make(&t);
    if (mount("none", t.root, "tmpfs", 0, "size=8k") != 0) {
        print_message("# no mount here (%s)\n", strerror(errno));
        tree_free(&t);
        skip();
    }
    fill(&s, 1);
    int first = sidecar_write(tree_path(&t, "/o.pario", path, sizeof path), &s, &e);
    tree_file(&t, "/filler", "%4000s", "x");
    s.seed = 2;
    e = error_none();
    int second = sidecar_write(path, &s, &e);
    int third = sidecar_read(path, &again, &there, NULL);
    int files = count_files(&t);
    umount(t.root);
    tree_free(&t);
    sidecar_free(&s);
    assert_int_equal(first, 0);
    assert_int_equal(second, -1);
    assert_string_equal(e.kind, "ENOSPC");
    assert_int_equal(third, 0);
    assert_true(there);
    assert_int_equal(again.seed, 1);
    assert_int_equal(files, 2);
    sidecar_free(&again);
}

static void status_files_are_read(void **state)
{
    static const struct {
        const char *text;
        int status;
        uint64_t transfers;
    } rows[] = {{"540\n", 0, 540},
                {"540", 0, 540},
                {" 7 \n\n", 0, 7},
                {"0\n", 0, 0},
                {"", -1, 0},
                {"\n", -1, 0},
                {"540 1\n", -1, 0},
                {"-5\n", -1, 0},
                {"five\n", -1, 0},
                {"5.0\n", -1, 0},
                {"99999999999999999999\n", -1, 0}};
    struct tree t;
    struct error e;
    char path[512];
    (void)state;
    tree_make(&t);
    tree_path(&t, "/status", path, sizeof path);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t transfers = 0;
        e = error_none();
        tree_file(&t, "/status", "%s", rows[i].text);
        if (sidecar_read_status(path, &transfers, &e) != rows[i].status)
            fail_msg("wrong: \"%s\"", rows[i].text);
        assert_int_equal(transfers, rows[i].transfers);
        assert_int_equal(e.status, rows[i].status == 0 ? STATUS_DONE : STATUS_USAGE);
    }
    uint64_t transfers;
    tree_file(&t, "/status", "%100s\n", "1");
    e = error_none();
    assert_int_equal(sidecar_read_status(path, &transfers, &e), -1);
    assert_non_null(strstr(e.text, "101 bytes are too many"));
    e = error_none();
    assert_int_equal(sidecar_read_status("/nowhere", &transfers, &e), -1);
    assert_string_equal(e.kind, "ENOENT");
    tree_free(&t);
}

static void status_files_are_left(void **state)
{
    struct tree t;
    struct error e = error_none();
    char path[512];
    uint64_t transfers;
    (void)state;
    tree_make(&t);
    tree_path(&t, "/status", path, sizeof path);
    assert_int_equal(sidecar_check_status(path, &e), 0);
    assert_int_equal(sidecar_write_status(path, 540, &e), 0);
    assert_int_equal(sidecar_check_status(path, &e), 0);
    assert_int_equal(sidecar_write_status(path, UINT64_MAX, &e), 0);
    assert_int_equal(sidecar_read_status(path, &transfers, &e), 0);
    assert_int_equal(transfers, UINT64_MAX);
    tree_file(&t, "/status", "a letter\n");
    assert_int_equal(sidecar_check_status(path, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    e = error_none();
    tree_file(&t, "/status", "%s", "");
    assert_int_equal(sidecar_check_status(path, &e), 0);
    assert_int_equal(sidecar_write_status("/nowhere/status", 1, &e), -1);
    e = error_none();
    assert_int_equal(sidecar_check_status("/nowhere/status", &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    tree_free(&t);
}

static void a_long_path_has_no_sidecar(void **state)
{
    char small[8];
    struct error e = error_none();
    (void)state;
    assert_int_equal(sidecar_path("o", small, sizeof small, &e), 0);
    assert_string_equal(small, "o.pario");
    assert_int_equal(sidecar_path("oo", small, sizeof small, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_comes_back_as_it_was),
        cmocka_unit_test(foreign_files_are_left_alone),
        cmocka_unit_test(a_broken_one_is_replaced),
        cmocka_unit_test(a_failure_leaves_the_old_one),
        cmocka_unit_test(status_files_are_read),
        cmocka_unit_test(status_files_are_left),
        cmocka_unit_test(a_long_path_has_no_sidecar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
