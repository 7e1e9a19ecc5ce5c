/* io_uring: every operation that the ring knows goes through it, metadata too, and is answered
 * QUEUED.
 *
 * perform writes a submission; reap submits what has gathered, waits and hands over, in one system
 * call. A group larger than the batch is submitted on the way, so that a device gets work while the
 * rest of a deep queue is still being prepared. What is to be done again (EAGAIN) or piece by piece
 * is put back into the ring by reap, unseen by the engine. */
#include "backends/backend.h"

#include "backends/uring_ring.h"

static const struct option uring_options[] = {
    {.name = "sqpoll",
     .kind = OPTION_FLAG,
     .field = offsetof(struct uring_options, sqpoll),
     .group = "Backend uring",
     .workloads = WORKLOAD_ANY,
     .help = "a kernel thread takes the submissions; wants a core of its own per rank"},
    {.name = "iopoll",
     .kind = OPTION_FLAG,
     .field = offsetof(struct uring_options, iopoll),
     .group = "Backend uring",
     .workloads = WORKLOAD_ANY,
     .help = "poll the device for completions; needs --direct and a device with poll queues"},
    {.name = "fixed-buffers",
     .kind = OPTION_FLAG,
     .field = offsetof(struct uring_options, fixed_buffers),
     .initial = "yes",
     .group = "Backend uring",
     .workloads = WORKLOAD_ANY,
     .help = "register the transfer buffers where the limit on locked memory allows"},
    {.name = "fixed-files",
     .kind = OPTION_FLAG,
     .field = offsetof(struct uring_options, fixed_files),
     .initial = "yes",
     .group = "Backend uring",
     .workloads = WORKLOAD_ANY,
     .help = "open files into a registered table instead of descriptors"},
    {.name = "batch",
     .kind = OPTION_COUNT,
     .field = offsetof(struct uring_options, batch),
     .initial = "16",
     .least = 1,
     .most = 4096,
     .argument = "N",
     .group = "Backend uring",
     .workloads = WORKLOAD_ANY,
     .help = "submit once N operations have gathered, without waiting for the rest of the queue"},
    {.name = NULL},
};

#ifdef HAVE_LIBURING

#include <errno.h>
#include <stdlib.h>

#define LARGEST_CALL UINT64_C(0x40000000) /* bytes; the kernel moves less than 2 GiB at once */
#define CANCEL_TAG UINT64_MAX
/* A submission's tag: the slot, and whether completing it is more than a count of bytes, or it is
 * there again. */
#define TAG_SPECIAL (UINT64_C(1) << 32)

static void uring_free(struct uring *u)
{
    free(u->slots);
    free(u->fd);
    free(u->calls);
    free(u->calls_free);
    free(u);
}

static int uring_allocate(struct uring *u, uint32_t slots, uint32_t handles)
{
    uint32_t calls = slots < URING_CALLS ? slots : URING_CALLS;
    u->slots = calloc(slots, sizeof *u->slots);
    u->fd = malloc(handles * sizeof *u->fd);
    u->calls = calloc(calls, sizeof *u->calls);
    u->calls_free = calloc(calls, sizeof *u->calls_free);
    if (u->slots == NULL || u->fd == NULL || u->calls == NULL || u->calls_free == NULL)
        return -1;
    u->handles = handles;
    u->calls_total = u->calls_free_used = calls;
    for (uint32_t i = 0; i < handles; i++)
        u->fd[i] = -1;
    for (uint32_t i = 0; i < slots; i++)
        u->slots[i].call = URING_NO_CALL;
    for (uint32_t i = 0; i < calls; i++)
        u->calls_free[i] = (uint16_t)(calls - 1 - i);
    return 0;
}

