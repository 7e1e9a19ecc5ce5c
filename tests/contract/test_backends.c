/* One contract for every backend that this build can use: what backend.h says, tried on each. */
#include "tests/support/backend_contract.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Where an object's content stands: every byte tells its file and its place. */
static unsigned char pattern(uint64_t object, uint64_t at)
{
    return (unsigned char)(at * 31 + (at >> 8) * 7 + object * 101 + 1);
}

static void fill(void *data, uint64_t object, uint64_t offset, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        ((unsigned char *)data)[i] = pattern(object, offset + i);
}

static void assert_filled(const void *data, uint64_t object, uint64_t offset, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        if (((const unsigned char *)data)[i] != pattern(object, offset + i))
            fail_msg("byte %llu of object %llu is wrong", (unsigned long long)(offset + i),
                     (unsigned long long)object);
}

static void states_what_it_is(void **state)
{
    const struct backend *backend = ((const struct subject *)*state)->backend;
    assert_non_null(backend->name);
    assert_non_null(backend->sentence);
    assert_ptr_equal(backend_find(backend->name), backend);
    assert_true(backend->max_depth >= 1);
    if (backend->max_depth > 1)
        assert_non_null(backend->reap);
    for (enum op_kind i = 0; i < OP_KINDS; i++)
        if (op_performer(i) != PERFORMER_BACKEND && i != OP_BARRIER)
            assert_null(backend->perform[i]);
    assert_non_null(backend->perform[OP_OPEN]);
    assert_non_null(backend->perform[OP_CLOSE]);
    assert_non_null(backend->perform[OP_READ]);
    assert_non_null(backend->perform[OP_WRITE]);
    if (backend->options != NULL)
        for (const struct option *o = backend->options; o->name != NULL; o++) {
            assert_non_null(o->help);
            assert_true(o->field < backend->options_bytes);
            assert_int_equal(o->argument == NULL, o->kind == OPTION_FLAG);
        }
}

static void writes_and_reads_back(void **state)
{
    struct bench *b = contract_opened(state, 1);
    unsigned char *data = b->buffers[0];
    bench_must(b, bench_open_op(0, 0, OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE));
    for (uint64_t at = 0; at < 4 * 8192; at += 8192) {
        fill(data, 0, at, 8192);
        assert_int_equal(bench_must(b, bench_transfer(OP_WRITE, 0, 0, at, 8192)), 8192);
    }
    if (b->backend->perform[OP_SYNC] != NULL)
        assert_int_equal(bench_must(b, bench_op(OP_SYNC, 0, 0)), 0);
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    bench_must(b, bench_open_op(0, 0, OP_FLAG_READ));
    for (uint64_t at = 3 * 8192; at + 8192 > 0; at -= 8192) {
        memset(data, 0, 8192);
        assert_int_equal(bench_must(b, bench_transfer(OP_READ, 0, 0, at, 8192)), 8192);
        if (bench_is(b, BACKEND_STORES))
            assert_filled(data, 0, at, 8192);
        if (at == 0)
            break;
    }
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    bench_free(b);
}

static void a_new_instance_sees_what_the_old_one_wrote(void **state)
{
    struct bench *b = contract_opened(state, 1);
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    fill(b->buffers[0], 0, 0, 4096);
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 0, 4096));
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    memset(b->buffers[0], 0, 4096);
    bench_open(b);
    bench_must(b, bench_open_op(0, 0, OP_FLAG_READ | OP_FLAG_WRITE));
    assert_int_equal(bench_must(b, bench_transfer(OP_READ, 0, 0, 0, 4096)), 4096);
    if (bench_is(b, BACKEND_STORES))
        assert_filled(b->buffers[0], 0, 0, 4096);
    bench_free(b);
}

