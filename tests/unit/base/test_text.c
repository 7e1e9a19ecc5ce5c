#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void grows_as_needed(void **state)
{
    (void)state;
    struct text t = {0};
    text_add(&t, "%s", "");
    assert_string_equal(t.data, "");
    for (int i = 0; i < 10000; i++)
        text_add(&t, "%04d,", i);
    assert_int_equal(t.used, 50000);
    assert_int_equal(strlen(t.data), 50000);
    for (int i = 0; i < 10000; i += 777) {
        char expected[6] = {(char)('0' + i / 1000),
                            (char)('0' + i / 100 % 10),
                            (char)('0' + i / 10 % 10),
                            (char)('0' + i % 10),
                            ',',
                            '\0'};
        assert_memory_equal(t.data + 5 * i, expected, 5);
    }
    assert_false(t.failed);
    text_free(&t);
    assert_null(t.data);
}

static void one_addition_may_be_large(void **state)
{
    (void)state;
    struct text t = {0};
    text_add(&t, "[%*d]", 100000, 7);
    assert_int_equal(t.used, 100002);
    assert_string_equal(t.data + 100000, "7]");
    text_free(&t);
}

static void bytes_stay_as_they_are(void **state)
{
    (void)state;
    struct text t = {0};
    text_append(&t, "a\0b", 3);
    text_append(&t, "", 0);
    text_append(&t, "c", 1);
    assert_int_equal(t.used, 4);
    assert_memory_equal(t.data, "a\0bc", 5);
    text_clear(&t);
    assert_int_equal(t.used, 0);
    assert_string_equal(t.data, "");
    text_add(&t, "%d%%", 5);
    assert_string_equal(t.data, "5%");
    text_free(&t);
}

static void what_cannot_fit_is_remembered(void **state)
{
    (void)state;
    struct text t = {0};
    text_add(&t, "kept");
    text_append(&t, "x", SIZE_MAX / 2);
    assert_true(t.failed);
    text_add(&t, "lost");
    text_append(&t, "lost", 4);
    assert_string_equal(t.data, "kept");
    text_clear(&t);
    assert_false(t.failed);
    text_free(&t);
}

static void copies_are_cut_and_sane(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        size_t bytes;
        const char *to;
    } rows[] = {
        {"plain", 10, "plain"},
        {"plain", 6, "plain"},
        {"plain", 5, "plai"},
        {"plain", 1, ""},
        {"", 4, ""},
        {"a\tb\nc\033d\x7f", 20, "a?b?c?d?"},
        {"\xe2\x82\xac", 4, "\xe2\x82\xac"},
        {"\xe2\x82\xac", 3, ""},
        {"ab\xe2\x82\xac", 5, "ab"},
        {"\xc3\xa9\xc3\xa9", 4, "\xc3\xa9"},
        {"x\xc2\x9b"
         "2J",
         10, "x??2J"},
        {"\xc2\xa0", 4, "\xc2\xa0"},
        {"\x80\x80\x80", 3, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char buf[24];
        memset(buf, '#', sizeof buf);
        assert_ptr_equal(text_copy(buf, rows[i].bytes, rows[i].from), buf);
        assert_string_equal(buf, rows[i].to);
        assert_int_equal(buf[rows[i].bytes], '#');
    }
    char none = '#';
    text_copy(&none, 0, "x");
    assert_int_equal(none, '#');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_as_needed),         cmocka_unit_test(one_addition_may_be_large),
        cmocka_unit_test(bytes_stay_as_they_are),  cmocka_unit_test(what_cannot_fit_is_remembered),
        cmocka_unit_test(copies_are_cut_and_sane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
