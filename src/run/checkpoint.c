/* Checkpoints: the program's own work (slept), a checkpoint, and so on; then a restart from the
 * latest that is whole. */
#include "base/rng.h"
#include "probe/filesystem.h"
#include "probe/room.h"
#include "run/checkpoint_clear.h"
#include "run/checkpoint_cold.h"
#include "run/checkpoint_findings.h"
#include "run/checkpoint_store.h"
#include "run/reduce.h"
#include "run/scenario.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The work ends early when a signal comes; it is looked for this often. */
#define LOOK_NS 50000000

static bool has_files(const struct rank_run *r)
{
    return backend_traits(r->job->backend, r->job->backend_options) & BACKEND_PATHS;
}

/* Whole checkpoints that are there are removed before: their room counts. */
static void count_replaced(struct room_need *need, const struct checkpoint_store *store)
{
    const struct checkpoint_marker *m = &store->marker;
    uint64_t whole = 0;
    for (uint64_t i = 0; store->marked && i < store->steps_used; i++)
        whole += store->steps[i] >= m->oldest && store->steps[i] <= m->latest;
    if (whole == 0)
        return;
    need->replaced_bytes = plan_times(whole, layout_bytes(&m->layout));
    need->replaced_inodes = plan_times(whole, layout_count(&m->layout) + 1);
}

/* Room for what is retained and the one being written. */
static int look_for_room(const struct rank_run *r, const struct checkpoint_store *store,
                         struct error *e)
{
    const struct checkpoint_plan *c = &r->plan.checkpoint;
    struct room_need need = {.reserve_percent = r->plan.reserve_percent};
    struct filesystem fs;
    checkpoint_plan_most(c, &need.bytes, &need.inodes);
    count_replaced(&need, store);
    if (probe_filesystem(NULL, c->path, &fs, e))
        return -1;
    if (room_check(&fs, &need, e) == 0)
        return 0;
    return error_wrap(e,
                      "%" PRIu64 " checkpoints of %" PRIu64 " bytes (--retain %" PRIu64
                      " and the one being written)",
                      need.bytes / c->bytes, c->bytes, c->retain);
}

/* What is restarted from tells itself what it looks like. */
static int take_layout(struct rank_run *r, const struct checkpoint_store *store, struct error *e)
{
    struct checkpoint_plan *c = &r->plan.checkpoint;
    if (!store->marked)
        return error_set(e, STATUS_USAGE, "no-checkpoint",
                         "%s: there is no checkpoint to restart from (write some with -k)",
                         c->path);
    if (store->marker.oldest > store->marker.latest)
        return error_set(e, STATUS_FAILED, "no-checkpoint",
                         "%s: no checkpoint in it is whole: the run that wrote it ended before the "
                         "first was",
                         c->path);
    if (r->plan.direct && store->marker.layout.align_bytes % 512)
        return error_set(e, STATUS_USAGE, "usage",
                         "%s was written without --direct: its files end where O_DIRECT cannot "
                         "read; leave out --direct",
                         c->path);
    return 0;
}

static void adopt(struct rank_run *r, const struct checkpoint_marker *m)
{
    struct plan *p = &r->plan;
    struct checkpoint_plan *c = &p->checkpoint;
    c->layout = m->layout;
    c->coalesced = c->coalesced && m->layout.tensors;
    c->bytes = p->total_bytes = layout_bytes(&c->layout);
    c->files = p->files = layout_count(&c->layout);
    c->oldest = m->oldest;
    c->step = m->latest;
    p->file_bytes = layout_largest(&c->layout);
    p->file_per_process = !layout_is_shared(&c->layout);
    p->data.seed = m->seed;
}

