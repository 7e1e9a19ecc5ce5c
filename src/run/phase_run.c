#include "run/phase_run.h"

#include "base/text.h"
#include "run/guard.h"
#include "run/observe.h"
#include "run/progress.h"
#include "run/reduce.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Width of a timeline's cell to begin with. */
#define TIMELINE_NS 1000000

struct phase_state { /* of one phase on this rank */
    struct rank_run *run;
    const struct phase *phase;
    struct cursor *cursor;
    struct sample sample;
    struct engine *engine;
    void *io;
    struct guard guard;
    struct progress progress;
    struct error error;
    struct observation observation;
    uint64_t elapsed_ns; /* rank 0's second stamp - its first, and less the ramp */
    struct stretch own;  /* of this rank */
};

static const char *shown(const struct phase *phase)
{
    return phase->shown ? phase->shown : phase->name;
}

static uint64_t expected_bytes(const struct plan *plan)
{
    return plan->workload == WORKLOAD_METADATA ? plan->metadata.write_bytes : plan->file_bytes;
}

/* Of a file that is made of blocks of all ranks in turn, or of each once; else 0. */
static uint64_t block_bytes(const struct plan *plan)
{
    const struct checkpoint_layout *l = &plan->checkpoint.layout;
    if (plan->workload == WORKLOAD_BULK)
        return plan->block_bytes;
    if (plan->workload != WORKLOAD_CHECKPOINT || !layout_is_shared(l))
        return 0;
    return l->shape == CHECKPOINT_STRIDED ? l->chunk_bytes : l->writer_bytes;
}

static void *open_backend(struct phase_state *s)
{
    const struct rank_run *r = s->run;
    struct backend_setup setup = {
        .options = r->job->backend_options,
        .comm = r->comm,
        .clock = r->comm->clock,
        .names = {&r->plan, plan_path, plan_leaf},
        .slots = r->plan.depth,
        .handles = s->phase->own_handles ? r->plan.depth : 1,
        .buffers = r->buffers,
        .buffer_bytes = fill_buffer_bytes(r->fill),
        .transfer_bytes = r->plan.transfer_bytes,
        .direct = r->plan.direct,
        .file_per_process = r->plan.file_per_process || !(r->plan.workload & WORKLOAD_TRANSFERS),
        .expected_bytes = expected_bytes(&r->plan),
        .block_bytes = block_bytes(&r->plan),
        .collective = r->plan.collective,
        .in_sequence = r->plan.order == ORDER_IN_SEQUENCE,
        .seed = r->plan.data.seed,
    };
    return r->job->backend->open(&setup, &s->error);
}

static struct engine *open_engine(struct phase_state *s)
{
    struct rank_run *r = s->run;
    bool shows = r->comm->rank == 0 && s->phase->timed && (r->job->terminal || r->plan.interval_ns);
    bool guarded = r->comm->rank == 0 && s->phase->timed && s->phase->about == OP_WRITE &&
                   r->storage.files && guard_make(&s->guard, &r->plan);
    s->progress = (struct progress){.terminal = r->job->terminal,
                                    .phase = shown(s->phase),
                                    .repetition = r->plan.repetition,
                                    .repetitions = r->plan.repetitions,
                                    .ranks = r->comm->size,
                                    .planned = s->sample.counters[COUNTER_PLANNED],
                                    .interval_ns = shows ? r->plan.interval_ns : 0,
                                    .kinds = 1u << s->phase->about | s->phase->items |
                                             (s->phase->also ? 1u << s->phase->also : 0),
                                    .deadline_ns = r->plan.deadline_ns};
    progress_open(&s->progress);
    struct engine_job job = {
        .phase = s->phase,
        .cursor = s->cursor,
        .backend = r->job->backend,
        .io = s->io,
        .names = {&r->plan, plan_path, plan_leaf},
        .comm = r->comm,
        .clock = r->comm->clock,
        .fill = r->fill,
        .depth = s->phase->timed ? r->plan.depth : 1,
        .collective = s->phase->timed && r->plan.collective,
        .single_attempt = r->plan.single_attempt,
        .limit_ns = s->phase->timed ? r->limit_ns : 0,
        .deadline_ns = s->phase->timed && !s->phase->whole ? r->plan.deadline_ns : 0,
        .ramp_ns = s->phase->timed ? r->plan.access.ramp_ns : 0,
        .staging = &r->staging,
        .observation = &s->observation,
        .watch = s->phase->timed ? r->job->watch : NULL,
        .guard = guarded ? &s->guard : NULL,
        .progress = shows ? &s->progress : NULL,
    };
    return engine_make(&job, &s->error);
}

static bool reads(const struct phase_state *s)
{
    return s->phase->about == OP_READ;
}

/* Size of the file that blocks are drawn from. */
static uint64_t file_bytes(const struct rank_run *r)
{
    const struct plan *p = &r->plan;
    uint64_t bytes = p->file_bytes;
    if (!p->write && r->storage.size_bytes && r->storage.size_bytes < bytes)
        bytes = r->storage.size_bytes;
    if (p->file_per_process && !p->write && r->readable < p->transfers_per_rank)
        bytes = r->readable * p->transfer_bytes;
    return bytes;
}

