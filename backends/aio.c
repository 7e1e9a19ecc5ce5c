/* Linux AIO by libaio, for kernels where io_uring is missing or switched off. Transfers are queued
 * and submitted together by reap, or on the way once a batch has gathered, and so is fsync where
 * the kernel has it (4.18); all else is done at once. Only transfers that bypass the page cache
 * (--direct) are asynchronous in the kernel: others are carried out while they are being submitted.
 */
#include "backends/posix_file.h"

struct aio_options {
    int64_t batch; /* submitted at once at most, while more are being prepared */
};

static const struct option aio_option_rows[] = {
    {.name = "batch",
     .kind = OPTION_COUNT,
     .field = offsetof(struct aio_options, batch),
     .initial = "16",
     .least = 1,
     .most = 65536,
     .argument = "N",
     .group = "Backend aio",
     .workloads = WORKLOAD_ANY,
     .help = "submit once N operations have gathered, without waiting for the rest of the queue",
     .text = "A device gets work early that way, while a deep queue is still being filled. 1 makes "
             "one system call of each operation, as fio's libaio engine does by default."},
    {.name = NULL},
};

#ifdef HAVE_LIBAIO

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libaio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_CALL UINT64_C(0x40000000) /* bytes; the kernel moves less than 2 GiB at once */
#define EVENTS 256                        /* taken at once at most */

struct aio_slot {
    const struct op *op; /* the engine's, which keeps it until the completion */
    int64_t moved;       /* by the pieces that are done */
    uint32_t piece;      /* under way */
    uint32_t retries;
};

struct aio {
    struct posix_files *files;
    io_context_t context;
    bool direct;
    bool cancelled;
    bool sync_aside; /* the kernel or the file system queues no fsync */
    uint32_t slots;
    uint32_t batch;
    uint32_t gathered;  /* in pending */
    uint32_t submitted; /* in the kernel */
    struct iocb **pending;
    struct iocb *iocbs; /* by slot */
    struct aio_slot *slot;
    struct io_event events[EVENTS];
};

static uint64_t limit(const char *path)
{
    uint64_t value = 0;
    FILE *f = fopen(path, "re");
    if (f == NULL)
        return 0;
    if (fscanf(f, "%" SCNu64, &value) != 1)
        value = 0;
    fclose(f);
    return value;
}

static int make_context(struct aio *a, struct error *e)
{
    int rc = io_setup((int)a->slots, &a->context);
    if (rc == -EAGAIN)
        return error_set(
            e, STATUS_USAGE, "EAGAIN",
            "a queue of %u operations does not fit fs.aio-max-nr=%" PRIu64 ", of which "
            "%" PRIu64 " are in use: raise it (sysctl) or lower --depth",
            (unsigned)a->slots, limit("/proc/sys/fs/aio-max-nr"), limit("/proc/sys/fs/aio-nr"));
    if (rc == -ENOSYS)
        return error_set(e, STATUS_USAGE, "ENOSYS",
                         "this kernel has no asynchronous I/O (io_setup: %s); use -a posix",
                         strerror(ENOSYS));
    if (rc != 0)
        return error_errno(e, -rc, "cannot set up a queue of %u operations (io_setup)",
                           (unsigned)a->slots);
    return 0;
}

static void aio_close(void *io)
{
    struct aio *a = io;
    if (a->context != NULL)
        io_destroy(a->context);
    if (a->files != NULL)
        posix_files_free(a->files);
    free(a->pending);
    free(a->iocbs);
    free(a->slot);
    free(a);
}

static void *aio_open(const struct backend_setup *setup, struct error *e)
{
    const struct aio_options *options = setup->options;
    struct aio *a = calloc(1, sizeof *a);
    if (a == NULL) {
        error_set(e, STATUS_FAILED, "ENOMEM", "aio: no memory");
        return NULL;
    }
    a->slots = setup->slots;
    a->direct = setup->direct;
    a->batch = (uint32_t)options->batch;
    a->pending = calloc(a->slots, sizeof(struct iocb *));
    a->iocbs = calloc(a->slots, sizeof *a->iocbs);
    a->slot = calloc(a->slots, sizeof *a->slot);
    if (a->pending == NULL || a->iocbs == NULL || a->slot == NULL)
        error_set(e, STATUS_FAILED, "ENOMEM", "aio: no memory for %u operations",
                  (unsigned)a->slots);
    else
        a->files = posix_files_make(setup, setup->direct ? O_DIRECT : 0, e);
    if (a->files != NULL && make_context(a, e) == 0)
        return a;
    aio_close(a);
    return NULL;
}

