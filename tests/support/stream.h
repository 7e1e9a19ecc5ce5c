/* A phase's stream as text, as if every operation succeeded or as a test says: "create file.0.0",
 * "write file.0.0 0+4096", "close file.0.0", one a line. */
#ifndef PARIO_TESTS_STREAM_H
#define PARIO_TESTS_STREAM_H

#include "base/text.h"
#include "phases/phase.h"

#include <stdlib.h>
#include <string.h>

struct stream_try { /* how the operations of one kind end, and what the ranks agree on */
    enum op_kind fails;
    int error; /* 0: nothing fails */
    int64_t agreed;
    uint64_t stop_after; /* own operations, then a deadline; 0: none */
};

static inline const char *stream_tail(const char *path, const char *from)
{
    const char *found = strstr(path, from);
    return found ? found : path;
}

static inline void stream_say(struct text *t, const struct plan *plan, const struct op *op)
{
    char path[4096] = "?", other[4096] = "?";
    plan_path(plan, op->object, path, sizeof path);
    text_add(t, "%s", op_name((enum op_kind)op->kind));
    if (op->kind != OP_AGREE)
        text_add(t, " %s", path);
    if (op->kind == OP_RENAME || op->kind == OP_LINK) {
        plan_path(plan, op->other, other, sizeof other);
        text_add(t, " %s", other);
    }
    if (op_is_transfer((enum op_kind)op->kind))
        text_add(t, " %llu+%llu", (unsigned long long)op->offset_bytes,
                 (unsigned long long)op->length_bytes);
    text_add(t, "\n");
}

/* Caller frees. rank: acts as itself. */
static inline char *stream_of(const struct phase *phase, const struct plan *plan, uint64_t rank,
                              uint64_t goal, const struct stream_try *try)
{
    static const struct stream_try well;
    const struct stream_try *how = try ?
    try:
        &well;
    struct cursor *c = calloc(1, phase->cursor_bytes);
    struct text t = {0};
    struct op op;
    text_append(&t, "", 0);
    *c = (struct cursor){.plan = plan, .rank = rank, .real_rank = rank, .goal = goal};
    phase->begin(c);
    while (phase->next(c, &op) == STEP_OP) {
        for (;;) {
            struct outcome outcome = {
                .value = op.kind == OP_AGREE ? how->agreed : (int64_t)op_bytes(&op),
                .error = how->error && op.kind == how->fails ? how->error : 0};
            struct op done = op;
            stream_say(&t, plan, &op);
            if (phase->completed)
                phase->completed(c, &op, &outcome);
            if (!(op.flags & OP_FLAG_CHAINED) || phase->follow(c, &done, &outcome, &op) != STEP_OP)
                break;
        }
        if (how->stop_after && c->issued >= how->stop_after)
            c->stopping = true;
    }
    free(c);
    return t.data ? t.data : calloc(1, 1);
}

#endif
