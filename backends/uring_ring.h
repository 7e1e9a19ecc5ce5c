/* What the files of the uring backend share. */
#ifndef PARIO_BACKENDS_URING_RING_H
#define PARIO_BACKENDS_URING_RING_H

#include "backends/backend.h"
#include "backends/posix_file.h"

struct uring_options {
    bool sqpoll;
    bool iopoll;
    bool fixed_buffers;
    bool fixed_files;
    int64_t batch; /* submitted at once at most */
};

#ifdef HAVE_LIBURING

#include <liburing.h>
#include <sys/stat.h>

/* Calls on names need memory that lives until their completion. */
#define URING_CALLS 256 /* of them in flight at most */
#define URING_NO_CALL UINT32_MAX
struct uring_call {
    char path[POSIX_PATH_BYTES];
    char other[POSIX_PATH_BYTES];
    struct statx stat;
};

/* An operation in flight. The op is the engine's, which keeps it until the completion. All but op
 * is as at first (0, URING_NO_CALL) again when the operation is handed over, and so need not be
 * written for the next one. */
struct uring_slot {
    const struct op *op;
    int64_t moved;  /* by the pieces that are done */
    uint32_t piece; /* under way */
    uint32_t retries;
    uint32_t call; /* index into calls, where the operation has one */
};

struct uring {
    struct io_uring ring;
    uint32_t in_flight;
    uint32_t batch;
    uint32_t gathered;   /* submissions written since the last call, at least */
    uint8_t opcode_read; /* plain or fixed */
    uint8_t opcode_write;
    uint8_t file_flags;  /* IOSQE_FIXED_FILE or 0 */
    uint32_t by_syscall; /* operations that go past the ring: bits 1u << OP_... */
    bool cancelled;
    bool iopoll; /* then calls go through a ring of their own, one at a time */
    bool direct;
    uint32_t handles;
    struct uring_slot *slots;
    int *fd; /* by handle: descriptor, or place in the registered table; -1: not open */
    const struct clock *clock;
    struct object_names names;
    struct uring_call *calls;
    uint16_t *calls_free; /* a stack */
    uint32_t calls_free_used;
    uint32_t calls_total;
    struct io_uring side;
    bool ring_open, side_open;
    char ring_text[120]; /* facts */
    char buffers_text[120];
    char files_text[120];
};

/* Opens the ring (or two) with the best flags that the kernel has and registers what can be. Where
 * io_uring cannot be had, the message says why and names aio. On failure everything is closed. */
int uring_ring_open(struct uring *u, const struct backend_setup *setup, struct error *e);
/* Closes files, unregisters, closes the rings. */
void uring_ring_close(struct uring *u);
size_t uring_ring_facts(void *io, struct fact *facts, size_t max);

/* Asks the kernel which calls its ring knows; those that it does not are made by system calls. */
int uring_call_probe(struct uring *u, struct error *e);
/* Gives the slot a call and writes the operation's names into it; -1: a name is too long. The
 * caller has seen that one is free. */
int uring_call_take(struct uring *u, const struct op *op, uint32_t slot);
void uring_call_give(struct uring *u, uint32_t slot);
/* Writes a submission for what is no transfer. */
void uring_call_fill(struct uring *u, struct io_uring_sqe *sqe, uint32_t slot);
/* Takes note of what a finished call leaves behind; returns the outcome's value or a negative
 * errno. */
int64_t uring_call_settle(struct uring *u, uint32_t slot, int64_t result);

#endif
#endif
