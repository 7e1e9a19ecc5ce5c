/* Port: an I/O API. A backend performs operations and measures nothing; what its table fills in is
 * what it can do. Synchronous ones answer DONE, queued ones QUEUED and hand completions over in
 * reap. */
#ifndef PARIO_BACKENDS_BACKEND_H
#define PARIO_BACKENDS_BACKEND_H

#include "base/error.h"
#include "base/op.h"
#include "comm/comm.h"
#include "model/option.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum io_state {
    IO_DONE,   /* performed; *outcome is filled, success or not */
    IO_QUEUED, /* accepted; its completion comes out of reap */
    IO_FULL    /* not accepted now: reap first (the engine never exceeds slots, so this is rare) */
};

struct completion {
    uint32_t slot;
    struct outcome outcome;
};

/* Object numbers to paths: the plan's names, so that a backend knows no plan. */
struct object_names {
    const void *plan;
    /* Writes the path with a NUL; 0, or -1 if it does not fit. No allocation. */
    int (*path)(const void *plan, uint64_t object, char *buf, size_t bytes);
    /* The last component of the path, and the object of the directory that holds it: for calls
     * relative to an open directory. Its length, or -1 where only the path will do. May be NULL. */
    int (*leaf)(const void *plan, uint64_t object, uint64_t *directory, char *buf, size_t bytes);
};

struct backend_setup {
    const void *options; /* the backend's own struct, parsed */
    struct comm *comm;
    const struct clock *clock;
    struct object_names names;
    uint32_t slots;          /* operations in flight at most */
    uint32_t handles;        /* handles are 0 .. handles-1 */
    void *const *buffers;    /* one per slot, page-aligned, for registration; may be NULL */
    size_t buffer_bytes;     /* of each */
    uint64_t transfer_bytes; /* largest transfer */
    bool direct;             /* bypass the page cache (O_DIRECT) */
    bool file_per_process;
    uint64_t expected_bytes; /* final size of one file, for preallocation; 0: unknown */
    uint64_t block_bytes;    /* of a rank, one after another in each segment; 0: no segments */
    bool collective;         /* transfers carry OP_FLAG_COLLECTIVE */
    bool in_sequence; /* the n-th transfer of each rank stands at the same place of a block */
    uint64_t seed;
};

/* Something read back from the library or kernel that a reader of the result wants to know. */
struct fact {
    char key[40];
    char value[160];
    const char *warning; /* code of the verdict that the value is the text of; NULL: just a fact */
};

enum {
    BACKEND_PATHS =
        1 << 0, /* objects are files of a mounted file system (ownership, room, cache) */
    BACKEND_NEEDS_MPI = 1 << 1,     /* comm->native must be MPI */
    BACKEND_COLLECTIVE = 1 << 2,    /* honours OP_FLAG_COLLECTIVE */
    BACKEND_DIRECT = 1 << 3,        /* honours setup->direct */
    BACKEND_STORES = 1 << 4,        /* what was written can be read back and checked */
    BACKEND_MODEL = 1 << 5,         /* its time is setup->clock's alone: a virtual one will do */
    BACKEND_NEEDS_PARTNER = 1 << 6, /* two ranks at least */
    BACKEND_TOGETHER = 1 << 7 /* opening, syncing, closing a shared file are calls of all ranks */
};

struct backend {
    const char *name;
    const char *sentence;
    const char *unavailable; /* NULL: usable; else why this build cannot */
    unsigned traits;
    /* The traits where options decide about them; NULL: traits alone. See backend_traits. */
    unsigned (*traits_with)(const void *options);
    const struct option
        *options;         /* rows of its own, named without the prefix; ends with name NULL */
    size_t options_bytes; /* of the struct that they fill */
    uint32_t max_depth;   /* 1: no queue */

    /* Per rank and phase. NULL with an error; then nothing is left behind. */
    void *(*open)(const struct backend_setup *setup, struct error *e);
    /* Closes handles still open, waits for nothing in flight (there is none). */
    void (*close)(void *io);
    /* Of the operations that are others' to perform a backend may take over OP_BARRIER, where its
     * ranks need each other while they wait.
     * slot names the operation in flight: 0 .. slots-1, and op->data lies in that slot's buffer.
     * What was answered QUEUED stays where it is, unchanged, until its completion has been handed
     * over. */
    enum io_state (*perform[OP_KINDS])(void *io, const struct op *op, uint32_t slot,
                                       struct outcome *outcome);
    /* Submits what perform accepted, waits until at least min have completed or until_ns (of the
     * setup's clock; INT64_MAX: no limit) is past, and hands over at most max. Their number, or -1
     * with an error if the queue itself broke. NULL when nothing is ever queued. */
    int (*reap)(void *io, uint32_t min, int64_t until_ns, struct completion *done, uint32_t max,
                struct error *e);
    /* Asks for everything in flight to be given up; completions still come out of reap. May be
     * NULL. */
    void (*cancel)(void *io);
    /* Says what a failed outcome means (status FAILED, kind, "write 131072 bytes" and cause),
     * without path and offset, which the engine adds. NULL: error is an errno. */
    void (*explain)(void *io, const struct op *op, const struct outcome *outcome, struct error *e);
    /* Facts read back; fills at most max, returns how many. May be NULL. */
    size_t (*facts)(void *io, struct fact *facts, size_t max);
};

static inline unsigned backend_traits(const struct backend *backend, const void *options)
{
    return backend->traits_with ? backend->traits_with(options) : backend->traits;
}

/* Generated from the folder's list; NULL-terminated. */
extern const struct backend *const backend_table[];
/* By name in any case; NULL if there is none. */
const struct backend *backend_find(const char *name);

#endif