/* Rank 0 looks; all hear what there is. */
static int look_at_files(struct rank_run *r, struct error *e)
{
    const struct checkpoint_plan *c = &r->plan.checkpoint;
    struct checkpoint_store store = {0};
    uint64_t failed = 0;
    if (r->comm->rank == 0) {
        failed = checkpoint_store_look(&store, c, c->write, e) ||
                 (c->write ? look_for_room(r, &store, e) : take_layout(r, &store, e));
        if (!failed && !c->write && store.unmarked)
            fprintf(stderr,
                    "pario: note: %s: checkpoint %" PRIu64
                    " was not finished (the marker does not list it): the latest whole one is "
                    "%" PRIu64 "\n",
                    c->path, store.unmarked, store.marker.latest);
    }
    r->comm->ops->broadcast(r->comm, 0, &failed, sizeof failed);
    if (failed)
        return r->comm->rank == 0 ? -1 : 0;
    r->comm->ops->broadcast(r->comm, 0, &store, sizeof store);
    r->storage.exists = store.exists;
    if (!c->write)
        adopt(r, &store.marker);
    return 0;
}

/* Groups of the ranks of a node: they follow each other, and but for the last node are equally
 * many. */
static int group_nodes(struct rank_run *r, struct error *e)
{
    const struct topology *t = r->comm->topology;
    struct checkpoint_plan *c = &r->plan.checkpoint;
    for (uint64_t i = 0; i < t->runs_used; i++)
        if (t->runs_used != t->nodes || t->runs[i].first_rank != i * t->most_per_node)
            return error_set(e, STATUS_USAGE, "usage",
                             "--shape groups: the ranks of a node do not follow each other, or are "
                             "not equally many on all nodes: say with --group N how many "
                             "consecutive ranks make a group");
    checkpoint_plan_group(c, t->most_per_node);
    r->plan.files = c->files;
    r->plan.file_bytes = layout_largest(&c->layout);
    return 0;
}

static int look(struct rank_run *r, struct error *e)
{
    const struct topology *t = r->comm->topology;
    struct checkpoint_plan *c = &r->plan.checkpoint;
    r->storage = (struct storage){.files = has_files(r), .mine = r->comm->rank == 0};
    r->readable = STORAGE_ALL;
    r->reorder = reorder_make(REORDER_NONE, t, 1, 0);
    c->oldest = 1;
    c->step = c->steps;
    c->verify =
        backend_traits(r->job->backend, r->job->backend_options) & BACKEND_STORES ? true : false;
    if (c->tensor_list) {
        if (tensor_list_read(&r->tensors, c, r->comm, e))
            return -1;
        r->plan.total_bytes = c->bytes;
        r->plan.file_bytes = layout_largest(&c->layout);
    }
    if (c->write && c->layout.shape == CHECKPOINT_GROUPS && c->group == 0 && group_nodes(r, e))
        return -1;
    if (r->storage.files)
        return look_at_files(r, e);
    if (c->cold || c->between)
        return error_set(e, STATUS_USAGE, "usage",
                         "%s needs a backend whose files lie in a file system; %s has none",
                         c->cold ? "--cold" : "--between", r->job->backend->name);
    return 0;
}

/* Which reader this rank is, of how many. */
static void choose_reader(struct rank_run *r)
{
    const struct topology *t = r->comm->topology;
    struct checkpoint_plan *c = &r->plan.checkpoint;
    struct reorder shifted = reorder_make(REORDER_CONSTANT, t, 1, 0);
    c->reader = r->comm->rank;
    c->reader_count = r->comm->size;
    if (c->readers == READERS_SHIFTED)
        c->reader = reorder_source(&shifted, r->comm->rank);
    if (c->readers != READERS_ALL)
        return;
    uint32_t node = topology_node(t, r->comm->rank);
    c->reader = c->reader_count = 0;
    for (uint64_t i = 0; i < t->runs_used; i++) {
        uint64_t first = t->runs[i].first_rank;
        uint64_t end = i + 1 < t->runs_used ? t->runs[i + 1].first_rank : t->ranks;
        if (t->runs[i].node != node)
            continue;
        c->reader_count += end - first;
        if (end <= r->comm->rank)
            c->reader += end - first;
        else if (first < r->comm->rank)
            c->reader += r->comm->rank - first;
    }
}

/* The program's own work before a checkpoint, of a length of its own on each rank. */
static int64_t interval_of(const struct rank_run *r, uint64_t step)
{
    const struct checkpoint_plan *c = &r->plan.checkpoint;
    struct rng rng = rng_make(r->plan.data.seed, r->comm->rank << 24 ^ step);
    double longer = c->jitter > 0 ? 1 + c->jitter * rng_unit(&rng) : 1;
    return (int64_t)((double)c->compute_ns * longer);
}

