/* null does nothing and claims everything. */
#include "tests/support/backend_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

extern const struct backend backend_null;

static void moves_what_is_asked_for(void **state)
{
    (void)state;
    struct bench *b = bench_make(&backend_null, 1);
    bench_open(b);
    struct op op = bench_transfer(OP_WRITE, 0, 0, 1 << 20, 47008);
    assert_int_equal(bench_must(b, op), 47008);
    op.count = 3;
    assert_int_equal(bench_must(b, op), 3 * 47008);
    op.length_bytes = 0;
    assert_int_equal(bench_must(b, op), 0);
    for (enum op_kind kind = 0; kind < OP_KINDS; kind++)
        if (op_performer(kind) == PERFORMER_BACKEND && !op_is_transfer(kind))
            assert_int_equal(bench_must(b, bench_op(kind, 0, 0)), 0);
    bench_free(b);
}

static void a_queue_keeps_the_order(void **state)
{
    (void)state;
    struct bench *b = bench_make(&backend_null, 3); /* a ring of four */
    bench_open(b);
    struct outcome unused;
    struct completion done[3];
    uint64_t handed = 0, reaped = 0;
    /* One in flight more than is reaped, so that the ring goes round. */
    struct op op = bench_transfer(OP_READ, 0, 0, 0, 1000);
    for (int i = 0; i < 100; i++) {
        while (handed - reaped < 3) {
            op.length_bytes = 1000 + handed;
            assert_int_equal(
                backend_null.perform[OP_READ](b->io, &op, (uint32_t)(handed % 3), &unused),
                IO_QUEUED);
            handed++;
        }
        int got = bench_reap(b, 1, done, 2);
        assert_int_equal(got, 2);
        for (int j = 0; j < got; j++, reaped++) {
            assert_int_equal(done[j].slot, reaped % 3);
            assert_int_equal(done[j].outcome.value, 1000 + reaped);
            assert_int_equal(done[j].outcome.error, 0);
        }
    }
    assert_int_equal(bench_reap(b, 1, done, 3), 1);
    assert_int_equal(bench_reap(b, 1, done, 3), 0);
    bench_free(b);
}

static void one_operation_is_queued_on_request(void **state)
{
    (void)state;
    struct bench *b = bench_make(&backend_null, 1);
    struct op op = bench_transfer(OP_WRITE, 0, 0, 0, 4096);
    struct outcome outcome;
    bench_open(b);
    assert_int_equal(backend_null.perform[OP_WRITE](b->io, &op, 0, &outcome), IO_DONE);
    assert_int_equal(outcome.value, 4096);
    bench_option(b, "queue", NULL);
    bench_open(b);
    assert_int_equal(backend_null.perform[OP_WRITE](b->io, &op, 0, &outcome), IO_QUEUED);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_what_is_asked_for),
        cmocka_unit_test(a_queue_keeps_the_order),
        cmocka_unit_test(one_operation_is_queued_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
