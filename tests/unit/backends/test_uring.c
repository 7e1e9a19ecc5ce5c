/* The uring backend against a real kernel; skipped where io_uring is not to be had. */
#include "tests/support/queue.h"

#include "backends/uring_ring.h"

extern const struct backend backend_uring;

static const struct uring_options usual = {.fixed_buffers = true, .fixed_files = true, .batch = 16};

static void start(struct queue *q, const struct uring_options *options, uint32_t slots,
                  size_t bytes)
{
    if (backend_uring.unavailable != NULL)
        skip();
    queue_make(q, &backend_uring, options, slots, bytes);
    if (!queue_open(q) && q->error.status == STATUS_USAGE) {
        print_message("%s\n", q->error.text);
        queue_free(q);
        skip();
    }
    assert_non_null(q->io);
}

static void write_and_read(const struct uring_options *options, uint32_t slots, bool direct,
                           uint64_t total)
{
    struct queue q;
    queue_make(&q, &backend_uring, options, slots, 4096);
    q.setup.direct = direct;
    assert_true(queue_open(&q));
    queue_open_file(&q, 1);
    assert_int_equal(queue_pump(&q, OP_WRITE, total), slots < total ? slots : total);
    queue_do(&q, OP_SYNC, 0, 1);
    assert_int_equal(queue_pump(&q, OP_READ, total), slots < total ? slots : total);
    queue_do(&q, OP_CLOSE, 0, 1);
    queue_free(&q);
}

static void test_queue_moves_bytes(void **state)
{
    (void)state;
    static const uint32_t depths[] = {1, 2, 8, 32, 128};
    struct queue q;
    start(&q, &usual, 1, 512);
    queue_free(&q);
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        write_and_read(&usual, depths[i], false, 1000);
        write_and_read(&usual, depths[i], true, 100);
    }
}

static void test_every_setting_moves_bytes(void **state)
{
    (void)state;
    struct queue q;
    start(&q, &usual, 1, 512);
    queue_free(&q);
    struct uring_options o = usual;
    o.fixed_buffers = false;
    write_and_read(&o, 8, false, 100);
    o.fixed_files = false;
    write_and_read(&o, 8, true, 100);
    o.fixed_buffers = true;
    write_and_read(&o, 8, false, 100);
    for (o.batch = 1; o.batch <= 4096; o.batch *= 8)
        write_and_read(&o, 32, false, 100);
    o = usual;
    o.sqpoll = true;
    write_and_read(&o, 8, false, 100);
}

static void test_deepest_queue(void **state)
{
    (void)state;
    struct queue q;
    start(&q, &usual, 65536, 512);
    queue_open_file(&q, 0);
    assert_int_equal(queue_pump(&q, OP_WRITE, 70000), 65536);
    assert_int_equal(queue_pump(&q, OP_READ, 70000), 65536);
    queue_free(&q);
}

/* past: bits of the calls that go past the ring, beside those that always do. */
static void calls_on_names(uint32_t past)
{
    struct queue q;
    char path[512];
    struct stat s;
    start(&q, &usual, 4, 4096);
    struct uring *u = q.io;
    u->by_syscall |= past;
    queue_do(&q, OP_CREATE, OP_FLAG_WRITE | OP_FLAG_EXCLUSIVE, 1);
    queue_pump(&q, OP_WRITE, 3);
    struct op stat_op = {.kind = OP_STAT, .object = 1};
    assert_int_equal(queue_run(&q, &stat_op).value, 3 * 4096);
    queue_do(&q, OP_CLOSE, 0, 1);
    struct op two = {.kind = OP_RENAME, .object = 1, .other = 2};
    assert_int_equal(queue_run(&q, &two).error, 0);
    two = (struct op){.kind = OP_LINK, .object = 2, .other = 3};
    assert_int_equal(queue_run(&q, &two).error, 0);
    queue_path(&q, 3, path, sizeof path);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_nlink, 2);
    queue_do(&q, OP_UNLINK, 0, 2);
    queue_do(&q, OP_UNLINK, 0, 3);
    assert_int_equal(stat(path, &s), -1);
    queue_do(&q, OP_MKDIR, 0, 5);
    queue_path(&q, 5, path, sizeof path);
    assert_int_equal(stat(path, &s), 0);
    assert_true(S_ISDIR(s.st_mode));
    struct op list = {.kind = OP_LIST, .object = 5};
    assert_int_equal(queue_run(&q, &list).value, 0);
    queue_do(&q, OP_RMDIR, 0, 5);
    assert_int_equal(stat(path, &s), -1);
    queue_free(&q);
}

static void test_calls_on_names(void **state)
{
    (void)state;
    calls_on_names(0);
}

