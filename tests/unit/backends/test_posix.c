/* What posix does beyond the contract of all backends. */
#include "backends/posix_file.h"
#include "tests/support/backend_bench.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <cmocka.h>

extern const struct backend backend_posix;

static struct bench *opened(void)
{
    struct bench *b = bench_make(&backend_posix, 1);
    bench_open(b);
    return b;
}

static void flags_of_open(void **state)
{
    (void)state;
    static const struct row {
        enum op_kind kind;
        unsigned flags;
        int expected;
    } rows[] = {
        {OP_OPEN, OP_FLAG_READ, O_RDONLY},
        {OP_OPEN, OP_FLAG_WRITE, O_WRONLY},
        {OP_OPEN, OP_FLAG_READ | OP_FLAG_WRITE, O_RDWR},
        {OP_OPEN, OP_FLAG_WRITE | OP_FLAG_CREATE, O_WRONLY | O_CREAT},
        {OP_OPEN, OP_FLAG_WRITE | OP_FLAG_TRUNCATE, O_WRONLY | O_TRUNC},
        {OP_OPEN, OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE, O_WRONLY | O_CREAT | O_EXCL},
        {OP_CREATE, 0, O_WRONLY | O_CREAT},
        {OP_CREATE, OP_FLAG_READ, O_RDONLY | O_CREAT},
        {OP_CREATE, OP_FLAG_READ | OP_FLAG_WRITE | OP_FLAG_EXCLUSIVE, O_RDWR | O_CREAT | O_EXCL},
        {OP_OPEN, OP_FLAG_READ | OP_FLAG_COLLECTIVE, O_RDONLY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct op op = {.kind = (uint8_t)rows[i].kind, .flags = (uint16_t)rows[i].flags};
        assert_int_equal(posix_open_flags(&op), rows[i].expected | O_CLOEXEC | O_NOFOLLOW);
    }
}

static void the_mode_is_the_umasks(void **state)
{
    (void)state;
    struct bench *b = opened();
    char path[256];
    struct stat s;
    mode_t before = umask(027);
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    umask(before);
    assert_int_equal(stat(bench_path(b, 0, path), &s), 0);
    assert_int_equal(s.st_mode & 0777, 0640);
    bench_free(b);
}

static void truncates_and_overwrites(void **state)
{
    (void)state;
    struct bench *b = opened();
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 0, 5000));
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    bench_must(b, bench_open_op(0, 0, OP_FLAG_WRITE));
    assert_int_equal(bench_must(b, bench_op(OP_STAT, 0, 0)), 5000);
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    bench_must(b, bench_open_op(0, 0, OP_FLAG_WRITE | OP_FLAG_TRUNCATE));
    assert_int_equal(bench_must(b, bench_op(OP_STAT, 0, 0)), 0);
    bench_free(b);
}

static void works_on_names(void **state)
{
    (void)state;
    struct bench *b = opened();
    char path[256], value[64];
    struct stat s;
    struct op op = bench_op(OP_CREATE, 0, 0);
    bench_must(b, op);
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    op = bench_op(OP_LINK, 0, 0);
    op.other = 1;
    bench_must(b, op);
    assert_int_equal(stat(bench_path(b, 1, path), &s), 0);
    assert_int_equal(s.st_nlink, 2);
    op = bench_op(OP_RENAME, 1, 0);
    op.other = 2;
    bench_must(b, op);
    assert_int_not_equal(stat(path, &s), 0);
    op = bench_op(OP_CHMOD, 2, 0);
    op.other = 0604;
    bench_must(b, op);
    assert_int_equal(stat(bench_path(b, 2, path), &s), 0);
    assert_int_equal(s.st_mode & 0777, 0604);
    struct outcome outcome = bench_do(b, bench_op(OP_XATTR, 2, 0));
    if (outcome.error == 0)
        assert_int_equal(getxattr(path, "user.pario", value, sizeof value), 32);
    else
        assert_int_equal(outcome.error, EOPNOTSUPP);
    bench_free(b);
}

static void lists_every_entry_once(void **state)
{
    (void)state;
    struct bench *b = opened();
    char path[300];
    bench_must(b, bench_op(OP_MKDIR, 0, 0));
    assert_int_equal(bench_must(b, bench_op(OP_LIST, 0, 0)), 0);
    for (int i = 0; i < 1500; i++) { /* more than one buffer of the kernel's */
        char folder[256];
        snprintf(path, sizeof path, "%s/entry-with-a-rather-long-name-%d", bench_path(b, 0, folder),
                 i);
        int fd = open(path, O_CREAT | O_WRONLY, 0600);
        assert_true(fd >= 0);
        close(fd);
    }
    assert_int_equal(bench_must(b, bench_op(OP_LIST, 0, 0)), 1500);
    bench_free(b);
}

