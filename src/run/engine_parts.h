/* What the engine's parts share: engine.c is the path around one operation, engine_bare.c the
 * shorter one around transfers that complete at once, engine_slow.c all that happens rarely
 * (errors, short transfers, stops, agreement). Nobody else includes this. */
#ifndef PARIO_RUN_ENGINE_PARTS_H
#define PARIO_RUN_ENGINE_PARTS_H

#include "run/engine.h"

/* Signals, notices and progress are looked at this often, from a stamp at hand. */
#define LOOK_NS 50000000
/* A stop of collective I/O is agreed at least this often. */
#define AGREE_NS 100000000

typedef enum io_state perform_fn(void *io, const struct op *op, uint32_t slot,
                                 struct outcome *outcome);

struct action { /* who performs an operation kind */
    perform_fn *perform;
    void *io;
};

struct slot {
    struct op op;
    bool failed;           /* something in this chain did, and its item is counted so */
    int64_t start_ns;      /* handed over */
    uint64_t moved_bytes;  /* by earlier calls for this operation */
    uint64_t sequence;     /* order of handing over */
    void *target;          /* buffer of plain reads */
    uint64_t target_bytes; /* ... up to this length */
};

struct agreement { /* collective I/O: every rank stops at the same operation */
    bool begun;
    uint64_t next;   /* issued count at which it is read and begun anew */
    uint64_t period; /* operations between */
    int64_t begun_ns;
    uint64_t begun_at;
};

/* Latencies of bare transfers that are not booked yet: all of them ended in one cell of the
 * timeline and one interval of the series. */
#define BATCH 64
struct batch {
    int64_t
        until_ns; /* a stamp from here on belongs to the next one, or is one to look around at */
    uint32_t used;
    uint64_t bytes;
    uint64_t latencies_ns[BATCH];
};

struct engine {
    struct engine_job job;
    struct tallies *tallies; /* phases that count failures; else NULL */
    struct action actions[OP_KINDS];
    struct op bare; /* what operations are like that are booked in batches */
    bool queues;    /* the backend answered that it took an operation: not one by one */
    struct batch batch;
    struct op plain; /* what operations are like that take the short path */
    struct sample *sample;
    struct error *error;
    int64_t start_ns;
    bool ramped;          /* ... which is over */
    int64_t zero_ns;      /* start of what is measured: start_ns, or the end of the ramp */
    int64_t last_ns;      /* latest stamp: all before it is accounted for */
    int64_t look_ns;      /* look around when a stamp is past this */
    int64_t staged_ns;    /* end of the last copy to staging memory; 0: none */
    int64_t synced_ns;    /* end of the last sync; 0: none */
    uint64_t at_deadline; /* own operations done when the deadline struck */
    uint64_t created;     /* files made by exclusive opens and creates */
    uint32_t in_flight;
    bool gave_up; /* what is in flight was cancelled */
    uint32_t free_used;
    uint32_t *free_slots;
    uint32_t ready_used;
    uint32_t *ready; /* slots whose chain goes on */
    uint64_t sequence;
    uint32_t stage_in_flight[STAGES];
    struct slot *slots;
    struct completion *completions;
    struct agreement agreement;
    enum stop_reason want_stop; /* collective: what this rank will say next time */
    enum stop_reason stopped;
};

/* Which operations are bare: those of the phase's own kind that nothing comes before, follows or
 * looks into, where all that is measured of one is when it began and ended. Plain are bare
 * transfers. */
void engine_choose_plain(struct engine *e);

static inline bool engine_is_plain(const struct engine *e, const struct op *op)
{
    /* Field by field, as wide as they were stored: a wider load would wait for the stores. */
    return op->kind == e->plain.kind && op->order == ORDER_FREE && op->flags == e->plain.flags &&
           op->count == 0;
}

static inline bool engine_is_bare(const struct engine *e, const struct op *op)
{
    return op->kind == e->bare.kind && op->order == ORDER_FREE &&
           (op->flags | OP_FLAG_DIRECTORY) == e->bare.flags && op->count == 0;
}

/* Performs the bare operation in the topmost free slot, and all bare ones that follow it, as long
 * as each is done when the call returns. True: what *step says comes next, in that slot. False: one
 * was not like that and is taken care of: ask the phase again. */
bool engine_bare(struct engine *e, uint32_t slot, enum step *step);
/* A bare operation is through, well or not, that was performed with nothing else in flight. */
void engine_done(struct engine *e, uint32_t slot, struct outcome *outcome, int64_t now_ns);

/* The engine's own operations. */
perform_fn engine_barrier, engine_agree, engine_pause, engine_stage_copy, engine_send,
    engine_receive;

/* A stamp is past look_ns. */
void engine_look(struct engine *e, int64_t now_ns);
/* The time since the last stamp belongs to one stage: the oldest operation's. */
static inline void engine_account(struct engine *e, enum stage stage, int64_t now_ns)
{
    e->sample->stage_ns[stage] += (uint64_t)(now_ns - e->last_ns);
    e->last_ns = now_ns;
    if (__builtin_expect(now_ns >= e->look_ns, 0))
        engine_look(e, now_ns);
}
/* Collective I/O, before each transfer. */
void engine_agree_on_stop(struct engine *e);
/* An outcome that is no plain success: made good (*outcome says so), in flight again, failed, or
 * failed and passed over, as the phase wants it. */
enum remedy { REMEDY_FINISHED, REMEDY_QUEUED, REMEDY_FAILED, REMEDY_PASSED };
enum remedy engine_remedy(struct engine *e, uint32_t slot, struct outcome *outcome);
/* A failure that the phase passes over: counted, its kind noted. False: it must stop the phase. */
bool engine_pass(struct engine *e, struct slot *s, const struct outcome *outcome);
/* Fills error with what an outcome means and where it happened. */
void engine_explain(const struct engine *e, const struct op *op, const struct outcome *outcome,
                    struct error *error);
void engine_say_where(const struct engine *e, const struct op *op, struct error *error);
/* This rank failed: tell the others, lead the stream to its end. */
void engine_fail(struct engine *e, const struct op *op, const struct outcome *outcome);
void engine_stop(struct engine *e, enum stop_reason reason);
/* The operation in this slot is in flight now. */
void engine_queued(struct engine *e, uint32_t slot);
/* Stage that an operation's time counts to. */
static inline enum stage engine_stage(const struct op *op)
{
    if (op->flags & (OP_FLAG_IN_TRANSFER | OP_FLAG_MARKER))
        return op->flags & OP_FLAG_MARKER ? STAGE_MARKER : STAGE_TRANSFER;
    return op_stage((enum op_kind)op->kind);
}
/* Stage of the oldest operation in flight; there is one. */
enum stage engine_oldest(const struct engine *e);
/* Compares what was read; the time counts to the check stage. */
void engine_check(struct engine *e, const struct slot *s);

#endif
