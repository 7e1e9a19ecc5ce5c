#include "probe/treemark.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static const struct treemark sample = {.ranks = 5,
                                       .targets = 2,
                                       .items = 100,
                                       .per_dir = 7,
                                       .branch = 3,
                                       .depth = 2,
                                       .leaves = 1,
                                       .unique = 1,
                                       .write_bytes = 3901,
                                       .seed = UINT64_MAX,
                                       .made_target = 1};

static void counts_of_ranks(void **state)
{
    (void)state;
    static const uint64_t files[] = {9, 9, 8, 9, 9}, directories[] = {1, 1, 1, 1, 0};
    struct treemark m = sample;
    uint64_t f, d;
    treemark_created(&m, 3, &f, &d); /* nothing said: anything may be there */
    assert_int_equal(f, 100);
    assert_int_equal(d, 100);
    assert_true(treemark_has_files(&m) && treemark_has_directories(&m));
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(treemark_add(&m, files[i], directories[i], NULL), 0);
    assert_int_equal(m.runs_used, 4);
    for (uint64_t i = 0; i < 5; i++) {
        treemark_created(&m, i, &f, &d);
        assert_int_equal(f, files[i]);
        assert_int_equal(d, directories[i]);
    }
    treemark_created(&m, 5, &f, &d);
    assert_int_equal(f + d, 0);
    treemark_free(&m);
}

static void text_and_back(void **state)
{
    (void)state;
    struct treemark m = sample, back;
    struct text text = {0}, again = {0};
    struct error e = error_none();
    for (uint64_t i = 0; i < 5; i++)
        treemark_add(&m, i / 2, 100, NULL);
    assert_int_equal(treemark_format(&m, &text, &e), 0);
    assert_int_equal(treemark_parse(text.data, text.used, "mark", &back, &e), 0);
    assert_int_equal(treemark_format(&back, &again, &e), 0);
    assert_string_equal(text.data, again.data);
    assert_int_equal(back.seed, UINT64_MAX);
    assert_false(!treemark_has_files(&back));
    treemark_free(&back);
    /* Cut anywhere, or with a character too many, it is no mark. */
    for (size_t bytes = 0; bytes < text.used; bytes++) {
        e = error_none();
        assert_int_equal(treemark_parse(text.data, bytes, "mark", &back, &e), -1);
        assert_int_equal(e.status, STATUS_USAGE);
        assert_null(back.runs);
    }
    text_append(&text, "\n", 1);
    assert_int_equal(treemark_parse(text.data, text.used, "mark", &back, NULL), -1);
    treemark_free(&m);
    text_free(&text);
    text_free(&again);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {{"ranks 5", "ranks 0"},
                                           {"ranks 5", "ranks -5"},
                                           {"ranks 5", "ranks  5"},
                                           {"targets 2", "targets 6"},
                                           {"leaves 1", "leaves 2"},
                                           {"created 5 1 1", "created 4 1 1"},
                                           {"created 5 1 1", "created 5 101 1"},
                                           {"created 5 1 1", "created 0 1 1"},
                                           {"branch 3", "branch 0"},
                                           {"items 100", "items 18446744073709551616"},
                                           {"pario-tree 1", "pario-tree 2"}};
    struct treemark m = sample, back;
    struct text text = {0};
    for (int i = 0; i < 5; i++)
        treemark_add(&m, 1, 1, NULL);
    treemark_format(&m, &text, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct text bad = {0};
        char *at = strstr(text.data, wrong[i][0]);
        assert_non_null(at);
        text_append(&bad, text.data, (size_t)(at - text.data));
        text_add(&bad, "%s%s", wrong[i][1], at + strlen(wrong[i][0]));
        if (treemark_parse(bad.data, bad.used, "mark", &back, NULL) == 0)
            fail_msg("'%s' was taken", wrong[i][1]);
        text_free(&bad);
    }
    treemark_free(&m);
    text_free(&text);
}

static void on_disk(void **state)
{
    (void)state;
    char home[] = "/tmp/pario-treemark.XXXXXX", path[64], other[64];
    struct text text = {0}, back = {0};
    bool there = true;
    assert_non_null(mkdtemp(home));
    assert_int_equal(treemark_read(home, &back, &there, NULL), 0);
    assert_false(there);
    assert_int_equal(treemark_read("/no/such/home", &back, &there, NULL), 0);
    assert_false(there);
    text_add(&text, "some text\n");
    assert_int_equal(treemark_write(home, &text, NULL), 0);
    text_add(&text, "more\n");
    assert_int_equal(treemark_write(home, &text, NULL), 0); /* replaces */
    assert_int_equal(treemark_read(home, &back, &there, NULL), 0);
    assert_true(there);
    assert_string_equal(back.data, text.data);
    assert_int_equal(treemark_remove(home, NULL), 0);
    assert_int_equal(treemark_remove(home, NULL), 0);
    /* A link is not followed: it is none of pario's. */
    snprintf(path, sizeof path, "%s/.pario", home);
    snprintf(other, sizeof other, "%s/other", home);
    assert_int_equal(symlink("other", path), 0);
    FILE *f = fopen(other, "w");
    assert_non_null(f);
    fclose(f);
    there = false;
    assert_int_not_equal(treemark_read(home, &back, &there, NULL), 0);
    assert_false(there);
    unlink(path);
    unlink(other);
    assert_int_equal(rmdir(home), 0);
    text_free(&text);
    text_free(&back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_ranks),
        cmocka_unit_test(text_and_back),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(on_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
