/* The least that a program must do to keep an io_uring busy: what pario is measured against.
 *
 *     loop_uring FILE BYTES OPERATIONS DEPTH BATCH read|write cached|direct order|random RANKS
 *
 * Transfers of 4 KiB over the first BYTES (a power of two) of FILE, each rank (a process) its share
 * of the blocks; one ring each with the flags, registered buffers and registered file that pario
 * uses, submissions in the same batches. No time is taken inside, no result is looked at but for
 * failure. Prints: operations per second, CPU in ns per operation (user and system, all ranks). */
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096u

struct job {
    const char *path;
    uint64_t blocks;
    uint64_t operations; /* of each rank */
    unsigned depth;
    unsigned batch;
    bool write;
    bool direct;
    bool random;
    unsigned ranks;
};

static void fail(const char *what, int error)
{
    fprintf(stderr, "loop_uring: %s: %s\n", what, strerror(error));
    exit(1);
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t cpu_ns(int who)
{
    struct rusage u;
    getrusage(who, &u);
    return ((int64_t)u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
           ((int64_t)u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}

/* Every block once in disorder, at the price of two shifts and a multiplication. */
static uint64_t place(const struct job *job, uint64_t i)
{
    if (!job->random)
        return i;
    uint64_t mask = job->blocks - 1;
    uint64_t x = (i * UINT64_C(0x9e3779b97f4a7c15) + 12345) & mask;
    x ^= x >> 7;
    x = (x * UINT64_C(0xd1342543de82ef95)) & mask;
    return x ^ x >> 9;
}

static void set_up(const struct job *job, struct io_uring *ring, char **memory)
{
    unsigned flags = IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN |
                     IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SINGLE_ISSUER |
                     IORING_SETUP_DEFER_TASKRUN;
    int rc = io_uring_queue_init(job->depth, ring, flags);
    if (rc != 0)
        fail("io_uring_queue_init", -rc);
    io_uring_register_ring_fd(ring);
    int fd = open(job->path, (job->write ? O_WRONLY : O_RDONLY) | (job->direct ? O_DIRECT : 0));
    if (fd < 0)
        fail(job->path, errno);
    *memory = aligned_alloc(BLOCK, (size_t)job->depth * BLOCK);
    struct iovec *list = calloc(job->depth, sizeof *list);
    if (*memory == NULL || list == NULL)
        fail("memory", ENOMEM);
    memset(*memory, 0x5a, (size_t)job->depth * BLOCK);
    for (unsigned i = 0; i < job->depth; i++)
        list[i] = (struct iovec){*memory + (size_t)i * BLOCK, BLOCK};
    rc = io_uring_register_buffers(ring, list, job->depth);
    if (rc == 0)
        rc = io_uring_register_files(ring, &fd, 1);
    if (rc != 0)
        fail("registration", -rc);
}

static void hand_over(const struct job *job, struct io_uring *ring, char *memory, unsigned slot,
                      uint64_t block)
{
    if (io_uring_sq_ready(ring) >= job->batch)
        io_uring_submit(ring);
    struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
    char *data = memory + (size_t)slot * BLOCK;
    if (job->write)
        io_uring_prep_write_fixed(sqe, 0, data, BLOCK, block * BLOCK, (int)slot);
    else
        io_uring_prep_read_fixed(sqe, 0, data, BLOCK, block * BLOCK, (int)slot);
    sqe->flags = IOSQE_FIXED_FILE;
    sqe->user_data = slot;
}

static void run(const struct job *job, struct io_uring *ring, char *memory, unsigned rank)
{
    uint64_t next = rank * job->operations;
    uint64_t end = next + job->operations;
    uint64_t done = 0;
    for (unsigned slot = 0; slot < job->depth && next < end; slot++)
        hand_over(job, ring, memory, slot, place(job, next++));
    while (done < job->operations) {
        struct io_uring_cqe *cqe;
        unsigned head, seen = 0;
        int rc = io_uring_submit_and_wait(ring, 1);
        if (rc < 0 && rc != -EINTR)
            fail("io_uring_enter", -rc);
        io_uring_for_each_cqe(ring, head, cqe)
        {
            if (cqe->res != (int)BLOCK)
                fail("transfer", cqe->res < 0 ? -cqe->res : EIO);
            seen++;
            if (next < end)
                hand_over(job, ring, memory, (unsigned)cqe->user_data, place(job, next++));
        }
        io_uring_cq_advance(ring, seen);
        done += seen;
    }
}

/* One rank: says that it is ready, waits for the start, runs. */
static int rank_main(const struct job *job, unsigned rank, int ready, int go)
{
    struct io_uring ring;
    char *memory, byte = 0;
    int64_t result[2]; /* wall and CPU time */
    set_up(job, &ring, &memory);
    if (write(ready, &byte, 1) != 1 || read(go, &byte, 1) != 1)
        return 1;
    int64_t start_ns = now_ns(), start_cpu_ns = cpu_ns(RUSAGE_SELF);
    run(job, &ring, memory, rank);
    result[0] = now_ns() - start_ns;
    result[1] = cpu_ns(RUSAGE_SELF) - start_cpu_ns;
    return write(ready, result, sizeof result) != sizeof result;
}

static int measure(const struct job *job)
{
    int ready[2], go[2], status;
    int64_t longest_ns = 0, all_cpu_ns = 0;
    char bytes[64] = {0};
    if (pipe(ready) != 0 || pipe(go) != 0)
        fail("pipe", errno);
    for (unsigned rank = 0; rank < job->ranks; rank++) {
        if (fork() == 0)
            _exit(rank_main(job, rank, ready[1], go[0]));
    }
    for (unsigned rank = 0; rank < job->ranks; rank++)
        if (read(ready[0], bytes, 1) != 1)
            return 1;
    if (write(go[1], bytes, job->ranks) != (ssize_t)job->ranks)
        return 1;
    for (unsigned rank = 0; rank < job->ranks; rank++) {
        int64_t result[2];
        if (read(ready[0], result, sizeof result) != sizeof result)
            return 1;
        longest_ns = result[0] > longest_ns ? result[0] : longest_ns;
        all_cpu_ns += result[1];
    }
    while (wait(&status) > 0)
        if (status != 0)
            return 1;
    double operations = (double)job->operations * job->ranks;
    printf("%.0f %.1f\n", operations * 1e9 / (double)longest_ns, (double)all_cpu_ns / operations);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 10) {
        fprintf(stderr, "usage: loop_uring FILE BYTES OPERATIONS DEPTH BATCH read|write "
                        "cached|direct order|random RANKS\n");
        return 2;
    }
    struct job job = {
        .path = argv[1],
        .blocks = strtoull(argv[2], NULL, 10) / BLOCK,
        .operations = strtoull(argv[3], NULL, 10),
        .depth = (unsigned)strtoul(argv[4], NULL, 10),
        .batch = (unsigned)strtoul(argv[5], NULL, 10),
        .write = strcmp(argv[6], "write") == 0,
        .direct = strcmp(argv[7], "direct") == 0,
        .random = strcmp(argv[8], "random") == 0,
        .ranks = (unsigned)strtoul(argv[9], NULL, 10),
    };
    job.operations /= job.ranks;
    return measure(&job);
}