static void *uring_open(const struct backend_setup *setup, struct error *e)
{
    const struct uring_options *chosen = setup->options;
    struct uring *u = calloc(1, sizeof *u);
    if (u == NULL || uring_allocate(u, setup->slots, setup->handles) != 0) {
        error_set(e, STATUS_FAILED, "ENOMEM", "no memory for a queue of %u operations",
                  (unsigned)setup->slots);
        if (u != NULL)
            uring_free(u);
        return NULL;
    }
    u->clock = setup->clock;
    u->names = setup->names;
    u->direct = setup->direct;
    u->iopoll = chosen->iopoll;
    u->batch = (uint32_t)chosen->batch;
    if (uring_ring_open(u, setup, e) == 0)
        return u;
    uring_free(u);
    return NULL;
}

static void uring_close(void *io)
{
    uring_ring_close(io);
    uring_free(io);
}

static int submit(struct uring *u)
{
    u->gathered = 0;
    return io_uring_submit(&u->ring);
}

static __attribute__((noinline)) struct io_uring_sqe *make_room(struct uring *u)
{
    if (submit(u) < 0 || io_uring_sqring_wait(&u->ring) < 0)
        return NULL;
    return io_uring_get_sqe(&u->ring);
}

/* A free submission; NULL where the ring is full of what the kernel has not taken yet. */
static inline struct io_uring_sqe *next_sqe(struct uring *u)
{
    if (u->gathered >= u->batch)
        submit(u); /* what fails here is tried again, and reported, by reap */
    u->gathered++;
    struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);
    return __builtin_expect(sqe == NULL, 0) ? make_room(u) : sqe;
}

static inline void fill_transfer(struct uring *u, struct io_uring_sqe *sqe, const struct op *op,
                                 uint32_t slot)
{
    uint64_t bytes = op->length_bytes < LARGEST_CALL ? op->length_bytes : LARGEST_CALL;
    uint64_t offset = op->offset_bytes;
    char *data = op->data;
    bool pieces = op->count > 1;
    if (__builtin_expect(pieces, 0)) {
        offset += u->slots[slot].piece * op->stride_bytes;
        data += u->slots[slot].piece * op->length_bytes;
    }
    io_uring_prep_rw(op->kind == OP_READ ? u->opcode_read : u->opcode_write, sqe, u->fd[op->handle],
                     data, (unsigned)bytes, offset);
    sqe->flags = u->file_flags;
    sqe->buf_index = (uint16_t)slot;
    sqe->user_data = pieces ? slot | TAG_SPECIAL : slot;
}

static enum io_state perform_transfer(void *io, const struct op *op, uint32_t slot,
                                      struct outcome *outcome)
{
    (void)outcome;
    struct uring *u = io;
    struct io_uring_sqe *sqe = next_sqe(u);
    if (sqe == NULL)
        return IO_FULL;
    u->slots[slot].op = op;
    fill_transfer(u, sqe, op, slot);
    u->in_flight++;
    return IO_QUEUED;
}

static void fill(struct uring *u, struct io_uring_sqe *sqe, uint32_t slot)
{
    if (op_is_transfer(u->slots[slot].op->kind)) {
        fill_transfer(u, sqe, u->slots[slot].op, slot);
        return;
    }
    uring_call_fill(u, sqe, slot);
    sqe->user_data = slot | TAG_SPECIAL;
}

static struct outcome outcome_of(int64_t value, uint32_t retries)
{
    if (value < 0)
        return (struct outcome){.error = (int)-value, .retries = retries};
    return (struct outcome){.value = value, .retries = retries};
}

/* One call beside the ring that polls, which takes transfers alone. */
static struct outcome call_aside(struct uring *u, uint32_t slot)
{
    struct io_uring_cqe *cqe;
    struct outcome outcome = {0};
    int64_t result;
    do {
        fill(u, io_uring_get_sqe(&u->side), slot);
        io_uring_submit_and_wait(&u->side, 1);
        int rc;
        do
            rc = io_uring_wait_cqe(&u->side, &cqe);
        while (rc == -EINTR || rc == -EAGAIN);
        result = rc != 0 ? rc : cqe->res;
        if (rc == 0)
            io_uring_cqe_seen(&u->side, cqe);
    } while (result < 0 && posix_again(u->clock, (int)-result, &outcome));
    return outcome_of(uring_call_settle(u, slot, result), outcome.retries);
}