/* Hands what has gathered to the kernel. 0, or the negative errno of the first that it refused. */
static int submit(struct aio *a)
{
    while (a->gathered > 0) {
        int rc = io_submit(a->context, a->gathered, a->pending);
        if (rc == -EINTR)
            continue;
        if (rc <= 0)
            return rc == 0 ? -EAGAIN : rc;
        a->submitted += (uint32_t)rc;
        a->gathered -= (uint32_t)rc;
        memmove(a->pending, a->pending + rc, a->gathered * sizeof(struct iocb *));
    }
    return 0;
}

/* Prepares the piece that is under way in this slot. */
static void gather(struct aio *a, uint32_t slot)
{
    const struct aio_slot *s = &a->slot[slot];
    const struct op *op = s->op;
    struct iocb *iocb = &a->iocbs[slot];
    a->pending[a->gathered++] = iocb;
    if (op->kind == OP_SYNC) {
        io_prep_fsync(iocb, a->files->fd[op->handle]);
        return;
    }
    size_t bytes = (size_t)(op->length_bytes < LARGEST_CALL ? op->length_bytes : LARGEST_CALL);
    char *data = (char *)op->data + s->piece * op->length_bytes;
    long long offset = (long long)(op->offset_bytes + s->piece * op->stride_bytes);
    int fd = a->files->fd[op->handle];
    if (op->kind == OP_READ)
        io_prep_pread(iocb, fd, data, bytes, offset);
    else
        io_prep_pwrite(iocb, fd, data, bytes, offset);
}

static enum io_state perform_name(void *io, const struct op *op, uint32_t slot,
                                  struct outcome *outcome)
{
    (void)slot;
    struct aio *a = io;
    posix_files_name(a->files, op, outcome);
    return IO_DONE;
}

static enum io_state perform_queued(void *io, const struct op *op, uint32_t slot,
                                    struct outcome *outcome)
{
    struct aio *a = io;
    if (op->kind == OP_SYNC && op->flags & OP_FLAG_DIRECTORY)
        return perform_name(io, op, slot, outcome);
    if (a->gathered >= a->batch)
        submit(a); /* what is refused here is refused again, and handed over, by reap */
    a->slot[slot] = (struct aio_slot){.op = op};
    gather(a, slot);
    return IO_QUEUED;
}

/* One result. True: *done is the operation's completion; false: it goes on. */
static bool finish(struct aio *a, uint32_t slot, int64_t result, struct completion *done)
{
    struct aio_slot *s = &a->slot[slot];
    struct outcome tries = {.retries = s->retries};
    if (result < 0 && !a->cancelled && posix_again(a->files->clock, (int)-result, &tries)) {
        s->retries = tries.retries;
        gather(a, slot);
        return false;
    }
    if (result > 0)
        s->moved += result;
    if (s->op->count > 1 && result == (int64_t)s->op->length_bytes && s->piece + 1 < s->op->count) {
        s->piece++;
        gather(a, slot);
        return false;
    }
    /* An error after the first piece is a short count: whoever goes on meets it again. */
    *done = (struct completion){.slot = slot, .outcome.retries = s->retries};
    if (result < 0 && s->moved == 0)
        done->outcome.error = (int)-result;
    else
        done->outcome.value = s->moved;
    return true;
}

static uint32_t slot_of(const struct aio *a, const struct iocb *iocb)
{
    return (uint32_t)(iocb - a->iocbs);
}

/* The first of what has gathered is not to be submitted after all. */
static uint32_t take_back(struct aio *a)
{
    uint32_t slot = slot_of(a, a->pending[0]);
    a->gathered--;
    memmove(a->pending, a->pending + 1, a->gathered * sizeof(struct iocb *));
    return slot;
}

/* An fsync that is not to be had through the queue. */
static int64_t sync_aside(struct aio *a, const struct op *op)
{
    struct outcome outcome;
    a->sync_aside = true;
    posix_files_sync(a->files, op, false, &outcome);
    return -outcome.error;
}

/* Submits all; an operation that the kernel will not have is complete with its errno. */
static uint32_t submit_all(struct aio *a, struct completion *done, uint32_t max)
{
    uint32_t n = 0;
    int64_t rc;
    while (n < max && (rc = a->cancelled && a->gathered > 0 ? -ECANCELED : submit(a)) != 0) {
        if (rc == -EAGAIN && a->submitted > 0)
            break; /* there will be room when something has completed */
        uint32_t slot = take_back(a);
        const struct op *op = a->slot[slot].op;
        if (rc == -EINVAL && op->kind == OP_SYNC)
            rc = sync_aside(a, op);
        n += finish(a, slot, rc, &done[n]);
    }
    return n;
}

/* Takes in what has completed; waits for `want` of it, which is in the kernel. The number handed
 * over, or a negative errno. */
