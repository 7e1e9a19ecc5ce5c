/* The streams of write, read and check: what comes when, with every option that changes it, and
 * after a deadline, an error, an agreement. A stream is printed with a letter for each operation.
 */
#include "phases/phase.h"

#include "../model/plans.h"

#include <stdlib.h>

struct told {            /* what befalls the stream */
    uint64_t stop_after; /* own operations after which the deadline strikes; 0: never */
    uint64_t fail_after; /* ... after which an error does */
    uint64_t agreed;     /* the answer to an agreement */
};

static char letter(const struct op *op)
{
    switch (op->kind) {
    case OP_OPEN:
        return op->flags & OP_FLAG_EXCLUSIVE ? 'X' : op->flags & OP_FLAG_CREATE ? 'C' : 'o';
    case OP_WRITE:
        return 'w';
    case OP_READ:
        return op->flags & OP_FLAG_CHECK ? 'R' : 'r';
    case OP_SYNC:
        return op->flags & OP_FLAG_IN_TRANSFER ? 'y' : 's';
    case OP_CLOSE:
        return 'c';
    case OP_BARRIER:
        return '|';
    case OP_AGREE:
        return 'a';
    case OP_CREATE:
        return 'n';
    case OP_UNLINK:
        return 'u';
    default:
        return '?';
    }
}

static void befall(struct cursor *c, const struct told *told)
{
    if (told->stop_after && c->issued >= told->stop_after)
        c->stopping = true;
    if (told->fail_after && c->issued >= told->fail_after)
        c->failed = c->stopping = c->ending = true;
}

static void assert_stream(const char *name, const struct plan *plan, struct cursor base,
                          struct told told, const char *expected)
{
    const struct phase *phase = phase_find(name);
    assert_non_null(phase);
    struct cursor *c = calloc(1, phase->cursor_bytes);
    assert_non_null(c);
    *c = base;
    c->plan = plan;
    c->file_bytes = plan->file_bytes;
    if (!c->goal)
        c->goal = UINT64_MAX;
    phase->begin(c);
    char stream[256];
    size_t used = 0;
    struct op op;
    for (enum step step = phase->next(c, &op); step == STEP_OP && used < sizeof stream - 1;) {
        struct outcome outcome = {.value = op.kind == OP_AGREE ? (int64_t)told.agreed
                                                               : (int64_t)op_bytes(&op)};
        stream[used++] = letter(&op);
        befall(c, &told);
        if (phase->completed)
            phase->completed(c, &op, &outcome);
        struct op done = op;
        bool follows =
            op.flags & OP_FLAG_CHAINED && phase->follow(c, &done, &outcome, &op) == STEP_OP;
        if (!follows)
            step = phase->next(c, &op);
    }
    stream[used] = '\0';
    assert_string_equal(stream, expected);
    for (int i = 0; i < 3; i++) /* asked again, it answers END again */
        assert_int_equal(phase->next(c, &op), STEP_END);
    free(c);
}

static struct settings four(void)
{
    struct settings s = plans_settings();
    plans_set(&s, "block", "8k");
    plans_set(&s, "transfer", "4k");
    plans_set(&s, "segments", "2");
    return s;
}

static const struct cursor anyone = {.rank = 1, .real_rank = 1, .exists = true};
static const struct told nothing;

static void plain_streams(void **state)
{
    struct settings s = four();
    struct plan p = plans_make(&s, 2);
    (void)state;
    assert_stream("write", &p, anyone, nothing, "owwwwc");
    assert_stream("read", &p, anyone, nothing, "orrrrc");
    assert_stream("write-check", &p, anyone, nothing, "oRRRRc");
    plans_set(&s, "check-read", "1");
    p = plans_make(&s, 2);
    assert_stream("read", &p, anyone, nothing, "oRRRRc");
    assert_int_equal(phase_find("write")->planned(&p, 1), 4);
    option_free(settings_table, &s);
}

/* Sync is part of a write and of nothing else; barriers stand between all of them. */
static void syncs_and_barriers(void **state)
{
    struct settings s = four();
    (void)state;
    plans_set(&s, "fsync", "1");
    plans_set(&s, "barriers", "1");
    struct plan p = plans_make(&s, 2);
    assert_stream("write", &p, anyone, nothing, "o|wwwws|c");
    assert_stream("read", &p, anyone, nothing, "o|rrrr|c");
    plans_set(&s, "fsync-per-write", "1"); /* once for each write, and not twice */
    p = plans_make(&s, 2);
    assert_stream("write", &p, anyone, nothing, "o|wywywywys|c");
    assert_stream("write-check", &p, anyone, nothing, "o|RRRR|c");
    option_free(settings_table, &s);
}