/* A call: through the ring where that knows it. */
static enum io_state perform_call(void *io, const struct op *op, uint32_t slot,
                                  struct outcome *outcome)
{
    struct uring *u = io;
    bool file_system = op->kind == OP_SYNC && op->flags & OP_FLAG_DIRECTORY;
    if (u->by_syscall & 1u << op->kind || file_system) {
        posix_name(&u->names, op, outcome);
        return IO_DONE;
    }
    bool by_handle = op->kind == OP_SYNC || op->kind == OP_CLOSE;
    if (!by_handle && u->calls_free_used == 0)
        return IO_FULL;
    u->slots[slot].op = op;
    if (!by_handle && uring_call_take(u, op, slot) != 0) {
        *outcome = (struct outcome){.error = ENAMETOOLONG};
        return IO_DONE;
    }
    if (u->iopoll) {
        *outcome = call_aside(u, slot);
        return IO_DONE;
    }
    struct io_uring_sqe *sqe = next_sqe(u);
    if (sqe == NULL) {
        uring_call_give(u, slot);
        return IO_FULL;
    }
    fill(u, sqe, slot);
    u->in_flight++;
    return IO_QUEUED;
}

/* Puts the operation back into the ring; false where there is no room. */
static bool again(struct uring *u, uint32_t slot)
{
    struct io_uring_sqe *sqe = next_sqe(u);
    if (sqe == NULL)
        return false;
    fill(u, sqe, slot);
    sqe->user_data |= TAG_SPECIAL;
    return true;
}

/* A completion that needs thought. True: *outcome is the operation's; false: it goes on. */
static bool finish(struct uring *u, uint32_t slot, int64_t result, struct outcome *outcome)
{
    struct uring_slot *s = &u->slots[slot];
    const struct op *op = s->op;
    struct outcome tries = {.retries = s->retries};
    if (result < 0 && !u->cancelled && posix_again(u->clock, (int)-result, &tries)) {
        s->retries = tries.retries;
        if (again(u, slot))
            return false;
    }
    if (!op_is_transfer(op->kind)) {
        *outcome = outcome_of(uring_call_settle(u, slot, result), s->retries);
        *s = (struct uring_slot){.call = URING_NO_CALL};
        return true;
    }
    if (result > 0)
        s->moved += result;
    if (op->count > 1 && result == (int64_t)op->length_bytes && s->piece + 1 < op->count) {
        s->piece++;
        if (again(u, slot))
            return false;
    }
    /* An error after the first piece is a short count: whoever goes on meets it again. */
    *outcome = outcome_of(result < 0 && s->moved == 0 ? result : s->moved, s->retries);
    *s = (struct uring_slot){.call = URING_NO_CALL};
    return true;
}

/* Hands over what has completed. */
static uint32_t take(struct uring *u, struct completion *done, uint32_t max)
{
    struct io_uring_cqe *cqe;
    unsigned head, seen = 0;
    uint32_t n = 0;
    io_uring_for_each_cqe(&u->ring, head, cqe)
    {
        if (n == max)
            break;
        seen++;
        uint32_t slot = (uint32_t)cqe->user_data;
        if (cqe->res >= 0 && cqe->user_data < TAG_SPECIAL)
            done[n].outcome = (struct outcome){.value = cqe->res};
        else if (cqe->user_data == CANCEL_TAG || !finish(u, slot, cqe->res, &done[n].outcome))
            continue;
        done[n++].slot = slot;
    }
    io_uring_cq_advance(&u->ring, seen);
    u->in_flight -= n;
    return n;
}

/* Submits what has gathered and waits for `want` completions in the ring, in one system call; in
 * none where there is nothing to do. */
