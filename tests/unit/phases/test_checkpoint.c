/* The streams of a checkpoint and of a restart, rank by rank, as text. */
#include "base/text.h"
#include "phases/phase.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

extern const struct phase phase_checkpoint, phase_restart;

static struct plan plan_for(enum checkpoint_shape shape)
{
    struct plan p = {.workload = WORKLOAD_CHECKPOINT, .ranks = 2, .transfer_bytes = 4096};
    p.checkpoint = (struct checkpoint_plan){.layout = {.shape = shape,
                                                       .writers = 2,
                                                       .slots = 1,
                                                       .writer_bytes = 6000,
                                                       .align_bytes = 1,
                                                       .scale_ppb = 1000000000,
                                                       .model = CHECKPOINT_NO_MODEL},
                                            .ranks = 2,
                                            .steps = 3,
                                            .retain = 1,
                                            .path = "D",
                                            .step = 2,
                                            .oldest = 1,
                                            .reader_count = 2,
                                            .verify = true};
    return p;
}

static void show(struct text *out, const struct plan *p, const struct op *op)
{
    char path[128], other[128];
    text_add(out, "%s", op_name((enum op_kind)op->kind));
    if (op->kind == OP_SEND || op->kind == OP_RECEIVE) {
        text_add(out, " %" PRIu64 " %" PRIu64 "+%" PRIu64 "\n", op->other, op->offset_bytes,
                 op->length_bytes);
        return;
    }
    if (op->kind != OP_AGREE && op->kind != OP_STAGE &&
        plan_path(p, op->object, path, sizeof path) == 0)
        text_add(out, " %s", path);
    if (op->kind == OP_RENAME && plan_path(p, op->other, other, sizeof other) == 0)
        text_add(out, " %s", other);
    if (op_is_transfer((enum op_kind)op->kind))
        text_add(out, " %" PRIu64 "+%" PRIu64, op->offset_bytes, op->length_bytes);
    text_add(out, op->kind == OP_AGREE && op->other ? " 1\n" : "\n");
}

/* The whole stream of a rank; after fail_after operations one fails. Agreements answer what this
 * rank says. */
static void assert_stream(const struct phase *phase, const struct plan *p, uint64_t rank,
                          int fail_after, const char *expected)
{
    struct cursor *c = calloc(1, phase->cursor_bytes);
    struct text out = {0};
    struct op op;
    c->plan = p;
    c->rank = c->real_rank = rank;
    c->goal = UINT64_MAX;
    phase->begin(c);
    for (int n = 1; phase->next(c, &op) == STEP_OP; n++) {
        struct outcome outcome = {.value = op.kind == OP_AGREE  ? (int64_t)op.other
                                           : op.kind == OP_SEND ? n != fail_after
                                                                : 0};
        show(&out, p, &op);
        assert_true(n < 100);
        if (n == fail_after && op.kind != OP_SEND)
            c->failed = c->stopping = true;
        else if (phase->completed)
            phase->completed(c, &op, &outcome);
        struct op done = op;
        if (op.flags & OP_FLAG_CHAINED && phase->follow(c, &done, &outcome, &op) == STEP_OP)
            show(&out, p, &op);
    }
    assert_int_equal(phase->next(c, &op), STEP_END);
    assert_string_equal(out.data, expected);
    text_free(&out);
    free(c);
}

#define FILE_OF(rank)                                                                              \
    "open D/step-00000002/rank-0000000" rank ".tmp\n"                                              \
    "write D/step-00000002/rank-0000000" rank ".tmp 0+4096\n"                                      \
    "write D/step-00000002/rank-0000000" rank ".tmp 4096+1904\n"                                   \
    "sync D/step-00000002/rank-0000000" rank ".tmp\n"                                              \
    "close D/step-00000002/rank-0000000" rank ".tmp\n"                                             \
    "rename D/step-00000002/rank-0000000" rank ".tmp D/step-00000002/rank-0000000" rank "\n"       \
    "directory_sync D/step-00000002\n"
#define MARKER                                                                                     \
    "create D/latest.tmp\nwrite D/latest.tmp 0+4096\nsync D/latest.tmp\nclose D/latest.tmp\n"      \
    "rename D/latest.tmp D/latest\ndirectory_sync D\n"

static void files_then_marker_then_pruning(void **state)
{
    (void)state;
    struct plan p = plan_for(CHECKPOINT_FILES);
    assert_stream(
        &phase_checkpoint, &p, 0, 0,
        "mkdir D/step-00000002\ndirectory_sync D\nagree\n" FILE_OF(
            "0") "agree\n" MARKER
                 "agree\nunlink D/step-00000001/rank-00000000\nagree\nrmdir D/step-00000001\n");
    assert_stream(
        &phase_checkpoint, &p, 1, 0,
        "agree\n" FILE_OF("1") "agree\nagree\nunlink D/step-00000001/rank-00000001\nagree\n");
    assert_int_equal(phase_checkpoint.planned(&p, 0), 2);
}

/* A rank that fails says so in every agreement, and nothing is marked or pruned. */
static void a_failure_leaves_the_marker_alone(void **state)
{
    (void)state;
    struct plan p = plan_for(CHECKPOINT_FILES);
    assert_stream(&phase_checkpoint, &p, 0, 1,
                  "mkdir D/step-00000002\nagree 1\nagree 1\nagree 1\nagree 1\n");
    assert_stream(&phase_checkpoint, &p, 1, 3,
                  "agree\nopen D/step-00000002/rank-00000001.tmp\n"
                  "write D/step-00000002/rank-00000001.tmp 0+4096\nagree 1\nagree 1\nagree 1\n");
}

