#include "run/engine_parts.h"

/* The path around one operation is compiled twice from one text: for all there is, and with "plain"
 * true for bare transfers, of which most runs consist. */
#define TWICE static inline __attribute__((always_inline))

/* What only some phases have: a second direction, several sizes, and times that operations were due
 * at. */
static void record_more(struct engine *e, const struct slot *s, int64_t now_ns)
{
    struct sample *sample = e->sample;
    if (e->job.phase->also && s->op.kind == OP_READ) {
        sample->counters[COUNTER_READ_BYTES] += s->moved_bytes;
        sample->counters[COUNTER_READ_OPERATIONS]++;
    }
    if (sample->sized)
        sample_sized(sample, (enum op_kind)s->op.kind, s->moved_bytes,
                     (uint64_t)(now_ns - s->start_ns));
    if (sample->intended && s->op.due_ns) {
        int64_t due_ns = e->start_ns + s->op.due_ns;
        histogram_add(sample->intended, (uint64_t)(now_ns - due_ns));
        sample->counters[COUNTER_RATE_MISSED] =
            s->start_ns > due_ns ? (uint64_t)(s->start_ns - due_ns) : 0;
    }
}

/* False: it is none of the phase's. */
static inline bool counts(struct engine *e, const struct slot *s, int64_t now_ns)
{
    e->created += (s->op.flags & OP_FLAG_EXCLUSIVE) != 0;
    if (__builtin_expect(e->job.cursor->failed, 0) && s->op.length_bytes == 0 &&
        op_is_transfer((enum op_kind)s->op.kind))
        return false; /* this rank took part in the call of the others, and moved nothing */
    if (__builtin_expect((s->op.flags & OP_FLAG_MARKER) != 0, 0))
        return false;
    return now_ns > e->zero_ns || !e->job.ramp_ns; /* not done before the ramp was over */
}

TWICE void record(struct engine *e, const struct slot *s, int64_t now_ns, bool plain)
{
    struct sample *sample = e->sample;
    const struct phase *phase = e->job.phase;
    struct histogram *h = sample->latency[s->op.kind];
    if (!plain && !counts(e, s, now_ns))
        return;
    if (plain || h)
        histogram_add(h, (uint64_t)(now_ns - s->start_ns));
    uint64_t bytes = s->moved_bytes;
    sample->counters[COUNTER_BYTES] += bytes;
    if (plain || s->op.kind == phase->about || (phase->also && s->op.kind == phase->also) ||
        phase->items >> s->op.kind & 1) {
        sample->counters[COUNTER_OPERATIONS]++;
        timeline_add(&sample->timeline, now_ns - e->zero_ns, bytes);
        if (sample->series)
            series_add(sample->series, now_ns - e->zero_ns, (uint64_t)(now_ns - s->start_ns));
        if (plain)
            return;
        if (__builtin_expect(phase->also || sample->intended || sample->sized, 0))
            record_more(e, s, now_ns);
    } else if (bytes) {
        timeline_add_bytes(&sample->timeline, now_ns - e->zero_ns, bytes);
    } else if (s->op.kind == OP_STAGE) {
        e->staged_ns = now_ns;
    } else if (s->op.kind == OP_SYNC) {
        e->synced_ns = now_ns;
    }
}

/* A transfer that was continued is whole again. */
static void rejoin(struct slot *s)
{
    s->op.offset_bytes -= s->moved_bytes;
    s->op.length_bytes += s->moved_bytes;
    s->op.data = (char *)s->op.data - s->moved_bytes;
}

static inline void release(struct engine *e, uint32_t slot)
{
    e->free_slots[e->free_used++] = slot;
}

/* The phase learns what came of an operation. True: what follows it in its chain stands in its
 * slot; false: the slot is free. */
