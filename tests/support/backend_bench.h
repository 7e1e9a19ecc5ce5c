/* A bench to put a backend on: a temporary directory, an open instance, operations by hand. Objects
 * 0, 1, 2, ... are files <directory>/0, 1, 2, ... */
#ifndef PARIO_TESTS_BACKEND_BENCH_H
#define PARIO_TESTS_BACKEND_BENCH_H

#include "backends/backend.h"

#define BENCH_SLOTS 4
#define BENCH_HANDLES 4
#define BENCH_BUFFER 65536

struct bench {
    const struct backend *backend;
    struct clock clock;
    int64_t virtual_ns;
    struct comm comm; /* rank and size alone: no calls */
    char directory[128];
    void *options;
    void *buffers[BENCH_SLOTS]; /* page-aligned, BENCH_BUFFER bytes each */
    struct backend_setup setup;
    void *io;
};

/* Directory, buffers, default options and a virtual clock; nothing is open yet. Fails the test
 * where it cannot. slots: at most BENCH_SLOTS, cut to what the backend can. */
struct bench *bench_make(const struct backend *backend, uint32_t slots);
/* One option, as on the command line. */
void bench_option(struct bench *b, const char *name, const char *value);
/* Opens an instance (closing the one before); fails the test where the backend refuses. */
void bench_open(struct bench *b);
/* Closes, frees, and removes the directory with what is in it. */
void bench_free(struct bench *b);

/* Performs one operation to its end, in slot 0 and with its buffer unless op->data is set. */
struct outcome bench_do(struct bench *b, struct op op);
/* The same, and fails the test unless it succeeded; returns the value. */
int64_t bench_must(struct bench *b, struct op op);
/* Waits for at least min of the operations in flight; how many came. */
int bench_reap(struct bench *b, uint32_t min, struct completion *done, uint32_t max);
/* What the backend says about a failed outcome. */
struct error bench_explain(struct bench *b, struct op op, struct outcome outcome);
/* The path of an object; the caller's buffer of 256 bytes is returned. */
char *bench_path(const struct bench *b, uint64_t object, char *buf);
/* Descriptors that this process has open. */
int bench_descriptors(void);

static inline bool bench_is(const struct bench *b, unsigned trait)
{
    return backend_traits(b->backend, b->options) & trait;
}

/* Operations that are asked for often. */
static inline struct op bench_open_op(uint64_t object, uint32_t handle, unsigned flags)
{
    return (struct op){
        .kind = OP_OPEN, .object = object, .handle = handle, .flags = (uint16_t)flags};
}
static inline struct op bench_op(enum op_kind kind, uint64_t object, uint32_t handle)
{
    return (struct op){.kind = (uint8_t)kind, .object = object, .handle = handle};
}
static inline struct op bench_transfer(enum op_kind kind, uint64_t object, uint32_t handle,
                                       uint64_t offset_bytes, uint64_t length_bytes)
{
    return (struct op){.kind = (uint8_t)kind,
                       .object = object,
                       .handle = handle,
                       .offset_bytes = offset_bytes,
                       .length_bytes = length_bytes};
}

#define BENCH_NEW (OP_FLAG_WRITE | OP_FLAG_READ | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE)

#endif
