/* What phases of a metadata run do, as text. */
#include "../../support/metadata_world.h"
#include "../../support/stream.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

struct world {
    struct settings settings;
    struct plan plan;
};

static void set_up(struct world *w, const char *line, uint64_t ranks)
{
    struct error e = error_none();
    memset(w, 0, sizeof *w);
    if (metadata_settings(&w->settings, line, &e) || plan_make(&w->plan, &w->settings, ranks, &e))
        fail_msg("%s: %s", line, e.text);
}

static void stream(const char *line, uint64_t ranks, const char *phase, uint64_t rank,
                   const struct stream_try *try, const char *expected)
{
    struct world w;
    set_up(&w, line, ranks);
    assert_non_null(phase_find(phase));
    char *got = stream_of(phase_find(phase), &w.plan, rank, UINT64_MAX, try);
    assert_string_equal(got, expected);
    free(got);
    option_free(settings_table, &w.settings);
}

static void one_operation_an_item(void **state)
{
    (void)state;
    static const struct {
        const char *phase, *expected;
    } rows[] = {
        {"mkdir", "mkdir d/pario.0/tree.0/dir.1.0\nmkdir d/pario.0/tree.0/1/dir.1.1\n"},
        {"dir-stat", "stat d/pario.0/tree.0/dir.1.0\nstat d/pario.0/tree.0/1/dir.1.1\n"},
        {"rmdir", "rmdir d/pario.0/tree.0/dir.1.0\nrmdir d/pario.0/tree.0/1/dir.1.1\n"},
        {"stat", "stat d/pario.0/tree.0/file.1.0\nstat d/pario.0/tree.0/1/file.1.1\n"},
        {"chmod", "chmod d/pario.0/tree.0/file.1.0\nchmod d/pario.0/tree.0/1/file.1.1\n"},
        {"xattr", "xattr d/pario.0/tree.0/file.1.0\nxattr d/pario.0/tree.0/1/file.1.1\n"},
        {"unlink", "unlink d/pario.0/tree.0/file.1.0\nunlink d/pario.0/tree.0/1/file.1.1\n"},
        {"rename", "rename d/pario.0/tree.0/file.1.0 d/pario.0/tree.0/moved.1.0\n"
                   "rename d/pario.0/tree.0/1/file.1.1 d/pario.0/tree.0/1/moved.1.1\n"},
        {"rename-back", "rename d/pario.0/tree.0/moved.1.0 d/pario.0/tree.0/file.1.0\n"
                        "rename d/pario.0/tree.0/1/moved.1.1 d/pario.0/tree.0/1/file.1.1\n"},
        {"dir-rename", "rename d/pario.0/tree.0/dir.1.0 d/pario.0/tree.0/dmoved.1.0\n"
                       "rename d/pario.0/tree.0/1/dir.1.1 d/pario.0/tree.0/1/dmoved.1.1\n"},
        {"link", "link d/pario.0/tree.0/file.1.0 d/pario.0/tree.0/link.1.0\n"
                 "link d/pario.0/tree.0/1/file.1.1 d/pario.0/tree.0/1/link.1.1\n"},
        {"link-back", "unlink d/pario.0/tree.0/link.1.0\nunlink d/pario.0/tree.0/1/link.1.1\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        stream("-n 2 -z 1 -d d", 2, rows[i].phase, 1, NULL, rows[i].expected);
    stream("-n 2 -z 1 -d d --rename-to other", 2, "rename", 0, NULL,
           "rename d/pario.0/tree.0/file.0.0 d/pario.0/tree.0/1/moved.0.0\n"
           "rename d/pario.0/tree.0/1/file.0.1 d/pario.0/tree.0/moved.0.1\n");
}

static void create_is_a_chain(void **state)
{
    (void)state;
    stream("-n 1", 1, "create", 0, NULL,
           "create out/pario.0/tree.0/file.0.0\nclose out/pario.0/tree.0/file.0.0\n");
    stream("-n 1 -y", 1, "create", 0, NULL,
           "create out/pario.0/tree.0/file.0.0\nsync out/pario.0/tree.0/file.0.0\n"
           "close out/pario.0/tree.0/file.0.0\n");
    stream("-n 1 -w 3901 -y", 1, "create", 0, NULL,
           "create out/pario.0/tree.0/file.0.0\nwrite out/pario.0/tree.0/file.0.0 0+3901\n"
           "sync out/pario.0/tree.0/file.0.0\nclose out/pario.0/tree.0/file.0.0\n");
    stream("-n 1 -w 1500k", 1, "create", 0, NULL,
           "create out/pario.0/tree.0/file.0.0\nwrite out/pario.0/tree.0/file.0.0 0+1048576\n"
           "write out/pario.0/tree.0/file.0.0 1048576+487424\n"
           "close out/pario.0/tree.0/file.0.0\n");
    stream("-n 1 -w 10 --phases create,write", 1, "create", 0, NULL,
           "create out/pario.0/tree.0/file.0.0\nclose out/pario.0/tree.0/file.0.0\n");
    stream("-n 1 -w 10 --phases create,write", 1, "write-files", 0, NULL,
           "open out/pario.0/tree.0/file.0.0\nwrite out/pario.0/tree.0/file.0.0 0+10\n"
           "close out/pario.0/tree.0/file.0.0\n");
    stream("-n 1 -w 10 -e 4", 1, "read-files", 0, NULL,
           "open out/pario.0/tree.0/file.0.0\nread out/pario.0/tree.0/file.0.0 0+4\n"
           "close out/pario.0/tree.0/file.0.0\n");
}

/* What was opened is closed, whatever failed; what was not is not. */
static void chains_end_well(void **state)
{
    (void)state;
    static const struct stream_try create = {.fails = OP_CREATE, .error = EACCES};
    static const struct stream_try write = {.fails = OP_WRITE, .error = ENOSPC};
    static const struct stream_try sync = {.fails = OP_SYNC, .error = EIO};
    stream("-n 2 -w 10", 1, "create", 0, &create,
           "create out/pario.0/tree.0/file.0.0\ncreate out/pario.0/tree.0/file.0.1\n");
    stream("-n 1 -w 2m -y", 1, "create", 0, &write,
           "create out/pario.0/tree.0/file.0.0\nwrite out/pario.0/tree.0/file.0.0 0+1048576\n"
           "close out/pario.0/tree.0/file.0.0\n");
    stream("-n 1 -y", 1, "create", 0, &sync,
           "create out/pario.0/tree.0/file.0.0\nsync out/pario.0/tree.0/file.0.0\n"
           "close out/pario.0/tree.0/file.0.0\n");
}

static void trees_from_the_root_and_back(void **state)
{
    (void)state;
    stream("-n 1 -b 2 -z 1 -d a@b", 4, "tree-create", 1, NULL,
           "mkdir b/pario.0/tree.0\nmkdir b/pario.0/tree.0/1\nmkdir b/pario.0/tree.0/2\n");
    stream("-n 1 -b 2 -z 1 -d a@b", 4, "tree-create", 2, NULL, "");
    stream("-n 1 -b 2 -z 1", 4, "tree-remove", 0, NULL,
           "rmdir out/pario.0/tree.0/2\nrmdir out/pario.0/tree.0/1\nrmdir out/pario.0/tree.0\n");
    stream("-n 2 -I 1 -u", 4, "tree-create", 3, NULL,
           "mkdir out/pario.0/tree.0.3\nmkdir out/pario.0/tree.1.3\n");
}

static void shared_files_are_one_set(void **state)
{
    (void)state;
    const char *all = "stat out/pario.0/tree.0/file.all.0\nstat out/pario.0/tree.0/file.all.1\n";
    stream("-n 2 -S", 3, "stat", 0, NULL, all);
    stream("-n 2 -S", 3, "stat", 2, NULL, all);
    stream("-n 2 -S", 3, "unlink", 0, NULL,
           "unlink out/pario.0/tree.0/file.all.0\nunlink out/pario.0/tree.0/file.all.1\n");
    stream("-n 2 -S", 3, "unlink", 1, NULL, "");
}

static void rank_0_creates_for_all(void **state)
{
    (void)state;
    stream("-n 2 -c -D", 2, "mkdir", 0, NULL,
           "mkdir out/pario.0/tree.0/dir.0.0\nmkdir out/pario.0/tree.0/dir.0.1\n"
           "mkdir out/pario.0/tree.0/dir.1.0\nmkdir out/pario.0/tree.0/dir.1.1\n");
    stream("-n 2 -c -D", 2, "mkdir", 1, NULL, "");
    stream("-n 1 -c -D", 2, "rmdir", 1, NULL, "rmdir out/pario.0/tree.0/dir.1.0\n");
}

static void the_file_system_is_synced_last(void **state)
{
    (void)state;
    stream("-n 1 -Y", 1, "stat", 0, NULL, "stat out/pario.0/tree.0/file.0.0\nsync out/pario.0\n");
    stream("-z 0 -n 1 -Y", 1, "tree-create", 0, NULL,
           "mkdir out/pario.0/tree.0\nsync out/pario.0\n");
}

/* A deadline ends a phase; with wear-out all go on to what the furthest had reached. */
static void deadlines(void **state)
{
    (void)state;
    static const struct stream_try stop = {.stop_after = 2, .agreed = 4};
    stream("-n 5", 1, "stat", 0, &stop,
           "stat out/pario.0/tree.0/file.0.0\nstat out/pario.0/tree.0/file.0.1\n");
    stream("-n 5 -W 1 --wear-out", 1, "stat", 0, &stop,
           "stat out/pario.0/tree.0/file.0.0\nstat out/pario.0/tree.0/file.0.1\nagree\n"
           "stat out/pario.0/tree.0/file.0.2\nstat out/pario.0/tree.0/file.0.3\n");
}

/* The items of a stream, in its order; their number. */
static unsigned items_in(const char *text, unsigned *items, unsigned most)
{
    unsigned n = 0;
    for (const char *end = strchr(text, '\n'); end && n < most; end = strchr(end + 1, '\n')) {
        const char *digits = end;
        while (digits[-1] != '.')
            digits--;
        items[n++] = (unsigned)strtoul(digits, NULL, 10);
    }
    return n;
}

static void each_item_once_in_random_order(void **state)
{
    (void)state;
    struct world w;
    set_up(&w, "-n 500 -R --random-seed 7", 2);
    static const struct {
        const char *phase;
        uint64_t rank;
    } rows[] = {{"stat", 0}, {"stat", 1}, {"dir-stat", 0}, {"read-files", 0}};
    unsigned first[500];
    for (unsigned k = 0; k < 4; k++) {
        unsigned items[1100], seen[500] = {0}, in_place = 0, as_first = 0;
        unsigned lines = k == 3 ? 2 : 1; /* open and close */
        char *text = stream_of(phase_find(rows[k].phase), &w.plan, rows[k].rank, UINT64_MAX, NULL);
        assert_int_equal(items_in(text, items, 1100), 500 * lines);
        free(text);
        for (unsigned i = 0; i < 500; i++) {
            unsigned item = items[i * lines];
            assert_true(item < 500);
            seen[item]++;
            in_place += item == i;
            as_first += k > 0 && item == first[i];
            if (k == 0)
                first[i] = item;
        }
        for (unsigned i = 0; i < 500; i++)
            assert_int_equal(seen[i], 1);
        assert_in_range(in_place, 0, 20);
        if (rows[k].rank != 0 || k == 3)
            assert_in_range(as_first, 0, 20);
    }
    option_free(settings_table, &w.settings);
}

/* Each directory is listed by one rank, for any number of ranks, targets and directories. */
static void directories_are_listed_once(void **state)
{
    (void)state;
    for (uint64_t ranks = 1; ranks <= 7; ranks++) {
        for (unsigned targets = 1; targets <= 3; targets++) {
            char line[64];
            struct world w;
            snprintf(line, sizeof line, "-n 50 -I 4 -d %.*s", (int)(2 * targets - 1), "a@b@c");
            set_up(&w, line, ranks);
            const struct metadata_plan *m = &w.plan.metadata;
            uint64_t listed = 0, planned = 0, used = targets < ranks ? targets : ranks;
            struct text all = {0};
            for (uint64_t rank = 0; rank < ranks; rank++) {
                char *text = stream_of(phase_find("list"), &w.plan, rank, UINT64_MAX, NULL);
                planned += phase_find("list")->planned(&w.plan, rank);
                text_add(&all, "%s", text);
                free(text);
            }
            for (unsigned t = 0; t < used; t++) {
                for (uint64_t dir = 0; dir < m->item_dirs; dir++) {
                    char one[64];
                    snprintf(one, sizeof one, "list %c/pario.0/tree.%u\n", 'a' + (int)t,
                             (unsigned)dir);
                    const char *first = strstr(all.data, one);
                    assert_non_null(first);
                    assert_null(strstr(first + 1, one));
                    listed++;
                }
            }
            assert_int_equal(planned, listed);
            text_free(&all);
            option_free(settings_table, &w.settings);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_operation_an_item),
        cmocka_unit_test(create_is_a_chain),
        cmocka_unit_test(chains_end_well),
        cmocka_unit_test(trees_from_the_root_and_back),
        cmocka_unit_test(shared_files_are_one_set),
        cmocka_unit_test(rank_0_creates_for_all),
        cmocka_unit_test(the_file_system_is_synced_last),
        cmocka_unit_test(deadlines),
        cmocka_unit_test(each_item_once_in_random_order),
        cmocka_unit_test(directories_are_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
