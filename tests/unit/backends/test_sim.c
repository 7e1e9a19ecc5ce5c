/* The backend as its users see it: on a virtual clock the figures are exact. */
#include "backends/sim_model.h"
#include "tests/support/backend_bench.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

extern const struct backend backend_sim;

#define US 1000
#define MS 1000000

static struct bench *made(uint32_t slots, const char *const *options)
{
    struct bench *b = bench_make(&backend_sim, slots);
    for (; options[0] != NULL; options += 2)
        bench_option(b, options[0], options[1]);
    bench_open(b);
    return b;
}
#define MADE(slots, ...) made(slots, (const char *const[]){__VA_ARGS__, NULL})

static void times_add_up_exactly(void **state)
{
    (void)state;
    struct bench *b = MADE(1, "service", "250us", "rate", "100MB", "open", "3ms", "sync", "7ms",
                           "close", "1ms", "distribution", "exponential");
    struct sim_rank who = {.rank = 0, .ranks = 1, .seed = b->setup.seed};
    int64_t expected_ns = 3 * MS;
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    assert_int_equal(b->virtual_ns, expected_ns);
    for (uint64_t i = 0; i < 2000; i++) {
        assert_int_equal(bench_must(b, bench_transfer(OP_WRITE, 0, 0, i * 47008, 47008)), 47008);
        expected_ns += sim_service_ns(b->options, &who, i) + 470080;
        assert_int_equal(b->virtual_ns, expected_ns);
        b->virtual_ns += 123; /* the caller takes its time */
        expected_ns += 123;
    }
    bench_must(b, bench_op(OP_SYNC, 0, 0));
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    assert_int_equal(b->virtual_ns, expected_ns + 8 * MS);
    bench_free(b);
}

/* Hands transfers over in these slots, all now. */
static void hand_over(struct bench *b, uint32_t from, uint32_t to)
{
    for (uint32_t slot = from; slot < to; slot++) {
        struct op op = bench_transfer(OP_READ, 0, 0, 0, 100000);
        struct outcome unused;
        op.data = b->buffers[slot];
        assert_int_equal(backend_sim.perform[OP_READ](b->io, &op, slot, &unused), IO_QUEUED);
    }
}

static void slots_are_served_side_by_side(void **state)
{
    (void)state;
    struct bench *b = MADE(4, "service", "100us");
    struct completion done[4];
    hand_over(b, 0, 4);
    assert_int_equal(b->virtual_ns, 0);
    assert_int_equal(bench_reap(b, 0, done, 4), 0);
    assert_int_equal(bench_reap(b, 1, done, 3), 3);
    assert_int_equal(b->virtual_ns, 100 * US);
    b->virtual_ns += 30 * US;
    hand_over(b, 0, 2);
    assert_int_equal(bench_reap(b, 0, done, 4), 1); /* the fourth of the first ones */
    assert_int_equal(done[0].slot, 3);
    assert_int_equal(bench_reap(b, 2, done, 4), 2);
    assert_int_equal(b->virtual_ns, 230 * US);
    bench_free(b);
}

static void one_server_serves_in_turn(void **state)
{
    (void)state;
    struct bench *b = MADE(4, "service", "100us", "serial", "yes");
    struct completion done[4];
    hand_over(b, 0, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(bench_reap(b, 1, done, 4), 1);
        assert_int_equal(done[0].slot, i);
        assert_int_equal(done[0].outcome.value, 100000);
        assert_int_equal(b->virtual_ns, (i + 1) * 100 * US);
    }
    bench_free(b);
}

static void a_deep_queue_keeps_the_bandwidth(void **state)
{
    (void)state;
    struct bench *b = MADE(4, "service", "5ms", "rate", "100MB"); /* 1 ms each in the channel */
    struct completion done[4];
    hand_over(b, 0, 4);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(bench_reap(b, 1, done, 1), 1);
        hand_over(b, done[0].slot, done[0].slot + 1);
    }
    /* Four in flight for 6 ms each. */
    assert_int_equal(b->virtual_ns, (100 / 4 - 1) * 6 * MS + 9 * MS);
    bench_free(b);
    b = MADE(4, "service", "1ms", "rate", "100MB");
    hand_over(b, 0, 4);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(bench_reap(b, 1, done, 1), 1);
        hand_over(b, done[0].slot, done[0].slot + 1);
    }
    /* The channel is never idle: one more each ms, whatever the service. */
    assert_int_equal(b->virtual_ns, 100 * MS + 1 * MS);
    bench_free(b);
}

