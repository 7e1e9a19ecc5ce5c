/* A checkpoint, as a careful program writes it: files under temporary names, made durable and then
 * renamed; their directory made durable; and when all ranks have come so far, rank 0 replaces the
 * marker that says which checkpoints are whole. Killed at any moment, a whole one is left. */
#include "phases/groups.h"

#include <string.h>

enum state { /* of the whole, in order */
             MAKE_DIRECTORY,
             SYNC_ABOVE,
             CREATE_SHARED,
             CLOSE_SHARED,
             MADE,
             WRITE_FILES,
             WRITTEN_SHARED,
             RENAME_SHARED,
             SYNC_DIRECTORY,
             DURABLE,
             OPEN_MARKER,
             WRITE_MARKER,
             SYNC_MARKER,
             CLOSE_MARKER,
             RENAME_MARKER,
             SYNC_TOP,
             COMMITTED,
             PRUNE_FILES,
             PRUNED,
             PRUNE_DIRECTORY,
             OVER
};

enum file_state { FILE_NEXT, FILE_OPEN, FILE_WRITE, FILE_SYNC, FILE_CLOSE, FILE_RENAME };

struct save {
    struct cursor base;
    const struct checkpoint_plan *plan;
    uint32_t state;      /* enum state */
    uint32_t file_state; /* enum file_state */
    bool pending;        /* piece is the next file's first */
    bool renamed;        /* something, so that the directory has changed */
    uint64_t failed;     /* agreed: not 0 where a rank could not go on */
    uint64_t file;       /* in hand */
    uint64_t old_file;   /* last one that was pruned */
    uint64_t marker_at;  /* bytes of the marker written */
    uint64_t unstaged;   /* bytes still to be copied to the staging memory */
    uint64_t staged;     /* ... copied, of which ... */
    uint64_t taken;      /* ... handed over to be written ... */
    uint64_t drained;    /* ... and written */
    struct group group;
    struct checkpoint_walk walk;
    struct checkpoint_walk old; /* files of the checkpoint that is pruned */
    struct checkpoint_piece piece;
};

static bool is_shared(const struct save *s)
{
    return layout_is_shared(&s->plan->layout);
}

static uint16_t collective(const struct save *s)
{
    return s->base.plan->collective ? OP_FLAG_COLLECTIVE : 0;
}

static void begin(struct cursor *c)
{
    struct save *s = (struct save *)c;
    s->plan = &c->plan->checkpoint;
    s->walk = checkpoint_write_walk(&s->plan->layout, s->plan->coalesced, c->rank, s->plan->ranks);
    s->old = s->walk;
    s->group = group_of(s->plan, c->rank);
    if (s->plan->staging_bytes) {
        uint64_t transfers;
        checkpoint_walk_count(s->walk, c->plan->transfer_bytes, &s->unstaged, &transfers);
    }
    s->old_file = UINT64_MAX;
}

/* This rank cannot or shall not go on with its files. Where calls are collective it goes on until
 * all have agreed to stop. */
static bool gives_up(const struct save *s)
{
    return s->base.stopping || (s->base.failed && !s->base.plan->collective);
}

static enum step alone(struct op *op, enum op_kind kind, uint64_t object, uint16_t flags)
{
    *op =
        (struct op){.kind = (uint8_t)kind, .order = ORDER_DRAIN, .flags = flags, .object = object};
    return STEP_OP;
}

static enum step rename_to(struct op *op, uint64_t object, uint16_t flags)
{
    alone(op, OP_RENAME, object | OBJECT_TEMPORARY, flags);
    op->other = object;
    return STEP_OP;
}

/* All ranks: has anybody failed? */
static enum step agree(struct save *s, struct op *op)
{
    alone(op, OP_AGREE, 0, OP_FLAG_COLLECTIVE);
    op->other = s->base.failed || s->base.stopping || s->failed ? 1 : 0;
    return STEP_OP;
}

static uint64_t object_in_hand(const struct save *s)
{
    return checkpoint_file(s->plan->step, s->file);
}

