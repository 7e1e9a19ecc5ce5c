/* Random I/O: a file is laid out, unless one is there, and met at random places, again and again
 * until the deadline where there is one. */
#include "run/files.h"
#include "run/reduce.h"
#include "run/scenario.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Pieces that the file is laid out in. */
#define LAYOUT_BYTES (UINT64_C(1) << 20)
#define LAYOUT_DEPTH 8

static bool is_there(const struct rank_run *r)
{
    char path[4096];
    struct stat st;
    return plan_path(&r->plan, plan_object(&r->plan, r->comm->rank), path, sizeof path) == 0 &&
           lstat(path, &st) == 0;
}

static int too_short(const struct rank_run *r, struct error *e)
{
    char path[4096];
    plan_path(&r->plan, plan_object(&r->plan, r->comm->rank), path, sizeof path);
    if (r->storage.written != STORAGE_ALL)
        return error_set(
            e, STATUS_USAGE, "usage",
            "%s was cut short when it was written, and random reads would meet holes: "
            "write it again as a whole, give another -o, or read it with -r -z, without the "
            "word random",
            path);
    return error_set(e, STATUS_USAGE, "usage",
                     "%s has %" PRIu64 " bytes, and this run reads from %" PRIu64
                     ": use a smaller -b or -s, or another -o",
                     path, r->storage.size_bytes, r->plan.file_bytes);
}

/* What only reads may use a file of others; what writes needs one of its own, and makes it where it
 * is missing. */
static int look(struct rank_run *r, struct error *e)
{
    struct plan *p = &r->plan;
    bool writes = p->write || p->access.mixed;
    bool real = files_real(r);
    r->storage.mine = p->file_per_process || r->comm->rank == 0;
    bool found = real && files_all(r, is_there(r));
    p->write = writes || !found;
    int failed = storage_look(&r->storage, p, real, r->comm, e);
    p->write = writes && !p->access.mixed;
    uint64_t bad = failed ? 1 : 0;
    comm_reduce_all(r->comm, REDUCE_MAX, &bad, 1);
    if (bad)
        return failed;
    bool whole = r->storage.exists && r->storage.size_bytes >= p->file_bytes &&
                 r->storage.written == STORAGE_ALL;
    r->laid_out = real && files_all(r, whole);
    if (found && !writes && !whole && r->storage.mine)
        return too_short(r, e);
    return 0;
}

/* The same run, as far as laying out is concerned: in order, in large pieces, as a whole. */
static struct rank_run layout_of(const struct rank_run *r)
{
    struct rank_run layout = *r;
    struct plan *p = &layout.plan;
    if (p->block_bytes % LAYOUT_BYTES == 0 && p->transfer_bytes < LAYOUT_BYTES)
        p->transfer_bytes = LAYOUT_BYTES;
    p->transfers_per_block = p->block_bytes / p->transfer_bytes;
    p->transfers_per_rank = plan_times(p->transfers_per_block, p->segments);
    p->order = ORDER_IN_SEQUENCE;
    p->access = (struct access_plan){0};
    p->sizes = (struct sizes){0};
    p->deadline_ns = 0;
    p->wear_out = p->fsync_each = p->barriers = p->collective = false;
    p->fsync = true;
    p->depth = p->depth < LAYOUT_DEPTH ? p->depth : LAYOUT_DEPTH;
    layout.fill = NULL;
    layout.buffers = NULL;
    return layout;
}

static void lay_out(struct rank_run *r, struct phase_end *end)
{
    struct rank_run layout = layout_of(r);
    struct error mine = error_none();
    files_clear(r, end);
    layout.storage = r->storage;
    storage_make_directory(&layout.storage, &layout.plan, r->comm->rank, &mine);
    if (mine.status == STATUS_DONE)
        run_make_buffers(&layout, &mine);
    run_agree(r, &mine, end);
    if (r->comm->rank == 0 && r->job->terminal)
        fprintf(r->job->terminal, "pario: laying out %" PRIu64 " bytes\n", r->plan.total_bytes);
    if (!r->plan.file_per_process)
        run_phase(&layout, end, "prepare");
    run_phase(&layout, end, "layout");
    run_free_buffers(&layout);
    r->storage = layout.storage;
    files_drop_cache(r);
    r->laid_out = !run_ended(end);
}

static bool keeps_data(const struct rank_run *r)
{
    return files_real(r) ||
           backend_traits(r->job->backend, r->job->backend_options) & BACKEND_STORES;
}

static void repeat(struct rank_run *r, struct phase_end *end)
{
    const struct plan *p = &r->plan;
    bool made = !r->laid_out && keeps_data(r);
    r->readable = STORAGE_ALL;
    run_reorder(r);
    if (made)
        lay_out(r, end);
    if (p->access.mixed) {
        run_phase(r, end, "mixed");
    } else {
        if (p->read)
            run_phase(r, end, "read");
        if (p->write)
            run_phase(r, end, "write");
        if (p->check_write)
            run_phase(r, end, "write-check");
    }
    r->made |= made;
}

/* However it was met, the file is whole, and a later run may take it as that. */
static void record(struct rank_run *r, struct phase_end *end)
{
    struct plan *p = &r->plan;
    enum order order = p->order;
    p->order = ORDER_IN_SEQUENCE;
    files_record(r, plan_times(p->block_bytes / p->transfer_bytes, p->segments), end);
    p->order = order;
}

/* The file serves all repetitions. */
static void finish(struct rank_run *r, struct phase_end *end)
{
    const struct plan *p = &r->plan;
    if (files_kept(r, end)) {
        if (r->made || r->storage.recorded)
            record(r, end);
    } else if (r->made || p->write || p->access.mixed || r->storage.recorded) {
        files_clear(r, end);
    }
}

const struct scenario scenario_random = {
    .workload = WORKLOAD_RANDOM,
    .look = look,
    .repeat = repeat,
    .finish = finish,
};
