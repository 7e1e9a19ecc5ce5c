/* One operation as data, and what came of it. Open, close, sync, rename, barriers and pauses are in
 * the stream like reads and writes, so one table times them all. */
#ifndef PARIO_BASE_OP_H
#define PARIO_BASE_OP_H

#include <stdbool.h>
#include <stdint.h>

enum op_kind {
#define OP(KIND, name, STAGE, performer) OP_##KIND,
#include "base/op.def"
    OP_KINDS
};

enum stage {
#define STAGE_ROW(STAGE, name) STAGE_##STAGE,
#include "base/op.def"
    STAGES
};

enum performer { PERFORMER_BACKEND, PERFORMER_COMM, PERFORMER_ENGINE };

enum op_order {
    ORDER_FREE, /* may be in flight beside others */
    ORDER_DRAIN /* waits until nothing is in flight, and is alone */
};

/* Flags of struct op. */
enum {
    OP_FLAG_READ = 1 << 0,        /* open: for reading */
    OP_FLAG_WRITE = 1 << 1,       /* open: for writing */
    OP_FLAG_CREATE = 1 << 2,      /* open: create where missing */
    OP_FLAG_EXCLUSIVE = 1 << 3,   /* create: refuse what exists */
    OP_FLAG_TRUNCATE = 1 << 4,    /* open: cut to nothing */
    OP_FLAG_COLLECTIVE = 1 << 5,  /* every rank makes this call at the same place of its stream */
    OP_FLAG_CHAINED = 1 << 6,     /* phase->follow tells what comes after it */
    OP_FLAG_FILL = 1 << 7,        /* write: the engine puts data into the buffer first */
    OP_FLAG_CHECK = 1 << 8,       /* read: the engine compares the buffer afterwards */
    OP_FLAG_IN_TRANSFER = 1 << 9, /* sync: time counts to the transfer stage (fsync per write) */
    OP_FLAG_DIRECTORY = 1 << 10,  /* the object is a directory; sync: of its file system */
    OP_FLAG_SUPPLIED = 1 << 11,   /* transfer: its data is the phase's own, see phase->supply */
    OP_FLAG_MARKER = 1 << 12      /* part of a commit: time counts to the marker stage, bytes and
                                     operations not to the phase's */
};

/* Bit of an object's number: the same file under its temporary name, with the same content. */
#define OBJECT_TEMPORARY (UINT64_C(1) << 63)

struct op {
    uint8_t kind;  /* enum op_kind */
    uint8_t order; /* enum op_order */
    uint16_t flags;
    uint32_t handle;       /* small index of an open object; valid from its open to its close */
    uint64_t object;       /* which file or directory: names.path() turns it into a path */
    uint64_t offset_bytes; /* open: of the first transfer in sequence */
    uint64_t length_bytes; /* of one piece; stage: to be copied to the offset */
    uint64_t stride_bytes; /* from piece to piece, where count > 1 */
    uint32_t count;        /* pieces; 0 and 1 both mean one */
    uint32_t step;         /* the phase's own: place in its chain */
    uint64_t other;        /* rename, link: the other object; chmod: the mode; agree: the value;
                              send, receive: the other rank */
    void *data;            /* buffer; set by the engine when the operation is handed over */
    int64_t due_ns;        /* not before this time after the phase's start; 0: at once */
};

struct outcome {
    int64_t value; /* bytes moved by a transfer; agreed value of an agree; size of a stat; entries
                      of a list; else 0 */
    int error;     /* 0: success; else the backend's code (errno for most), see backend->explain */
    uint32_t retries; /* calls that had to be made again (EINTR, EAGAIN) */
};

const char *op_name(enum op_kind kind);
enum stage op_stage(enum op_kind kind);
enum performer op_performer(enum op_kind kind);
const char *stage_name(enum stage stage);
static inline bool op_is_transfer(enum op_kind kind)
{
    return kind == OP_READ || kind == OP_WRITE;
}
/* Bytes that a transfer is to move in all its pieces; 0 for other operations. */
static inline uint64_t op_bytes(const struct op *op)
{
    if (!op_is_transfer((enum op_kind)op->kind))
        return 0;
    return op->length_bytes * (op->count > 1 ? op->count : 1);
}

#endif
