#include "model/metadata.h"

#include "base/rng.h"
#include "../../support/metadata_world.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static struct metadata_plan make(struct settings *s, const char *line, uint64_t ranks)
{
    struct metadata_plan m;
    struct error e = error_none();
    if (metadata_from(&m, s, line, ranks, &e))
        fail_msg("%s: %s", line, e.text);
    return m;
}

static void refused(const char *line, uint64_t ranks, const char *part)
{
    struct settings s;
    struct metadata_plan m;
    struct error e = error_none();
    if (metadata_from(&m, &s, line, ranks, &e) == 0)
        fail_msg("%s was taken", line);
    if (e.status != STATUS_USAGE || !strstr(e.text, part))
        fail_msg("%s: \"%s\" does not say \"%s\"", line, e.text, part);
    option_free(settings_table, &s);
}

/* Items that do not divide are done exactly as asked: mdtest makes 28 of 30 here, and none of 5. */
static void no_item_is_cut(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint64_t items, item_dirs, trees;
    } rows[] = {
        {"-n 30 -z 2 -b 2", 30, 7, 1},
        {"-n 5 -z 2 -b 3", 5, 13, 1},
        {"-n 10 -I 3", 10, 4, 4},
        {"-n 12 -I 3", 12, 4, 4},
        {"-n 7 -L -z 1 -b 3", 7, 3, 1},
        {"-I 8 -b 6 -z 4", 12440, 1555, 1},
        {"-L -I 100 -b 10 -z 1", 1000, 10, 1},
        {"-n 100 -I 10 -z 1 -b 2", 100, 10, 4},
        {"-n 0 -z 1 -b 2", 0, 3, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct settings s;
        struct metadata_plan m = make(&s, rows[i].line, 3);
        assert_int_equal(m.items, rows[i].items);
        assert_int_equal(m.item_dirs, rows[i].item_dirs);
        assert_int_equal(m.trees, rows[i].trees);
        option_free(settings_table, &s);
    }
}

/* Each item has one directory, in order; even shares differ by one at most, -I's are full but the
 * last. */
static void items_cover_their_directories(void **state)
{
    (void)state;
    struct rng rng = rng_make(3, 4);
    for (int round = 0; round < 400; round++) {
        char line[128];
        uint64_t n = 1 + rng_below(&rng, 3000), per_dir = rng_below(&rng, 3) * rng_below(&rng, 50);
        snprintf(line, sizeof line, "-n %" PRIu64 " -I %" PRIu64 " -b %" PRIu64 " -z %" PRIu64 "%s",
                 n, per_dir, 1 + rng_below(&rng, 4), rng_below(&rng, 4),
                 rng_below(&rng, 2) ? " -L" : "");
        struct settings s;
        struct metadata_plan m = make(&s, line, 1 + rng_below(&rng, 100));
        uint64_t *count = calloc(m.item_dirs, sizeof *count), last = 0;
        assert_non_null(count);
        for (uint64_t item = 0; item < m.items; item++) {
            uint64_t dir = metadata_directory_of(&m, item);
            assert_true(dir < m.item_dirs && dir >= last);
            last = dir;
            count[dir]++;
        }
        for (uint64_t dir = 0; dir < m.item_dirs; dir++) {
            uint64_t node = metadata_node_of(&m, dir);
            assert_true(node < m.dirs);
            if (m.leaves)
                assert_true(node % m.tree.directories >= m.tree.directories - m.tree.leaves);
            if (dir > 0)
                assert_true(node > metadata_node_of(&m, dir - 1));
            if (m.per_dir)
                assert_true(count[dir] == m.per_dir || dir == m.item_dirs - 1);
            else
                assert_true(count[dir] - n / m.item_dirs <= 1);
        }
        free(count);
        option_free(settings_table, &s);
    }
}

/* 10 million items at 100,000 ranks: each number means one item, and its name says which. */
static void every_item_of_100000_ranks(void **state)
{
    (void)state;
    struct settings s;
    struct metadata_plan m = make(&s, "-n 100 -b 3 -z 2 -F", 100000);
    uint64_t seen = 0, items_seen = 0;
    char name[64], expected[64];
    for (uint64_t rank = 0; rank < m.ranks; rank++) {
        for (uint64_t item = 0; item < m.items; item++) {
            uint64_t directory, object = metadata_object(&m, OBJECT_FILE, rank, item);
            int bytes = metadata_leaf(&m, object, &directory, name, sizeof name);
            assert_true(bytes > 0 && name[bytes] == '\0');
            if (item % 33 == 0) { /* the slow comparison, of some */
                snprintf(expected, sizeof expected, "file.%" PRIu64 ".%" PRIu64, rank, item);
                assert_string_equal(name, expected);
            }
            uint64_t r = metadata_rank_of(&m, object), i = metadata_index_of(&m, object);
            seen += r == rank && i == item && metadata_class_of(object) == OBJECT_FILE;
            items_seen += metadata_class_of(directory) == OBJECT_NODE &&
                          metadata_index_of(&m, directory) < m.dirs;
        }
    }
    assert_int_equal(seen, 10000000);
    assert_int_equal(items_seen, 10000000);
    option_free(settings_table, &s);
}