static int enter(struct uring *u, uint32_t want, int64_t until_ns)
{
    bool gathered = io_uring_sq_ready(&u->ring) != 0;
    u->gathered = 0;
    if (want == 0 || io_uring_cq_ready(&u->ring) >= want) {
        if (want != 0 && !gathered)
            return 0;
        bool held =
            IO_URING_READ_ONCE(*u->ring.sq.kflags) & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW);
        return gathered || held || u->iopoll ? io_uring_submit_and_get_events(&u->ring) : 0;
    }
    if (until_ns == INT64_MAX)
        return io_uring_submit_and_wait(&u->ring, want);
    struct io_uring_cqe *cqe;
    int64_t left_ns = until_ns - u->clock->now_ns(u->clock);
    if (left_ns < 0)
        left_ns = 0;
    struct __kernel_timespec limit = {left_ns / 1000000000, left_ns % 1000000000};
    return io_uring_submit_and_wait_timeout(&u->ring, &cqe, want, &limit, NULL);
}

static int uring_reap(void *io, uint32_t min, int64_t until_ns, struct completion *done,
                      uint32_t max, struct error *e)
{
    struct uring *u = io;
    uint32_t n = 0;
    if (min > u->in_flight)
        min = u->in_flight;
    if (min > max)
        min = max;
    for (;;) {
        int rc = enter(u, min - n, until_ns);
        if (rc < 0 && rc != -EINTR && rc != -ETIME && rc != -EAGAIN && rc != -EBUSY)
            return error_errno(e, -rc, "io_uring_enter with %u operations in flight",
                               (unsigned)u->in_flight);
        n += take(u, done + n, max - n);
        if (n >= min || (until_ns != INT64_MAX && u->clock->now_ns(u->clock) >= until_ns))
            return (int)n;
    }
}

static void uring_cancel(void *io)
{
    struct uring *u = io;
    u->cancelled = true;
    struct io_uring_sqe *sqe = u->in_flight == 0 ? NULL : next_sqe(u);
    if (sqe == NULL)
        return;
    io_uring_prep_cancel64(sqe, 0, IORING_ASYNC_CANCEL_ANY);
    sqe->user_data = CANCEL_TAG;
}

static void uring_explain(void *io, const struct op *op, const struct outcome *outcome,
                          struct error *e)
{
    const struct uring *u = io;
    posix_explain(op, outcome, u->direct, e);
    if (u->iopoll && op_is_transfer(op->kind) && outcome->error == EOPNOTSUPP)
        error_wrap(e, "the device has no poll queues (leave out --uring.iopoll)");
}

#endif

const struct backend backend_uring = {
    .name = "uring",
    .sentence = "Linux io_uring: a queue per rank, registered buffers and files",
    .traits = BACKEND_PATHS | BACKEND_DIRECT | BACKEND_STORES,
    .options = uring_options,
    .options_bytes = sizeof(struct uring_options),
    .max_depth = 65536,
#ifndef HAVE_LIBURING
    .unavailable = "built without liburing",
#else
    .open = uring_open,
    .close = uring_close,
    .perform = {[OP_OPEN] = perform_call,
                [OP_CREATE] = perform_call,
                [OP_READ] = perform_transfer,
                [OP_WRITE] = perform_transfer,
                [OP_SYNC] = perform_call,
                [OP_CLOSE] = perform_call,
                [OP_STAT] = perform_call,
                [OP_LIST] = perform_call,
                [OP_RENAME] = perform_call,
                [OP_LINK] = perform_call,
                [OP_CHMOD] = perform_call,
                [OP_XATTR] = perform_call,
                [OP_UNLINK] = perform_call,
                [OP_MKDIR] = perform_call,
                [OP_RMDIR] = perform_call,
                [OP_SYNC_DIRECTORY] = perform_call},
    .reap = uring_reap,
    .cancel = uring_cancel,
    .explain = uring_explain,
    .facts = uring_ring_facts,
#endif
};