/* Copies as much as there is room for. END: there is none, or nothing is left to copy. */
static enum step stage(struct save *s, struct op *op)
{
    uint64_t most = s->base.plan->transfer_bytes;
    uint64_t room = s->plan->staging_bytes - (s->staged - s->drained);
    uint64_t length = s->unstaged < room ? s->unstaged : room;
    if (length == 0 || s->base.failed || s->base.stopping)
        return STEP_END;
    length = length < most ? length : most;
    *op = (struct op){.kind = OP_STAGE, .offset_bytes = s->staged, .length_bytes = length};
    s->staged += length;
    s->unstaged -= length;
    return STEP_OP;
}

/* WAIT: it is not copied yet, and there is no room until something is written. */
static enum step transfer(struct save *s, struct op *op)
{
    uint64_t most = s->base.plan->transfer_bytes;
    uint64_t length = s->piece.length_bytes < most ? s->piece.length_bytes : most;
    if (s->unstaged && s->taken + length > s->staged && !s->base.failed && !s->base.stopping)
        return STEP_WAIT;
    if (s->group.members)
        length = group_cut(&s->group, s->piece.offset_bytes, length);
    s->taken += length;
    uint16_t fill = s->piece.header ? OP_FLAG_SUPPLIED : OP_FLAG_FILL;
    *op = (struct op){.kind = OP_WRITE,
                      .flags = fill | collective(s),
                      .object = object_in_hand(s) | OBJECT_TEMPORARY,
                      .offset_bytes = s->piece.offset_bytes,
                      .length_bytes = length};
    if (s->group.members)
        group_receive(&s->group, op);
    s->piece.offset_bytes += length;
    s->piece.length_bytes -= length;
    s->base.issued++;
    return STEP_OP;
}

static enum step follow(struct cursor *c, const struct op *done, const struct outcome *outcome,
                        struct op *op)
{
    (void)outcome;
    if (gives_up((struct save *)c))
        return STEP_END;
    group_write(done, op);
    return STEP_OP;
}

/* What ranks of a group owe each other. */
static enum step in_group(struct save *s, struct op *op)
{
    uint64_t file = s->group.leader / (s->plan->layout.chunk_bytes / s->group.bytes);
    if (s->group.members)
        return gives_up(s) ? group_dismiss(&s->group, op) : STEP_END;
    return group_send(&s->group, checkpoint_file(s->plan->step, file) | OBJECT_TEMPORARY,
                      s->base.rank, s->base.plan->transfer_bytes, op);
}

/* More to write in the file in hand? Else the next file's first piece is pending, or nothing. */
static bool has_more(struct save *s)
{
    if (gives_up(s))
        return false;
    if (s->piece.length_bytes > 0 && !s->pending)
        return true;
    if (s->pending || !checkpoint_walk_next(&s->walk, &s->piece))
        return false;
    s->pending = s->piece.file != s->file;
    return !s->pending;
}

static bool next_file(struct save *s)
{
    if ((gives_up(s) && !is_shared(s)) ||
        (!s->pending && !checkpoint_walk_next(&s->walk, &s->piece)))
        return false;
    s->pending = false;
    s->file = s->piece.file;
    return true;
}

/* Writing all files of this rank; END when that is through. */
static enum step write_files(struct save *s, struct op *op)
{
    uint16_t together = collective(s);
    uint64_t temporary = object_in_hand(s) | OBJECT_TEMPORARY;
    if (s->group.bytes && in_group(s, op) == STEP_OP)
        return STEP_OP;
    for (;;) {
        switch ((enum file_state)s->file_state) {
        case FILE_NEXT:
            if (!next_file(s))
                return STEP_END;
            s->file_state = FILE_OPEN;
            break;
        case FILE_OPEN:
            s->file_state = FILE_WRITE;
            return alone(op, OP_OPEN, object_in_hand(s) | OBJECT_TEMPORARY,
                         is_shared(s) ? OP_FLAG_WRITE | together
                                      : OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE);
        case FILE_WRITE:
            if (has_more(s))
                return transfer(s, op);
            s->file_state = FILE_SYNC;
            break;
        case FILE_SYNC:
            s->file_state = FILE_CLOSE;
            if (!gives_up(s) || is_shared(s))
                return alone(op, OP_SYNC, temporary, together);
            break;
        case FILE_CLOSE:
            s->file_state = FILE_RENAME;
            /* What an error left open is closed by the backend. Opening, syncing and closing a file
             * that all share may be calls of all: a rank that failed takes part. */
            if (!s->base.failed || is_shared(s))
                return alone(op, OP_CLOSE, temporary, together);
            break;
        case FILE_RENAME:
            s->file_state = FILE_NEXT;
            if (!is_shared(s) && !gives_up(s)) {
                s->renamed = true;
                return rename_to(op, object_in_hand(s), 0);
            }
        }
    }
}