/* As on kernels before 5.11 and 5.15. */
static void test_calls_that_the_kernel_has_not(void **state)
{
    (void)state;
    calls_on_names(1u << OP_MKDIR | 1u << OP_LINK);
    calls_on_names(1u << OP_MKDIR | 1u << OP_LINK | 1u << OP_RENAME | 1u << OP_UNLINK |
                   1u << OP_RMDIR);
}

static void test_errors_carry_an_errno(void **state)
{
    (void)state;
    struct queue q;
    start(&q, &usual, 4, 4096);
    struct op op = {.kind = OP_OPEN, .flags = OP_FLAG_READ, .object = 9};
    struct outcome outcome = queue_run(&q, &op);
    assert_int_equal(outcome.error, ENOENT);
    assert_int_equal(outcome.value, 0);
    struct error e = error_none();
    backend_uring.explain(q.io, &op, &outcome, &e);
    assert_int_equal(e.status, STATUS_FAILED);
    assert_string_equal(e.kind, "ENOENT");
    assert_non_null(strstr(e.text, strerror(ENOENT)));
    queue_do(&q, OP_CREATE, OP_FLAG_WRITE, 9);
    op = (struct op){.kind = OP_CREATE, .flags = OP_FLAG_EXCLUSIVE, .object = 9, .handle = 1};
    assert_int_equal(queue_run(&q, &op).error, EEXIST);
    op = (struct op){.kind = OP_READ, .data = q.buffers[0], .length_bytes = 4096};
    assert_int_equal(queue_run(&q, &op).error, EBADF); /* opened for writing alone */
    queue_do(&q, OP_CLOSE, 0, 9);
    assert_int_equal(queue_run(&q, &op).error, EBADF);
    op = (struct op){.kind = OP_RMDIR, .object = 9};
    assert_int_equal(queue_run(&q, &op).error, ENOTDIR);
    queue_free(&q);
}

/* A transfer past the end is short, at the end empty; neither is an error here. */
static void test_short_counts(void **state)
{
    (void)state;
    struct queue q;
    start(&q, &usual, 4, 4096);
    queue_open_file(&q, 1);
    struct op op = {.kind = OP_WRITE, .data = q.buffers[0], .length_bytes = 1000};
    assert_int_equal(queue_run(&q, &op).value, 1000);
    op = (struct op){.kind = OP_READ, .data = q.buffers[0], .length_bytes = 4096};
    assert_int_equal(queue_run(&q, &op).value, 1000);
    op.offset_bytes = 1000;
    struct outcome end = queue_run(&q, &op);
    assert_int_equal(end.value, 0);
    assert_int_equal(end.error, 0);
    queue_free(&q);
}

static void test_pieces(void **state)
{
    (void)state;
    struct queue q;
    start(&q, &usual, 4, 4096);
    queue_open_file(&q, 1);
    unsigned char *data = q.buffers[0];
    for (unsigned i = 0; i < 8; i++)
        queue_stamp(data + i * 100, 100, i * 1000);
    struct op op = {
        .kind = OP_WRITE, .data = data, .length_bytes = 100, .stride_bytes = 1000, .count = 8};
    assert_int_equal(queue_run(&q, &op).value, 800);
    memset(data, 0, 4096);
    op.kind = OP_READ;
    assert_int_equal(queue_run(&q, &op).value, 800);
    for (unsigned i = 0; i < 8; i++)
        assert_true(queue_is_stamped(data + i * 100, 100, i * 1000));
    op.count = 20; /* the file ends with piece 8 */
    assert_int_equal(queue_run(&q, &op).value, 800);
    queue_free(&q);
}

/* Chains create, write, close in several slots at once. */
static void test_chains_side_by_side(void **state)
{
    (void)state;
    enum { CHAINS = 8, FILES = 100 };
    static const uint8_t kinds[] = {OP_CREATE, OP_WRITE, OP_CLOSE};
    struct queue q;
    struct op ops[CHAINS] = {0};
    struct completion done[CHAINS];
    uint64_t next = 0, finished = 0;
    struct outcome outcome;
    start(&q, &usual, CHAINS, 512);
    for (uint32_t slot = 0; slot < CHAINS; slot++) {
        queue_stamp(q.buffers[slot], 512, 0);
        ops[slot] = (struct op){.kind = OP_CREATE,
                                .flags = OP_FLAG_WRITE | OP_FLAG_EXCLUSIVE,
                                .handle = slot,
                                .object = next++,
                                .data = q.buffers[slot],
                                .length_bytes = 512};
        assert_int_equal(q.backend->perform[OP_CREATE](q.io, &ops[slot], slot, &outcome),
                         IO_QUEUED);
    }
    while (finished < FILES) {
        int n = q.backend->reap(q.io, 1, INT64_MAX, done, CHAINS, &q.error);
        assert_true(n > 0);
        for (int i = 0; i < n; i++) {
            struct op *op = &ops[done[i].slot];
            assert_int_equal(done[i].outcome.error, 0);
            assert_int_equal(done[i].outcome.value, op->kind == OP_WRITE ? 512 : 0);
            if (op->kind == OP_CLOSE) {
                finished++;
                op->object = next++;
            }
            if (op->kind == OP_CLOSE && op->object >= FILES)
                continue;
            op->kind = kinds[op->kind == OP_CREATE ? 1 : op->kind == OP_WRITE ? 2 : 0];
            assert_int_equal(q.backend->perform[op->kind](q.io, op, done[i].slot, &outcome),
                             IO_QUEUED);
        }
    }
    struct op list = {.kind = OP_STAT, .object = FILES - 1};
    assert_int_equal(queue_run(&q, &list).value, 512);
    queue_free(&q);
}

