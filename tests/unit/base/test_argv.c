#include "base/argv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void words_are_split(void **state)
{
    static const struct {
        const char *text;
        const char *words[4];
    } rows[] = {
        {"umount /mnt", {"umount", "/mnt"}},
        {"  a\t b\n", {"a", "b"}},
        {"sh -c 'x y; \"z\"'", {"sh", "-c", "x y; \"z\""}},
        {"a\"b c\"d ''", {"ab cd", ""}},
        {"a\\ b \\'c \"d\\\"e\" 'f\\g'", {"a b", "'c", "d\"e", "f\\g"}},
        {"$HOME;|>*", {"$HOME;|>*"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct argv a;
        struct error e = error_none();
        assert_int_equal(argv_split(&a, rows[i].text, "--x", &e), 0);
        size_t n = 0;
        for (; n < 4 && rows[i].words[n]; n++)
            assert_string_equal(a.words[n], rows[i].words[n]);
        assert_null(a.words[n]);
    }
}

static void assert_refused(const char *text, const char *message)
{
    struct argv a;
    struct error e = error_none();
    assert_int_equal(argv_split(&a, text, "--x", &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    assert_string_equal(e.text, message);
}

static void what_is_no_command_is_refused(void **state)
{
    char many[2 * ARGV_WORDS + 4], large[ARGV_BYTES + 2];
    (void)state;
    for (size_t i = 0; i < sizeof many - 1; i++)
        many[i] = i % 2 ? ' ' : 'a';
    many[sizeof many - 1] = '\0';
    memset(large, 'a', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    assert_refused("", "--x: no program is named");
    assert_refused(" ", "--x: no program is named");
    assert_refused("'' b", "--x: no program is named");
    assert_refused("a 'b", "--x: a quote is not closed");
    assert_refused("a \"b'", "--x: a quote is not closed");
    assert_refused(many, "--x: more than 64 words");
    assert_refused(large, "--x: more than 4095 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_split),
        cmocka_unit_test(what_is_no_command_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
