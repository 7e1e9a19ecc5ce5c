#include "tests/support/backend_bench.h"

#include <dirent.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static int path_of(const void *plan, uint64_t object, char *buf, size_t bytes)
{
    const struct bench *b = plan;
    int used = snprintf(buf, bytes, "%s/%llu", b->directory, (unsigned long long)object);
    return used >= 0 && (size_t)used < bytes ? 0 : -1;
}

struct bench *bench_make(const struct backend *backend, uint32_t slots)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->backend = backend;
    b->clock = clock_virtual(&b->virtual_ns);
    b->comm = (struct comm){.rank = 0, .size = 1, .host = "here", .clock = &b->clock};
    const char *under = getenv("TMPDIR");
    snprintf(b->directory, sizeof b->directory, "%s/pario-test-XXXXXX", under ? under : "/tmp");
    assert_non_null(mkdtemp(b->directory));
    b->options = calloc(1, backend->options_bytes + 1);
    assert_non_null(b->options);
    struct error e = error_none();
    if (backend->options != NULL)
        assert_int_equal(option_defaults(backend->options, b->options, &e), 0);
    for (int i = 0; i < BENCH_SLOTS; i++) {
        b->buffers[i] = aligned_alloc(4096, BENCH_BUFFER);
        assert_non_null(b->buffers[i]);
        memset(b->buffers[i], 0, BENCH_BUFFER);
    }
    b->setup = (struct backend_setup){
        .options = b->options,
        .comm = &b->comm,
        .clock = &b->clock,
        .names = {.plan = b, .path = path_of},
        .slots = slots < backend->max_depth ? slots : backend->max_depth,
        .handles = BENCH_HANDLES,
        .buffers = b->buffers,
        .buffer_bytes = BENCH_BUFFER,
        .transfer_bytes = BENCH_BUFFER,
        .seed = 1,
    };
    return b;
}

void bench_option(struct bench *b, const char *name, const char *value)
{
    struct error e = error_none();
    const struct option *option = option_find(b->backend->options, name);
    assert_non_null(option);
    if (option_set(option, b->options, name, value, &e) != 0)
        fail_msg("%s", e.text);
}

void bench_open(struct bench *b)
{
    struct error e = error_none();
    if (b->io != NULL)
        b->backend->close(b->io);
    b->io = b->backend->open(&b->setup, &e);
    if (b->io == NULL)
        fail_msg("%s does not open: %s", b->backend->name, e.text);
}

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *ftw)
{
    (void)s;
    (void)flag;
    (void)ftw;
    return remove(path);
}

void bench_free(struct bench *b)
{
    if (b->io != NULL)
        b->backend->close(b->io);
    if (b->backend->options != NULL)
        option_free(b->backend->options, b->options);
    free(b->options);
    for (int i = 0; i < BENCH_SLOTS; i++)
        free(b->buffers[i]);
    nftw(b->directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(b);
}

int bench_reap(struct bench *b, uint32_t min, struct completion *done, uint32_t max)
{
    struct error e = error_none();
    int got = b->backend->reap(b->io, min, INT64_MAX, done, max, &e);
    if (got < 0)
        fail_msg("%s cannot reap: %s", b->backend->name, e.text);
    return got;
}

struct outcome bench_do(struct bench *b, struct op op)
{
    struct outcome outcome = {.value = -1, .error = -1};
    if (op.data == NULL)
        op.data = b->buffers[0];
    assert_non_null(b->backend->perform[op.kind]);
    enum io_state state = b->backend->perform[op.kind](b->io, &op, 0, &outcome);
    if (state == IO_DONE)
        return outcome;
    assert_int_equal(state, IO_QUEUED);
    struct completion done;
    assert_int_equal(bench_reap(b, 1, &done, 1), 1);
    assert_int_equal(done.slot, 0);
    return done.outcome;
}

int64_t bench_must(struct bench *b, struct op op)
{
    struct outcome outcome = bench_do(b, op);
    if (outcome.error != 0)
        fail_msg("%s: %s", b->backend->name, bench_explain(b, op, outcome).text);
    return outcome.value;
}

struct error bench_explain(struct bench *b, struct op op, struct outcome outcome)
{
    struct error e = error_none();
    if (b->backend->explain != NULL)
        b->backend->explain(b->io, &op, &outcome, &e);
    else
        error_errno(&e, outcome.error, "%s", op_name(op.kind));
    return e;
}

char *bench_path(const struct bench *b, uint64_t object, char *buf)
{
    assert_int_equal(path_of(b, object, buf, 256), 0);
    return buf;
}

int bench_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    int entries = 0;
    while (readdir(d) != NULL)
        entries++;
    closedir(d);
    return entries;
}