/* Removing the files of the checkpoint that is not retained; END when that is through. */
static enum step prune_files(struct save *s, struct op *op)
{
    uint64_t step = checkpoint_pruned(s->plan);
    struct checkpoint_piece piece;
    while (step && !gives_up(s) && checkpoint_walk_next(&s->old, &piece)) {
        bool mine = !is_shared(s) || s->base.rank == 0;
        if (piece.file == s->old_file || !mine)
            continue;
        s->old_file = piece.file;
        return alone(op, OP_UNLINK, checkpoint_file(step, piece.file), 0);
    }
    return STEP_END;
}

static enum step write_marker(struct save *s, struct op *op)
{
    uint64_t most = s->base.plan->transfer_bytes;
    uint64_t left = CHECKPOINT_MARKER_BYTES - s->marker_at;
    alone(op, OP_WRITE, checkpoint_marker() | OBJECT_TEMPORARY, OP_FLAG_SUPPLIED | OP_FLAG_MARKER);
    op->offset_bytes = s->marker_at;
    op->length_bytes = left < most ? left : most;
    s->marker_at += op->length_bytes;
    if (s->marker_at < CHECKPOINT_MARKER_BYTES)
        s->state--; /* come here again */
    return STEP_OP;
}

/* Rank 0's replacement of the marker. */
static enum step marker(struct save *s, enum state state, struct op *op)
{
    uint64_t temporary = checkpoint_marker() | OBJECT_TEMPORARY;
    switch (state) {
    case OPEN_MARKER:
        return alone(op, OP_CREATE, temporary,
                     OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_TRUNCATE | OP_FLAG_MARKER);
    case WRITE_MARKER:
        return write_marker(s, op);
    case SYNC_MARKER:
        return alone(op, OP_SYNC, temporary, OP_FLAG_MARKER);
    case CLOSE_MARKER:
        return alone(op, OP_CLOSE, temporary, OP_FLAG_MARKER);
    case RENAME_MARKER:
        return rename_to(op, checkpoint_marker(), OP_FLAG_MARKER);
    default:
        return alone(op, OP_SYNC_DIRECTORY, checkpoint_directory(), OP_FLAG_MARKER);
    }
}

/* Rank 0's part before the others may begin. */
static enum step prepare(struct save *s, enum state state, struct op *op)
{
    uint64_t temporary = checkpoint_file(s->plan->step, 0) | OBJECT_TEMPORARY;
    switch (state) {
    case MAKE_DIRECTORY:
        return alone(op, OP_MKDIR, checkpoint_step_directory(s->plan->step), OP_FLAG_DIRECTORY);
    case SYNC_ABOVE:
        return alone(op, OP_SYNC_DIRECTORY, checkpoint_directory(), OP_FLAG_DIRECTORY);
    case CREATE_SHARED:
        if (is_shared(s))
            return alone(op, OP_CREATE, temporary,
                         OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE);
        return STEP_END;
    default:
        return is_shared(s) ? alone(op, OP_CLOSE, temporary, 0) : STEP_END;
    }
}

