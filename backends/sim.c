/* A storage with a known truth: times and faults come from sim_model.h, on whatever clock it is
 * given.
 *
 * A real clock's sleep ends late. What it was late by is taken off the next operation, so that the
 * sum of the times is the model's; only the oversleeping is made good, never the time that the
 * caller spent in between. On a virtual clock nothing is ever late. */
#include "backends/posix_file.h"
#include "backends/sim_model.h"
#include "backends/sim_queue.h"

#include <errno.h>
#include <stdlib.h>

#define INJECTED (1 << 20) /* marks an outcome's errno as of the model's making */

struct sim {
    struct sim_options options;
    struct sim_rank who;
    const struct clock *clock;
    struct posix_files *files; /* NULL: no store */
    struct sim_queue *queue;   /* NULL: operations are performed one at a time */
    int64_t *late_ns;          /* per slot: not yet made good */
    int64_t free_ns;
    uint64_t performed[OP_KINDS];
    uint64_t performed_all;
};

static void sim_close(void *io)
{
    struct sim *s = io;
    if (s->files != NULL)
        posix_files_free(s->files);
    free(s->queue);
    free(s->late_ns);
    free(s);
}

static void *sim_open(const struct backend_setup *setup, struct error *e)
{
    const struct sim_options *o = setup->options;
    uint32_t slots = setup->slots > 1 ? setup->slots : 1;
    bool queued = slots > 1 || o->queue;
    if (o->flip_at > 0 && !o->store) {
        error_set(e, STATUS_USAGE, "usage",
                  "--sim.flip-at needs --sim.store: without it there is no data to be wrong");
        return NULL;
    }
    struct sim *s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->options = *o;
        s->who = (struct sim_rank){
            .rank = setup->comm->rank, .ranks = setup->comm->size, .seed = setup->seed};
        s->clock = setup->clock;
        s->files = o->store ? posix_files_make(setup, 0, e) : NULL;
        s->queue = queued ? sim_queue_make(slots) : NULL;
        s->late_ns = calloc(slots, sizeof *s->late_ns);
    }
    if (s == NULL || s->late_ns == NULL || (queued && s->queue == NULL) ||
        (o->store && s->files == NULL)) {
        error_set(e, STATUS_FAILED, "ENOMEM", "sim: no memory for %u operations in flight",
                  (unsigned)slots);
        if (s != NULL)
            sim_close(s);
        return NULL;
    }
    return s;
}

static unsigned sim_traits(const void *options)
{
    const struct sim_options *o = options;
    return BACKEND_COLLECTIVE | BACKEND_MODEL | (o->store ? BACKEND_PATHS | BACKEND_STORES : 0);
}

/* On the files of the store, or as if. */
static void really(struct sim *s, const struct op *op, struct outcome *outcome)
{
    uint64_t pieces = op->count > 1 ? op->count : 1;
    *outcome = (struct outcome){0};
    if (s->files == NULL) {
        outcome->value = op_is_transfer(op->kind) ? (int64_t)(pieces * op->length_bytes) : 0;
        return;
    }
    switch ((enum op_kind)op->kind) {
    case OP_OPEN:
    case OP_CREATE:
        posix_files_open(s->files, op, outcome);
        break;
    case OP_CLOSE:
        posix_files_close(s->files, op, outcome);
        break;
    case OP_SYNC:
        posix_files_sync(s->files, op, false, outcome);
        break;
    case OP_READ:
    case OP_WRITE:
        posix_files_pieces(s->files, op, outcome);
        break;
    default:
        posix_files_name(s->files, op, outcome);
    }
}

/* What is done, and how long it takes by the model. */
static void perform(struct sim *s, const struct op *op, struct outcome *outcome,
                    int64_t *service_ns, int64_t *channel_ns)
{
    const struct sim_options *o = &s->options;
    uint64_t transfers = s->performed[OP_READ] + s->performed[OP_WRITE];
    bool transfer = op_is_transfer(op->kind);
    struct op now = *op;
    if (transfer && sim_is_short(o, transfers)) {
        if (now.count > 1)
            now.count /= 2;
        else if (now.length_bytes > 1)
            now.length_bytes /= 2;
    }
    int error = sim_error(o, &s->who, op->kind, s->performed[op->kind], s->performed_all);
    bool again = error == EINTR || error == EAGAIN;
    if (error == 0 || again || op->kind == OP_CLOSE) /* a failed close has closed */
        really(s, &now, outcome);
    if (error != 0 && !again)
        *outcome = (struct outcome){.error = error | INJECTED};
    outcome->retries += again;
    if (op->kind == OP_READ && outcome->value > 0 &&
        sim_is_flipped(o, &s->who, s->performed[OP_READ]))
        ((unsigned char *)op->data)[outcome->value / 2] ^= 1;
    *service_ns =
        transfer ? sim_service_ns(o, &s->who, transfers) : sim_other_ns(o, &s->who, op->kind);
    *channel_ns = transfer ? sim_channel_ns(o, &s->who, (uint64_t)outcome->value) : 0;
    s->performed[op->kind]++;
    s->performed_all++;
}