static void every_handle_is_a_file_of_its_own(void **state)
{
    struct bench *b = contract_opened(state, 1);
    for (uint32_t h = 0; h < BENCH_HANDLES; h++)
        bench_must(b, bench_open_op(10 + h, h, BENCH_NEW));
    for (uint32_t h = 0; h < BENCH_HANDLES; h++) {
        fill(b->buffers[0], 10 + h, 0, 4096);
        bench_must(b, bench_transfer(OP_WRITE, 10 + h, h, 0, 4096));
    }
    for (uint32_t h = BENCH_HANDLES; h-- > 0;) {
        bench_must(b, bench_transfer(OP_READ, 10 + h, h, 0, 4096));
        if (bench_is(b, BACKEND_STORES))
            assert_filled(b->buffers[0], 10 + h, 0, 4096);
        bench_must(b, bench_op(OP_CLOSE, 10 + h, h));
    }
    bench_free(b);
}

static void a_read_past_the_end_is_short(void **state)
{
    struct bench *b = contract_opened(state, 1);
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    fill(b->buffers[0], 0, 0, 5000);
    assert_int_equal(bench_must(b, bench_transfer(OP_WRITE, 0, 0, 0, 5000)), 5000);
    memset(b->buffers[0], 0, 5000);
    assert_int_equal(bench_must(b, bench_transfer(OP_READ, 0, 0, 4096, 4096)), 904);
    assert_filled(b->buffers[0], 0, 4096, 904);
    assert_int_equal(bench_must(b, bench_transfer(OP_READ, 0, 0, 8192, 4096)), 0);
    bench_free(b);
}

static void pieces_lie_a_stride_apart(void **state)
{
    struct bench *b = contract_opened(state, 1);
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    memset(b->buffers[0], 0, 65536);
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 0, 65536));
    struct op op = bench_transfer(OP_WRITE, 0, 0, 4096, 512);
    op.count = 5;
    op.stride_bytes = 8192;
    for (uint64_t i = 0; i < 5; i++)
        fill((char *)b->buffers[0] + i * 512, 0, 4096 + i * 8192, 512);
    assert_int_equal(bench_must(b, op), 5 * 512);
    if (bench_is(b, BACKEND_STORES)) {
        for (uint64_t i = 0; i < 5; i++) {
            bench_must(b, bench_transfer(OP_READ, 0, 0, 4096 + i * 8192, 1024));
            assert_filled(b->buffers[0], 0, 4096 + i * 8192, 512);
            assert_int_equal(((char *)b->buffers[0])[512], 0);
        }
        op.kind = OP_READ;
        memset(b->buffers[0], 0, 65536);
        assert_int_equal(bench_must(b, op), 5 * 512);
        for (uint64_t i = 0; i < 5; i++)
            assert_filled((char *)b->buffers[0] + i * 512, 0, 4096 + i * 8192, 512);
    }
    bench_free(b);
}

static void closing_leaves_nothing_open(void **state)
{
    struct bench *b = contract_made(state, 1);
    bench_open(b); /* whatever a library opens once and keeps */
    b->backend->close(b->io);
    b->io = NULL;
    int before = bench_descriptors();
    bench_open(b);
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    bench_must(b, bench_open_op(1, 3, BENCH_NEW));
    bench_must(b, bench_transfer(OP_WRITE, 1, 3, 0, 4096));
    b->backend->close(b->io);
    b->io = NULL;
    assert_int_equal(bench_descriptors(), before);
    bench_free(b);
}

static void each_slot_completes_once(void **state)
{
    struct bench *b = contract_opened(state, BENCH_SLOTS);
    uint32_t slots = b->setup.slots;
    unsigned seen[BENCH_SLOTS] = {0};
    struct op ops[BENCH_SLOTS]; /* what is queued stays where it is */
    uint32_t in_flight = 0;
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    for (uint32_t i = 0; i < slots; i++) {
        struct outcome outcome;
        ops[i] = bench_transfer(OP_WRITE, 0, 0, i * 4096, 4096);
        ops[i].data = b->buffers[i];
        fill(ops[i].data, 0, i * 4096, 4096);
        enum io_state how = b->backend->perform[OP_WRITE](b->io, &ops[i], i, &outcome);
        assert_int_not_equal(how, IO_FULL);
        in_flight += how == IO_QUEUED;
        if (how == IO_DONE) {
            assert_int_equal(outcome.value, 4096);
            seen[i]++;
        }
    }
    while (in_flight > 0) {
        struct completion done[2];
        int got = bench_reap(b, 1, done, 2);
        assert_in_range(got, 1, 2);
        in_flight -= (uint32_t)got;
        for (int i = 0; i < got; i++) {
            assert_true(done[i].slot < slots);
            assert_int_equal(done[i].outcome.error, 0);
            assert_int_equal(done[i].outcome.value, 4096);
            seen[done[i].slot]++;
        }
    }
    for (uint32_t i = 0; i < slots; i++)
        assert_int_equal(seen[i], 1);
    bench_must(b, bench_transfer(OP_READ, 0, 0, 0, slots * 4096));
    if (bench_is(b, BACKEND_STORES))
        assert_filled(b->buffers[0], 0, 0, slots * 4096);
    bench_free(b);
}