static bool follow(struct engine *e, uint32_t slot, const struct outcome *outcome)
{
    struct slot *s = &e->slots[slot];
    const struct engine_job *job = &e->job;
    if (job->phase->completed && !(job->phase->untold >> s->op.kind & 1))
        job->phase->completed(job->cursor, &s->op, outcome);
    if (s->op.flags & OP_FLAG_CHAINED) {
        struct op done = s->op;
        if (job->phase->follow(job->cursor, &done, outcome, &s->op) == STEP_OP)
            return true;
    }
    release(e, slot);
    return false;
}

/* One operation is through, well or not. True: what follows it stands in its slot, to be handed
 * over; false: the slot is free, or in flight again. */
TWICE bool finish(struct engine *e, uint32_t slot, struct outcome *outcome, int64_t now_ns,
                  bool plain)
{
    struct slot *s = &e->slots[slot];
    uint64_t expected = plain ? s->op.length_bytes : op_bytes(&s->op);
    if (__builtin_expect((outcome->error | (int)outcome->retries) != 0 ||
                             (expected && (uint64_t)outcome->value != expected),
                         0)) {
        enum remedy remedy = engine_remedy(e, slot, outcome);
        now_ns = e->last_ns;
        if (remedy == REMEDY_FAILED)
            release(e, slot);
        if (remedy == REMEDY_PASSED)
            return follow(e, slot, outcome);
        if (remedy != REMEDY_FINISHED)
            return false;
    }
    if (plain || expected) {
        if (__builtin_expect(s->moved_bytes != 0, 0))
            rejoin(s);
        s->moved_bytes += (uint64_t)outcome->value;
    }
    record(e, s, now_ns, plain);
    if (plain) {
        release(e, slot);
        return false;
    }
    if (s->op.flags & OP_FLAG_CHECK)
        engine_check(e, s);
    if (__builtin_expect(s->op.kind == OP_LIST, 0))
        e->sample->counters[COUNTER_ENTRIES] += (uint64_t)outcome->value;
    return follow(e, slot, outcome);
}

void engine_done(struct engine *e, uint32_t slot, struct outcome *outcome, int64_t now_ns)
{
    engine_account(e, engine_stage(&e->slots[slot].op), now_ns);
    finish(e, slot, outcome, now_ns, false);
}

/* Takes in completions: waits for at least min of them, or until it is time to look around. */
static void reap(struct engine *e, uint32_t min)
{
    int n =
        e->job.backend->reap(e->job.io, min, e->look_ns, e->completions, e->job.depth, e->error);
    enum stage stage = engine_oldest(e);
    int64_t now_ns = clock_now(e->job.clock);
    engine_account(e, stage, now_ns);
    if (n < 0) { /* the queue itself broke: nothing in flight will ever come back */
        e->in_flight = 0;
        engine_fail(e, NULL, NULL);
        return;
    }
    for (int i = 0; i < n; i++) {
        const struct op *op = &e->slots[e->completions[i].slot].op;
        e->in_flight--;
        e->stage_in_flight[engine_is_plain(e, op) ? STAGE_TRANSFER : engine_stage(op)]--;
    }
    for (int i = 0; i < n; i++) {
        struct completion *c = &e->completions[i];
        if (engine_is_plain(e, &e->slots[c->slot].op))
            finish(e, c->slot, &c->outcome, now_ns, true);
        else if (finish(e, c->slot, &c->outcome, now_ns, false))
            e->ready[e->ready_used++] = c->slot;
    }
}

static void wait_until_due(struct engine *e, int64_t due_ns)
{
    while (e->last_ns < due_ns && !e->job.cursor->stopping) {
        int64_t until = due_ns < e->look_ns ? due_ns : e->look_ns;
        if (e->in_flight) {
            int64_t look = e->look_ns;
            e->look_ns = until;
            reap(e, 1);
            if (e->look_ns == until)
                e->look_ns = look;
        } else {
            e->job.clock->sleep_until(e->job.clock, until);
            engine_account(e, STAGE_WAIT, clock_now(e->job.clock));
        }
    }
}

