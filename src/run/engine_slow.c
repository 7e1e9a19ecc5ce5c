#include "run/engine_parts.h"
#include "run/guard.h"
#include "run/observe.h"
#include "run/progress.h"
#include "run/staging.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* What an agreement carries: the most serious reason to stop above, the mean time below. */
#define REASON_SHIFT 60
#define MEAN_MASK ((UINT64_C(1) << REASON_SHIFT) - 1)
/* An agreement is read after at most so many operations. */
#define PERIOD_MOST 4096

void engine_stop(struct engine *e, enum stop_reason reason)
{
    if (e->stopped == STOP_NONE)
        e->stopped = reason;
    if (reason == STOP_DEADLINE) {
        e->sample->counters[COUNTER_STOPPED] = 1;
        e->at_deadline = e->sample->counters[COUNTER_OPERATIONS];
    }
    if (reason != STOP_DEADLINE)
        e->job.cursor->ending = true;
    e->job.cursor->stopping = true;
}

/* This rank has a reason to stop. Where transfers are collective, it only says so at the next
 * agreement; where not, it stops, and tells the others what concerns them. */
static void want_stop(struct engine *e, enum stop_reason reason)
{
    if (e->job.collective) {
        if (e->want_stop == STOP_NONE)
            e->want_stop = reason;
        return;
    }
    bool told = e->stopped != STOP_NONE && e->stopped != STOP_DEADLINE;
    engine_stop(e, reason);
    if (reason != STOP_DEADLINE && !told)
        e->job.comm->ops->raise(e->job.comm, (int)reason);
}

/* The next time that something is to happen at: the end of the ramp, then the deadline. */
static int64_t meet_appointments(struct engine *e, int64_t now_ns)
{
    int64_t measured_ns = e->start_ns + e->job.ramp_ns;
    if (!e->ramped && now_ns < measured_ns)
        return measured_ns;
    if (!e->ramped && e->job.ramp_ns) {
        sample_restart(e->sample);
        e->zero_ns = now_ns;
        if (e->job.observation)
            observe_begin(e->job.observation);
    }
    e->ramped = true;
    int64_t deadline = e->job.deadline_ns ? measured_ns + e->job.deadline_ns : INT64_MAX;
    if (now_ns < deadline)
        return deadline;
    if (e->stopped == STOP_NONE)
        want_stop(e, STOP_DEADLINE);
    return INT64_MAX;
}

/* After an error, a signal or at the time limit nobody waits for reads that are stuck. At a plain
 * deadline what was begun is measured to its end: left out, the slowest operations would be missing
 * from the latencies. Writes are always waited for: of what was written the first ones must be
 * whole, or what is kept could not be read. */
static void give_up(struct engine *e)
{
    const struct engine_job *job = &e->job;
    bool reads = job->phase->about == OP_READ && !job->phase->also;
    if (!job->cursor->ending || !reads || !job->backend->cancel || !e->in_flight || e->gave_up)
        return;
    e->gave_up = true;
    job->backend->cancel(job->io);
}

void engine_look(struct engine *e, int64_t now_ns)
{
    int64_t appointment = meet_appointments(e, now_ns);
    if (e->job.limit_ns && now_ns >= e->job.limit_ns && e->stopped != STOP_LIMIT)
        want_stop(e, STOP_LIMIT);
    if (e->job.guard && e->stopped == STOP_NONE && e->want_stop == STOP_NONE &&
        guard_full(e->job.guard, now_ns))
        want_stop(e, STOP_FULL);
    if (watch_signal(e->job.watch) && e->stopped != STOP_SIGNAL)
        want_stop(e, STOP_SIGNAL);
    int reason = e->job.comm->ops->raised(e->job.comm);
    if (reason && !e->job.collective)
        engine_stop(e, (enum stop_reason)reason);
    give_up(e);
    if (e->job.progress)
        progress_show(e->job.progress, e->sample, now_ns - e->zero_ns);
    int64_t next = now_ns + LOOK_NS;
    if (e->job.progress && progress_next(e->job.progress) < INT64_MAX) {
        int64_t line_ns = e->zero_ns + progress_next(e->job.progress);
        next = line_ns > now_ns && line_ns < next ? line_ns : next;
    }
    e->look_ns = next < appointment ? next : appointment;
}

/* Operations until the next agreement, from the slowest rank's mean time for one; 0: nobody knows
 * it yet. It grows step by step: the first operations may be quick for reasons that do not last. */
static uint64_t next_period(uint64_t period, uint64_t mean_ns)
{
    uint64_t wanted = mean_ns ? AGREE_NS / mean_ns : 1;
    if (wanted > 2 * period)
        wanted = 2 * period;
    return wanted < 1 ? 1 : wanted > PERIOD_MOST ? PERIOD_MOST : wanted;
}