/* What the phase is made of, the backend can do. */
static int check_needs(struct phase_state *s)
{
    const struct backend *b = s->run->job->backend;
    for (int kind = 0; kind < OP_KINDS; kind++)
        if (s->phase->needs >> kind & 1 && !b->perform[kind] &&
            op_performer((enum op_kind)kind) == PERFORMER_BACKEND)
            return error_set(&s->error, STATUS_USAGE, "usage",
                             "backend %s cannot do what phase %s needs: %s", b->name,
                             s->phase->name, op_name((enum op_kind)kind));
    return 0;
}

/* Everything that needs memory or the backend, before the clock runs. */
static int get_ready(struct phase_state *s)
{
    const struct rank_run *r = s->run;
    if (check_needs(s))
        return -1;
    s->cursor = calloc(1, s->phase->cursor_bytes);
    if (!s->cursor)
        return error_errno(&s->error, ENOMEM, "memory for phase %s", s->phase->name);
    s->cursor->plan = &r->plan;
    s->cursor->real_rank = r->comm->rank;
    s->cursor->rank = reads(s) ? reorder_source(&r->reorder, r->comm->rank) : r->comm->rank;
    s->cursor->repetition = r->plan.repetition;
    s->cursor->exists = r->storage.exists;
    s->cursor->removable = r->storage.exists && (r->storage.owned || r->plan.replace);
    s->cursor->goal = reads(s) ? r->readable : UINT64_MAX;
    if (r->plan.transfers_most < s->cursor->goal)
        s->cursor->goal = r->plan.transfers_most;
    if (r->plan.workload == WORKLOAD_METADATA) {
        s->cursor->rank = r->acting;
        s->cursor->goal = r->goal;
    }
    s->cursor->file_bytes = file_bytes(r);
    s->phase->begin(s->cursor);
    if (sample_start(&s->sample, s->phase->needs | 1u << OP_SYNC, TIMELINE_NS, &s->error))
        return -1;
    int64_t interval_ns = r->plan.interval_ns ? r->plan.interval_ns : TIMELINE_NS;
    if (s->phase->timed && r->plan.series && sample_add_series(&s->sample, interval_ns, &s->error))
        return -1;
    if (r->plan.access.rate_per_s > 0 && sample_add_intended(&s->sample, &s->error))
        return -1;
    if (s->phase->timed && r->plan.sizes.used &&
        sample_add_sizes(&s->sample, &r->plan.sizes, s->phase->about, s->phase->also, &s->error))
        return -1;
    uint64_t planned = s->phase->planned(&r->plan, r->comm->rank);
    s->sample.counters[COUNTER_PLANNED] = planned < s->cursor->goal ? planned : s->cursor->goal;
    s->io = open_backend(s);
    if (!s->io)
        return -1;
    s->engine = open_engine(s);
    return s->engine ? 0 : -1;
}

/* What the program waited for a checkpoint, and what was done beside its work. */
static void tell_blocked(struct phase_state *s)
{
    struct rank_run *r = s->run;
    const struct checkpoint_plan *p = &r->plan.checkpoint;
    uint64_t *counters = s->sample.counters;
    uint64_t elapsed = counters[COUNTER_ELAPSED_NS], staged = engine_staged_ns(s->engine);
    if (r->plan.workload != WORKLOAD_CHECKPOINT || s->phase->about != OP_WRITE)
        return;
    r->overlapped_ns = p->background ? (int64_t)(elapsed - staged) : 0;
    counters[COUNTER_DRAIN_NS] = (uint64_t)r->overlapped_ns;
    counters[COUNTER_BLOCKED_NS] = elapsed;
    if (!p->background || !p->staging_bytes)
        return;
    int64_t late_ns = r->overlapped_ns - r->interval_ns;
    counters[COUNTER_BLOCKED_NS] = staged + (late_ns > 0 ? (uint64_t)late_ns : 0);
}

/* The measured part. Rank 0's first stamp lies between two barriers: before any rank's start, but
 * after the last has come; its second comes after the last has ended. */
static void measure(struct phase_state *s)
{
    struct comm *comm = s->run->comm;
    const struct clock *clock = comm->clock;
    if (reads(s) && s->run->storage.files)
        observe_cache(&s->run->plan, s->cursor->rank, s->sample.counters);
    if (s->phase->timed)
        axis_begin(&s->run->axis, comm);
    observe_open(&s->observation, comm);
    observe_begin(&s->observation);
    comm->ops->barrier(comm);
    int64_t first_ns = clock->now_ns(clock);
    comm->ops->barrier(comm);
    stretch_begin(&s->own, clock);
    engine_run(s->engine, &s->sample, &s->error);
    stretch_end(&s->own, clock);
    comm->ops->barrier_patient(comm);
    s->elapsed_ns = (uint64_t)(clock->now_ns(clock) - first_ns);
    if (s->phase->timed && engine_ramped(s->engine))
        s->elapsed_ns -= (uint64_t)s->run->plan.access.ramp_ns;
    observe_end(&s->observation, s->sample.counters);
    tell_blocked(s);
    progress_clear(&s->progress);
}

