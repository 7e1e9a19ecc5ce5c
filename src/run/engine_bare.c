/* Bare operations on a backend that completes each before it returns: the shortest path there is.
 * Only the latency of each is noted; all that is made of it (histogram, series, timeline, counters)
 * is booked for many at once, which spares each most of the loads and stores. Booking has a stage
 * of its own, so that no operation's latency holds it. Nothing is left unbooked when anyone else
 * looks.
 */
#include "run/engine_parts.h"

static int64_t earlier(int64_t a_ns, int64_t b_ns)
{
    return a_ns < b_ns ? a_ns : b_ns;
}

/* Until when operations may end that are booked together. */
static void begin(struct engine *e)
{
    const struct sample *sample = e->sample;
    int64_t border_ns = sample->timeline.cell_end_ns;
    if (sample->series)
        border_ns = earlier(border_ns, sample->series->end_ns);
    int64_t until_ns;
    if (__builtin_add_overflow(e->zero_ns, border_ns, &until_ns))
        until_ns = INT64_MAX;
    e->batch.until_ns = earlier(until_ns, e->look_ns);
}

static void book(struct engine *e)
{
    struct batch *b = &e->batch;
    struct sample *sample = e->sample;
    if (b->used == 0)
        return;
    uint64_t sum_ns = histogram_add_all(sample->latency[e->bare.kind], b->latencies_ns, b->used);
    if (sample->series)
        series_add_all(sample->series, b->latencies_ns, b->used);
    timeline_add_all(&sample->timeline, e->last_ns - e->zero_ns, b->bytes, b->used);
    sample->stage_ns[op_stage((enum op_kind)e->bare.kind)] += sum_ns;
    sample->counters[COUNTER_BYTES] += b->bytes;
    sample->counters[COUNTER_OPERATIONS] += b->used;
    b->used = 0;
    b->bytes = 0;
}

static void record(struct engine *e)
{
    book(e);
    engine_account(e, STAGE_RECORD, clock_now(e->job.clock));
    begin(e);
}

/* Data for a write, and a stamp: making it took time, which is not the transfer's. */
static void fill(struct engine *e, uint32_t slot)
{
    struct op *op = &e->slots[slot].op;
    op->data = fill_prepare(e->job.fill, slot, op->object & ~OBJECT_TEMPORARY, op->offset_bytes,
                            op->length_bytes);
    int64_t now_ns = clock_now(e->job.clock);
    if (__builtin_expect(now_ns >= e->batch.until_ns, 0))
        book(e); /* look around with everything booked; what follows goes to a batch of its own */
    engine_account(e, STAGE_FILL, now_ns);
    if (__builtin_expect(now_ns >= e->batch.until_ns, 0))
        begin(e);
}

/* A buffer: the same for all reads of this length that nothing checks. */
static inline void prepare(struct engine *e, uint32_t slot)
{
    struct slot *s = &e->slots[slot];
    if (s->op.flags & OP_FLAG_FILL) {
        fill(e, slot);
        return;
    }
    if (__builtin_expect(s->op.length_bytes > s->target_bytes, 0)) {
        s->target = fill_target(e->job.fill, slot, s->op.offset_bytes, s->op.length_bytes, false);
        s->target_bytes = s->op.length_bytes;
    }
    s->op.data = s->target;
}

/* The operation in the slot is not one of many: it was handed over and is in flight, ended where
 * the next batch begins, or not well. */
static void leave(struct engine *e, uint32_t slot, enum io_state state, struct outcome *outcome,
                  int64_t now_ns)
{
    struct slot *s = &e->slots[slot];
    book(e);
    s->start_ns = e->last_ns;
    s->moved_bytes = 0;
    s->failed = false;
    e->free_used--;
    if (state == IO_QUEUED) {
        engine_queued(e, slot);
        return;
    }
    engine_done(e, slot, outcome, now_ns);
    if (!e->in_flight)
        engine_account(e, STAGE_RECORD, clock_now(e->job.clock));
}

bool engine_bare(struct engine *e, uint32_t slot, enum step *step)
{
    const struct engine_job *job = &e->job;
    const struct action action = e->actions[e->bare.kind];
    struct op *op = &e->slots[slot].op;
    struct batch *b = &e->batch;
    /* Of other operations the value is an answer, such as a size. */
    uint64_t told = op_is_transfer((enum op_kind)op->kind) ? UINT64_MAX : 0;
    begin(e);
    do {
        prepare(e, slot);
        struct outcome outcome = {0};
        enum io_state state = action.perform(action.io, op, slot, &outcome);
        if (__builtin_expect(state == IO_FULL, 0)) {
            e->queues = true;
            break;
        }
        int64_t now_ns = clock_now(job->clock);
        if (__builtin_expect(state != IO_DONE || (outcome.error | (int)outcome.retries) != 0 ||
                                 (((uint64_t)outcome.value ^ op->length_bytes) & told) != 0 ||
                                 now_ns >= b->until_ns,
                             0)) {
            e->queues = state == IO_QUEUED;
            leave(e, slot, state, &outcome, now_ns);
            return false;
        }
        b->bytes += op->length_bytes;
        b->latencies_ns[b->used++] = (uint64_t)(now_ns - e->last_ns);
        e->last_ns = now_ns;
        if (__builtin_expect(b->used == BATCH, 0))
            record(e);
        *step = job->phase->next(job->cursor, op);
    } while (*step == STEP_OP && engine_is_bare(e, op));
    book(e);
    return true;
}
