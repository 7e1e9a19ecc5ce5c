/* The ring itself: made with the best flags that this kernel has, its buffers and files registered.
 * Whatever the kernel refuses is left out and told in the facts. */
#include "backends/uring_ring.h"

#ifdef HAVE_LIBURING

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define LARGEST_REGISTERED (UINT64_C(1) << 30) /* the kernel's limit for one buffer */
#define MOST_REGISTERED 16384                  /* its limit for their number */
#define LARGEST_QUEUE 4096

struct flags_row {
    unsigned flags;
    const char *text;
};

/* From the best to what every kernel has. */
static const struct flags_row plain_rows[] = {
    {IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG |
         IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
     "single-issuer defer-taskrun coop-taskrun"},
    {IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG |
         IORING_SETUP_SINGLE_ISSUER,
     "single-issuer coop-taskrun"},
    {IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
     "coop-taskrun"},
    {IORING_SETUP_SUBMIT_ALL, "plain"},
    {0, "plain"},
    {0, NULL},
};

static const struct flags_row sqpoll_rows[] = {
    {IORING_SETUP_SQPOLL | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER,
     "sqpoll single-issuer"},
    {IORING_SETUP_SQPOLL | IORING_SETUP_SUBMIT_ALL, "sqpoll"},
    {IORING_SETUP_SQPOLL, "sqpoll"},
    {0, NULL},
};

static long switch_state(void)
{
    long state = 0;
    FILE *f = fopen("/proc/sys/kernel/io_uring_disabled", "re");
    if (f == NULL)
        return 0;
    if (fscanf(f, "%ld", &state) != 1)
        state = 0;
    fclose(f);
    return state;
}

static int refused(int error, struct error *e)
{
    if (error == ENOSYS)
        return error_set(e, STATUS_USAGE, "ENOSYS",
                         "this kernel has no io_uring (io_uring_setup: %s); use -a aio",
                         strerror(error));
    if (error == EPERM && switch_state() != 0)
        return error_set(e, STATUS_USAGE, "EPERM",
                         "io_uring is switched off on this machine (kernel.io_uring_disabled=%ld); "
                         "use -a aio",
                         switch_state());
    if (error == EPERM || error == EACCES)
        return error_set(e, STATUS_USAGE, "EPERM",
                         "io_uring is forbidden here (io_uring_setup: %s, though "
                         "kernel.io_uring_disabled=0: a container's seccomp filter?); use -a aio",
                         strerror(error));
    return error_errno(e, error,
                       "cannot set up an io_uring (locked memory is limited by ulimit -l)");
}