/* What of it is not done yet. */
static void compute(const struct rank_run *r)
{
    const struct clock *clock = r->comm->clock;
    int64_t now_ns = clock->now_ns(clock);
    int64_t until_ns = now_ns + interval_of(r, r->plan.checkpoint.step) - r->overlapped_ns;
    for (; now_ns < until_ns && !watch_signal(r->job->watch); now_ns = clock->now_ns(clock))
        clock->sleep_until(clock, until_ns - now_ns < LOOK_NS ? until_ns : now_ns + LOOK_NS);
}

static void make_store(struct rank_run *r, struct phase_end *end)
{
    struct error mine = error_none();
    if (r->storage.files && r->comm->rank == 0)
        checkpoint_store_make(&r->plan.checkpoint, &mine);
    run_agree(r, &mine, end);
}

/* Memory for what is copied before it is written: no more than this rank writes. */
static void take_staging(struct rank_run *r, struct phase_end *end)
{
    struct checkpoint_plan *c = &r->plan.checkpoint;
    struct error mine = error_none();
    uint64_t bytes = 0, transfers;
    if (c->staging_bytes)
        checkpoint_walk_count(
            checkpoint_write_walk(&c->layout, c->coalesced, r->comm->rank, c->ranks),
            r->plan.transfer_bytes, &bytes, &transfers);
    if (bytes > c->staging_bytes)
        bytes = c->staging_bytes;
    staging_take(&r->staging, bytes, r->comm->topology->most_per_node, &mine);
    run_agree(r, &mine, end);
}

static void write_all(struct rank_run *r, struct phase_end *end)
{
    struct checkpoint_plan *c = &r->plan.checkpoint;
    uint64_t repetition = r->plan.repetition;
    c->seed = r->plan.data.seed;
    c->oldest = 1;
    c->step = 0; /* none is whole yet */
    r->overlapped_ns = 0;
    checkpoint_clear(r, end);
    if (run_ended(end))
        return;
    make_store(r, end);
    take_staging(r, end);
    for (uint64_t step = 1; step <= c->steps && !run_ended(end); step++) {
        c->step = step;
        r->plan.repetition = repetition * c->steps + step - 1;
        compute(r);
        r->interval_ns = interval_of(r, step + 1);
        run_phase(r, end, "checkpoint");
        if (!run_ended(end) && checkpoint_pruned(c))
            c->oldest = checkpoint_pruned(c) + 1;
    }
    r->plan.repetition = repetition;
    staging_drop(&r->staging);
}

/* The latest, or the latest before it that is as it was written. */
static void restart(struct rank_run *r, struct phase_end *end)
{
    struct checkpoint_plan *c = &r->plan.checkpoint;
    choose_reader(r);
    for (uint64_t step = c->step; step >= c->oldest; step--) {
        c->step = step;
        cold_make(r, end);
        if (run_ended(end))
            return;
        struct phase_end attempt = *end;
        run_phase(r, &attempt, "restart");
        if (attempt.worst.status != STATUS_FAILED || attempt.stopped > STOP_ERROR) {
            *end = attempt;
            return;
        }
        if (r->comm->rank == 0)
            fprintf(stderr, "pario: note: checkpoint %" PRIu64 " is torn: %s%s\n", step,
                    attempt.worst.text, step > c->oldest ? "; trying the one before" : "");
        if (step == c->oldest)
            *end = attempt;
    }
}

static bool keeps(const struct rank_run *r, const struct phase_end *end)
{
    const struct plan *p = &r->plan;
    return p->keep || (p->keep_with_error && end->worst.status != STATUS_DONE);
}

static void repeat(struct rank_run *r, struct phase_end *end)
{
    if (r->plan.checkpoint.write)
        write_all(r, end);
    if (r->plan.checkpoint.restart && !run_ended(end))
        restart(r, end);
    if (r->comm->rank == 0)
        checkpoint_findings(r->test, &r->plan.checkpoint);
    if (r->plan.checkpoint.write && !keeps(r, end))
        checkpoint_clear(r, end);
}

const struct scenario scenario_checkpoint = {
    .workload = WORKLOAD_CHECKPOINT,
    .look = look,
    .repeat = repeat,
};
