/* Phases that wait for what comes out before they know what to do next. */
#include "tests/flow/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define FILE_BYTES 4096

/* Rounds: as many operations as the round before has told, all of which must be through first. The
 * first round is one stat; file N's size is how many the next has. */
struct rounds {
    struct stream_cursor base;
    uint64_t round, left, in_flight, learned, done;
};

static void rounds_begin(struct cursor *c)
{
    struct rounds *r = (struct rounds *)c;
    r->left = 1;
}

static enum step rounds_next(struct cursor *c, struct op *op)
{
    struct rounds *r = (struct rounds *)c;
    if (r->left == 0 && r->in_flight > 0)
        return STEP_WAIT;
    if (r->left == 0) {
        r->left = r->learned;
        r->learned = 0;
        r->round++;
    }
    if (r->left == 0 || c->stopping)
        return STEP_END;
    r->left--;
    r->in_flight++;
    *op = (struct op){.kind = OP_STAT, .object = r->round};
    return STEP_OP;
}

static void rounds_completed(struct cursor *c, const struct op *op, const struct outcome *outcome)
{
    struct rounds *r = (struct rounds *)c;
    (void)op;
    r->in_flight--;
    r->done++;
    r->learned = outcome->error ? 0 : (uint64_t)outcome->value;
}

static const struct phase phase_rounds = {.name = "rounds",
                                          .about = OP_STAT,
                                          .cursor_bytes = sizeof(struct rounds),
                                          .begin = rounds_begin,
                                          .next = rounds_next,
                                          .completed = rounds_completed};

static void learning(void **state)
{
    /* Files 0 .. 4: 1 stat tells of 5, these of 3, these of 20, these of 2, these of none. */
    static const off_t sizes[] = {5, 3, 20, 2, 0};
    static const struct {
        const char *name;
        uint32_t depth;
    } on[] = {{"posix", 1}, {"uring", 8}, {"aio", 8}};
    char folder[128], path[256];
    (void)state;
    flow_folder(folder);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        snprintf(path, sizeof path, "%s/%zu", folder, i);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fclose(f);
        assert_int_equal(truncate(path, sizes[i]), 0);
    }
    for (size_t i = 0; i < sizeof on / sizeof on[0]; i++) {
        struct stream_end ends[2];
        struct stream s = {.phase = &phase_rounds,
                           .backend = backend_find(on[i].name),
                           .ranks = 2,
                           .depth = on[i].depth,
                           .handles = 1,
                           .transfer_bytes = FILE_BYTES,
                           .folder = folder};
        if (s.backend->unavailable)
            continue;
        stream_run(&s, ends);
        for (int rank = 0; rank < 2; rank++) {
            if (ends[rank].error.status != STATUS_DONE)
                fail_msg("%s: %s", on[i].name, ends[rank].error.text);
            assert_int_equal(ends[rank].sample.counters[COUNTER_OPERATIONS], 31);
        }
        stream_free(ends, 2);
    }
    flow_clean(folder);
}

/* Twelve operations in rounds of three, however many could be in flight. */
struct batches {
    struct stream_cursor base;
    uint64_t issued, done;
};

static enum step batches_next(struct cursor *c, struct op *op)
{
    struct batches *b = (struct batches *)c;
    if (b->issued == 12 || c->stopping)
        return STEP_END;
    if (b->issued % 3 == 0 && b->done < b->issued)
        return STEP_WAIT;
    b->issued++;
    *op = (struct op){.kind = OP_READ, .length_bytes = FILE_BYTES};
    return STEP_OP;
}

static void batches_completed(struct cursor *c, const struct op *op, const struct outcome *outcome)
{
    (void)op, (void)outcome;
    ((struct batches *)c)->done++;
}

static void nothing_to_begin(struct cursor *c)
{
    (void)c;
}

static const struct phase phase_batches = {.name = "batches",
                                           .about = OP_READ,
                                           .cursor_bytes = sizeof(struct batches),
                                           .begin = nothing_to_begin,
                                           .next = batches_next,
                                           .completed = batches_completed};

static void waiting(void **state)
{
    struct stream_end ends[2];
    struct stream s = {.phase = &phase_batches,
                       .backend = backend_find("sim"),
                       .options = "service=5ms",
                       .ranks = 2,
                       .depth = 8,
                       .handles = 1,
                       .transfer_bytes = FILE_BYTES,
                       .virtual_clock = true};
    (void)state;
    stream_run(&s, ends);
    for (int rank = 0; rank < 2; rank++) {
        assert_int_equal(ends[rank].error.status, STATUS_DONE);
        assert_int_equal(ends[rank].sample.counters[COUNTER_OPERATIONS], 12);
        assert_int_equal(ends[rank].sample.counters[COUNTER_ELAPSED_NS], 4 * 5 * MS);
    }
    stream_free(ends, 2);
}

/* A phase that waits for nothing is at fault, and says so rather than hang. */
static enum step stuck_next(struct cursor *c, struct op *op)
{
    (void)op;
    return c->stopping ? STEP_END : STEP_WAIT;
}

static const struct phase phase_stuck = {.name = "stuck",
                                         .about = OP_READ,
                                         .cursor_bytes = sizeof(struct stream_cursor),
                                         .begin = nothing_to_begin,
                                         .next = stuck_next};

static void waiting_for_nothing(void **state)
{
    struct stream_end end;
    struct stream s = {.phase = &phase_stuck,
                       .backend = backend_find("sim"),
                       .ranks = 1,
                       .depth = 1,
                       .handles = 1,
                       .transfer_bytes = FILE_BYTES,
                       .virtual_clock = true};
    (void)state;
    stream_run(&s, &end);
    assert_int_equal(end.error.status, STATUS_FAILED);
    assert_string_equal(end.error.kind, "internal");
    stream_free(&end, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning),
        cmocka_unit_test(waiting),
        cmocka_unit_test(waiting_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