static uint32_t power_of_two(uint32_t n)
{
    uint32_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

static int make_ring(struct uring *u, const struct uring_options *options, uint32_t slots,
                     struct error *e)
{
    uint32_t entries = power_of_two(slots < LARGEST_QUEUE ? slots : LARGEST_QUEUE);
    unsigned always = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
    if (options->iopoll)
        always |= IORING_SETUP_IOPOLL;
    const struct flags_row *row = options->sqpoll ? sqpoll_rows : plain_rows;
    int rc = -EINVAL;
    struct io_uring_params params;
    for (; row->text != NULL && rc == -EINVAL; row++) {
        params = (struct io_uring_params){.flags = row->flags | always};
        params.cq_entries = power_of_two(slots + 1 > entries ? slots + 1 : entries);
        rc = io_uring_queue_init_params(entries, &u->ring, &params);
        if (rc == 0)
            snprintf(u->ring_text, sizeof u->ring_text, "%s%s, %u submissions, %u completions",
                     row->text, options->iopoll ? " iopoll" : "", params.sq_entries,
                     params.cq_entries);
    }
    if (rc != 0)
        return refused(-rc, e);
    u->ring_open = true;
    io_uring_register_ring_fd(&u->ring); /* spares a look-up per call; older kernels do without */
    if (u->batch > params.sq_entries)
        u->batch = params.sq_entries;
    return 0;
}

static void buffers_refused(struct uring *u, int error, uint64_t bytes)
{
    struct rlimit limit;
    char *text = u->buffers_text;
    if (error == ENOMEM && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 &&
        limit.rlim_cur != RLIM_INFINITY)
        snprintf(text, sizeof u->buffers_text,
                 "no: %llu KiB do not fit RLIMIT_MEMLOCK (%llu KiB) beside what is locked already",
                 (unsigned long long)bytes >> 10, (unsigned long long)limit.rlim_cur >> 10);
    else
        snprintf(text, sizeof u->buffers_text, "no: %s", strerror(error));
}

static void register_buffers(struct uring *u, const struct backend_setup *setup)
{
    u->opcode_read = IORING_OP_READ;
    u->opcode_write = IORING_OP_WRITE;
    const struct uring_options *options = setup->options;
    const char *why = !options->fixed_buffers                    ? "no: switched off"
                      : setup->buffers == NULL                   ? "no: there are none"
                      : setup->slots > MOST_REGISTERED           ? "no: more than 16384 buffers"
                      : setup->buffer_bytes > LARGEST_REGISTERED ? "no: buffers over 1 GiB"
                                                                 : NULL;
    struct iovec *list = why ? NULL : calloc(setup->slots, sizeof *list);
    if (list == NULL) {
        snprintf(u->buffers_text, sizeof u->buffers_text, "%s", why ? why : "no: out of memory");
        return;
    }
    for (uint32_t i = 0; i < setup->slots; i++)
        list[i] = (struct iovec){setup->buffers[i], setup->buffer_bytes};
    int rc = io_uring_register_buffers(&u->ring, list, setup->slots);
    free(list);
    if (rc != 0) {
        buffers_refused(u, -rc, (uint64_t)setup->slots * setup->buffer_bytes);
        return;
    }
    snprintf(u->buffers_text, sizeof u->buffers_text, "yes");
    u->opcode_read = IORING_OP_READ_FIXED;
    u->opcode_write = IORING_OP_WRITE_FIXED;
}

static void register_files(struct uring *u, const struct backend_setup *setup)
{
    const struct uring_options *options = setup->options;
    char *text = u->files_text;
    if (!options->fixed_files || options->iopoll) {
        snprintf(text, sizeof u->files_text, "no: %s",
                 options->fixed_files ? "not with iopoll" : "switched off");
        return;
    }
    int rc = io_uring_register_files_sparse(&u->ring, setup->handles);
    if (rc != 0) {
        snprintf(text, sizeof u->files_text, "no: %s", strerror(-rc));
        return;
    }
    snprintf(text, sizeof u->files_text, "yes");
    u->file_flags = IOSQE_FIXED_FILE;
}

static int make_side_ring(struct uring *u, struct error *e)
{
    int rc = io_uring_queue_init(1, &u->side, 0);
    if (rc != 0)
        return refused(-rc, e);
    u->side_open = true;
    return 0;
}

int uring_ring_open(struct uring *u, const struct backend_setup *setup, struct error *e)
{
    const struct uring_options *options = setup->options;
    if (options->iopoll && !setup->direct)
        return error_set(e, STATUS_USAGE, "usage",
                         "--uring.iopoll polls the device and so needs --direct");
    if (make_ring(u, options, setup->slots, e) != 0)
        return -1;
    if (uring_call_probe(u, e) != 0 || (options->iopoll && make_side_ring(u, e) != 0)) {
        uring_ring_close(u);
        return -1;
    }
    register_buffers(u, setup);
    register_files(u, setup);
    return 0;
}

void uring_ring_close(struct uring *u)
{
    for (uint32_t i = 0; u->file_flags == 0 && i < u->handles; i++)
        if (u->fd[i] >= 0)
            close(u->fd[i]);
    if (u->ring_open) {
        /* The kernel takes a ring apart after the call; what is let go here is free at once, so
         * that the file system can be unmounted. */
        if (u->file_flags != 0)
            io_uring_unregister_files(&u->ring);
        if (u->opcode_read == IORING_OP_READ_FIXED)
            io_uring_unregister_buffers(&u->ring);
        io_uring_queue_exit(&u->ring);
    }
    if (u->side_open)
        io_uring_queue_exit(&u->side);
    u->ring_open = u->side_open = false;
}

static void put(struct fact *fact, const char *key, const char *value)
{
    snprintf(fact->key, sizeof fact->key, "%s", key);
    snprintf(fact->value, sizeof fact->value, "%s", value);
}

size_t uring_ring_facts(void *io, struct fact *facts, size_t max)
{
    const struct uring *u = io;
    char batch[16], calls[16], past[120] = "";
    for (int kind = 0; kind < OP_KINDS; kind++) {
        size_t used = strlen(past);
        if (u->by_syscall & 1u << kind)
            snprintf(past + used, sizeof past - used, "%s%s", used > 0 ? " " : "",
                     op_name((enum op_kind)kind));
    }
    snprintf(batch, sizeof batch, "%u", u->batch);
    snprintf(calls, sizeof calls, "%u", u->calls_total);
    const char *const rows[][2] = {
        {"ring", u->ring_text}, {"fixed_buffers", u->buffers_text}, {"fixed_files", u->files_text},
        {"batch", batch},       {"metadata_in_flight", calls},      {"by_system_call", past}};
    size_t n = 0;
    for (; n < sizeof rows / sizeof rows[0] && n < max; n++)
        put(&facts[n], rows[n][0], rows[n][1]);
    return n;
}

#endif