/* What one state has to say; END: nothing, go on to the next. */
static enum step in_state(struct save *s, enum state state, struct op *op)
{
    bool first = s->base.rank == 0, well = !s->failed && !s->base.failed;
    switch (state) {
    case MAKE_DIRECTORY:
    case SYNC_ABOVE:
    case CREATE_SHARED:
    case CLOSE_SHARED:
        return first && well ? prepare(s, state, op) : STEP_END;
    case WRITE_FILES:
        return s->failed ? STEP_END : write_files(s, op);
    case WRITTEN_SHARED:
        return is_shared(s) ? agree(s, op) : STEP_END;
    case RENAME_SHARED:
        s->renamed |= first && is_shared(s);
        return first && is_shared(s) && well ? rename_to(op, checkpoint_file(s->plan->step, 0), 0)
                                             : STEP_END;
    case SYNC_DIRECTORY:
        return s->renamed && well && !s->base.stopping
                   ? alone(op, OP_SYNC_DIRECTORY, checkpoint_step_directory(s->plan->step),
                           OP_FLAG_DIRECTORY)
                   : STEP_END;
    case MADE:
    case DURABLE:
    case COMMITTED:
        return agree(s, op);
    case PRUNE_FILES:
        return s->failed ? STEP_END : prune_files(s, op);
    case PRUNED:
        return checkpoint_pruned(s->plan) ? agree(s, op) : STEP_END;
    case PRUNE_DIRECTORY:
        return first && well && checkpoint_pruned(s->plan)
                   ? alone(op, OP_RMDIR, checkpoint_step_directory(checkpoint_pruned(s->plan)),
                           OP_FLAG_DIRECTORY)
                   : STEP_END;
    default:
        return first && well ? marker(s, state, op) : STEP_END;
    }
}

static enum step next(struct cursor *c, struct op *op)
{
    struct save *s = (struct save *)c;
    if (s->unstaged && stage(s, op) == STEP_OP)
        return STEP_OP;
    if (s->state == WRITE_FILES && s->file_state == FILE_WRITE && s->piece.length_bytes > 0 &&
        !s->pending && !gives_up(s))
        return transfer(s, op);
    while (s->state < OVER) {
        enum state state = (enum state)s->state++;
        enum step step = in_state(s, state, op);
        if (step == STEP_END)
            continue;
        if (state == WRITE_FILES || state == PRUNE_FILES)
            s->state = state; /* until it is through */
        return step;
    }
    return STEP_END;
}

static void completed(struct cursor *c, const struct op *op, const struct outcome *outcome)
{
    if (op->kind == OP_AGREE)
        ((struct save *)c)->failed |= (uint64_t)outcome->value;
    if (op->kind == OP_SEND)
        group_sent(&((struct save *)c)->group, outcome);
    if (op->kind == OP_WRITE && !(op->flags & OP_FLAG_MARKER))
        ((struct save *)c)->drained += op->length_bytes;
}

static void supply_marker(const struct checkpoint_plan *p, const struct op *op, void *to)
{
    char text[CHECKPOINT_MARKER_BYTES];
    uint64_t pruned = checkpoint_pruned(p);
    struct checkpoint_marker m = {.seed = p->seed,
                                  .ranks = p->ranks,
                                  .oldest = pruned ? pruned + 1 : p->oldest,
                                  .latest = p->step,
                                  .layout = p->layout};
    checkpoint_marker_format(&m, text);
    memcpy(to, text + op->offset_bytes, op->length_bytes);
}

static void supply(const struct cursor *c, const struct op *op, void *to)
{
    const struct checkpoint_plan *p = &c->plan->checkpoint;
    if (op->flags & OP_FLAG_MARKER)
        supply_marker(p, op, to);
    else
        checkpoint_header(p, op->object, op->offset_bytes, op->length_bytes, to);
}

static uint64_t planned(const struct plan *plan, uint64_t rank)
{
    const struct checkpoint_plan *p = &plan->checkpoint;
    uint64_t bytes, transfers;
    struct group group = group_of(p, rank);
    if (group.bytes)
        return group.members * ((group.bytes + plan->transfer_bytes - 1) / plan->transfer_bytes);
    checkpoint_walk_count(checkpoint_write_walk(&p->layout, p->coalesced, rank, p->ranks),
                          plan->transfer_bytes, &bytes, &transfers);
    return transfers;
}

const struct phase phase_checkpoint = {
    .name = "checkpoint",
    .sentence = "files are written under temporary names, synced, renamed, and marked as whole",
    .about = OP_WRITE,
    .needs = 1u << OP_OPEN | 1u << OP_WRITE | 1u << OP_SYNC | 1u << OP_CLOSE | 1u << OP_RENAME |
             1u << OP_SYNC_DIRECTORY | 1u << OP_MKDIR | 1u << OP_UNLINK | 1u << OP_RMDIR |
             1u << OP_CREATE,
    .cursor_bytes = sizeof(struct save),
    .timed = true,
    .begin = begin,
    .next = next,
    .follow = follow,
    .completed = completed,
    .supply = supply,
    .planned = planned,
};
