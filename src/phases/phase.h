/* Port: a phase is a stream of operations. It never touches the clock or the storage.
 *
 * next() gives, in order, the first operation of each chain; an operation that carries
 * OP_FLAG_CHAINED is followed, once it has completed, by what follow() answers to it, so a chain of
 * any length needs no memory and a queue holds as many chains as it is deep. A plain operation is a
 * chain of one. */
#ifndef PARIO_PHASES_PHASE_H
#define PARIO_PHASES_PHASE_H

#include "base/op.h"
#include "model/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum step {
    STEP_OP,   /* *op is the next operation */
    STEP_WAIT, /* nothing until something in flight completes */
    STEP_END   /* the stream is over; asked again, it answers END again */
};

/* Starts every phase's own cursor struct; the engine sets stopping and goal. */
struct cursor {
    const struct plan *plan;
    uint64_t rank; /* of the pattern: who this rank acts as (reordered for a read) */
    uint64_t real_rank;
    uint64_t repetition;
    uint64_t goal;  /* operations of the phase's own kind that there is data for, at most */
    bool exists;    /* the file that this rank looks after is there */
    bool removable; /* ... and may be removed */
    bool stopping;  /* no more of what the phase is about, then the tail (sync, close) and END */
    bool ending;    /* the same, for another reason than a deadline: wear-out is off as well */
    bool failed;    /* an error struck here: as ending; collective calls go on with length 0 */
    uint64_t file_bytes; /* size of the file now, as far as known; at most what the plan has */
    uint64_t issued;     /* operations of the phase's own kind handed out so far (phase keeps it) */
};

/* What an operation that fails does to the phase. */
enum errors {
    ERRORS_STOP,  /* all ranks stop, cleanly */
    ERRORS_COUNT, /* it is counted by kind, and the stream goes on, but for what would strike every
                     operation from now on, such as a full disk */
    ERRORS_IGNORE /* nothing: clean-up of what may not be there */
};

struct phase {
    const char *name;     /* unique; as metrics.md lists them: "write", "read", ... */
    const char *shown;    /* in results, where several workloads have a phase of this name; NULL: as
                             name */
    const char *sentence; /* for --list */
    enum op_kind about;   /* whose operations are counted; its bytes are the phase's bytes */
    enum op_kind also;    /* mixed phases: OP_WRITE, counted as well; else 0 (OP_OPEN) */
    uint32_t items;       /* further kinds that are counted as the phase's own: bits 1u << OP_... */
    uint32_t untold;      /* kinds that completed() does not want: bits 1u << OP_... */
    uint32_t needs;       /* operations that the backend must perform: bits 1u << OP_... */
    size_t cursor_bytes;  /* size of its cursor struct, which begins with struct cursor */
    bool timed;           /* false: preparation and clean-up, no result row of its own */
    enum errors errors;
    bool own_handles; /* each chain opens an object of its own: its handle is that of its slot */
    bool whole;       /* no deadline cuts it short */
    /* Fills the phase's part of the cursor (zeroed, base part set). */
    void (*begin)(struct cursor *c);
    enum step (*next)(struct cursor *c, struct op *op);
    /* What follows a completed chained operation of the same chain: OP or END. NULL: no chains. */
    enum step (*follow)(struct cursor *c, const struct op *done, const struct outcome *outcome,
                        struct op *op);
    /* Told of every completion, but of those of kinds in untold; NULL for phases that need not
     * know. */
    void (*completed)(struct cursor *c, const struct op *op, const struct outcome *outcome);
    /* Puts the content of a transfer with OP_FLAG_SUPPLIED (its offset, its length) into memory. */
    void (*supply)(const struct cursor *c, const struct op *op, void *to);
    /* How many operations of its own kind rank would do in full; pure. */
    uint64_t (*planned)(const struct plan *plan, uint64_t rank);
};

/* Generated from the folder's list; NULL-terminated. */
extern const struct phase *const phase_table[];
const struct phase *phase_find(const char *name);

#endif
