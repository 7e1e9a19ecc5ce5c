/* The aio backend against a real kernel; skipped where it has no asynchronous I/O. */
#include "tests/support/queue.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern const struct backend backend_aio;

static const int64_t usual = 16; /* its only option: batch */

static void start_direct(struct queue *q, const int64_t *batch, uint32_t slots, size_t bytes,
                         bool direct)
{
    if (backend_aio.unavailable != NULL)
        skip();
    queue_make(q, &backend_aio, batch, slots, bytes);
    q->setup.direct = direct;
    if (!queue_open(q) && q->error.status == STATUS_USAGE) {
        print_message("%s\n", q->error.text);
        queue_free(q);
        skip();
    }
    assert_non_null(q->io);
}

static void start(struct queue *q, uint32_t slots, size_t bytes)
{
    start_direct(q, &usual, slots, bytes, false);
}

static void write_and_read(int64_t batch, uint32_t slots, bool direct, uint64_t total)
{
    struct queue q;
    start_direct(&q, &batch, slots, 4096, direct);
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
    static const uint32_t depths[] = {1, 2, 8, 32, 128, 300};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        write_and_read(16, depths[i], false, 1000);
        write_and_read(16, depths[i], true, 100);
    }
    for (int64_t batch = 1; batch <= 4096; batch *= 8)
        write_and_read(batch, 32, true, 100);
}

/* More than the kernel grants: it says which limit, and by how much it is used. */
static void test_too_deep_a_queue(void **state)
{
    (void)state;
    struct queue q;
    start(&q, 1, 512);
    queue_free(&q);
    FILE *f = fopen("/proc/sys/fs/aio-max-nr", "re");
    unsigned long most = 0;
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lu", &most), 1);
    fclose(f);
    if (most >= 4000000)
        skip();
    queue_make(&q, &backend_aio, &usual, 1, 512);
    q.setup.slots = (uint32_t)most + 1;
    assert_false(queue_open(&q));
    q.setup.slots = 1;
    assert_int_equal(q.error.status, STATUS_USAGE);
    assert_non_null(strstr(q.error.text, "fs.aio-max-nr"));
    assert_non_null(strstr(q.error.text, "--depth"));
    queue_free(&q);
}

static void test_errors_carry_an_errno(void **state)
{
    (void)state;
    struct queue q;
    start(&q, 4, 4096);
    struct op op = {.kind = OP_OPEN, .flags = OP_FLAG_READ, .object = 9};
    assert_int_equal(queue_run(&q, &op).error, ENOENT);
    queue_do(&q, OP_CREATE, OP_FLAG_WRITE, 9);
    op = (struct op){.kind = OP_READ, .data = q.buffers[0], .length_bytes = 4096};
    struct outcome outcome = queue_run(&q, &op); /* opened for writing alone */
    assert_int_equal(outcome.error, EBADF);
    struct error e = error_none();
    backend_aio.explain(q.io, &op, &outcome, &e);
    assert_string_equal(e.kind, "EBADF");
    queue_do(&q, OP_CLOSE, 0, 9);
    assert_int_equal(queue_run(&q, &op).error, EBADF);
    op.kind = OP_SYNC;
    assert_int_equal(queue_run(&q, &op).error, EBADF);
    queue_free(&q);
}

/* One that the kernel will not have does not keep those behind it from their turn. */
static void test_a_refused_one_among_others(void **state)
{
    (void)state;
    struct queue q;
    struct completion done[8];
    struct outcome outcome;
    struct op ops[8];
    unsigned good = 0, bad = 0;
    start(&q, 8, 4096);
    queue_open_file(&q, 1);
    for (uint32_t i = 0; i < 8; i++) {
        ops[i] = (struct op){.kind = OP_WRITE,
                             .handle = i % 3 == 1 ? 2 : 0, /* 2 is not open */
                             .data = q.buffers[i],
                             .offset_bytes = i * 4096,
                             .length_bytes = 4096};
        assert_int_equal(q.backend->perform[OP_WRITE](q.io, &ops[i], i, &outcome), IO_QUEUED);
    }
    while (good + bad < 8) {
        int n = q.backend->reap(q.io, 1, INT64_MAX, done, 8, &q.error);
        assert_true(n >= 1);
        for (int i = 0; i < n; i++) {
            assert_int_equal(done[i].outcome.error, done[i].slot % 3 == 1 ? EBADF : 0);
            good += done[i].outcome.error == 0;
            bad += done[i].outcome.error != 0;
        }
    }
    assert_int_equal(good, 5);
    assert_int_equal(bad, 3);
    queue_free(&q);
}