/* 10 million items of one rank among 100,000, in a million directories. */
static void ten_million_items_of_a_rank(void **state)
{
    (void)state;
    struct settings s;
    struct metadata_plan m = make(&s, "-n 10000000 -b 10 -z 6 -u", 100000);
    assert_int_equal(m.dirs, 1111111);
    uint64_t last = 0, in_dir = 0, least = UINT64_MAX, most = 0;
    for (uint64_t item = 0; item < m.items; item++, in_dir++) {
        uint64_t dir = metadata_directory_of(&m, item);
        if (dir != last) {
            assert_int_equal(dir, last + 1);
            least = in_dir < least ? in_dir : least;
            most = in_dir > most ? in_dir : most;
            in_dir = 0;
            last = dir;
        }
    }
    assert_int_equal(last, m.item_dirs - 1);
    assert_int_equal(least, 9);
    assert_int_equal(most, 10);
    option_free(settings_table, &s);
}

static void numbers_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    refused("-n 1000000000000000", 10000000, "-n");
    struct settings s;
    make(&s, "-n 10000000000", 10000000); /* 10^10 items of 10^7 ranks */
    option_free(settings_table, &s);
}

static void path_of(const struct metadata_plan *m, uint64_t object, const char *expected)
{
    char path[8192], name[64], parent[4096];
    uint64_t directory;
    assert_int_equal(metadata_path(m, object, path, sizeof path), 0);
    assert_string_equal(path, expected);
    /* Cut at every length: refused, never over the end. */
    for (size_t bytes = 0; bytes <= strlen(expected); bytes++) {
        char *exact = malloc(bytes + 1);
        assert_non_null(exact);
        exact[bytes] = '#';
        assert_int_equal(metadata_path(m, object, exact, bytes), -1);
        assert_int_equal(exact[bytes], '#');
        free(exact);
    }
    if (metadata_leaf(m, object, &directory, name, sizeof name) < 0)
        return;
    assert_int_equal(metadata_path(m, directory, parent, sizeof parent), 0);
    snprintf(path, sizeof path, "%s/%s", parent, name);
    assert_string_equal(path, expected);
}

static void names(void **state)
{
    (void)state;
    struct settings s;
    struct metadata_plan m = make(&s, "-n 26 -b 3 -z 2 -d a@b@@c", 5);
    assert_int_equal(m.target_count, 2);
    path_of(&m, metadata_object(&m, OBJECT_TARGET, 4, 0), "a");
    path_of(&m, metadata_object(&m, OBJECT_TARGET, 3, 0), "b@c");
    path_of(&m, metadata_object(&m, OBJECT_HOME, 0, 0), "a/pario.0");
    path_of(&m, metadata_object(&m, OBJECT_NODE, 1, 12), "b@c/pario.0/tree.0/3/12");
    path_of(&m, metadata_object(&m, OBJECT_FILE, 2, 0), "a/pario.0/tree.0/file.2.0");
    path_of(&m, metadata_object(&m, OBJECT_FILE, 2, 25), "a/pario.0/tree.0/3/12/file.2.25");
    path_of(&m, metadata_object(&m, OBJECT_DIRECTORY, 3, 9), "b@c/pario.0/tree.0/1/4/dir.3.9");
    path_of(&m, metadata_object(&m, OBJECT_FILE_RENAMED, 4, 1), "a/pario.0/tree.0/moved.4.1");
    path_of(&m, metadata_object(&m, OBJECT_LINK, 4, 1), "a/pario.0/tree.0/link.4.1");
    m.repetition = 12;
    path_of(&m, metadata_object(&m, OBJECT_DIRECTORY_RENAMED, 0, 2),
            "a/pario.12/tree.0/1/dmoved.0.2");
    option_free(settings_table, &s);
}

static void names_in_trees_of_ones_own(void **state)
{
    (void)state;
    struct settings s;
    struct metadata_plan m = make(&s, "-n 10 -I 3 -u --rename-to other --phases rename", 5);
    path_of(&m, metadata_object(&m, OBJECT_FILE, 3, 0), "out/pario.0/tree.0.3/file.3.0");
    path_of(&m, metadata_object(&m, OBJECT_FILE, 3, 9), "out/pario.0/tree.3.3/file.3.9");
    path_of(&m, metadata_object(&m, OBJECT_FILE_RENAMED, 3, 0), "out/pario.0/tree.1.3/moved.3.0");
    path_of(&m, metadata_object(&m, OBJECT_FILE_RENAMED, 3, 9), "out/pario.0/tree.0.3/moved.3.9");
    option_free(settings_table, &s);
    m = make(&s, "-n 10 -S", 5);
    path_of(&m, metadata_object(&m, OBJECT_FILE, 0, 7), "out/pario.0/tree.0/file.all.7");
    option_free(settings_table, &s);
}

