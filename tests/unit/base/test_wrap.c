#include "base/wrap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_wraps(void **state)
{
    static const struct {
        const char *words;
        size_t at, indent, width;
        const char *expected;
    } rows[] = {
        {"", 0, 2, 10, "\n"},
        {"one", 0, 2, 10, "one\n"},
        {"one two three", 0, 2, 8, "one two\n  three\n"},
        {"one two three", 4, 2, 8, "one\n  two\n  three\n"},
        {"  one   two  ", 0, 0, 80, "one two\n"},
        {"a verylongwordthatfitsnowhere b", 0, 1, 6, "a\n verylongwordthatfitsnowhere\n b\n"},
        {"\xc3\xa4\xc3\xb6 \xc3\xbc", 0, 0, 4, "\xc3\xa4\xc3\xb6 \xc3\xbc\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text out = {0};
        text_wrap(&out, rows[i].words, rows[i].at, rows[i].indent, rows[i].width);
        assert_string_equal(out.data, rows[i].expected);
        text_free(&out);
    }
}

static void test_columns(void **state)
{
    (void)state;
    assert_int_equal(text_columns("abc", 3), 3);
    assert_int_equal(text_columns("\xc3\xa4\xe2\x82\xac", 5), 2);
    assert_int_equal(text_columns("", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wraps),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