/* Puts data into the slot's buffer, and stamps the time where that took some. */
TWICE void give_data(struct engine *e, uint32_t slot, bool plain)
{
    struct slot *s = &e->slots[slot];
    struct op *op = &s->op;
    if (plain && op->length_bytes <= s->target_bytes) {
        op->data = s->target;
        return;
    }
    struct fill *fill = e->job.fill;
    if (op->flags & OP_FLAG_FILL) {
        op->data = fill_prepare(fill, slot, op->object & ~OBJECT_TEMPORARY, op->offset_bytes,
                                op->length_bytes);
        engine_account(e, e->in_flight ? engine_oldest(e) : STAGE_FILL, clock_now(e->job.clock));
    } else if (op_is_transfer((enum op_kind)op->kind) || op->kind == OP_RECEIVE) {
        op->data =
            fill_target(fill, slot, op->offset_bytes, op->length_bytes, op->flags & OP_FLAG_CHECK);
        if (plain) { /* the same for all reads of this length that nothing checks */
            s->target = op->data;
            s->target_bytes = op->length_bytes;
            return;
        }
        if (op->kind == OP_WRITE && op->flags & OP_FLAG_SUPPLIED) {
            e->job.phase->supply(e->job.cursor, op, op->data);
            engine_account(e, e->in_flight ? engine_oldest(e) : STAGE_FILL,
                           clock_now(e->job.clock));
        }
    }
}

/* One by one: what one reap finds shares a stamp, and each has a latency of its own. */
static void drain(struct engine *e)
{
    while (e->in_flight)
        reap(e, 1);
}

/* Waits, as far as an operation asks for it, until it may be handed over. False: the phase was
 * stopped before it was due, and it is not performed. */
static bool await_turn(struct engine *e, struct slot *s)
{
    if (s->op.order == ORDER_DRAIN)
        drain(e);
    if (s->op.due_ns) {
        wait_until_due(e, e->start_ns + s->op.due_ns);
        if (e->job.cursor->stopping && !e->job.cursor->plan->wear_out)
            return false;
    }
    if (e->job.collective && op_is_transfer((enum op_kind)s->op.kind) &&
        s->op.flags & OP_FLAG_COLLECTIVE) {
        engine_agree_on_stop(e);
        if (e->job.cursor->failed)
            s->op.length_bytes = 0; /* the others still wait for this rank in the call */
    }
    return true;
}

/* An operation, and with a synchronous backend the whole of its chain. */
TWICE void hand_over(struct engine *e, uint32_t slot, bool plain)
{
    struct slot *s = &e->slots[slot];
    for (;;) {
        if (!plain && !await_turn(e, s)) {
            e->job.cursor->issued--;
            release(e, slot);
            return;
        }
        give_data(e, slot, plain);
        s->moved_bytes = 0;
        s->start_ns = e->last_ns;
        struct outcome outcome = {0};
        const struct action *action = &e->actions[s->op.kind];
        enum io_state state;
        while ((state = action->perform(action->io, &s->op, slot, &outcome)) == IO_FULL)
            reap(e, 1);
        if (state == IO_QUEUED)
            break;
        enum stage own = plain ? STAGE_TRANSFER : engine_stage(&s->op);
        enum stage stage = e->in_flight ? engine_oldest(e) : own;
        int64_t now_ns = clock_now(e->job.clock);
        engine_account(e, stage, now_ns);
        if (!finish(e, slot, &outcome, now_ns, plain))
            return;
    }
    s->sequence = e->sequence++;
    e->in_flight++;
    e->stage_in_flight[plain ? STAGE_TRANSFER : engine_stage(&s->op)]++;
    if (!plain && s->op.order == ORDER_DRAIN)
        drain(e);
}

/* Chains that were met while nothing else could be done go on. */
static void go_on(struct engine *e)
{
    while (e->ready_used)
        hand_over(e, e->ready[--e->ready_used], false);
}