/* A read of an empty pipe never ends by itself: the wait does, and then the cancel ends the read.
 */
static void test_limit_and_cancel(void **state)
{
    (void)state;
    struct queue q;
    char path[512];
    struct completion done;
    struct outcome outcome;
    start(&q, &usual, 4, 4096);
    queue_path(&q, 1, path, sizeof path);
    assert_int_equal(mkfifo(path, 0600), 0);
    queue_do(&q, OP_OPEN, OP_FLAG_READ | OP_FLAG_WRITE, 1);
    struct op op = {.kind = OP_READ, .data = q.buffers[0], .length_bytes = 4096};
    assert_int_equal(q.backend->perform[OP_READ](q.io, &op, 0, &outcome), IO_QUEUED);
    int64_t until = q.clock.now_ns(&q.clock) + 20000000;
    assert_int_equal(q.backend->reap(q.io, 1, until, &done, 1, &q.error), 0);
    assert_true(q.clock.now_ns(&q.clock) >= until);
    assert_int_equal(q.backend->reap(q.io, 0, INT64_MAX, &done, 1, &q.error), 0);
    q.backend->cancel(q.io);
    assert_int_equal(q.backend->reap(q.io, 1, INT64_MAX, &done, 1, &q.error), 1);
    assert_true(done.outcome.error == ECANCELED || done.outcome.error == EINTR);
    assert_int_equal(q.backend->reap(q.io, 1, INT64_MAX, &done, 1, &q.error), 0);
    queue_free(&q);
}

static void test_facts(void **state)
{
    (void)state;
    struct queue q;
    struct fact room;
    start(&q, &usual, 8, 4096);
    assert_string_equal(queue_fact(&q, "fixed_buffers", &room), "yes");
    assert_string_equal(queue_fact(&q, "fixed_files", &room), "yes");
    assert_true(strlen(queue_fact(&q, "ring", &room)) > 5);
    struct uring *u = q.io;
    u->by_syscall |= 1u << OP_MKDIR;
    assert_string_equal(queue_fact(&q, "by_system_call", &room),
                        "list directory_sync chmod xattr mkdir");
    struct fact one[1];
    assert_int_equal(backend_uring.facts(q.io, one, 1), 1);
    queue_free(&q);
    struct uring_options o = {.batch = 4};
    start(&q, &o, 8, 4096);
    assert_string_equal(queue_fact(&q, "fixed_buffers", &room), "no: switched off");
    assert_string_equal(queue_fact(&q, "batch", &room), "4");
    queue_free(&q);
}

/* Descriptors of files left open are given back. */
static void test_close_gives_files_back(void **state)
{
    (void)state;
    struct queue q;
    start(&q, &(struct uring_options){.batch = 16}, 4, 4096);
    int before = dup(0);
    close(before);
    for (uint32_t i = 0; i < 4; i++) {
        struct op op = {.kind = OP_CREATE, .flags = OP_FLAG_WRITE, .object = i, .handle = i};
        assert_int_equal(queue_run(&q, &op).error, 0);
    }
    backend_uring.close(q.io);
    q.io = NULL;
    int after = dup(0);
    close(after);
    assert_true(after <= before);
    queue_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue_moves_bytes),
        cmocka_unit_test(test_every_setting_moves_bytes),
        cmocka_unit_test(test_deepest_queue),
        cmocka_unit_test(test_calls_on_names),
        cmocka_unit_test(test_calls_that_the_kernel_has_not),
        cmocka_unit_test(test_errors_carry_an_errno),
        cmocka_unit_test(test_short_counts),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_chains_side_by_side),
        cmocka_unit_test(test_limit_and_cancel),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_close_gives_files_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