static void a_shared_file_is_renamed_once(void **state)
{
    (void)state;
    struct plan p = plan_for(CHECKPOINT_SHARED);
    p.checkpoint.oldest = 2; /* nothing to prune */
    assert_stream(&phase_checkpoint, &p, 1, 0,
                  "agree\nopen D/step-00000002/shared.tmp\n"
                  "write D/step-00000002/shared.tmp 6000+4096\n"
                  "write D/step-00000002/shared.tmp 10096+1904\n"
                  "sync D/step-00000002/shared.tmp\nclose D/step-00000002/shared.tmp\n"
                  "agree\nagree\nagree\n");
    /* Open, sync and close may be calls of all: also after an error. */
    assert_stream(&phase_checkpoint, &p, 1, 3,
                  "agree\nopen D/step-00000002/shared.tmp\n"
                  "write D/step-00000002/shared.tmp 6000+4096\n"
                  "sync D/step-00000002/shared.tmp\nclose D/step-00000002/shared.tmp\n"
                  "agree 1\nagree 1\nagree 1\n");
}

/* Ranks 0 and 1 are one group, rank 2 the other. */
static struct plan groups(void)
{
    struct plan p = plan_for(CHECKPOINT_GROUPS);
    p.ranks = p.checkpoint.ranks = 3;
    p.checkpoint.oldest = 2; /* nothing to prune */
    checkpoint_plan_group(&p.checkpoint, 2);
    return p;
}

#define GROUP "D/step-00000002/group-00000000"

static void a_group_is_written_by_its_first(void **state)
{
    (void)state;
    struct plan p = groups();
    assert_stream(&phase_checkpoint, &p, 0, 0,
                  "mkdir D/step-00000002\ndirectory_sync D\nagree\nopen " GROUP ".tmp\n"
                  "write " GROUP ".tmp 0+4096\nwrite " GROUP ".tmp 4096+1904\n"
                  "receive 1 6000+4096\nwrite " GROUP ".tmp 6000+4096\n"
                  "receive 1 10096+1904\nwrite " GROUP ".tmp 10096+1904\n"
                  "sync " GROUP ".tmp\nclose " GROUP ".tmp\nrename " GROUP ".tmp " GROUP "\n"
                  "directory_sync D/step-00000002\nagree\n" MARKER "agree\n");
    assert_stream(&phase_checkpoint, &p, 1, 0,
                  "agree\nsend 0 6000+4096\nsend 0 10096+1904\nagree\nagree\n");
    assert_int_equal(phase_checkpoint.planned(&p, 0), 4);
    assert_int_equal(phase_checkpoint.planned(&p, 1), 0);
    assert_int_equal(phase_checkpoint.planned(&p, 2), 2);
}

static void a_leader_that_fails_dismisses_the_others(void **state)
{
    (void)state;
    struct plan p = groups();
    assert_stream(&phase_checkpoint, &p, 0, 5,
                  "mkdir D/step-00000002\ndirectory_sync D\nagree\nopen " GROUP ".tmp\n"
                  "write " GROUP ".tmp 0+4096\nreceive 1 0+0\nagree 1\nagree 1\n");
    /* It was asked once, and then told that no more is wanted. */
    assert_stream(&phase_checkpoint, &p, 1, 2, "agree\nsend 0 6000+4096\nagree\nagree\n");
}

/* Room for 5000 bytes: the rest is copied when the first write is through. */
static void little_memory_is_filled_as_it_drains(void **state)
{
    (void)state;
    struct plan p = plan_for(CHECKPOINT_FILES);
    p.checkpoint.staging_bytes = 5000;
    p.checkpoint.oldest = 2;
    assert_stream(&phase_checkpoint, &p, 1, 0,
                  "stage\nstage\nagree\nopen D/step-00000002/rank-00000001.tmp\n"
                  "write D/step-00000002/rank-00000001.tmp 0+4096\nstage\n"
                  "write D/step-00000002/rank-00000001.tmp 4096+1904\n"
                  "sync D/step-00000002/rank-00000001.tmp\n"
                  "close D/step-00000002/rank-00000001.tmp\n"
                  "rename D/step-00000002/rank-00000001.tmp D/step-00000002/rank-00000001\n"
                  "directory_sync D/step-00000002\nagree\nagree\n");
}

static void a_restart_reads_what_its_reader_should(void **state)
{
    (void)state;
    struct plan p = plan_for(CHECKPOINT_FILES);
    p.checkpoint.reader = 1;
    assert_stream(&phase_restart, &p, 0, 0,
                  "open D/step-00000002/rank-00000001\n"
                  "read D/step-00000002/rank-00000001 0+4096\n"
                  "read D/step-00000002/rank-00000001 4096+1904\n"
                  "close D/step-00000002/rank-00000001\n");
    assert_stream(&phase_restart, &p, 0, 1, "open D/step-00000002/rank-00000001\n");
    p.checkpoint.reader_count = 4; /* two readers share a file */
    assert_stream(&phase_restart, &p, 0, 0,
                  "open D/step-00000002/rank-00000000\n"
                  "read D/step-00000002/rank-00000000 0+4096\n"
                  "read D/step-00000002/rank-00000000 4096+1904\n"
                  "close D/step-00000002/rank-00000000\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_then_marker_then_pruning),
        cmocka_unit_test(a_failure_leaves_the_marker_alone),
        cmocka_unit_test(a_shared_file_is_renamed_once),
        cmocka_unit_test(a_group_is_written_by_its_first),
        cmocka_unit_test(a_leader_that_fails_dismisses_the_others),
        cmocka_unit_test(little_memory_is_filled_as_it_drains),
        cmocka_unit_test(a_restart_reads_what_its_reader_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