static int take(struct aio *a, uint32_t want, int64_t until_ns, struct completion *done,
                uint32_t max)
{
    struct timespec left = {0, 0};
    bool limited = want == 0 || until_ns != INT64_MAX;
    if (want > 0 && limited) {
        int64_t left_ns = until_ns - a->files->clock->now_ns(a->files->clock);
        if (left_ns > 0)
            left = (struct timespec){left_ns / 1000000000, left_ns % 1000000000};
    }
    if (max > EVENTS)
        max = EVENTS;
    if (want > max)
        want = max;
    int got = io_getevents(a->context, want, max, a->events, limited ? &left : NULL);
    if (got < 0)
        return got == -EINTR ? 0 : got;
    uint32_t n = 0;
    for (int i = 0; i < got; i++)
        n += finish(a, slot_of(a, a->events[i].obj), (int64_t)a->events[i].res, &done[n]);
    a->submitted -= (uint32_t)got;
    return (int)n;
}

static int aio_reap(void *io, uint32_t min, int64_t until_ns, struct completion *done, uint32_t max,
                    struct error *e)
{
    struct aio *a = io;
    uint32_t n = 0;
    if (min > max)
        min = max;
    for (;;) {
        n += submit_all(a, done + n, max - n);
        uint32_t want = min > n ? min - n : 0;
        if (want > a->submitted)
            want = a->submitted;
        if (a->submitted > 0 && n < max) {
            int got = take(a, want, until_ns, done + n, max - n);
            if (got < 0)
                return error_errno(e, -got, "io_getevents with %u operations in flight",
                                   (unsigned)a->submitted);
            n += (uint32_t)got;
        }
        bool nothing_left = a->submitted == 0 && a->gathered == 0;
        if (n >= min || nothing_left ||
            (until_ns != INT64_MAX && a->files->clock->now_ns(a->files->clock) >= until_ns))
            return (int)n;
    }
}

/* What the kernel has it does not give back: it has no way to cancel the transfer of a file. That
 * completes by itself; what has only gathered is given up. */
static void aio_cancel(void *io)
{
    struct aio *a = io;
    a->cancelled = true;
}

static enum io_state perform_open(void *io, const struct op *op, uint32_t slot,
                                  struct outcome *outcome)
{
    (void)slot;
    struct aio *a = io;
    posix_files_open(a->files, op, outcome);
    return IO_DONE;
}

static enum io_state perform_close(void *io, const struct op *op, uint32_t slot,
                                   struct outcome *outcome)
{
    (void)slot;
    struct aio *a = io;
    posix_files_close(a->files, op, outcome);
    return IO_DONE;
}

static void aio_explain(void *io, const struct op *op, const struct outcome *outcome,
                        struct error *e)
{
    const struct aio *a = io;
    posix_explain(op, outcome, a->direct, e);
}

static size_t aio_facts(void *io, struct fact *facts, size_t max)
{
    const struct aio *a = io;
    char batch[16];
    snprintf(batch, sizeof batch, "%u", (unsigned)a->batch);
    const char *const rows[][2] = {
        {"submission", a->direct ? "asynchronous"
                                 : "io_submit itself waits for buffered transfers (--direct: not)"},
        {"batch", batch},
        {"fsync", a->sync_aside ? "by fsync(2): the queue takes none here" : "through the queue"}};
    size_t n = 0;
    for (; n < sizeof rows / sizeof rows[0] && n < max; n++) {
        text_copy(facts[n].key, sizeof facts[n].key, rows[n][0]);
        text_copy(facts[n].value, sizeof facts[n].value, rows[n][1]);
    }
    return n;
}

#endif

const struct backend backend_aio = {
    .name = "aio",
    .sentence = "Linux AIO (libaio): a queue per rank, for kernels without io_uring",
    .traits = BACKEND_PATHS | BACKEND_DIRECT | BACKEND_STORES,
    .options = aio_option_rows,
    .options_bytes = sizeof(struct aio_options),
    .max_depth = 32768,
#ifndef HAVE_LIBAIO
    .unavailable = "built without libaio",
#else
    .open = aio_open,
    .close = aio_close,
    .perform = {[OP_OPEN] = perform_open,
                [OP_CREATE] = perform_open,
                [OP_READ] = perform_queued,
                [OP_WRITE] = perform_queued,
                [OP_SYNC] = perform_queued,
                [OP_CLOSE] = perform_close,
                [OP_STAT] = perform_name,
                [OP_LIST] = perform_name,
                [OP_RENAME] = perform_name,
                [OP_LINK] = perform_name,
                [OP_CHMOD] = perform_name,
                [OP_XATTR] = perform_name,
                [OP_UNLINK] = perform_name,
                [OP_MKDIR] = perform_name,
                [OP_RMDIR] = perform_name,
                [OP_SYNC_DIRECTORY] = perform_name},
    .reap = aio_reap,
    .cancel = aio_cancel,
    .explain = aio_explain,
    .facts = aio_facts,
#endif
};
