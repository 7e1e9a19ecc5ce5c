#include "probe/source.h"

#include "tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void digits_are_strict(void **state)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } rows[] = {{"0", true, 0},
                {"18446744073709551615", true, UINT64_MAX},
                {"18446744073709551616", false, 0},
                {"", false, 0},
                {"-1", false, 0},
                {"+1", false, 0},
                {" 1", false, 0},
                {"1 ", false, 0},
                {"1k", false, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t value = 77;
        assert_int_equal(source_digits(rows[i].text, &value), rows[i].good);
        assert_int_equal(value, rows[i].good ? rows[i].value : 77);
    }
}

static void unknown_stays_unknown(void **state)
{
    (void)state;
    assert_int_equal(source_difference(7, 5), 2);
    assert_int_equal(source_difference(5, 7), PROBE_UNKNOWN);
    assert_int_equal(source_difference(PROBE_UNKNOWN, 7), PROBE_UNKNOWN);
    assert_int_equal(source_difference(7, PROBE_UNKNOWN), PROBE_UNKNOWN);
    assert_int_equal(source_product(3, 4), 12);
    assert_int_equal(source_product(PROBE_UNKNOWN, 0), PROBE_UNKNOWN);
    assert_int_equal(source_product(UINT64_C(1) << 60, 4096), PROBE_UNKNOWN - 1);
}

static void reads_lines_and_numbers(void **state)
{
    struct tree t;
    struct text text = {0};
    struct error e = error_none();
    char line[16];
    uint64_t value = 1;
    (void)state;
    tree_make(&t);
    tree_file(&t, "/sys/a", " \t4096 \nsecond\n");
    tree_file(&t, "/sys/empty", "%s", "");
    tree_file(&t, "/sys/long", "a model name of many letters\n");
    assert_true(source_number(t.root, "/sys/a", &value));
    assert_int_equal(value, 4096);
    assert_false(source_number(t.root, "/sys/long", &value));
    assert_int_equal(value, 4096);
    assert_true(source_line(t.root, "/sys/long", line, sizeof line));
    assert_string_equal(line, "a model name of");
    assert_false(source_line(t.root, "/sys/empty", line, sizeof line));
    assert_string_equal(line, "");
    assert_int_equal(source_read(t.root, "/sys/empty", &text, &e), 0);
    assert_int_equal(text.used, 0);
    assert_non_null(text.data);
    assert_int_equal(source_read(t.root, "/sys/none", &text, &e), -1);
    assert_non_null(strstr(e.text, "/sys/none: No such file"));
    text_free(&text);
    tree_free(&t);
}

static void takes_the_chosen_word(void **state)
{
    char word[8];
    (void)state;
    source_chosen("none [bfq] kyber", word, sizeof word);
    assert_string_equal(word, "bfq");
    source_chosen("none", word, sizeof word);
    assert_string_equal(word, "none");
    source_chosen("[unclosed", word, sizeof word);
    assert_string_equal(word, "[unclos");
    source_chosen("[mq-deadline]", word, sizeof word);
    assert_string_equal(word, "mq-dead");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_are_strict),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(reads_lines_and_numbers),
        cmocka_unit_test(takes_the_chosen_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
