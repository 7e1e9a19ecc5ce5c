#include "model/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <cmocka.h>

static const char *const row_names[] = {
#define OPTION(KIND, member, ...) #member,
#include "model/settings.def"
#undef OPTION
};

static void rows_stand_in_the_order_of_the_enum(void **state)
{
    (void)state;
    assert_int_equal(option_count(settings_table), SETTINGS);
    for (size_t i = 1; i < SETTINGS; i++)
        assert_true(settings_table[i].field > settings_table[i - 1].field);
    assert_int_equal(settings_table[SETTING_block_bytes].field,
                     offsetof(struct settings, block_bytes));
    assert_string_equal(settings_table[SETTING_block_bytes].name, "block");
}

static void every_row_is_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        const struct option *o = &settings_table[i];
        if (!o->help || !o->group || o->workloads == 0)
            fail_msg("row %s has no help, no group or no workload", row_names[i]);
        if ((o->kind == OPTION_FLAG || o->kind == OPTION_COUNTER) != (o->argument == NULL))
            fail_msg("--%s: flags and counters take no argument, all others do", o->name);
        if ((o->kind == OPTION_CHOICE) != (o->choices != NULL))
            fail_msg("--%s: choices belong to choices", o->name);
        if (o->most != 0 && o->most < o->least)
            fail_msg("--%s: no value can be right", o->name);
    }
}

static void no_two_rows_share_a_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        const struct option *a = &settings_table[i];
        for (size_t j = 0; j < i; j++) {
            const struct option *b = &settings_table[j];
            assert_string_not_equal(a->name, b->name);
            if (a->ior && a->ior == b->ior && (a->workloads & b->workloads & WORKLOAD_DATA))
                fail_msg("-%c is both --%s and --%s", a->ior, a->name, b->name);
            if (a->mdtest && a->mdtest == b->mdtest &&
                (a->workloads & b->workloads & WORKLOAD_METADATA))
                fail_msg("-%c is both --%s and --%s", a->mdtest, a->name, b->name);
            if (a->directive && b->directive)
                assert_int_not_equal(strcasecmp(a->directive, b->directive), 0);
        }
    }
}

static void defaults_are_values_that_a_user_may_give(void **state)
{
    (void)state;
    struct settings s;
    struct error e = error_none();
    memset(&s, 0x5a, sizeof s);
    if (option_defaults(settings_table, &s, &e) != 0)
        fail_msg("%s", e.text);
    assert_string_equal(s.api, "posix");
    assert_int_equal(s.block_bytes, 1048576);
    assert_int_equal(s.transfer.bytes, 262144);
    assert_int_equal(s.segments, 1);
    assert_int_equal(s.repetitions, 1);
    assert_false(s.write || s.read || s.keep || s.fsync);
    assert_int_equal(s.clock, CLOCK_AUTO);
    for (size_t i = 0; i < SETTINGS; i++) { /* what is shown of them reads back */
        const struct option *o = &settings_table[i];
        char before[128];
        char after[128];
        option_show(o, &s, before, sizeof before);
        if (o->kind == OPTION_TEXT && before[0] == '\0')
            continue;
        if (option_set(o, &s, o->name, before, &e) != 0)
            fail_msg("%s", e.text);
        assert_string_equal(option_show(o, &s, after, sizeof after), before);
    }
    option_free(settings_table, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_stand_in_the_order_of_the_enum),
        cmocka_unit_test(every_row_is_whole),
        cmocka_unit_test(no_two_rows_share_a_name),
        cmocka_unit_test(defaults_are_values_that_a_user_may_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