/* Reads the agreement that is under way; stops where it says so. */
static uint64_t end_agreement(struct engine *e)
{
    struct agreement *a = &e->agreement;
    uint64_t agreed = e->job.comm->ops->agree_end(e->job.comm);
    a->begun = false;
    if (agreed >> REASON_SHIFT) {
        engine_stop(e, (enum stop_reason)(agreed >> REASON_SHIFT));
        a->next = UINT64_MAX;
    }
    return agreed;
}

/* Begun at one operation and read some operations later, so nobody waits for it; the period follows
 * the slowest rank's mean time, which travels in the same value, so it is the same everywhere. */
void engine_agree_on_stop(struct engine *e)
{
    struct agreement *a = &e->agreement;
    struct comm *comm = e->job.comm;
    uint64_t issued = e->job.cursor->issued;
    if (issued < a->next)
        return;
    uint64_t mean_ns = 0;
    if (a->begun) {
        uint64_t agreed = end_agreement(e);
        if (agreed >> REASON_SHIFT)
            return;
        a->period = next_period(a->period, agreed);
        mean_ns = (uint64_t)(e->last_ns - a->begun_ns) / (issued - a->begun_at) & MEAN_MASK;
        mean_ns += mean_ns == 0;
    } else {
        a->period = 1;
    }
    comm->ops->agree_begin(comm, (uint64_t)e->want_stop << REASON_SHIFT | mean_ns);
    a->begun = true;
    a->begun_at = issued;
    a->begun_ns = e->last_ns;
    a->next = issued + a->period;
}

void engine_queued(struct engine *e, uint32_t slot)
{
    struct slot *s = &e->slots[slot];
    s->sequence = e->sequence++;
    e->in_flight++;
    e->stage_in_flight[engine_stage(&s->op)]++;
}

static bool is_free(const struct engine *e, uint32_t slot)
{
    for (uint32_t i = 0; i < e->free_used; i++)
        if (e->free_slots[i] == slot)
            return true;
    for (uint32_t i = 0; i < e->ready_used; i++)
        if (e->ready[i] == slot)
            return true;
    return false;
}

enum stage engine_oldest(const struct engine *e)
{
    for (int stage = 0; stage < STAGES; stage++)
        if (e->stage_in_flight[stage] == e->in_flight)
            return (enum stage)stage;
    /* Several stages at once, which is rare: look for the one handed over first. */
    const struct slot *oldest = NULL;
    for (uint32_t i = 0; i < e->job.depth; i++)
        if ((!oldest || e->slots[i].sequence < oldest->sequence) && !is_free(e, i))
            oldest = &e->slots[i];
    return oldest ? engine_stage(&oldest->op) : STAGE_WAIT;
}

void engine_say_where(const struct engine *e, const struct op *op, struct error *error)
{
    char path[512];
    if (e->job.names.path(e->job.names.plan, op->object, path, sizeof path))
        snprintf(path, sizeof path, "object %" PRIu64, op->object);
    error_place(error, path,
                op_is_transfer((enum op_kind)op->kind) ? op->offset_bytes : ERROR_NO_OFFSET);
    if (op_is_transfer((enum op_kind)op->kind))
        error_wrap(error, "%s, offset %" PRIu64, path, op->offset_bytes);
    else
        error_wrap(error, "%s", path);
}

void engine_explain(const struct engine *e, const struct op *op, const struct outcome *outcome,
                    struct error *error)
{
    if (error->status != STATUS_DONE)
        return;
    if (e->job.backend->explain)
        e->job.backend->explain(e->job.io, op, outcome, error);
    else if (op_is_transfer((enum op_kind)op->kind))
        error_errno(error, outcome->error, "%s of %" PRIu64 " bytes",
                    op_name((enum op_kind)op->kind), op->length_bytes);
    else
        error_errno(error, outcome->error, "%s", op_name((enum op_kind)op->kind));
    engine_say_where(e, op, error);
}

void engine_fail(struct engine *e, const struct op *op, const struct outcome *outcome)
{
    if (op) {
        engine_explain(e, op, outcome, e->error);
        if (op->kind == e->job.phase->about)
            e->sample->counters[COUNTER_FAILED]++;
    }
    e->sample->counters[COUNTER_FAILED_RANKS] = 1;
    e->job.cursor->failed = true;
    want_stop(e, STOP_ERROR);
}

