/* A phase of the test's own through the same engine: chains of create, write and close, several of
 * them in flight. */
#include "tests/flow/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define FILE_BYTES 4096

/* Chains: files 0 .. files-1 of a rank, each created, written, closed. */
struct chains {
    struct stream_cursor base;
    uint64_t files, next;
};

static void chains_begin(struct cursor *c)
{
    struct chains *k = (struct chains *)c;
    k->files = *(const uint64_t *)stream_of(c)->context;
}

static enum step chains_next(struct cursor *c, struct op *op)
{
    struct chains *k = (struct chains *)c;
    if (k->next == k->files || c->stopping)
        return STEP_END;
    *op = (struct op){.kind = OP_CREATE,
                      .flags = OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE | OP_FLAG_CHAINED,
                      .object = c->rank * k->files + k->next,
                      .handle = (uint32_t)(k->next % stream_of(c)->handles)};
    k->next++;
    c->issued++;
    return STEP_OP;
}

static enum step chains_follow(struct cursor *c, const struct op *done,
                               const struct outcome *outcome, struct op *op)
{
    (void)c;
    if (done->kind == OP_CLOSE || outcome->error)
        return STEP_END;
    *op = (struct op){.kind = done->kind == OP_CREATE ? OP_WRITE : OP_CLOSE,
                      .flags = OP_FLAG_CHAINED | (done->kind == OP_CREATE ? OP_FLAG_FILL : 0),
                      .object = done->object,
                      .handle = done->handle,
                      .length_bytes = done->kind == OP_CREATE ? FILE_BYTES : 0};
    return STEP_OP;
}

static const struct phase phase_chains = {.name = "chains",
                                          .about = OP_CREATE,
                                          .cursor_bytes = sizeof(struct chains),
                                          .begin = chains_begin,
                                          .next = chains_next,
                                          .follow = chains_follow};

/* Four chains in flight, ten files a rank: three rounds of 1 + 2 + 3 ms. In a chain an operation's
 * latency begins when the one before it is done. */
static void chains_figures(void **state)
{
    uint64_t files = 10;
    struct stream_end ends[3];
    struct stream s = {.phase = &phase_chains,
                       .backend = backend_find("sim"),
                       .options = "meta=1ms service=2ms close=3ms",
                       .ranks = 3,
                       .depth = 4,
                       .handles = 16,
                       .transfer_bytes = FILE_BYTES,
                       .virtual_clock = true,
                       .context = &files};
    (void)state;
    stream_run(&s, ends);
    for (int rank = 0; rank < 3; rank++) {
        const struct sample *m = &ends[rank].sample;
        assert_int_equal(ends[rank].error.status, STATUS_DONE);
        assert_int_equal(m->counters[COUNTER_OPERATIONS], 10);
        assert_int_equal(m->counters[COUNTER_ELAPSED_NS], 18 * MS);
        assert_int_equal(ends[rank].created, 10);
        assert_int_equal(m->latency[OP_CREATE]->min, 1 * MS);
        assert_int_equal(m->latency[OP_CREATE]->max, 1 * MS);
        assert_int_equal(m->latency[OP_WRITE]->min, 2 * MS);
        assert_int_equal(m->latency[OP_WRITE]->max, 2 * MS);
        assert_int_equal(m->latency[OP_CLOSE]->min, 3 * MS);
        assert_int_equal(m->latency[OP_CLOSE]->max, 3 * MS);
        assert_int_equal(m->latency[OP_CLOSE]->count, 10);
        assert_int_equal(m->stage_ns[STAGE_CREATE], 3 * MS);
        assert_int_equal(m->stage_ns[STAGE_TRANSFER], 6 * MS);
        assert_int_equal(m->stage_ns[STAGE_CLOSE], 9 * MS);
    }
    stream_free(ends, 3);
}

/* One chain at a time where nothing queues: the same stream, the same sums. */
static void chains_synchronous(void **state)
{
    uint64_t files = 10;
    struct stream_end end;
    struct stream s = {.phase = &phase_chains,
                       .backend = backend_find("sim"),
                       .options = "meta=1ms service=2ms close=3ms",
                       .ranks = 1,
                       .depth = 1,
                       .handles = 16,
                       .transfer_bytes = FILE_BYTES,
                       .virtual_clock = true,
                       .context = &files};
    (void)state;
    stream_run(&s, &end);
    assert_int_equal(end.sample.counters[COUNTER_ELAPSED_NS], 60 * MS);
    assert_int_equal(end.sample.stage_ns[STAGE_TRANSFER], 20 * MS);
    assert_int_equal(end.sample.stage_ns[STAGE_CLOSE], 30 * MS);
    stream_free(&end, 1);
}