static void reaping_ends_at_its_time(void **state)
{
    (void)state;
    struct bench *b = MADE(4, "service", "100us");
    struct completion done[4];
    struct error e = error_none();
    hand_over(b, 0, 2);
    assert_int_equal(backend_sim.reap(b->io, 1, 40 * US, done, 4, &e), 0);
    assert_int_equal(b->virtual_ns, 40 * US);
    assert_int_equal(backend_sim.reap(b->io, 1, 100 * US, done, 4, &e), 2);
    assert_int_equal(b->virtual_ns, 100 * US);
    assert_int_equal(backend_sim.reap(b->io, 1, 200 * US, done, 4, &e), 0); /* nothing in flight */
    assert_int_equal(b->virtual_ns, 100 * US);
    bench_free(b);
}

static void what_is_cancelled_completes_at_once(void **state)
{
    (void)state;
    struct bench *b = MADE(4, "service", "10s");
    struct completion done[4];
    hand_over(b, 0, 3);
    b->virtual_ns = 5 * US;
    backend_sim.cancel(b->io);
    assert_int_equal(bench_reap(b, 3, done, 4), 3);
    assert_int_equal(b->virtual_ns, 5 * US);
    for (int i = 0; i < 3; i++)
        assert_int_equal(done[i].outcome.error, ECANCELED);
    bench_free(b);
}

static void short_transfers_move_half(void **state)
{
    (void)state;
    struct bench *b = MADE(1, "short", "2", "service", "0", "rate", "100MB");
    struct op op = bench_transfer(OP_WRITE, 0, 0, 0, 1000);
    assert_int_equal(bench_must(b, op), 1000);
    assert_int_equal(bench_must(b, op), 500);
    assert_int_equal(b->virtual_ns, 15000); /* the time is that of the bytes that moved */
    op.count = 5;
    assert_int_equal(bench_must(b, op), 5000);
    assert_int_equal(bench_must(b, op), 2000);
    op = bench_transfer(OP_WRITE, 0, 0, 0, 1);
    assert_int_equal(bench_must(b, op), 1);
    assert_int_equal(bench_must(b, op), 1); /* never nothing */
    bench_free(b);
}

static void an_injected_error_says_so(void **state)
{
    (void)state;
    struct bench *b =
        MADE(1, "error-at", "2", "error-op", "write", "error-kind", "ENOSPC", "service", "1ms");
    struct op op = bench_transfer(OP_WRITE, 0, 0, 0, 4096);
    bench_must(b, op);
    struct outcome outcome = bench_do(b, op);
    assert_int_not_equal(outcome.error, 0);
    assert_int_equal(outcome.value, 0);
    assert_int_equal(b->virtual_ns, 2 * MS); /* it took its time */
    struct error e = bench_explain(b, op, outcome);
    assert_string_equal(e.text, "write 4096 bytes (injected by sim): No space left on device");
    assert_string_equal(e.kind, "ENOSPC");
    bench_must(b, op);
    bench_open(b); /* the next phase begins to count anew */
    bench_must(b, op);
    assert_int_not_equal(bench_do(b, op).error, 0);
    bench_free(b);
}

static void an_interrupted_call_is_a_retry(void **state)
{
    (void)state;
    struct bench *b = MADE(1, "error-at", "1", "error-op", "read", "error-kind", "EINTR");
    struct op op = bench_transfer(OP_READ, 0, 0, 0, 4096);
    struct outcome outcome = bench_do(b, op);
    assert_int_equal(outcome.error, 0);
    assert_int_equal(outcome.value, 4096);
    assert_int_equal(outcome.retries, 1);
    assert_int_equal(bench_do(b, op).retries, 0);
    bench_free(b);
}