static enum io_state sim_perform(void *io, const struct op *op, uint32_t slot,
                                 struct outcome *outcome)
{
    struct sim *s = io;
    int64_t service_ns, channel_ns;
    int64_t begin_ns = s->clock->now_ns(s->clock) - s->late_ns[slot];
    s->late_ns[slot] = 0;
    perform(s, op, outcome, &service_ns, &channel_ns);
    int64_t done_ns =
        sim_completion_ns(s->options.serial, &s->free_ns, begin_ns, service_ns, channel_ns);
    if (s->queue != NULL) {
        struct completion completion = {.slot = slot, .outcome = *outcome};
        sim_queue_push(s->queue, done_ns, &completion);
        return IO_QUEUED;
    }
    s->clock->sleep_until(s->clock, done_ns);
    s->late_ns[slot] = s->clock->now_ns(s->clock) - done_ns;
    return IO_DONE;
}

/* Hands over what is complete by now. slept: being late is the clock's fault, not the caller's. */
static uint32_t hand_over(struct sim *s, int64_t now_ns, bool slept, struct completion *done,
                          uint32_t max)
{
    uint32_t handed = 0;
    const struct sim_flight *first;
    while (handed < max && (first = sim_queue_first(s->queue)) != NULL &&
           first->done_ns <= now_ns) {
        struct sim_flight flight = sim_queue_pop(s->queue);
        s->late_ns[flight.completion.slot] = slept ? now_ns - flight.done_ns : 0;
        done[handed++] = flight.completion;
    }
    return handed;
}

static int sim_reap(void *io, uint32_t min, int64_t until_ns, struct completion *done, uint32_t max,
                    struct error *e)
{
    (void)e;
    struct sim *s = io;
    if (s->queue == NULL)
        return 0;
    uint32_t handed = hand_over(s, s->clock->now_ns(s->clock), false, done, max);
    const struct sim_flight *first;
    while (handed < min && handed < max && (first = sim_queue_first(s->queue)) != NULL) {
        bool too_late = first->done_ns > until_ns;
        s->clock->sleep_until(s->clock, too_late ? until_ns : first->done_ns);
        handed += hand_over(s, s->clock->now_ns(s->clock), true, done + handed, max - handed);
        if (too_late)
            break;
    }
    return (int)handed;
}

static void sim_cancel(void *io)
{
    struct sim *s = io;
    if (s->queue != NULL)
        sim_queue_cancel(s->queue, s->clock->now_ns(s->clock), ECANCELED);
}

static void sim_explain(void *io, const struct op *op, const struct outcome *outcome,
                        struct error *e)
{
    (void)io;
    if (!(outcome->error & INJECTED))
        posix_explain(op, outcome, false, e);
    else if (op_is_transfer(op->kind))
        error_errno(e, outcome->error & ~INJECTED, "%s %llu bytes (injected by sim)",
                    op_name(op->kind), (unsigned long long)op->length_bytes);
    else
        error_errno(e, outcome->error & ~INJECTED, "%s (injected by sim)", op_name(op->kind));
}

const struct backend backend_sim = {
    .name = "sim",
    .sentence = "a simulated storage with a known truth: times and faults as asked for",
    .traits = BACKEND_COLLECTIVE | BACKEND_MODEL,
    .traits_with = sim_traits,
    .options = sim_option_table,
    .options_bytes = sizeof(struct sim_options),
    .max_depth = 65536,
    .open = sim_open,
    .close = sim_close,
    .perform =
        {
            [OP_OPEN] = sim_perform,
            [OP_READ] = sim_perform,
            [OP_WRITE] = sim_perform,
            [OP_SYNC] = sim_perform,
            [OP_CLOSE] = sim_perform,
            [OP_CREATE] = sim_perform,
            [OP_STAT] = sim_perform,
            [OP_LIST] = sim_perform,
            [OP_RENAME] = sim_perform,
            [OP_LINK] = sim_perform,
            [OP_CHMOD] = sim_perform,
            [OP_XATTR] = sim_perform,
            [OP_UNLINK] = sim_perform,
            [OP_MKDIR] = sim_perform,
            [OP_RMDIR] = sim_perform,
            [OP_SYNC_DIRECTORY] = sim_perform,
        },
    .reap = sim_reap,
    .cancel = sim_cancel,
    .explain = sim_explain,
};