/* Each comes out of reap once, whole or given up, and soon; what is left can be used and closed. */
static void what_is_cancelled_still_completes(void **state)
{
    struct bench *b = contract_opened(state, BENCH_SLOTS);
    uint32_t slots = b->setup.slots, in_flight = 0;
    unsigned seen[BENCH_SLOTS] = {0};
    struct op ops[BENCH_SLOTS];
    if (b->backend->cancel == NULL) {
        bench_free(b);
        skip();
    }
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    for (uint32_t i = 0; i < slots; i++) {
        struct outcome outcome;
        ops[i] = bench_transfer(OP_WRITE, 0, 0, i * 4096, 4096);
        ops[i].data = b->buffers[i];
        in_flight += b->backend->perform[OP_WRITE](b->io, &ops[i], i, &outcome) == IO_QUEUED;
    }
    uint32_t queued = in_flight;
    b->backend->cancel(b->io);
    alarm(10); /* ten times what is promised */
    while (in_flight > 0) {
        struct completion done[BENCH_SLOTS];
        int got = bench_reap(b, 1, done, BENCH_SLOTS);
        in_flight -= (uint32_t)got;
        for (int i = 0; i < got; i++) {
            int error = done[i].outcome.error;
            assert_true(error == 0 || error == ECANCELED || error == EINTR);
            if (error == 0)
                assert_int_equal(done[i].outcome.value, 4096);
            seen[done[i].slot]++;
        }
    }
    alarm(0);
    uint32_t all = 0;
    for (uint32_t i = 0; i < slots; i++) {
        assert_true(seen[i] <= 1);
        all += seen[i];
    }
    assert_int_equal(all, queued);
    bench_free(b);
}

static void direct_transfers_read_back(void **state)
{
    struct bench *b = contract_made(state, 1);
    b->setup.direct = true;
    bench_open(b);
    struct outcome outcome = bench_do(b, bench_open_op(0, 0, BENCH_NEW));
    if (outcome.error == EINVAL) { /* this file system cannot */
        bench_free(b);
        skip();
    }
    fill(b->buffers[0], 0, 0, 16384);
    assert_int_equal(bench_must(b, bench_transfer(OP_WRITE, 0, 0, 0, 16384)), 16384);
    memset(b->buffers[0], 0, 16384);
    assert_int_equal(bench_must(b, bench_transfer(OP_READ, 0, 0, 0, 16384)), 16384);
    assert_filled(b->buffers[0], 0, 0, 16384);
    bench_free(b);
}

int main(void)
{
    static const struct clause clauses[] = {
        CLAUSE(0, states_what_it_is),
        CLAUSE(0, writes_and_reads_back),
        CLAUSE(0, a_new_instance_sees_what_the_old_one_wrote),
        CLAUSE(0, every_handle_is_a_file_of_its_own),
        CLAUSE(BACKEND_STORES, a_read_past_the_end_is_short),
        CLAUSE(0, pieces_lie_a_stride_apart),
        CLAUSE(0, closing_leaves_nothing_open),
        CLAUSE(0, each_slot_completes_once),
        CLAUSE(0, what_is_cancelled_still_completes),
        CLAUSE(BACKEND_DIRECT | BACKEND_STORES, direct_transfers_read_back),
    };
    return contract_run("backends", clauses, sizeof clauses / sizeof clauses[0]);
}