static void files_are_made_by_whom_they_belong_to(void **state)
{
    struct settings s = four();
    struct plan p = plans_make(&s, 2);
    struct cursor new = {.rank = 0, .real_rank = 0};
    struct cursor second = {.rank = 1, .real_rank = 1};
    (void)state;
    assert_stream("prepare", &p, new, nothing, "nc");
    assert_stream("prepare", &p, second, nothing, "");
    assert_stream("prepare", &p, (struct cursor){.exists = true}, nothing, "");
    assert_stream("write", &p, new, nothing, "owwwwc");
    plans_set(&s, "time-create", "1");
    p = plans_make(&s, 2);
    assert_stream("prepare", &p, new, nothing, "");
    assert_stream("write", &p, second, nothing, "Cwwwwc");
    plans_set(&s, "time-create", "0");
    plans_set(&s, "file-per-process", "1");
    p = plans_make(&s, 2);
    assert_stream("prepare", &p, new, nothing, "");
    assert_stream("write", &p, second, nothing, "Xwwwwc");
    assert_stream("write", &p, anyone, nothing, "owwwwc");
    option_free(settings_table, &s);
}

static void only_what_may_be_removed_is(void **state)
{
    struct settings s = four();
    struct plan p = plans_make(&s, 2);
    (void)state;
    assert_stream("remove", &p, (struct cursor){.removable = true}, nothing, "u");
    assert_stream("remove", &p, (struct cursor){.exists = true}, nothing, "");
    option_free(settings_table, &s);
}

/* A deadline ends the transfers, and what ends a file stays: sync and close. */
static void a_deadline_leaves_the_end(void **state)
{
    struct settings s = four();
    (void)state;
    plans_set(&s, "fsync", "1");
    plans_set(&s, "deadline", "5");
    struct plan p = plans_make(&s, 2);
    assert_stream("write", &p, anyone, (struct told){.stop_after = 1}, "owsc");
    assert_stream("read", &p, anyone, (struct told){.stop_after = 3}, "orrrc");
    struct cursor little = anyone;
    little.goal = 2; /* what the write's deadline left */
    assert_stream("read", &p, little, nothing, "orrc");
    option_free(settings_table, &s);
}

/* A014 A019: with wear-out all ranks go on to the largest count, and no further. */
static void wear_out_goes_on_to_what_is_agreed(void **state)
{
    struct settings s = four();
    (void)state;
    plans_set(&s, "deadline", "5");
    plans_set(&s, "wear-out", "1");
    struct plan p = plans_make(&s, 2);
    assert_stream("write", &p, anyone, (struct told){.stop_after = 1, .agreed = 3}, "owawwc");
    assert_stream("write", &p, anyone, (struct told){.stop_after = 1, .agreed = 1}, "owac");
    assert_stream("write", &p, anyone, (struct told){.agreed = 4}, "owwwwac");
    assert_stream("write", &p, anyone, (struct told){.stop_after = 2, .agreed = 99}, "owwawwc");
    assert_stream("write", &p, anyone, (struct told){.fail_after = 2, .agreed = 4}, "owwac");
    option_free(settings_table, &s);
}

/* After an error only what others wait for still comes. */
static void an_error_leaves_what_others_wait_for(void **state)
{
    struct settings s = four();
    (void)state;
    plans_set(&s, "fsync", "1");
    plans_set(&s, "barriers", "1");
    struct plan p = plans_make(&s, 2);
    assert_stream("write", &p, anyone, (struct told){.fail_after = 2}, "o|wws|c");
    plans_set(&s, "file-per-process", "1");
    p = plans_make(&s, 2);
    assert_stream("write", &p, anyone, (struct told){.fail_after = 2}, "o|ww|");
    option_free(settings_table, &s);
}

/* Collective calls are those of transfers, open, sync and close; every one of them. */
static void collective_streams_say_so(void **state)
{
    struct settings s = four();
    (void)state;
    plans_set(&s, "collective", "1");
    plans_set(&s, "fsync", "1");
    struct plan p = plans_make(&s, 2);
    const struct phase *phase = phase_find("write");
    struct cursor *c = calloc(1, phase->cursor_bytes);
    struct op op;
    assert_non_null(c);
    *c = (struct cursor){.plan = &p, .rank = 1, .goal = UINT64_MAX};
    phase->begin(c);
    while (phase->next(c, &op) == STEP_OP)
        assert_true(op.flags & OP_FLAG_COLLECTIVE);
    assert_int_equal(c->issued, 4);
    free(c);
    option_free(settings_table, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_streams),
        cmocka_unit_test(syncs_and_barriers),
        cmocka_unit_test(files_are_made_by_whom_they_belong_to),
        cmocka_unit_test(only_what_may_be_removed_is),
        cmocka_unit_test(a_deadline_leaves_the_end),
        cmocka_unit_test(wear_out_goes_on_to_what_is_agreed),
        cmocka_unit_test(an_error_leaves_what_others_wait_for),
        cmocka_unit_test(collective_streams_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