static void steps(void **state)
{
    (void)state;
    static const struct {
        const char *line, *steps;
        bool removes;
    } rows[] = {
        {"-n 1", "tree-create mkdir dir-stat rmdir create stat read unlink tree-remove", true},
        {"-n 1 -F", "tree-create create stat read unlink tree-remove", true},
        {"-n 1 -D", "tree-create mkdir dir-stat rmdir tree-remove", true},
        {"-n 1 -D -U", "tree-create mkdir dir-stat dir-rename rmdir tree-remove", true},
        {"-n 1 -F -C", "tree-create create", false},
        {"-n 1 -F -T -E", "stat read", false},
        {"-n 1 -F -r", "unlink tree-remove", true},
        {"-n 1 -S", "tree-create create stat read unlink tree-remove", true},
        {"-z 1 -b 2", "tree-create tree-remove", true},
        {"-z 1 -b 2 -C", "tree-create", false},
        {"-z 1 -b 2 -r", "tree-remove", true},
        {"-n 1 --phases create,stat,rename", "tree-create create stat rename", false},
        {"-n 1 --phases create,unlink,create,unlink",
         "tree-create create unlink create unlink tree-remove", true},
        {"-n 1 --phases mkdir,create,unlink", "tree-create mkdir create unlink", false},
        {"-n 99 --mix create:1,stat:2,unlink:1", "tree-create create mixed", false},
        {"-n 1 --phases tree-create,mkdir,list", "tree-create mkdir list", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct settings s;
        struct metadata_plan m = make(&s, rows[i].line, 2);
        char text[512] = "";
        for (unsigned k = 0; k < m.steps; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", k ? " " : "",
                     metadata_phases[m.step[k]].name);
        assert_string_equal(text, rows[i].steps);
        assert_int_equal(m.removes, rows[i].removes);
        option_free(settings_table, &s);
    }
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    refused("-n 1 -F -D", 1, "-F and -D");
    refused("-n 1 -S -D", 2, "-S and -D");
    refused("-n 1 -S -u", 2, "-S and -u");
    refused("-n 1 -S -c", 2, "-S and -c");
    refused("-F", 2, "-n");
    refused("-n 1 -z 45 -b 2", 2, "-z");
    refused("-n 1 --phases creat", 2, "did you mean create?");
    refused("-n 1 --phases create,,stat", 2, "missing");
    refused("-n 1 --phases create,", 2, "missing");
    refused("-n 1 -D --phases mkdir,create", 2, "-D leaves");
    refused("-n 1 -C --phases create", 2, "--phases");
    refused("-n 1 --phases create,rename --rename-to other", 2, "one directory");
    refused("-n 1 -w 9e -F", 2, "-w");
    refused("-n 9 --mix create", 2, "NAME:WEIGHT");
    refused("-n 9 --mix make:1", 2, "NAME:WEIGHT");
    refused("-n 9 --mix stat:-1", 2, "NAME:WEIGHT");
    refused("-n 9 --mix stat:1,", 2, "NAME:WEIGHT");
    refused("-n 9 --mix stat:1;read:1", 2, "comma");
    refused("-n 99 --mix create:1,unlink:2", 2, "created first");
    refused("-n 99 --mix stat:0", 2, "created first");
    refused("-n 22 --mix stat:20", 2, "at least 23");
    refused("-n 99 --mix stat:1 -S", 2, "--mix and");
    refused("-n 99 --mix stat:1 -T", 2, "--mix and");
    refused("-n 99 --phases mixed", 2, "--mix");
    refused("-n 2 -z 1200 -b 1", 2, "path");
}

/* A047: what is to be verified is read, all of it, unless said otherwise. */
static void bytes_to_read(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint64_t read, transfer;
    } rows[] = {{"-n 1 -w 100 -X", 100, 100},
                {"-n 1 -w 100", 0, 100},
                {"-n 1 -w 100 -e 50 -X", 50, 100},
                {"-n 1 -w 3m -e 3m", 3 << 20, 1 << 20},
                {"-n 1", 0, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct settings s;
        struct metadata_plan m = make(&s, rows[i].line, 2);
        assert_int_equal(m.read_bytes, rows[i].read);
        assert_int_equal(m.transfer_bytes, rows[i].transfer);
        option_free(settings_table, &s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_item_is_cut),
        cmocka_unit_test(items_cover_their_directories),
        cmocka_unit_test(every_item_of_100000_ranks),
        cmocka_unit_test(ten_million_items_of_a_rank),
        cmocka_unit_test(numbers_that_do_not_fit_are_refused),
        cmocka_unit_test(names),
        cmocka_unit_test(names_in_trees_of_ones_own),
        cmocka_unit_test(steps),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(bytes_to_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