/* Until the operation in this slot is due: what is under way does not wait for it. */
static void go_on_until_due(struct engine *e, const struct slot *s)
{
    int64_t due_ns = e->start_ns + s->op.due_ns;
    while (e->in_flight && e->last_ns < due_ns && !e->job.cursor->stopping) {
        int64_t look_ns = e->look_ns, until_ns = due_ns < look_ns ? due_ns : look_ns;
        e->look_ns = until_ns;
        reap(e, 1);
        if (e->look_ns == until_ns)
            e->look_ns = look_ns;
        go_on(e);
    }
}

/* The stream, from its first operation to its end. */
static void perform_stream(struct engine *e)
{
    const struct engine_job *job = &e->job;
    for (;;) {
        go_on(e);
        if (e->free_used == 0) {
            reap(e, 1);
            continue;
        }
        uint32_t slot = e->free_slots[e->free_used - 1];
        enum step step = job->phase->next(job->cursor, &e->slots[slot].op);
        if (step == STEP_OP && !e->queues && !e->in_flight &&
            engine_is_bare(e, &e->slots[slot].op) && !engine_bare(e, slot, &step))
            continue;
        if (step == STEP_OP) {
            if (job->phase->own_handles)
                e->slots[slot].op.handle = slot;
            e->slots[slot].failed = false;
            e->free_used--;
            if (__builtin_expect(e->slots[slot].op.due_ns != 0, 0))
                go_on_until_due(e, &e->slots[slot]);
            if (engine_is_plain(e, &e->slots[slot].op))
                hand_over(e, slot, true);
            else
                hand_over(e, slot, false);
        } else if (e->in_flight) {
            reap(e, 1);
        } else if (step == STEP_END) {
            return;
        } else {
            error_set(e->error, STATUS_FAILED, "internal",
                      "phase %s waits for a completion with nothing in flight", job->phase->name);
            engine_fail(e, NULL, NULL);
        }
    }
}

int engine_run(struct engine *e, struct sample *sample, struct error *error)
{
    e->sample = sample;
    e->error = error;
    engine_choose_plain(e);
    e->start_ns = e->zero_ns = e->last_ns = clock_now(e->job.clock);
    engine_look(e, e->start_ns);
    perform_stream(e);
    if (e->agreement.begun)
        e->job.comm->ops->agree_end(e->job.comm);
    uint64_t elapsed = (uint64_t)(e->last_ns - e->zero_ns);
    sample->counters[COUNTER_ELAPSED_NS] = elapsed;
    sample->counters[COUNTER_ELAPSED_MIN_NS] = elapsed;
    sample->counters[COUNTER_OPERATIONS_MIN] = sample->counters[COUNTER_OPERATIONS];
    sample->counters[COUNTER_OPERATIONS_MAX] = sample->counters[COUNTER_OPERATIONS];
    bool struck = sample->counters[COUNTER_STOPPED] != 0;
    sample->counters[COUNTER_STONEWALL_NS] =
        struck && (uint64_t)e->job.deadline_ns < elapsed ? (uint64_t)e->job.deadline_ns : elapsed;
    uint64_t at_deadline = struck ? e->at_deadline : sample->counters[COUNTER_OPERATIONS];
    sample->counters[COUNTER_DEADLINE_MIN] = at_deadline;
    sample->counters[COUNTER_DEADLINE_MAX] = at_deadline;
    if (e->synced_ns) {
        uint64_t durable = (uint64_t)(e->synced_ns - e->zero_ns);
        uint64_t syncing = sample->stage_ns[STAGE_SYNC];
        sample->counters[COUNTER_DURABLE_NS] = durable;
        sample->counters[COUNTER_RETURN_NS] = durable > syncing ? durable - syncing : 0;
    }
    return error->status == STATUS_DONE ? 0 : -1;
}
