/* Bulk I/O: the files are written, checked, read and removed. */
#include "run/counts.h"
#include "run/files.h"
#include "run/scenario.h"

#include <string.h>

/* Collective. IOR's status file: may it be written, or what is there to be read? */
static int look_at_status(struct rank_run *r, struct error *e)
{
    const struct plan *p = &r->plan;
    uint64_t most = UINT64_MAX;
    int failed = 0;
    if (!p->status_file)
        return 0;
    if (r->comm->rank == 0)
        failed = p->write ? sidecar_check_status(p->status_file, e)
                          : sidecar_read_status(p->status_file, &most, e);
    r->comm->ops->broadcast(r->comm, 0, &most, sizeof most);
    if (failed || most >= r->storage.written)
        return failed;
    if (r->storage.written == STORAGE_ALL)
        return storage_cut(&r->storage, &r->plan, most, e);
    r->storage.written = most; /* a sidecar says how it was written */
    return 0;
}

static int look_at(struct rank_run *r, struct error *e)
{
    int failed = storage_look(&r->storage, &r->plan, files_real(r), r->comm, e);
    return look_at_status(r, e) || failed ? -1 : 0;
}

/* Collective, after the first write. */
static void leave_status(struct rank_run *r, struct phase_end *end)
{
    struct error mine = error_none();
    uint64_t least = r->done;
    if (!r->plan.status_file || r->plan.repetition != 0 || run_ended(end))
        return;
    comm_reduce_all(r->comm, REDUCE_MIN, &least, 1);
    if (r->comm->rank == 0)
        sidecar_write_status(r->plan.status_file, least, &mine);
    run_agree(r, &mine, end);
}

/* Once, or for each repetition's own file. */
static int look(struct rank_run *r, struct error *e)
{
    uint64_t names = r->plan.multi_file ? r->plan.repetitions : 1;
    for (uint64_t i = names; i-- > 0;) {
        r->plan.repetition = i;
        int failed = look_at(r, e);
        uint64_t bad = failed ? 1 : 0;
        comm_reduce_all(r->comm, REDUCE_MAX, &bad, 1);
        if (bad)
            return failed;
    }
    return 0;
}

static void write_once(struct rank_run *r, struct phase_end *end)
{
    const struct plan *p = &r->plan;
    if (!p->write || run_ended(end))
        return;
    if (!p->reuse)
        files_clear(r, end);
    struct error mine = error_none();
    if (storage_begin(&r->storage, p, r->comm, &mine) == 0)
        storage_make_directory(&r->storage, p, r->comm->rank, &mine);
    run_agree(r, &mine, end);
    if (!p->file_per_process)
        run_phase(r, end, "prepare");
    bool together = p->time_create && !r->storage.exists;
    run_phase(r, end, "write");
    if (r->done > p->transfers_per_rank) /* over the same places again and again */
        r->done = p->transfers_per_rank;
    if (together)
        storage_see(&r->storage, p, r->comm->rank);
    r->storage.written =
        r->done < p->transfers_per_rank && p->order != ORDER_DRAWN ? r->done : STORAGE_ALL;
    if (files_kept(r, end))
        files_record(r, r->done, end);
    leave_status(r, end);
}

/* How much there is to read where this rank reads. Where one rank was cut short, all go to the
 * places that were written: in a shared file at random, the others' are among them. */
static void look_ahead(struct rank_run *r, struct phase_end *end)
{
    struct error mine = error_none();
    uint64_t source = reorder_source(&r->reorder, r->comm->rank);
    uint64_t cut = r->storage.written != STORAGE_ALL;
    comm_reduce_all(r->comm, REDUCE_MAX, &cut, 1);
    if (cut && r->storage.written == STORAGE_ALL)
        r->storage.written = r->plan.transfers_per_rank;
    r->readable = r->storage.written;
    if (r->plan.reorder != REORDER_NONE && !run_ended(end) &&
        counts_of(r->comm, r->storage.written, source, &r->readable, &mine))
        end->worst = mine;
}

/* The files of this repetition, where each has its own. */
static void look_again(struct rank_run *r, struct phase_end *end)
{
    struct error mine = error_none();
    if (!r->plan.multi_file || r->plan.repetition == 0)
        return;
    look_at(r, &mine);
    run_agree(r, &mine, end);
}

static void repeat(struct rank_run *r, struct phase_end *end)
{
    const struct plan *p = &r->plan;
    look_again(r, end);
    run_reorder(r);
    write_once(r, end);
    look_ahead(r, end);
    if (p->check_write)
        run_phase(r, end, "write-check");
    if (p->access.mixed)
        run_phase(r, end, "mixed");
    else if (p->read)
        run_phase(r, end, "read");
    if (!files_kept(r, end) && (p->write || r->storage.recorded))
        files_clear(r, end);
}

const struct scenario scenario_bulk = {
    .workload = WORKLOAD_BULK,
    .look = look,
    .repeat = repeat,
};
