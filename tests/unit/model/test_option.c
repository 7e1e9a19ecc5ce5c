/* Values into fields, and what is said about wrong ones. Includes cases A058 and -w without a size.
 */
#include "model/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct values {
    bool flag;
    int64_t counter;
    int64_t count;
    int64_t depth;
    int64_t shift;
    uint64_t size;
    int64_t time;
    double percent;
    double number;
    int64_t choice;
    char *text;
    char *unset;
};

enum { FLAG, COUNTER, COUNT, DEPTH, SHIFT, SIZE, TIME, PERCENT, NUMBER, CHOICE, TEXT, UNSET };

static const struct option table[] = {
    {.name = "keep",
     .ior = 'k',
     .directive = "keepFile",
     .kind = OPTION_FLAG,
     .field = offsetof(struct values, flag)},
    {.name = "verbose", .kind = OPTION_COUNTER, .field = offsetof(struct values, counter)},
    {.name = "segments",
     .directive = "segmentCount",
     .kind = OPTION_COUNT,
     .initial = "1",
     .least = 1,
     .field = offsetof(struct values, count)},
    {.name = "depth",
     .kind = OPTION_COUNT,
     .initial = "1",
     .least = 1,
     .most = 65536,
     .field = offsetof(struct values, depth)},
    {.name = "shift",
     .kind = OPTION_COUNT,
     .least = -10,
     .most = 10,
     .field = offsetof(struct values, shift)},
    {.name = "block",
     .directive = "blockSize",
     .alias = "posix.block",
     .kind = OPTION_SIZE,
     .initial = "1.5m",
     .least = 4,
     .most = 1099511627776.0,
     .argument = "SIZE",
     .field = offsetof(struct values, size)},
    {.name = "deadline",
     .kind = OPTION_TIME,
     .initial = "1m",
     .least = 0.001,
     .most = 7200,
     .argument = "TIME",
     .field = offsetof(struct values, time)},
    {.name = "memory",
     .kind = OPTION_PERCENT,
     .initial = "12.5%",
     .most = 90,
     .field = offsetof(struct values, percent)},
    {.name = "factor",
     .kind = OPTION_NUMBER,
     .initial = "0.1",
     .least = -1e9,
     .field = offsetof(struct values, number)},
    {.name = "clock",
     .kind = OPTION_CHOICE,
     .initial = "tsc",
     .choices = "auto|tsc|monotonic|automatic",
     .bare = "monotonic",
     .field = offsetof(struct values, choice)},
    {.name = "file",
     .directive = "testFile",
     .kind = OPTION_TEXT,
     .initial = "testFile",
     .argument = "PATH",
     .field = offsetof(struct values, text)},
    {.name = "json",
     .kind = OPTION_TEXT,
     .argument = "FILE",
     .field = offsetof(struct values, unset)},
    {.name = NULL},
};

static int make(void **state)
{
    struct values *v = malloc(sizeof *v);
    if (!v)
        return -1;
    memset(v, 0xa5, sizeof *v);
    *state = v;
    return option_defaults(table, v, NULL);
}

static int drop(void **state)
{
    option_free(table, *state);
    free(*state);
    return 0;
}

static void names_are_found(void **state)
{
    (void)state;
    assert_int_equal(option_count(table), 12);
    assert_ptr_equal(option_find(table, "block"), &table[SIZE]);
    assert_ptr_equal(option_find(table, "blockSize"), &table[SIZE]);
    assert_ptr_equal(option_find(table, "BLOCKSIZE"), &table[SIZE]);
    assert_ptr_equal(option_find(table, "posix.BLOCK"), &table[SIZE]);
    assert_null(option_find(table, "Block"));
    assert_null(option_find(table, "bloc"));
    assert_null(option_find(table, ""));
}

static void every_field_has_its_default(void **state)
{
    struct values *v = *state;
    assert_false(v->flag);
    assert_int_equal(v->counter, 0);
    assert_int_equal(v->count, 1);
    assert_int_equal(v->shift, 0);
    assert_int_equal(v->size, 1572864);
    assert_int_equal(v->time, INT64_C(60000000000));
    assert_true(v->percent == 12.5);
    assert_true(v->number == 0.1);
    assert_int_equal(v->choice, 1);
    assert_string_equal(v->text, "testFile");
    assert_null(v->unset);
}

