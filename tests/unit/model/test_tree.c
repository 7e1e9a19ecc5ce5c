#include "model/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct tree make(uint64_t branch, uint64_t depth)
{
    struct tree t;
    struct error e = error_none();
    assert_int_equal(tree_make(&t, branch, depth, &e), 0);
    return t;
}

static void counts(void **state)
{
    (void)state;
    static const struct {
        uint64_t branch, depth, directories, leaves;
    } rows[] = {{1, 0, 1, 1},
                {5, 0, 1, 1},
                {1, 1, 2, 1},
                {1, 500, 501, 1},
                {2, 2, 7, 4},
                {3, 2, 13, 9},
                {6, 4, 1555, 1296} /* -b 6 -z 4 */,
                {320, 1, 321, 320},
                {10, 9, 1111111111, 1000000000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tree t = make(rows[i].branch, rows[i].depth);
        assert_int_equal(t.directories, rows[i].directories);
        assert_int_equal(t.leaves, rows[i].leaves);
    }
}

static void too_large(void **state)
{
    (void)state;
    static const uint64_t rows[][2] = {{2, 40},  {2, 64},         {2, UINT64_MAX},
                                       {10, 13}, {UINT64_MAX, 2}, {1, UINT64_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tree t;
        struct error e = error_none();
        assert_int_equal(tree_make(&t, rows[i][0], rows[i][1], &e), -1);
        assert_int_equal(e.status, STATUS_USAGE);
        assert_non_null(strstr(e.text, "-z"));
    }
}

static void every_node_has_its_children(void **state)
{
    (void)state;
    for (uint64_t branch = 1; branch <= 7; branch++) {
        for (uint64_t depth = 0; depth <= 4; depth++) {
            struct tree t = make(branch, depth);
            uint64_t inner = t.directories - t.leaves, next = 1;
            for (uint64_t k = 0; k < inner; k++)
                for (uint64_t child = 0; child < branch; child++, next++)
                    assert_int_equal(tree_parent(&t, next), k);
            assert_int_equal(next, t.directories);
        }
    }
}

static void ways(void **state)
{
    (void)state;
    static const struct {
        uint64_t branch, depth, node;
        const char *way;
    } rows[] = {{3, 2, 0, ""},       {3, 2, 1, "/1"},     {3, 2, 4, "/1/4"},
                {3, 2, 12, "/3/12"}, {1, 3, 3, "/1/2/3"}, {10, 3, 1110, "/10/110/1110"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tree t = make(rows[i].branch, rows[i].depth);
        char buf[64] = "";
        size_t bytes = strlen(rows[i].way);
        memset(buf, '#', sizeof buf);
        assert_ptr_equal(tree_way(&t, rows[i].node, buf, buf + bytes + 1), buf + bytes);
        assert_memory_equal(buf, rows[i].way, bytes);
        assert_int_equal(buf[bytes], '#');
        if (bytes > 0) /* a NUL would not fit */
            assert_null(tree_way(&t, rows[i].node, buf, buf + bytes));
    }
}

static void the_longest_way_is_the_last(void **state)
{
    (void)state;
    for (uint64_t branch = 1; branch <= 11; branch += 5) {
        struct tree t = make(branch, 3);
        uint64_t longest = 0;
        char buf[256];
        for (uint64_t k = 0; k < t.directories; k++) {
            uint64_t bytes = (uint64_t)(tree_way(&t, k, buf, buf + sizeof buf) - buf);
            longest = bytes > longest ? bytes : longest;
        }
        assert_int_equal(tree_longest_way(&t), longest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(too_large),
        cmocka_unit_test(every_node_has_its_children),
        cmocka_unit_test(ways),
        cmocka_unit_test(the_longest_way_is_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