static enum remedy fail_short(struct engine *e, struct slot *s, uint64_t got,
                              struct outcome *outcome)
{
    const struct op *op = &s->op;
    if (e->job.phase->errors != ERRORS_STOP) {
        outcome->error = ENODATA;
        if (engine_pass(e, s, outcome))
            return REMEDY_PASSED;
    }
    const char *name = op_name((enum op_kind)op->kind);
    if (op->kind == OP_READ && got == 0)
        error_set(e->error, STATUS_FAILED, "end-of-file",
                  "read of %" PRIu64
                  " bytes: the file ends here: it is shorter than this test needs",
                  op->length_bytes);
    else
        error_set(e->error, STATUS_FAILED, "short-transfer",
                  "%s of %" PRIu64 " bytes moved %" PRIu64 " and %s", name, op->length_bytes, got,
                  got ? "is not continued here" : "does not go on");
    engine_say_where(e, op, e->error);
    engine_fail(e, NULL, NULL);
    if (op->kind == e->job.phase->about)
        e->sample->counters[COUNTER_FAILED]++;
    return REMEDY_FAILED;
}

/* A transfer moved a part: the rest is asked for, in the same slot, as the same operation. */
static enum remedy go_on(struct engine *e, uint32_t slot, struct outcome *outcome)
{
    struct slot *s = &e->slots[slot];
    uint64_t got = (uint64_t)outcome->value;
    bool whole = e->job.single_attempt || s->op.count > 1 || s->op.flags & OP_FLAG_COLLECTIVE;
    if (got == 0 || whole || got > s->op.length_bytes)
        return fail_short(e, s, got, outcome);
    e->sample->counters[COUNTER_SHORT_TRANSFERS]++;
    s->moved_bytes += got;
    s->op.offset_bytes += got;
    s->op.length_bytes -= got;
    s->op.data = (char *)s->op.data + got;
    *outcome = (struct outcome){0};
    const struct action *action = &e->actions[s->op.kind];
    if (action->perform(action->io, &s->op, slot, outcome) == IO_QUEUED) {
        engine_queued(e, slot);
        return REMEDY_QUEUED;
    }
    int64_t now_ns = e->job.clock->now_ns(e->job.clock);
    e->sample->stage_ns[e->in_flight ? engine_oldest(e) : engine_stage(&s->op)] +=
        (uint64_t)(now_ns - e->last_ns);
    e->last_ns = now_ns;
    return REMEDY_FINISHED;
}

enum remedy engine_remedy(struct engine *e, uint32_t slot, struct outcome *outcome)
{
    struct slot *s = &e->slots[slot];
    for (;;) {
        e->sample->counters[COUNTER_RETRIES] += outcome->retries;
        outcome->retries = 0;
        if (e->gave_up && (outcome->error == ECANCELED || outcome->error == EINTR))
            return REMEDY_FAILED; /* and nothing is to be said of it */
        if (outcome->error) {
            if (e->job.phase->errors != ERRORS_STOP && engine_pass(e, s, outcome))
                return REMEDY_PASSED;
            engine_fail(e, &s->op, outcome);
            return REMEDY_FAILED;
        }
        if ((uint64_t)outcome->value == op_bytes(&s->op))
            return REMEDY_FINISHED;
        enum remedy remedy = go_on(e, slot, outcome);
        if (remedy != REMEDY_FINISHED)
            return remedy;
    }
}

enum io_state engine_barrier(void *io, const struct op *op, uint32_t slot, struct outcome *outcome)
{
    struct engine *e = io;
    (void)op, (void)slot, (void)outcome;
    e->job.comm->ops->barrier_patient(e->job.comm);
    return IO_DONE;
}

enum io_state engine_agree(void *io, const struct op *op, uint32_t slot, struct outcome *outcome)
{
    struct engine *e = io;
    (void)slot;
    if (e->agreement.begun) /* of collective I/O: only one can be under way */
        end_agreement(e);
    e->job.comm->ops->barrier_patient(e->job.comm);
    e->job.comm->ops->agree_begin(e->job.comm, op->other);
    outcome->value = (int64_t)e->job.comm->ops->agree_end(e->job.comm);
    return IO_DONE;
}

enum io_state engine_stage_copy(void *io, const struct op *op, uint32_t slot,
                                struct outcome *outcome)
{
    struct engine *e = io;
    (void)slot, (void)outcome;
    staging_copy(e->job.staging, op->offset_bytes, op->length_bytes);
    return IO_DONE;
}

/* Think and compute: length_bytes is their time in ns. */
enum io_state engine_pause(void *io, const struct op *op, uint32_t slot, struct outcome *outcome)
{
    struct engine *e = io;
    (void)slot, (void)outcome;
    const struct clock *clock = e->job.clock;
    int64_t now_ns = e->last_ns, end_ns = now_ns + (int64_t)op->length_bytes;
    while (now_ns < end_ns && !e->job.cursor->stopping) {
        clock->sleep_until(clock, end_ns < e->look_ns ? end_ns : e->look_ns);
        now_ns = clock->now_ns(clock);
        if (now_ns >= e->look_ns && now_ns < end_ns)
            engine_look(e, now_ns);
    }
    return IO_DONE;
}
