/* What mmap does beyond the contract of all backends, SIGBUS first of all. */
#include "backends/mmap_guard.h"
#include "tests/support/backend_bench.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

extern const struct backend backend_mmap;

static struct bench *opened(uint64_t expected_bytes)
{
    struct bench *b = bench_make(&backend_mmap, 1);
    b->setup.expected_bytes = expected_bytes;
    bench_open(b);
    return b;
}

static int64_t size_of(const struct bench *b, uint64_t object)
{
    char path[256];
    struct stat s;
    assert_int_equal(stat(bench_path(b, object, path), &s), 0);
    return s.st_size;
}

static void a_file_cut_under_it_is_an_error(void **state)
{
    (void)state;
    struct bench *b = opened(0);
    char path[256];
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    for (int turn = 0; turn < 3; turn++) { /* survived once, it must be survived again */
        struct op op = bench_transfer(OP_WRITE, 0, 0, 0, 65536);
        bench_must(b, op);
        assert_int_equal(truncate(bench_path(b, 0, path), 5000), 0);
        op.kind = turn < 2 ? OP_READ : OP_WRITE;
        struct outcome outcome = bench_do(b, op);
        assert_int_not_equal(outcome.error, 0);
        struct error e = bench_explain(b, op, outcome);
        assert_int_equal(e.status, STATUS_FAILED);
        assert_string_equal(e.kind, "truncated");
        assert_non_null(strstr(e.text, "cut to 5000 bytes"));
        op.kind = OP_READ;
        assert_int_equal(bench_must(b, op), 5000); /* now it knows */
    }
    bench_free(b);
}

static void a_disk_that_fills_up_is_an_error(void **state)
{
    (void)state;
    struct bench *b = opened(1 << 20); /* grown at once, without blocks */
    if (geteuid() != 0 || mount("tmpfs", b->directory, "tmpfs", 0, "size=64k") != 0) {
        bench_free(b);
        skip();
    }
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    struct op op = bench_transfer(OP_WRITE, 0, 0, 0, 16384);
    struct outcome outcome = {0};
    for (; op.offset_bytes < 1 << 20 && outcome.error == 0; op.offset_bytes += 16384)
        outcome = bench_do(b, op);
    struct error e = bench_explain(b, op, outcome);
    b->backend->close(b->io);
    b->io = NULL;
    umount2(b->directory, MNT_DETACH);
    assert_in_range(op.offset_bytes, 65536, 6 * 16384);
    assert_string_equal(e.kind, "ENOSPC");
    assert_non_null(strstr(e.text, "SIGBUS"));
    bench_free(b);
}

static void files_grow_to_what_is_expected(void **state)
{
    (void)state;
    struct bench *b = opened(200000);
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    assert_int_equal(size_of(b, 0), 0);
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 4096, 4096));
    assert_int_equal(size_of(b, 0), 200000);
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 199999, 3)); /* more than that */
    assert_int_equal(size_of(b, 0), 200002);
    bench_free(b);
    b = opened(0);
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 4 << 20, 1000)); /* past any mapping so far */
    assert_int_equal(size_of(b, 0), (4 << 20) + 1000);
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 0, 1000));
    assert_int_equal(size_of(b, 0), (4 << 20) + 1000);
    bench_free(b);
}

/* Two ranks write one file; each has looked at its size before the other made it longer. */
static void growing_never_cuts_the_others_data(void **state)
{
    (void)state;
    struct bench *b = opened(0);
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    bench_must(b, bench_open_op(0, 1, OP_FLAG_READ | OP_FLAG_WRITE));
    unsigned char *data = b->buffers[0];
    for (unsigned i = 0; i < 64; i++) {
        memset(data, (int)i + 1, 5000);
        /* Handle 1 is always one block ahead, then handle 0 fills the gap. */
        bench_must(b, bench_transfer(OP_WRITE, 0, (i + 1) % 2, (i ^ 1) * 5000, 5000));
    }
    assert_int_equal(size_of(b, 0), 64 * 5000);
    for (unsigned i = 0; i < 64; i++) {
        bench_must(b, bench_transfer(OP_READ, 0, i % 2, (i ^ 1) * 5000, 5000));
        for (int j = 0; j < 5000; j++)
            assert_int_equal(data[j], i + 1);
    }
    bench_free(b);
}

