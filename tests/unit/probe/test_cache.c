#include "probe/cache.h"

#include "tree.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/vfs.h>

#include <cmocka.h>

#define PAGES 64u
#define TMPFS 0x01021994

/* A file of PAGES pages and a bit, freshly written: all of it is in the cache. */
static int make_file(struct tree *t, size_t page)
{
    char path[512];
    char *data = calloc(PAGES, page);
    tree_make(t);
    int fd = open(tree_path(t, "/file", path, sizeof path), O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0 && data != NULL);
    assert_int_equal(write(fd, data, PAGES * page), PAGES * page);
    assert_int_equal(write(fd, data, 10), 10);
    free(data);
    return fd;
}

static bool on_tmpfs(int fd)
{
    struct statfs s;
    return fstatfs(fd, &s) == 0 && (unsigned long)s.f_type == TMPFS;
}

static void a_written_file_is_warm(void **state)
{
    static const enum cache_method methods[] = {CACHE_ANY, CACHE_MINCORE};
    struct tree t;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int fd = make_file(&t, page);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct cache_pages p;
        assert_int_equal(cache_look(fd, 0, 0, methods[i], &p, NULL), 0);
        assert_int_not_equal(p.method, CACHE_NONE);
        assert_int_equal(p.pages, PAGES + 1);
        assert_int_equal(p.cached, PAGES + 1);
        assert_string_equal(cache_label(cache_fraction(&p), ANSWER_YES), "warm");
        assert_int_equal(cache_look(fd, page + 1, page, methods[i], &p, NULL), 0);
        assert_int_equal(p.pages, 2); /* a range that is askew touches one more */
        assert_int_equal(p.cached, 2);
        assert_int_equal(cache_look(fd, PAGES * page, page * 8, methods[i], &p, NULL), 0);
        assert_int_equal(p.pages, 1);
        assert_int_equal(cache_look(fd, 1000 * page, page, methods[i], &p, NULL), 0);
        assert_int_equal(p.pages, 0);
        assert_true(isnan(cache_fraction(&p)));
    }
    close(fd);
    tree_free(&t);
}

static void a_dropped_file_is_cold(void **state)
{
    static const enum cache_method methods[] = {CACHE_ANY, CACHE_MINCORE};
    struct tree t;
    struct cache_pages p;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char byte;
    (void)state;
    int fd = make_file(&t, page);
    bool memory = on_tmpfs(fd);
    assert_int_equal(cache_drop(fd, NULL), 0);
    for (size_t i = 0; !memory && i < 2; i++) {
        assert_int_equal(cache_look(fd, 0, 0, methods[i], &p, NULL), 0);
        assert_int_equal(p.cached, 0);
        assert_int_equal(p.dirty, 0);
        assert_string_equal(cache_label(cache_fraction(&p), ANSWER_YES), "cold");
    }
    if (!memory) { /* one page, without what the kernel would read ahead */
        assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM), 0);
        assert_int_equal(pread(fd, &byte, 1, (off_t)(5 * page)), 1);
        for (size_t i = 0; i < 2; i++) {
            assert_int_equal(cache_look(fd, 4 * page, 2 * page, methods[i], &p, NULL), 0);
            assert_int_equal(p.pages, 2);
            assert_int_equal(p.cached, 1);
            assert_string_equal(cache_label(cache_fraction(&p), ANSWER_YES), "mixed");
        }
    }
    close(fd);
    tree_free(&t);
    if (memory) {
        print_message("# the temporary folder is in memory: nothing there can be cold\n");
        skip();
    }
}

static void only_regular_files_are_looked_at(void **state)
{
    struct tree t;
    struct cache_pages p;
    struct error e = error_none();
    char path[512];
    (void)state;
    tree_make(&t);
    tree_file(&t, "/file", "x");
    tree_link(&t, "/link", "file");
    assert_int_equal(mkfifo(tree_path(&t, "/fifo", path, sizeof path), 0600), 0);
    assert_int_equal(cache_look_path(path, &p, &e), -1);
    assert_non_null(strstr(e.text, "not a regular file"));
    e = error_none();
    assert_int_equal(cache_look_path(tree_path(&t, "/link", path, sizeof path), &p, &e), -1);
    assert_string_equal(e.kind, "ELOOP");
    assert_int_equal(p.method, CACHE_NONE);
    assert_int_equal(cache_look_path(tree_path(&t, "/file", path, sizeof path), &p, NULL), 0);
    assert_int_equal(p.pages, 1);
    assert_int_equal(p.cached, 1);
    e = error_none();
    assert_int_equal(cache_look(-1, 0, 0, CACHE_ANY, &p, &e), -1);
    assert_string_equal(e.kind, "EBADF");
    tree_free(&t);
}

static void an_empty_file_is_neither(void **state)
{
    struct tree t;
    struct cache_pages p;
    char path[512];
    (void)state;
    tree_make(&t);
    tree_file(&t, "/file", "%s", "");
    assert_int_equal(cache_look_path(tree_path(&t, "/file", path, sizeof path), &p, NULL), 0);
    assert_int_equal(p.pages, 0);
    assert_int_not_equal(p.method, CACHE_NONE);
    assert_true(isnan(cache_fraction(&p)));
    tree_free(&t);
}

static void parts_add_up(void **state)
{
    struct cache_pages sum = {.method = CACHE_ANY};
    struct cache_pages a = {CACHE_ANY, 10, 5, 2, 1}, b = {CACHE_MINCORE, 30, 25, 0, 0};
    struct cache_pages none = {.method = CACHE_NONE, .pages = 7};
    (void)state;
    cache_add(&sum, &a);
    cache_add(&sum, &b);
    assert_int_equal(sum.pages, 40);
    assert_int_equal(sum.cached, 30);
    assert_int_equal(sum.dirty, 2);
    assert_int_equal(sum.writeback, 1);
    assert_int_equal(sum.method, CACHE_MINCORE);
    assert_true(cache_fraction(&sum) == 0.75);
    cache_add(&sum, &none);
    assert_true(isnan(cache_fraction(&sum)));
    cache_add(&sum, &a);
    assert_true(isnan(cache_fraction(&sum)));
}

static void labels_follow_the_limits(void **state)
{
    static const struct {
        double fraction;
        enum answer page_cache;
        const char *label;
    } rows[] = {
        {0, ANSWER_YES, "cold"},        {0.0099, ANSWER_YES, "cold"},
        {0.01, ANSWER_YES, "mixed"},    {0.99, ANSWER_YES, "mixed"},
        {0.9901, ANSWER_YES, "warm"},   {1, ANSWER_NO, "warm"},
        {0, ANSWER_UNKNOWN, "unknown"}, {0, ANSWER_NO, "unknown"},
        {0.5, ANSWER_UNKNOWN, "mixed"}, {NAN, ANSWER_YES, "unknown"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(cache_label(rows[i].fraction, rows[i].page_cache), rows[i].label);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_file_is_warm),
        cmocka_unit_test(a_dropped_file_is_cold),
        cmocka_unit_test(only_regular_files_are_looked_at),
        cmocka_unit_test(an_empty_file_is_neither),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(labels_follow_the_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
