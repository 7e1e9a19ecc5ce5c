/* What the uring backend does where the kernel or the limits refuse something. */
#include "tests/support/queue.h"

#include "backends/uring_ring.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern const struct backend backend_uring;

static const struct uring_options usual = {.fixed_buffers = true, .fixed_files = true, .batch = 16};

/* Skips the test where io_uring cannot be had anyway. */
static void need_io_uring(void)
{
    struct queue q;
    if (backend_uring.unavailable != NULL)
        skip();
    queue_make(&q, &backend_uring, &usual, 1, 4096);
    bool here = queue_open(&q);
    queue_free(&q);
    if (!here)
        skip();
}

/* Locked memory is limited for everyone but root: the buffers stay unregistered, and all works. */
static void test_locked_memory_limit(void **state)
{
    (void)state;
    struct queue q;
    need_io_uring();
    if (geteuid() != 0)
        skip();
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {65536, 65536};
        struct fact room;
        queue_make(&q, &backend_uring, &usual, 4, 65536);
        if (chmod(q.dir, 0777) != 0 || setrlimit(RLIMIT_MEMLOCK, &limit) != 0 ||
            setresuid(65534, 65534, 0) != 0 || !queue_open(&q))
            _exit(1);
        const char *said = queue_fact(&q, "fixed_buffers", &room);
        bool told = strstr(said, "no: 256 KiB") != NULL && strstr(said, "RLIMIT_MEMLOCK") != NULL;
        queue_open_file(&q, 1);
        queue_pump(&q, OP_WRITE, 10);
        if (setresuid(0, 0, 0) != 0)
            _exit(2);
        queue_free(&q);
        _exit(told ? 0 : 3);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* From here on this system call fails with this errno in this process. */
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

static void assert_refusal(unsigned call, int error, const char *says)
{
    pid_t child = fork();
    if (child == 0) {
        struct queue q;
        queue_make(&q, &backend_uring, &usual, 4, 4096);
        if (forbid(call, error) != 0)
            _exit(1);
        if (queue_open(&q) || q.error.status != STATUS_USAGE)
            _exit(2);
        bool told = strstr(q.error.text, says) != NULL && strstr(q.error.text, "-a aio") != NULL;
        queue_free(&q);
        _exit(told ? 0 : 3);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_forbidden(void **state)
{
    (void)state;
    if (backend_uring.unavailable != NULL)
        skip();
    assert_refusal(__NR_io_uring_setup, ENOSYS, "no io_uring");
    assert_refusal(__NR_io_uring_setup, EPERM, "kernel.io_uring_disabled");
}

/* Linux 5.1 to 5.5 knew no call to ask for what there is. */
static void test_too_old(void **state)
{
    (void)state;
    need_io_uring();
    assert_refusal(__NR_io_uring_register, EINVAL, "too old");
}

static void test_iopoll(void **state)
{
    (void)state;
    struct queue q;
    struct uring_options o = usual;
    need_io_uring();
    o.iopoll = true;
    queue_make(&q, &backend_uring, &o, 4, 4096);
    assert_false(queue_open(&q)); /* not without --direct */
    assert_int_equal(q.error.status, STATUS_USAGE);
    assert_non_null(strstr(q.error.text, "--direct"));
    q.setup.direct = true;
    assert_true(queue_open(&q));
    queue_open_file(&q, 1);
    struct op op = {.kind = OP_WRITE, .data = q.buffers[0], .length_bytes = 4096};
    struct outcome outcome = queue_run(&q, &op);
    if (outcome.error == EOPNOTSUPP) {
        struct error e = error_none();
        backend_uring.explain(q.io, &op, &outcome, &e);
        assert_non_null(strstr(e.text, "--uring.iopoll"));
    } else {
        assert_int_equal(outcome.value, 4096);
    }
    queue_do(&q, OP_SYNC, 0, 1);
    queue_do(&q, OP_CLOSE, 0, 1);
    queue_do(&q, OP_UNLINK, 0, 1);
    queue_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locked_memory_limit),
        cmocka_unit_test(test_forbidden),
        cmocka_unit_test(test_too_old),
        cmocka_unit_test(test_iopoll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