/* On real files: all there, with what belongs into them. */
static void chains_on(const char *name, uint32_t depth)
{
    const struct backend *backend = backend_find(name);
    uint64_t files = 50;
    char folder[128], path[256], *data = malloc(FILE_BYTES);
    struct fill_data kind = {.mode = FILL_STAMPED, .seed = 7};
    struct error e = error_none();
    struct stream_end ends[3];
    struct stream s = {.phase = &phase_chains,
                       .backend = backend,
                       .ranks = 3,
                       .depth = depth,
                       .handles = 64,
                       .transfer_bytes = FILE_BYTES,
                       .context = &files,
                       .folder = flow_folder(folder)};
    if (backend->unavailable)
        skip();
    stream_run(&s, ends);
    struct fill *fill = fill_make(&kind, FILE_BYTES, 1, &e);
    for (uint64_t object = 0; object < 150; object++) {
        struct stat st;
        struct mismatch m;
        snprintf(path, sizeof path, "%s/%u", folder, (unsigned)object);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        assert_int_equal(fstat(fileno(f), &st), 0);
        assert_int_equal(st.st_size, FILE_BYTES);
        assert_int_equal(fread(data, 1, FILE_BYTES, f), FILE_BYTES);
        fclose(f);
        assert_int_equal(fill_check(fill, data, object, 0, FILE_BYTES, &m), 0);
    }
    for (int rank = 0; rank < 3; rank++) {
        const struct sample *m = &ends[rank].sample;
        uint64_t stages_ns = 0;
        for (int stage = 0; stage < STAGES; stage++)
            stages_ns += m->stage_ns[stage];
        if (ends[rank].error.status != STATUS_DONE)
            fail_msg("%s", ends[rank].error.text);
        assert_int_equal(m->counters[COUNTER_OPERATIONS], 50);
        assert_int_equal(m->latency[OP_CLOSE]->count, 50);
        assert_int_equal(stages_ns, m->counters[COUNTER_ELAPSED_NS]);
    }
    fill_free(fill);
    free(data);
    stream_free(ends, 3);
    flow_clean(folder);
}

static void chains_on_posix(void **state)
{
    (void)state;
    chains_on("posix", 1);
}

static void chains_on_uring(void **state)
{
    (void)state;
    chains_on("uring", 8);
}

static void chains_on_aio(void **state)
{
    (void)state;
    chains_on("aio", 8);
}

/* A rank whose seventh create fails: it says so once, the others hear of it, nobody waits. */
static void chains_failing(void **state)
{
    uint64_t files = 20000000;
    struct stream_end ends[3];
    struct stream s = {.phase = &phase_chains,
                       .backend = backend_find("sim"),
                       .options = "meta=1ms error-op=create error-at=7 error-rank=1 "
                                  "error-kind=ENOSPC",
                       .ranks = 3,
                       .depth = 4,
                       .handles = 16,
                       .transfer_bytes = FILE_BYTES,
                       .virtual_clock = true,
                       .context = &files};
    (void)state;
    stream_run(&s, ends);
    assert_int_equal(ends[1].error.status, STATUS_FAILED);
    assert_string_equal(ends[1].error.kind, "ENOSPC");
    assert_int_equal(ends[1].sample.counters[COUNTER_FAILED], 1);
    assert_true(ends[1].sample.counters[COUNTER_OPERATIONS] < 16);
    for (int rank = 0; rank < 3; rank += 2) {
        assert_int_equal(ends[rank].error.status, STATUS_DONE);
        assert_int_equal(ends[rank].stopped, STOP_ERROR);
        assert_true(ends[rank].sample.counters[COUNTER_OPERATIONS] < files);
    }
    stream_free(ends, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_figures),  cmocka_unit_test(chains_synchronous),
        cmocka_unit_test(chains_on_posix), cmocka_unit_test(chains_on_uring),
        cmocka_unit_test(chains_on_aio),   cmocka_unit_test(chains_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