static void the_store_keeps_data_but_for_the_flipped_bit(void **state)
{
    (void)state;
    struct bench *b = MADE(1, "store", "yes", "flip-at", "2");
    unsigned char *data = b->buffers[0];
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    memset(data, 0x5a, 4096);
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 0, 4096));
    for (int turn = 1; turn <= 3; turn++) {
        int wrong_bits = 0;
        memset(data, 0, 4096);
        assert_int_equal(bench_must(b, bench_transfer(OP_READ, 0, 0, 0, 4096)), 4096);
        for (int i = 0; i < 4096; i++)
            wrong_bits += __builtin_popcount(data[i] ^ 0x5au);
        assert_int_equal(wrong_bits, turn == 2);
    }
    bench_free(b);
}

static void a_failed_close_has_closed(void **state)
{
    (void)state;
    struct bench *b = MADE(1, "store", "yes", "error-at", "1", "error-op", "close");
    int before = bench_descriptors();
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    assert_int_equal(bench_descriptors(), before + 1);
    assert_int_not_equal(bench_do(b, bench_op(OP_CLOSE, 0, 0)).error, 0);
    assert_int_equal(bench_descriptors(), before);
    bench_free(b);
}

static void a_flip_without_a_store_is_wrong_use(void **state)
{
    (void)state;
    struct bench *b = bench_make(&backend_sim, 1);
    struct error e = error_none();
    bench_option(b, "flip-at", "1");
    assert_null(backend_sim.open(&b->setup, &e));
    assert_int_equal(e.status, STATUS_USAGE);
    assert_non_null(strstr(e.text, "--sim.store"));
    assert_false(bench_is(b, BACKEND_STORES));
    bench_option(b, "store", NULL);
    assert_true(bench_is(b, BACKEND_STORES));
    assert_true(bench_is(b, BACKEND_PATHS));
    bench_open(b);
    bench_free(b);
}

/* A clock whose sleeps end late, as real ones do. */
static void sleep_too_long(const struct clock *clock, int64_t until_ns)
{
    if (until_ns > *clock->virtual_ns)
        *clock->virtual_ns = until_ns + 70 * US;
}

static void oversleeping_is_made_good(void **state)
{
    (void)state;
    struct bench *b = bench_make(&backend_sim, 1);
    bench_option(b, "service", "500us");
    b->clock.sleep_until = sleep_too_long;
    bench_open(b);
    for (int i = 0; i < 400; i++) {
        bench_must(b, bench_transfer(OP_READ, 0, 0, 0, 4096));
        b->virtual_ns += 10 * US; /* the caller's own time is not */
    }
    assert_int_equal(b->virtual_ns, 400 * (500 + 10) * US + 70 * US);
    bench_free(b);
}

static void oversleeping_in_a_queue_too(void **state)
{
    (void)state;
    struct bench *b = bench_make(&backend_sim, 4);
    struct completion done[4];
    bench_option(b, "service", "500us");
    b->clock.sleep_until = sleep_too_long;
    bench_open(b);
    for (int i = 0; i < 100; i++) {
        hand_over(b, 0, 4);
        assert_int_equal(bench_reap(b, 4, done, 4), 4);
        b->virtual_ns += 10 * US;
    }
    assert_int_equal(b->virtual_ns, 100 * (500 + 10) * US + 70 * US);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_add_up_exactly),
        cmocka_unit_test(slots_are_served_side_by_side),
        cmocka_unit_test(one_server_serves_in_turn),
        cmocka_unit_test(a_deep_queue_keeps_the_bandwidth),
        cmocka_unit_test(reaping_ends_at_its_time),
        cmocka_unit_test(what_is_cancelled_completes_at_once),
        cmocka_unit_test(short_transfers_move_half),
        cmocka_unit_test(an_injected_error_says_so),
        cmocka_unit_test(an_interrupted_call_is_a_retry),
        cmocka_unit_test(the_store_keeps_data_but_for_the_flipped_bit),
        cmocka_unit_test(a_failed_close_has_closed),
        cmocka_unit_test(a_flip_without_a_store_is_wrong_use),
        cmocka_unit_test(oversleeping_is_made_good),
        cmocka_unit_test(oversleeping_in_a_queue_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
