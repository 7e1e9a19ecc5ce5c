/* Does nothing, at full speed: what remains is the harness's own cost. Alone it answers at once;
 * with more than one slot, or --null.queue, it accepts every operation and completes all of them
 * when reaped, which is what the queued engine costs. */
#include "backends/backend.h"

#include <stdlib.h>

struct null_options {
    bool queue;
};

struct null {
    bool queued;
    uint32_t mask; /* of a ring of a power of two */
    uint32_t head;
    uint32_t tail;
    struct completion ring[];
};

static const struct option null_options[] = {
    {.name = "queue",
     .kind = OPTION_FLAG,
     .field = offsetof(struct null_options, queue),
     .group = "Backend null",
     .workloads = WORKLOAD_ANY,
     .help = "go through the queue even with one operation in flight",
     .text = "Every operation is accepted and completes when it is next asked for: the time per "
             "operation is then what pario's queued engine costs. With a depth over 1 this is "
             "always so."},
    {.name = NULL},
};

static void *null_open(const struct backend_setup *setup, struct error *e)
{
    const struct null_options *options = setup->options;
    uint32_t slots = 1;
    while (slots < setup->slots)
        slots *= 2;
    struct null *n = calloc(1, sizeof *n + slots * sizeof n->ring[0]);
    if (n == NULL) {
        error_set(e, STATUS_FAILED, "ENOMEM", "null: no memory for a queue of %u operations",
                  (unsigned)slots);
        return NULL;
    }
    n->queued = options->queue || setup->slots > 1;
    n->mask = slots - 1;
    return n;
}

static void null_close(void *io)
{
    free(io);
}

static inline enum io_state null_answer(struct null *n, uint32_t slot, int64_t value,
                                        struct outcome *outcome)
{
    if (__builtin_expect(n->queued, 0)) {
        n->ring[n->tail++ & n->mask] =
            (struct completion){.slot = slot, .outcome = {.value = value}};
        return IO_QUEUED;
    }
    *outcome = (struct outcome){.value = value};
    return IO_DONE;
}

static enum io_state null_transfer(void *io, const struct op *op, uint32_t slot,
                                   struct outcome *outcome)
{
    uint64_t pieces = op->count > 1 ? op->count : 1;
    return null_answer(io, slot, (int64_t)(op->length_bytes * pieces), outcome);
}

static enum io_state null_nothing(void *io, const struct op *op, uint32_t slot,
                                  struct outcome *outcome)
{
    (void)op;
    return null_answer(io, slot, 0, outcome);
}

static int null_reap(void *io, uint32_t min, int64_t until_ns, struct completion *done,
                     uint32_t max, struct error *e)
{
    (void)min; /* everything is complete: there is nothing to wait for */
    (void)until_ns;
    (void)e;
    struct null *n = io;
    uint32_t handed = 0;
    while (handed < max && n->head != n->tail)
        done[handed++] = n->ring[n->head++ & n->mask];
    return (int)handed;
}

const struct backend backend_null = {
    .name = "null",
    .sentence = "does nothing, at full speed: measures pario itself",
    .traits = BACKEND_COLLECTIVE | BACKEND_DIRECT | BACKEND_MODEL,
    .options = null_options,
    .options_bytes = sizeof(struct null_options),
    .max_depth = 65536,
    .open = null_open,
    .close = null_close,
    .perform =
        {
            [OP_OPEN] = null_nothing,
            [OP_READ] = null_transfer,
            [OP_WRITE] = null_transfer,
            [OP_SYNC] = null_nothing,
            [OP_CLOSE] = null_nothing,
            [OP_CREATE] = null_nothing,
            [OP_STAT] = null_nothing,
            [OP_LIST] = null_nothing,
            [OP_RENAME] = null_nothing,
            [OP_LINK] = null_nothing,
            [OP_CHMOD] = null_nothing,
            [OP_XATTR] = null_nothing,
            [OP_UNLINK] = null_nothing,
            [OP_MKDIR] = null_nothing,
            [OP_RMDIR] = null_nothing,
            [OP_SYNC_DIRECTORY] = null_nothing,
        },
    .reap = null_reap,
};