static void says_what_the_errno_leaves_open(void **state)
{
    (void)state;
    static const struct row {
        struct op op;
        int error;
        bool direct;
        const char *text;
    } rows[] = {
        {{.kind = OP_WRITE, .length_bytes = 131072},
         ENOSPC,
         false,
         "write 131072 bytes: No space left on device"},
        {{.kind = OP_READ, .length_bytes = 512, .count = 7},
         EIO,
         false,
         "read 7 pieces of 512 bytes: Input/output error"},
        {{.kind = OP_OPEN}, ENOENT, false, "open: No such file or directory"},
        {{.kind = OP_OPEN},
         ELOOP,
         false,
         "open (a symbolic link here is not followed): Too many levels of symbolic links"},
        {{.kind = OP_OPEN},
         EINVAL,
         true,
         "open (the file system may refuse O_DIRECT): Invalid argument"},
        {{.kind = OP_WRITE, .length_bytes = 47008},
         EINVAL,
         true,
         "write 47008 bytes (O_DIRECT wants offset, length and memory in multiples of the device's "
         "block): Invalid argument"},
        {{.kind = OP_CREATE},
         EMFILE,
         false,
         "create (limit of this process, see ulimit -n): Too many open files"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error e = error_none();
        struct outcome outcome = {.error = rows[i].error};
        posix_explain(&rows[i].op, &outcome, rows[i].direct, &e);
        assert_string_equal(e.text, rows[i].text);
        assert_int_equal(e.errno_value, rows[i].error);
        assert_int_equal(e.status, STATUS_FAILED);
    }
}

static int path_in_proc(const void *plan, uint64_t object, char *buf, size_t bytes)
{
    (void)plan;
    (void)object;
    return snprintf(buf, bytes, "/proc/self/stat") > 0 ? 0 : -1;
}

static void a_file_system_without_direct_says_so(void **state)
{
    (void)state;
    struct bench *b = bench_make(&backend_posix, 1);
    b->setup.names.path = path_in_proc;
    bench_open(b);
    bench_must(b, bench_open_op(0, 0, OP_FLAG_READ));
    b->setup.direct = true;
    bench_open(b);
    struct op op = bench_open_op(0, 0, OP_FLAG_READ);
    struct outcome outcome = bench_do(b, op);
    assert_int_equal(outcome.error, EINVAL);
    assert_non_null(strstr(bench_explain(b, op, outcome).text, "O_DIRECT"));
    bench_free(b);
}

static int path_too_long(const void *plan, uint64_t object, char *buf, size_t bytes)
{
    (void)plan;
    (void)object;
    (void)buf;
    (void)bytes;
    return -1;
}

static void a_path_that_does_not_fit(void **state)
{
    (void)state;
    struct bench *b = bench_make(&backend_posix, 1);
    b->setup.names.path = path_too_long;
    bench_open(b);
    assert_int_equal(bench_do(b, bench_open_op(0, 0, OP_FLAG_READ)).error, ENAMETOOLONG);
    assert_int_equal(bench_do(b, bench_op(OP_UNLINK, 0, 0)).error, ENAMETOOLONG);
    bench_free(b);
}

static void tries_again_but_not_for_ever(void **state)
{
    (void)state;
    int64_t now_ns = 0;
    struct clock clock = clock_virtual(&now_ns);
    struct outcome outcome = {0};
    assert_false(posix_again(&clock, EIO, &outcome));
    assert_int_equal(outcome.retries, 0);
    assert_true(posix_again(&clock, EINTR, &outcome));
    assert_int_equal(outcome.retries, 1);
    assert_int_equal(now_ns, 0);
    while (posix_again(&clock, EAGAIN, &outcome))
        ;
    assert_int_equal(outcome.retries, 1000);
    assert_in_range(now_ns, 9000000000, 11000000000);
    assert_true(posix_again(&clock, EINTR, &outcome));
}

static void a_file_that_grows_too_large(void **state)
{
    (void)state;
    struct bench *b = opened();
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 10000, .rlim_max = before.rlim_max};
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct outcome part = bench_do(b, bench_transfer(OP_WRITE, 0, 0, 8192, 4096));
    struct op rest = bench_transfer(OP_WRITE, 0, 0, 10000, 2288);
    struct outcome none = bench_do(b, rest);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(part.error, 0);
    assert_int_equal(part.value, 10000 - 8192);
    assert_string_equal(bench_explain(b, rest, none).kind, "EFBIG");
    bench_free(b);
}

static void pieces_end_at_the_first_short_one(void **state)
{
    (void)state;
    struct bench *b = opened();
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 0, 2500));
    struct op op = bench_transfer(OP_READ, 0, 0, 0, 1000);
    op.count = 4;
    op.stride_bytes = 2000;
    assert_int_equal(bench_must(b, op), 1500);
    op.offset_bytes = 2600;
    assert_int_equal(bench_must(b, op), 0);
    op.kind = OP_WRITE;
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    assert_int_equal(bench_do(b, op).error, EBADF);
    bench_free(b);
}

/* The lock of an open file description other than the backend's own must wait while a range is
 * locked, so after the transfer it must be free again. */
static void range_locks_are_given_back(void **state)
{
    (void)state;
    struct bench *b = bench_make(&backend_posix, 1);
    char path[256];
    bench_option(b, "rangelocks", NULL);
    bench_open(b);
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 4096, 4096));
    int fd = open(bench_path(b, 0, path), O_RDWR);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 8192};
    assert_int_equal(fcntl(fd, F_OFD_SETLK, &lock), 0);
    close(fd);
    /* A read lock cannot be had on what is open for writing alone: the transfer fails, not later.
     */
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    bench_must(b, bench_open_op(0, 0, OP_FLAG_WRITE));
    assert_int_equal(bench_do(b, bench_transfer(OP_READ, 0, 0, 0, 100)).error, EBADF);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_of_open),
        cmocka_unit_test(the_mode_is_the_umasks),
        cmocka_unit_test(truncates_and_overwrites),
        cmocka_unit_test(works_on_names),
        cmocka_unit_test(lists_every_entry_once),
        cmocka_unit_test(says_what_the_errno_leaves_open),
        cmocka_unit_test(a_file_system_without_direct_says_so),
        cmocka_unit_test(a_path_that_does_not_fit),
        cmocka_unit_test(tries_again_but_not_for_ever),
        cmocka_unit_test(a_file_that_grows_too_large),
        cmocka_unit_test(pieces_end_at_the_first_short_one),
        cmocka_unit_test(range_locks_are_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
