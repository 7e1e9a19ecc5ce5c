#include "run/tensor_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct checkpoint_layout layout_for(uint64_t align, uint64_t scale_ppb)
{
    return (struct checkpoint_layout){.align_bytes = align, .scale_ppb = scale_ppb};
}

static void sizes_are_listed(void **state)
{
    static const char text[] = "# a model\nembed 100k\n\n  norm\t17 \r\nhead 1m # last\n300000";
    static const uint64_t ends[] = {102400, 102417, 1150993, 1450993};
    struct checkpoint_layout l = layout_for(1, 1000000000);
    struct tensor_list list;
    struct error e = error_none();
    (void)state;
    assert_int_equal(tensor_list_parse(&list, &l, text, "f", &e), 0);
    assert_int_equal(list.count, 4);
    assert_memory_equal(list.ends, ends, sizeof ends);
    tensor_list_free(&list);
    l = layout_for(512, 10000000); /* a hundredth, in whole sectors */
    assert_int_equal(tensor_list_parse(&list, &l, text, "f", &e), 0);
    static const uint64_t small[] = {1024, 1536, 12288, 15360};
    assert_memory_equal(list.ends, small, sizeof small);
    tensor_list_free(&list);
}

static void many_are_listed(void **state)
{
    char *text = malloc(3 * 5000 + 1);
    struct checkpoint_layout l = layout_for(1, 1000000000);
    struct tensor_list list;
    struct error e = error_none();
    (void)state;
    for (int i = 0; i < 5000; i++)
        memcpy(text + 3L * i, "2k\n", 4);
    assert_int_equal(tensor_list_parse(&list, &l, text, "f", &e), 0);
    assert_int_equal(list.count, 5000);
    for (uint64_t i = 0; i < list.count; i++)
        assert_int_equal(list.ends[i], 2048 * (i + 1));
    tensor_list_free(&list);
    free(text);
}

static void assert_refused(const char *text, const char *why)
{
    struct checkpoint_layout l = layout_for(1, 1000000000);
    struct tensor_list list;
    struct error e = error_none();
    assert_int_equal(tensor_list_parse(&list, &l, text, "f", &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    if (!strstr(e.text, why))
        fail_msg("%s", e.text);
    tensor_list_free(&list);
}

static void what_is_no_size_is_refused(void **state)
{
    (void)state;
    assert_refused("", "f lists no tensors");
    assert_refused("# nothing\n \n", "f lists no tensors");
    assert_refused("1k\nweight\n", "f, line 2: 'weight' is not a size");
    assert_refused("1k\n\nw -1\n", "f, line 3: ");
    assert_refused("w 0\n", "f, line 1: a tensor of no bytes");
    assert_refused("4096p\n4096p\n", "than 8 EiB");
    assert_refused("1k\n123456789012345678901234567890123456789012345678901234567890123456789\n",
                   "line 2: its last word is no size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_listed),
        cmocka_unit_test(many_are_listed),
        cmocka_unit_test(what_is_no_size_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
