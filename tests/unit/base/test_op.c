#include "base/op.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void every_row_is_whole(void **state)
{
    (void)state;
    for (unsigned a = 0; a < OP_KINDS; a++) {
        assert_non_null(op_name(a));
        assert_true(op_stage(a) < STAGES);
        assert_true(op_performer(a) <= PERFORMER_ENGINE);
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(op_name(a), op_name(b));
    }
    for (unsigned a = 0; a < STAGES; a++) {
        assert_non_null(stage_name(a));
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(stage_name(a), stage_name(b));
    }
}

static void rows_say_what_they_should(void **state)
{
    (void)state;
    static const struct {
        enum op_kind kind;
        const char *name;
        const char *stage;
        enum performer performer;
        bool transfer;
    } rows[] = {
        {OP_OPEN, "open", "open", PERFORMER_BACKEND, false},
        {OP_READ, "read", "transfer", PERFORMER_BACKEND, true},
        {OP_WRITE, "write", "transfer", PERFORMER_BACKEND, true},
        {OP_SYNC, "sync", "sync", PERFORMER_BACKEND, false},
        {OP_BARRIER, "barrier", "barrier", PERFORMER_COMM, false},
        {OP_AGREE, "agree", "barrier", PERFORMER_COMM, false},
        {OP_THINK, "think", "think", PERFORMER_ENGINE, false},
        {OP_COMPUTE, "compute", "compute", PERFORMER_ENGINE, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(op_name(rows[i].kind), rows[i].name);
        assert_string_equal(stage_name(op_stage(rows[i].kind)), rows[i].stage);
        assert_int_equal(op_performer(rows[i].kind), rows[i].performer);
        assert_int_equal(op_is_transfer(rows[i].kind), rows[i].transfer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_whole),
        cmocka_unit_test(rows_say_what_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
