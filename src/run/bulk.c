/* Bulk I/O: the files are written, checked, read and removed. */
#include "run/counts.h"
#include "run/scenario.h"

#include <string.h>

static bool has_files(const struct rank_run *r)
{
    return backend_traits(r->job->backend, r->job->backend_options) & BACKEND_PATHS;
}

/* Once, or for each repetition's own file. */
static int look(struct rank_run *r, struct error *e)
{
    uint64_t names = r->plan.multi_file ? r->plan.repetitions : 1;
    for (uint64_t i = names; i-- > 0;) {
        r->plan.repetition = i;
        int failed = storage_look(&r->storage, &r->plan, has_files(r), r->comm, e);
        uint64_t bad = failed ? 1 : 0;
        comm_reduce_all(r->comm, REDUCE_MAX, &bad, 1);
        if (bad)
            return failed;
    }
    return 0;
}

static bool keeps(const struct rank_run *r, const struct phase_end *end)
{
    const struct plan *p = &r->plan;
    return p->keep || p->reuse || (p->keep_with_error && end->worst.status != STATUS_DONE);
}

/* Collective: what every rank may remove of what is there. */
static void clear(struct rank_run *r, struct phase_end *end)
{
    uint64_t exists = r->storage.mine && r->storage.exists ? 1 : 0;
    comm_reduce_all(r->comm, REDUCE_MAX, &exists, 1);
    if (exists) {
        struct phase_end removal = phase_run(r, phase_find("remove"));
        if (!run_ended(end))
            *end = removal;
        if (removal.worst.status == STATUS_DONE)
            r->storage.exists = false;
        if (r->comm->rank == 0)
            storage_forget(&r->storage, &r->plan);
    }
    storage_remove_directory(&r->storage, &r->plan, r->comm->rank);
}

static void keep(struct rank_run *r, struct phase_end *end)
{
    struct error mine = error_none();
    storage_keep(&r->storage, &r->plan, r->done, r->comm, &mine);
    run_agree(r, &mine, end);
}

static void write_once(struct rank_run *r, struct phase_end *end)
{
    const struct plan *p = &r->plan;
    if (!p->write || run_ended(end))
        return;
    if (!p->reuse)
        clear(r, end);
    struct error mine = error_none();
    storage_make_directory(&r->storage, p, r->comm->rank, &mine);
    run_agree(r, &mine, end);
    if (!p->file_per_process)
        run_phase(r, end, "prepare");
    bool together = p->time_create && !r->storage.exists;
    run_phase(r, end, "write");
    if (together)
        storage_see(&r->storage, p, r->comm->rank);
    r->storage.written =
        r->done < p->transfers_per_rank && p->order != ORDER_DRAWN ? r->done : STORAGE_ALL;
    if (keeps(r, end))
        keep(r, end);
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
    storage_look(&r->storage, &r->plan, has_files(r), r->comm, &mine);
    run_agree(r, &mine, end);
}

static void repeat(struct rank_run *r, struct phase_end *end)
{
    const struct plan *p = &r->plan;
    look_again(r, end);
    uint64_t turn = p->reorder_seed < 0 ? p->repetition : 0;
    r->reorder = reorder_make(p->reorder, r->comm->topology, p->reorder_offset,
                              (uint64_t)p->reorder_seed + turn);
    write_once(r, end);
    look_ahead(r, end);
    if (p->check_write)
        run_phase(r, end, "write-check");
    if (p->read)
        run_phase(r, end, "read");
    if (!keeps(r, end) && (p->write || r->storage.recorded))
        clear(r, end);
}

const struct scenario scenario_bulk = {
    .workload = WORKLOAD_BULK,
    .look = look,
    .repeat = repeat,
};