static void a_file_open_for_reading_is_not_written(void **state)
{
    (void)state;
    struct bench *b = opened(0);
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    bench_must(b, bench_transfer(OP_WRITE, 0, 0, 0, 4096));
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    bench_must(b, bench_open_op(0, 0, OP_FLAG_READ));
    assert_int_equal(bench_must(b, bench_transfer(OP_READ, 0, 0, 0, 4096)), 4096);
    assert_int_equal(bench_do(b, bench_transfer(OP_WRITE, 0, 0, 0, 4096)).error, EBADF);
    bench_must(b, bench_op(OP_CLOSE, 0, 0));
    assert_int_equal(bench_do(b, bench_transfer(OP_READ, 0, 0, 0, 4096)).error, EBADF);
    assert_int_equal(bench_must(b, bench_op(OP_STAT, 0, 0)), 4096);
    bench_free(b);
}

static void every_advice_is_taken(void **state)
{
    (void)state;
    char *names = strdup(option_find(backend_mmap.options, "advice")->choices);
    assert_non_null(names);
    char *rest = names;
    for (char *name; (name = strsep(&rest, "|")) != NULL;) {
        struct bench *b = bench_make(&backend_mmap, 1);
        bench_option(b, "advice", name);
        bench_open(b);
        bench_must(b, bench_open_op(0, 0, BENCH_NEW));
        memset(b->buffers[0], 7, 10000);
        bench_must(b, bench_transfer(OP_WRITE, 0, 0, 0, 10000));
        bench_must(b, bench_op(OP_SYNC, 0, 0));
        bench_must(b, bench_op(OP_SYNC, 0, 0)); /* nothing new to write out */
        memset(b->buffers[0], 0, 10000);
        assert_int_equal(bench_must(b, bench_transfer(OP_READ, 0, 0, 0, 10000)), 10000);
        assert_int_equal(((char *)b->buffers[0])[9999], 7);
        bench_free(b);
    }
    free(names);
}

/* A page that nobody can have: past the end of an empty file. */
static char *bad_page(void)
{
    int fd = memfd_create("empty", MFD_CLOEXEC);
    assert_true(fd >= 0);
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_ptr_not_equal(page, MAP_FAILED);
    close(fd);
    return page;
}

static void *copy_from_bad_page(void *argument)
{
    char *page = bad_page();
    char here[4096];
    intptr_t survived = 0;
    for (int i = 0; i < 500; i++)
        survived += !mmap_guard_copy(i % 2 ? page : here, i % 2 ? here : page, sizeof here);
    munmap(page, 4096);
    (void)argument;
    return (void *)survived;
}

static void each_thread_recovers_for_itself(void **state)
{
    (void)state;
    pthread_t threads[4];
    assert_int_equal(mmap_guard_install(), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, copy_from_bad_page, NULL), 0);
    for (int i = 0; i < 4; i++) {
        void *survived;
        assert_int_equal(pthread_join(threads[i], &survived), 0);
        assert_int_equal((intptr_t)survived, 500);
    }
}

static void another_bus_error_ends_the_process(void **state)
{
    (void)state;
    assert_int_equal(mmap_guard_install(), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        volatile char *page = bad_page();
        char here[16] = "";
        mmap_guard_copy(here, "before", 7); /* leaves no recovery point behind */
        page[0] = 1;
        _exit(0);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    assert_int_equal(WTERMSIG(how), SIGBUS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_cut_under_it_is_an_error),
        cmocka_unit_test(a_disk_that_fills_up_is_an_error),
        cmocka_unit_test(files_grow_to_what_is_expected),
        cmocka_unit_test(growing_never_cuts_the_others_data),
        cmocka_unit_test(a_file_open_for_reading_is_not_written),
        cmocka_unit_test(every_advice_is_taken),
        cmocka_unit_test(each_thread_recovers_for_itself),
        cmocka_unit_test(another_bus_error_ends_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