static void test_short_counts_and_pieces(void **state)
{
    (void)state;
    struct queue q;
    start(&q, 4, 4096);
    queue_open_file(&q, 1);
    unsigned char *data = q.buffers[0];
    for (unsigned i = 0; i < 8; i++)
        queue_stamp(data + i * 100, 100, i * 1000);
    struct op op = {
        .kind = OP_WRITE, .data = data, .length_bytes = 100, .stride_bytes = 1000, .count = 8};
    assert_int_equal(queue_run(&q, &op).value, 800);
    memset(data, 0, 4096);
    op.kind = OP_READ;
    op.count = 20; /* the file ends with piece 8 */
    assert_int_equal(queue_run(&q, &op).value, 800);
    for (unsigned i = 0; i < 8; i++)
        assert_true(queue_is_stamped(data + i * 100, 100, i * 1000));
    op = (struct op){.kind = OP_READ, .data = data, .offset_bytes = 7000, .length_bytes = 4096};
    assert_int_equal(queue_run(&q, &op).value, 100);
    op.offset_bytes = 7100;
    struct outcome end = queue_run(&q, &op);
    assert_int_equal(end.value, 0);
    assert_int_equal(end.error, 0);
    queue_free(&q);
}

/* What has not been submitted is given up, what has completes; then the queue is empty. */
static void test_cancel(void **state)
{
    (void)state;
    enum { SLOTS = 40 };
    struct queue q;
    struct completion done[SLOTS];
    struct outcome outcome;
    struct op ops[SLOTS];
    unsigned cancelled = 0, whole = 0;
    start_direct(&q, &usual, SLOTS, 4096, true);
    queue_open_file(&q, 1);
    for (uint32_t i = 0; i < SLOTS; i++) {
        ops[i] = (struct op){
            .kind = OP_WRITE, .data = q.buffers[i], .offset_bytes = i * 4096, .length_bytes = 4096};
        assert_int_equal(q.backend->perform[OP_WRITE](q.io, &ops[i], i, &outcome), IO_QUEUED);
    }
    q.backend->cancel(q.io);
    while (cancelled + whole < SLOTS) {
        int n = q.backend->reap(q.io, 1, INT64_MAX, done, SLOTS, &q.error);
        assert_true(n >= 1);
        for (int i = 0; i < n; i++) {
            cancelled += done[i].outcome.error == ECANCELED;
            whole += done[i].outcome.value == 4096;
        }
    }
    assert_int_equal(whole, 32); /* two batches */
    assert_int_equal(cancelled, 8);
    assert_int_equal(q.backend->reap(q.io, 1, INT64_MAX, done, 1, &q.error), 0);
    queue_free(&q);
}

static void test_facts(void **state)
{
    (void)state;
    struct queue q;
    struct fact room;
    start_direct(&q, &(int64_t){5}, 8, 4096, true);
    assert_string_equal(queue_fact(&q, "submission", &room), "asynchronous");
    assert_string_equal(queue_fact(&q, "batch", &room), "5");
    struct fact one[1];
    assert_int_equal(backend_aio.facts(q.io, one, 1), 1);
    queue_free(&q);
    start(&q, 8, 4096);
    assert_non_null(strstr(queue_fact(&q, "submission", &room), "--direct"));
    queue_free(&q);
}

/* From here on the system call fails with this errno in this process. */
static int forbid(unsigned call, int error)
{
    struct sock_filter rows[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof rows / sizeof rows[0], rows};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int open_without_aio(void)
{
    struct queue q;
    queue_make(&q, &backend_aio, &usual, 4, 4096);
    if (forbid(__NR_io_setup, ENOSYS) != 0)
        return 1;
    if (queue_open(&q) || q.error.status != STATUS_USAGE)
        return 2;
    bool told = strstr(q.error.text, "-a posix") != NULL;
    queue_free(&q);
    return told ? 0 : 3;
}

/* Kernels before 4.18 refuse a queued fsync with EINVAL; here every io_submit is refused so. */
static int sync_without_aio(void)
{
    struct queue q;
    struct fact room;
    queue_make(&q, &backend_aio, &usual, 4, 4096);
    if (!queue_open(&q))
        return 77;
    queue_open_file(&q, 1);
    if (forbid(__NR_io_submit, EINVAL) != 0)
        return 1;
    struct op op = {.kind = OP_SYNC};
    struct outcome outcome = queue_run(&q, &op);
    bool told = strstr(queue_fact(&q, "fsync", &room), "fsync(2)") != NULL;
    queue_free(&q);
    return outcome.error != 0 ? 2 : told ? 0 : 3;
}

static void assert_child(int (*run)(void))
{
    if (backend_aio.unavailable != NULL)
        skip();
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(run());
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(status, 0);
}

static void test_a_kernel_without(void **state)
{
    (void)state;
    assert_child(open_without_aio);
}

static void test_a_kernel_without_queued_fsync(void **state)
{
    (void)state;
    assert_child(sync_without_aio);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue_moves_bytes),
        cmocka_unit_test(test_too_deep_a_queue),
        cmocka_unit_test(test_errors_carry_an_errno),
        cmocka_unit_test(test_a_refused_one_among_others),
        cmocka_unit_test(test_short_counts_and_pieces),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_a_kernel_without),
        cmocka_unit_test(test_a_kernel_without_queued_fsync),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