static enum cut why_cut(const struct phase_end *end)
{
    if (end->worst.status != STATUS_DONE)
        return end->worst.errno_value == ENOSPC || end->worst.errno_value == EDQUOT ? CUT_FULL
                                                                                    : CUT_ERROR;
    return end->stopped == STOP_SIGNAL  ? CUT_SIGNAL
           : end->stopped == STOP_LIMIT ? CUT_TIME_LIMIT
           : end->stopped == STOP_FULL  ? CUT_FULL
                                        : CUT_NONE;
}

static void add_facts(struct phase_state *s, struct phase_result *result)
{
    struct rank_run *r = s->run;
    struct fact facts[64] = {0};
    if (!r->job->backend->facts || !s->io)
        return;
    size_t n = r->job->backend->facts(s->io, facts, sizeof facts / sizeof facts[0]);
    for (size_t i = 0; i < n; i++) {
        test_fact(r->test, facts[i].key, facts[i].value, NULL);
        if (facts[i].warning)
            phase_warn(result, facts[i].warning, NAN, "%s", facts[i].value);
    }
}

/* Rank 0's result of a timed phase, as far as it knows it alone; NULL elsewhere. */
static struct phase_result *new_result(const struct phase_state *s, struct phase_result *result)
{
    const struct rank_run *r = s->run;
    if (r->comm->rank != 0 || !s->phase->timed)
        return NULL;
    *result = phase_result_blank();
    text_copy(result->phase, sizeof result->phase, shown(s->phase));
    result->about = s->phase->about;
    result->also = s->phase->also;
    result->repetition = r->plan.repetition;
    result->elapsed_ns = s->elapsed_ns;
    return result;
}

/* The most serious stop of any rank; all notices under way are taken in. */
static enum stop_reason agree_on_stop(struct phase_state *s)
{
    struct comm *comm = s->run->comm;
    uint64_t stopped = s->engine ? (uint64_t)engine_stopped(s->engine) : STOP_NONE;
    comm->ops->settle(comm);
    comm_reduce_all(comm, REDUCE_MAX, &stopped, 1);
    return (enum stop_reason)stopped;
}

static void put_away(struct phase_state *s)
{
    if (s->io)
        s->run->job->backend->close(s->io);
    engine_free(s->engine);
    progress_close(&s->progress);
    sample_free(&s->sample);
    free(s->cursor);
    guard_drop(&s->guard);
}

struct rows_sink {
    const struct rank_run *run;
    const struct phase_result *result;
};

static void take_rows(void *context, uint64_t first, uint64_t n, const struct rank_row *rows)
{
    const struct rows_sink *to = context;
    const struct run_sink *sink = &to->run->job->sink;
    sink->rows(sink->context, to->run->test, to->result, first, n, rows);
}

/* Before the sample is reduced: afterwards rank 0's is that of all. */
static void tell_rows(const struct phase_state *s, const struct phase_result *result)
{
    struct rows_sink to = {s->run, result};
    if (!s->run->job->settings->per_rank || !s->phase->timed)
        return;
    struct rank_row mine = rows_of(&s->sample, s->phase->about);
    rows_collect(s->run->comm, &mine, take_rows, &to);
}

struct phase_end phase_run(struct rank_run *run, const struct phase *phase)
{
    struct phase_state s = {.run = run, .phase = phase, .error = error_none()};
    struct phase_end end = {.worst = error_none()};
    struct comm *comm = run->comm;
    uint64_t unready = get_ready(&s) ? 1 : 0;
    comm_reduce_all(comm, REDUCE_MAX, &unready, 1);
    if (unready) {
        reduce_errors(NULL, &s.error, comm, &end.worst);
        put_away(&s);
        return end;
    }
    measure(&s);
    if (engine_created(s.engine) > 0)
        run->storage.exists = run->storage.owned = true;
    run->issued = s.cursor->issued;
    if (phase->timed)
        run->done = s.sample.counters[COUNTER_OPERATIONS];
    end.stopped = agree_on_stop(&s);
    struct phase_result blank, *result = new_result(&s, &blank);
    reduce_errors(result, &s.error, comm, &end.worst);
    if (phase->errors == ERRORS_COUNT) {
        struct error items = error_none();
        reduce_tallies(result, engine_tallies(s.engine), shown(phase), comm, &items);
        if (run->item_error.status == STATUS_DONE)
            run->item_error = items;
    }
    tell_rows(&s, result);
    if (phase->timed) {
        struct error lost = error_none();
        axis_end(&run->axis, comm, &s.own, s.elapsed_ns, s.sample.counters);
        if (reduce_sample(result, &s.sample, comm, &lost) && end.worst.status == STATUS_DONE)
            end.worst = lost;
    }
    if (result) {
        result->cut = why_cut(&end);
        add_facts(&s, result);
        run->job->sink.phase(run->job->sink.context, run->test, result, &run->plan);
    }
    put_away(&s);
    return end;
}
