/* Backends whose objects are files: what cannot be done is an outcome that says why, never a crash.
 */
#include "tests/support/backend_contract.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* The error of an operation that must fail with this errno, and say so. */
static void assert_fails(struct bench *b, struct op op, int errno_value)
{
    struct outcome outcome = bench_do(b, op);
    assert_int_not_equal(outcome.error, 0);
    struct error e = bench_explain(b, op, outcome);
    assert_int_equal(e.status, STATUS_FAILED);
    assert_int_equal(e.errno_value, errno_value);
    assert_string_equal(e.kind, strerrorname_np(errno_value));
    assert_non_null(strstr(e.text, strerror(errno_value)));
    assert_non_null(strstr(e.text, op_name(op.kind)));
}

static void a_missing_file_is_an_outcome(void **state)
{
    struct bench *b = contract_opened(state, 1);
    int before = bench_descriptors();
    assert_fails(b, bench_open_op(7, 0, OP_FLAG_READ), ENOENT);
    assert_fails(b, bench_open_op(7, 0, OP_FLAG_WRITE), ENOENT);
    assert_int_equal(bench_descriptors(), before);
    bench_must(b, bench_open_op(7, 0, BENCH_NEW));
    assert_fails(b, bench_open_op(7, 1, BENCH_NEW), EEXIST);
    bench_free(b);
}

static void a_link_is_not_followed(void **state)
{
    struct bench *b = contract_opened(state, 1);
    char target[256], link[256];
    bench_must(b, bench_open_op(1, 0, BENCH_NEW));
    assert_int_equal(symlink(bench_path(b, 1, target), bench_path(b, 2, link)), 0);
    assert_fails(b, bench_open_op(2, 1, OP_FLAG_READ), ELOOP);
    assert_fails(b, bench_open_op(2, 1, OP_FLAG_WRITE | OP_FLAG_CREATE), ELOOP);
    bench_free(b);
}

static void a_forbidden_directory_is_an_outcome(void **state)
{
    struct bench *b = contract_opened(state, 1);
    if (geteuid() == 0 && seteuid(65534) != 0) {
        bench_free(b);
        skip();
    }
    struct op op = bench_open_op(7, 0, OP_FLAG_WRITE | OP_FLAG_CREATE);
    if (getuid() != 0)
        chmod(b->directory, 0500);
    struct outcome outcome = bench_do(b, op);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    chmod(b->directory, 0700);
    assert_int_not_equal(outcome.error, 0);
    assert_non_null(strstr(bench_explain(b, op, outcome).text, strerror(EACCES)));
    bench_free(b);
}

static void a_full_disk_is_an_outcome(void **state)
{
    struct bench *b = contract_opened(state, 1);
    if (geteuid() != 0 || mount("tmpfs", b->directory, "tmpfs", 0, "size=64k") != 0) {
        bench_free(b);
        skip();
    }
    bench_must(b, bench_open_op(0, 0, BENCH_NEW));
    struct op op = bench_transfer(OP_WRITE, 0, 0, 0, 16384);
    struct outcome outcome = {0};
    for (; op.offset_bytes < 131072 && outcome.error == 0; op.offset_bytes += 16384)
        outcome = bench_do(b, op);
    struct error e = bench_explain(b, op, outcome);
    if (b->io != NULL)
        b->backend->close(b->io);
    b->io = NULL;
    umount2(b->directory, MNT_DETACH);
    assert_int_not_equal(outcome.error, 0);
    assert_string_equal(e.kind, "ENOSPC");
    assert_non_null(strstr(e.text, strerror(ENOSPC)));
    bench_free(b);
}

static void names_are_made_and_removed(void **state)
{
    struct bench *b = contract_opened(state, 1);
    enum op_kind needed[] = {OP_MKDIR, OP_RMDIR, OP_CREATE, OP_STAT, OP_UNLINK, OP_SYNC_DIRECTORY};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (b->backend->perform[needed[i]] == NULL) {
            bench_free(b);
            skip();
        }
    struct op create = bench_open_op(5, 0, OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE);
    create.kind = OP_CREATE;
    bench_must(b, bench_op(OP_MKDIR, 4, 0));
    bench_must(b, create);
    bench_must(b, bench_transfer(OP_WRITE, 5, 0, 0, 3901));
    bench_must(b, bench_op(OP_CLOSE, 5, 0));
    assert_int_equal(bench_must(b, bench_op(OP_STAT, 5, 0)), 3901);
    assert_fails(b, create, EEXIST);
    assert_fails(b, bench_op(OP_MKDIR, 4, 0), EEXIST);
    bench_must(b, bench_op(OP_SYNC_DIRECTORY, 4, 0));
    assert_fails(b, bench_op(OP_SYNC_DIRECTORY, 5, 0), ENOTDIR);
    bench_must(b, bench_op(OP_UNLINK, 5, 0));
    bench_must(b, bench_op(OP_RMDIR, 4, 0));
    assert_fails(b, bench_op(OP_STAT, 5, 0), ENOENT);
    assert_fails(b, bench_op(OP_UNLINK, 5, 0), ENOENT);
    assert_fails(b, bench_op(OP_RMDIR, 4, 0), ENOENT);
    assert_fails(b, bench_op(OP_SYNC_DIRECTORY, 4, 0), ENOENT);
    bench_free(b);
}

int main(void)
{
    static const struct clause clauses[] = {
        CLAUSE(BACKEND_PATHS, a_missing_file_is_an_outcome),
        CLAUSE(BACKEND_PATHS, a_link_is_not_followed),
        CLAUSE(BACKEND_PATHS, a_forbidden_directory_is_an_outcome),
        CLAUSE(BACKEND_PATHS, a_full_disk_is_an_outcome),
        CLAUSE(BACKEND_PATHS, names_are_made_and_removed),
    };
    return contract_run("backend-files", clauses, sizeof clauses / sizeof clauses[0]);
}