static void right_values(void **state)
{
    struct values *v = *state;
    static const struct {
        int option;
        const char *value;
        const char *shown;
    } rows[] = {
        {FLAG, NULL, "yes"},
        {FLAG, "no", "no"},
        {FLAG, "YES", "yes"},
        {FLAG, "0", "no"},
        {FLAG, "1", "yes"},
        {COUNTER, NULL, "1"},
        {COUNTER, NULL, "2"},
        {COUNTER, "7", "7"},
        {COUNTER, NULL, "8"},
        {CHOICE, NULL, "monotonic"},
        {COUNT, "10k", "10240"},
        {DEPTH, "65536", "65536"},
        {SHIFT, "-10", "-10"},
        {SIZE, "4m", "4m"},
        {SIZE, "47008", "47008"},
        {SIZE, "1.5MiB", "1536k"},
        {SIZE, "4MB", "4000000"},
        {SIZE, "1t", "1t"},
        {TIME, "90s", "90s"},
        {TIME, "1.5", "1500ms"},
        {TIME, "2h", "2h"},
        {TIME, "0.001s", "1ms"},
        {PERCENT, "80%", "80%"},
        {PERCENT, "0.1", "0.1%"},
        {NUMBER, "1e6", "1e+06"},
        {NUMBER, "-2.5", "-2.5"},
        {CHOICE, "Monotonic", "monotonic"},
        {CHOICE, "t", "tsc"},
        {CHOICE, "MON", "monotonic"},
        {CHOICE, "automatic", "automatic"},
        {CHOICE, "auto", "auto"},
        {TEXT, "a b", "a b"},
        {UNSET, "-", "-"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct option *o = &table[rows[i].option];
        struct error e = error_none();
        char shown[64];
        if (option_set(o, v, "x", rows[i].value, &e) != 0)
            fail_msg("%s", e.text);
        option_show(o, v, shown, sizeof shown);
        assert_string_equal(shown, rows[i].shown);
    }
}

static void wrong_values(void **state)
{
    struct values *v = *state;
    static const struct {
        int option;
        const char *spelled;
        const char *value;
        const char *message;
    } rows[] = {
        {SIZE, "-b", "10x",
         "option -b: '10x' is not a size; write a number with k, m, g, t, p (powers of two, as 4m "
         "or 1.5MiB) or kB, MB, GB (powers of ten)"},
        {SIZE, "--block", "-1", "option --block: '-1' is negative; a size is 0 or more"},
        {SIZE, "-w", "-e",
         "option -w: '-e' is not a size (it looks like the next option); write a number with k, m, "
         "g, t, p (powers of two, as 4m or 1.5MiB) or kB, MB, GB (powers of ten)"},
        {SIZE, "-b", NULL, "option -b: a value is missing; write SIZE"},
        {SIZE, "-b", "3", "option -b: '3' is too small; write a value of at least 4 B"},
        {SIZE, "-b", "2t", "option -b: '2t' is too large; write a value of at most 1 TiB"},
        {SIZE, "-b", "99999999999999999999",
         "option -b: '99999999999999999999' is more than fits (at most 18446744073709551615 bytes, "
         "just below 16 EiB)"},
        {TIME, "-D", "0", "option -D: '0' is too small; write a value of at least 1.00 ms"},
        {TIME, "-D", "1d", "option -D: '1d' is too large; write a value of at most 2.00 h"},
        {COUNT, "-s", "0", "option -s: '0' is too small; write a value of at least 1"},
        {COUNT, "-s", "-5", "option -s: '-5' is negative; write a value of at least 1"},
        {COUNT, "-s", "",
         "option -s: an empty value is no whole number; write digits, with k, m, "
         "g, t, p for powers of 1024 (as 12 or 10k)"},
        {COUNT, "-s", "1.5", "option -s: '1.5' does not come out as whole ones"},
        {DEPTH, "--depth", "65537",
         "option --depth: '65537' is too large; write a value of at most 65536"},
        {SHIFT, "--shift", "-11",
         "option --shift: '-11' is too small; write a value of at least -10"},
        {PERCENT, "-M", "95%", "option -M: '95%' is too large; write a value of at most 90%"},
        {PERCENT, "-M", "101", "option -M: '101' is outside of 0 to 100 %"},
        {NUMBER, "--factor", "nan",
         "option --factor: 'nan' is not a number; write digits, as 3, 0.25 or 1e6"},
        {FLAG, "--keep", "maybe",
         "option --keep: 'maybe' is neither yes nor no; write yes, no, 1 or 0"},
        {FLAG, "--keep", "", "option --keep: '' is neither yes nor no; write yes, no, 1 or 0"},
        {COUNTER, "--verbose", "-1",
         "option --verbose: '-1' is negative; write a value of at least 0"},
        {CHOICE, "--clock", "tcs",
         "option --clock: 'tcs' is not one of its values; write auto, tsc, monotonic or automatic"},
        {CHOICE, "--clock", "",
         "option --clock: '' is not one of its values; write auto, tsc, monotonic or automatic"},
        {CHOICE, "--clock", "au",
         "option --clock: 'au' is not one of its values; write auto, tsc, monotonic or automatic"},
        {CHOICE, "--clock", "monotonics",
         "option --clock: 'monotonics' is not one of its values; write auto, tsc, monotonic or "
         "automatic"},
        {CHOICE, "--clock", "auto|tsc",
         "option --clock: 'auto|tsc' is not one of its values; write auto, tsc, monotonic or "
         "automatic"},
        {TEXT, "-o", "", "option -o: the value is empty; write a PATH"},
        {TEXT, "-o", NULL, "option -o: a value is missing; write PATH"},
        {SIZE, "--bl\nock", "x\ty",
         "option --bl?ock: 'x?y' is not a size; write a number with k, m, g, t, p (powers of two, "
         "as 4m or 1.5MiB) or kB, MB, GB (powers of ten)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct option *o = &table[rows[i].option];
        struct error e = error_none();
        char before[64];
        char after[64];
        option_show(o, v, before, sizeof before);
        assert_int_equal(option_set(o, v, rows[i].spelled, rows[i].value, &e), -1);
        assert_int_equal(e.status, STATUS_USAGE);
        assert_string_equal(e.text, rows[i].message);
        assert_string_equal(option_show(o, v, after, sizeof after), before);
        assert_int_equal(option_set(o, v, rows[i].spelled, rows[i].value, NULL), -1);
    }
}

static void an_earlier_error_stays(void **state)
{
    struct error e = error_none();
    error_set(&e, STATUS_FAILED, "EIO", "first");
    assert_int_equal(option_set(&table[SIZE], *state, "-b", "x", &e), -1);
    assert_string_equal(e.text, "first");
}

static void copies_stand_alone(void **state)
{
    struct values *v = *state;
    struct values copy;
    memset(&copy, 0x3c, sizeof copy);
    option_set(&table[SIZE], v, "-b", "8m", NULL);
    option_set(&table[FLAG], v, "-k", NULL, NULL);
    assert_int_equal(option_copy(table, &copy, v, NULL), 0);
    for (size_t i = 0; table[i].name; i++) {
        char a[64];
        char b[64];
        assert_string_equal(option_show(&table[i], v, a, sizeof a),
                            option_show(&table[i], &copy, b, sizeof b));
    }
    assert_ptr_not_equal(copy.text, v->text);
    option_set(&table[TEXT], v, "-o", "other", NULL);
    assert_string_equal(copy.text, "testFile");
    assert_null(copy.unset);
    option_free(table, &copy);
    assert_null(copy.text);
}

static void a_wrong_default_is_told(void **state)
{
    (void)state;
    static const struct option broken[] = {
        {.name = "file",
         .kind = OPTION_TEXT,
         .initial = "x",
         .field = offsetof(struct values, text)},
        {.name = "block",
         .kind = OPTION_SIZE,
         .initial = "1q",
         .field = offsetof(struct values, size)},
        {.name = NULL},
    };
    struct values v;
    struct error e = error_none();
    assert_int_equal(option_defaults(broken, &v, &e), -1);
    assert_non_null(strstr(e.text, "default: option block: '1q' is not a size"));
    assert_null(v.text);
}

static void nearest_names(void **state)
{
    (void)state;
    static const struct {
        const char *typed;
        const char *nearest;
    } rows[] = {
        {"blok", "block"},
        {"bolck", "block"},
        {"Block", "block"},
        {"blocks", "block"},
        {"segmnets", "segments"},
        {"segmentCuont", "segmentCount"},
        {"seg", "segments"},
        {"dead", "deadline"},
        {"deapth", "depth"},
        {"verbos", "verbose"},
        {"jason", "json"},
        {"xyzzy", NULL},
        {"k", NULL},
        {"", NULL},
        {"transfer", NULL},
        {"blockblockblockblockblockblockblockblockblockblockblock", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *nearest = option_nearest(table, rows[i].typed);
        if (!rows[i].nearest)
            assert_null(nearest);
        else if (!nearest)
            fail_msg("nothing near %s", rows[i].typed);
        else
            assert_string_equal(nearest, rows[i].nearest);
    }
}

static void showing_keeps_to_the_buffer(void **state)
{
    char small[4] = "###";
    option_show(&table[TEXT], *state, small, 3);
    assert_string_equal(small, "te");
    struct values *v = *state;
    v->choice = 99; /* out of range: nothing to show, nothing touched */
    option_show(&table[CHOICE], v, small, sizeof small);
    assert_string_equal(small, "");
    v->size = 0;
    option_show(&table[SIZE], v, small, sizeof small);
    assert_string_equal(small, "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found),
        cmocka_unit_test_setup_teardown(every_field_has_its_default, make, drop),
        cmocka_unit_test_setup_teardown(right_values, make, drop),
        cmocka_unit_test_setup_teardown(wrong_values, make, drop),
        cmocka_unit_test_setup_teardown(an_earlier_error_stays, make, drop),
        cmocka_unit_test_setup_teardown(copies_stand_alone, make, drop),
        cmocka_unit_test(a_wrong_default_is_told),
        cmocka_unit_test(nearest_names),
        cmocka_unit_test_setup_teardown(showing_keeps_to_the_buffer, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
