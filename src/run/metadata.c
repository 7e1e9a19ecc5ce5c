/* Metadata: items are created, looked at and removed, phase after phase. A home that this or an
 * earlier run made is the only place where anything is removed, and what a failed run leaves is
 * cleared, outside of every measured time. */
#include "run/counts.h"
#include "run/scenario.h"

#include "probe/room.h"

#include <inttypes.h>
#include <stdio.h>

enum { FILES, DIRECTORIES };

static bool creates(const struct metadata_plan *m)
{
    for (unsigned i = 0; i < m->steps; i++)
        if (metadata_phases[m->step[i]].makes)
            return true;
    return false;
}

static bool removes_some(const struct metadata_plan *m)
{
    for (unsigned i = 0; i < m->steps; i++)
        if (metadata_phases[m->step[i]].removes)
            return true;
    return false;
}

/* Rank 0: is there room for the most that exists at a time? */
static int look_for_room(const struct rank_run *r, struct error *e)
{
    const struct metadata_plan *m = &r->plan.metadata;
    struct filesystem fs;
    char path[PROBE_PATH_BYTES];
    if (!creates(m) || r->plan.deadline_ns)
        return 0;
    if (metadata_path(m, metadata_object(m, OBJECT_HOME, 0, 0), path, sizeof path) ||
        probe_filesystem(NULL, path, &fs, e))
        return -1;
    uint64_t items = plan_times(m->items, m->shared ? m->target_count : m->ranks);
    uint64_t trees = plan_times(m->dirs, m->unique ? m->ranks : m->target_count);
    struct room_need need = {.bytes = m->files ? plan_times(items, m->write_bytes) : 0,
                             .inodes = items < UINT64_MAX - trees ? items + trees : UINT64_MAX,
                             .reserve_percent = r->plan.reserve_percent};
    return room_check(&fs, &need, e);
}

/* A run that creates nothing needs what an earlier one left. A directory without a record may still
 * be looked into: what is missing there counts as failed. */
static int check_kept(const struct rank_run *r, struct error *e)
{
    const struct metadata_plan *m = &r->plan.metadata;
    const struct home *h = &r->home;
    const char *first = metadata_phases[m->step[0]].name;
    if (!h->target)
        return error_set(e, STATUS_USAGE, "usage",
                         "option -d: %s does not exist: there is nothing to %s (create it first, "
                         "with -C)",
                         m->targets, first);
    if (!h->there && removes_some(m))
        return error_set(e, STATUS_USAGE, "usage",
                         "%s/pario.%" PRIu64 " is not there, or was not made by pario: nothing in "
                         "it is removed (create it first, with -C)",
                         m->targets, m->repetition);
    if (!h->there)
        return 0;
    if (home_check_layout(h, m, e))
        return -1;
    if (removes_some(m) && m->ranks != h->mark.ranks)
        return error_set(e, STATUS_USAGE, "usage",
                         "the tree that is there was made by %" PRIu64 " ranks: remove it with as "
                         "many",
                         h->mark.ranks);
    if (m->read_bytes > h->mark.write_bytes)
        return error_set(e, STATUS_USAGE, "usage",
                         "option -e %" PRIu64 ": the files that are there have %" PRIu64 " bytes",
                         m->read_bytes, h->mark.write_bytes);
    return 0;
}

static int check_made(const struct rank_run *r, struct error *e)
{
    const struct metadata_plan *m = &r->plan.metadata;
    bool reads = false;
    if (r->home.taken)
        return error_set(e, STATUS_USAGE, "foreign-file",
                         "%s/pario.%" PRIu64 " exists and was not made by pario: it is neither "
                         "written nor removed (choose another -d)",
                         m->targets, m->repetition);
    for (unsigned i = 0; i < m->steps; i++)
        reads |= m->step[i] == METADATA_READ;
    if (reads && m->read_bytes > m->write_bytes)
        return error_set(e, STATUS_USAGE, "usage",
                         "option -e %" PRIu64 ": files of %" PRIu64 " bytes (-w) have no more",
                         m->read_bytes, m->write_bytes);
    return 0;
}

/* Homes of all repetitions, the first one last. */
static int look(struct rank_run *r, struct error *e)
{
    struct metadata_plan *m = &r->plan.metadata;
    r->home.files = backend_traits(r->job->backend, r->job->backend_options) & BACKEND_PATHS;
    r->acting = r->comm->rank;
    r->goal = UINT64_MAX;
    if (!r->home.files)
        return 0;
    for (uint64_t i = r->plan.repetitions; i-- > 0;) {
        m->repetition = i;
        int failed = home_look(&r->home, &r->plan, r->comm, e);
        if (!failed && r->comm->rank == 0) /* all know the same: one says it */
            failed = (creates(m) ? check_made(r, e) : check_kept(r, e)) || look_for_room(r, e);
        uint64_t bad = failed ? 1 : 0;
        comm_reduce_all(r->comm, REDUCE_MAX, &bad, 1);
        if (bad)
            return failed ? -1 : 0;
    }
    if (r->home.there && !creates(m)) {
        if (r->plan.data.seed == 0)
            r->plan.data.seed = r->home.mark.seed;
        if (m->verify && m->read_bytes == 0)
            m->read_bytes = r->home.mark.write_bytes;
        metadata_size_transfers(m);
        r->plan.transfer_bytes = m->transfer_bytes;
    }
    return 0;
}

/* A phase on all ranks' own items, whatever came before: clean-up. */
static struct error clear_phase(struct rank_run *r, const char *name, uint64_t acting,
                                uint64_t goal)
{
    r->acting = acting;
    r->goal = goal;
    struct phase_end end = phase_run(r, phase_find(name));
    r->acting = r->comm->rank;
    r->goal = UINT64_MAX;
    return end.worst;
}

static void remove_home(struct rank_run *r, struct phase_end *end)
{
    struct error mine = error_none();
    home_unmark(&r->home, &r->plan, r->comm->rank, &mine);
    run_agree(r, &mine, end);
    struct error worst = clear_phase(r, "home-remove", r->comm->rank, UINT64_MAX);
    if (worst.status == STATUS_DONE) {
        home_remove_target(&r->home, &r->plan, r->comm->rank);
        r->home.there = false;
        return;
    }
    /* Something of others lies in it: it stays, and stays known as pario's. */
    r->home.tried[FILES] = r->home.tried[DIRECTORIES] = 0;
    home_mark(&r->home, &r->plan, true, r->comm, &mine);
    run_agree(r, &mine, end);
    if (end->worst.status == STATUS_DONE)
        end->worst = worst;
}

/* Everything that the layout may have left, by whichever ranks made it. */
static void clear(struct rank_run *r, struct metadata_plan layout, struct phase_end *end)
{
    struct metadata_plan now = r->plan.metadata;
    struct error mine = error_none();
    layout.repetition = now.repetition;
    home_clear(&r->home, &layout, r->comm, &mine);
    run_agree(r, &mine, end);
    r->plan.metadata = layout;
    for (uint64_t first = 0; first < layout.ranks; first += r->comm->size)
        clear_phase(r, "clear-tree", first + r->comm->rank, UINT64_MAX);
    remove_home(r, end);
    r->plan.metadata = now;
}

/* A fresh home. What an earlier run left in its place goes first. */
static void make_home(struct rank_run *r, struct phase_end *end)
{
    struct error mine = error_none();
    home_look(&r->home, &r->plan, r->comm, &mine);
    run_agree(r, &mine, end);
    if (run_ended(end))
        return;
    if (r->home.there)
        clear(r, home_layout(&r->home, &r->plan.metadata), end);
    r->home.tried[FILES] = r->home.tried[DIRECTORIES] = 0;
    if (!run_ended(end)) {
        home_make_target(&r->home, &r->plan, r->comm->rank, &mine);
        run_agree(r, &mine, end);
    }
    run_phase(r, end, "home-make");
    if (run_ended(end)) {
        home_remove_target(&r->home, &r->plan, r->comm->rank);
        return;
    }
    r->home.there = true;
    home_mark(&r->home, &r->plan, false, r->comm, &mine);
    run_agree(r, &mine, end);
}

/* Whose items this rank works on in a phase, and how many of them there are. */
static void assign(struct rank_run *r, const struct metadata_phase_row *row, struct phase_end *end)
{
    const struct metadata_plan *m = &r->plan.metadata;
    struct error mine = error_none();
    uint64_t distance = m->stride * row->strides;
    bool items = (row->files || row->directories) && !row->makes;
    r->acting = r->comm->rank;
    r->goal = items ? r->home.tried[row->directories ? DIRECTORIES : FILES] : UINT64_MAX;
    if (!items)
        return;
    if (m->shared)
        comm_reduce_all(r->comm, REDUCE_MAX, &r->goal, 1);
    if (distance == 0 || m->shared)
        return;
    struct reorder other = reorder_make(REORDER_CONSTANT, r->comm->topology, distance, 0);
    r->acting = reorder_source(&other, r->comm->rank);
    counts_of(r->comm, r->goal, r->acting, &r->goal, &mine);
    run_agree(r, &mine, end);
}

/* What a creating phase brought into being, or tried to. */
static void note_tried(struct rank_run *r, int kind)
{
    const struct metadata_plan *m = &r->plan.metadata;
    uint64_t tried = r->issued;
    if (m->by_one) {
        uint64_t before = r->comm->rank * m->items;
        r->comm->ops->broadcast(r->comm, 0, &tried, sizeof tried);
        tried = tried > before ? tried - before : 0;
        tried = tried < m->items ? tried : m->items;
    }
    r->home.tried[kind] = tried;
}

/* What a phase changed and is to leave as it was. */
static void put_back(struct rank_run *r, enum metadata_phase phase)
{
    const char *name = phase == METADATA_RENAME       ? "rename-back"
                       : phase == METADATA_DIR_RENAME ? "dir-rename-back"
                       : phase == METADATA_LINK       ? "link-back"
                                                      : NULL;
    if (name)
        clear_phase(r, name, r->acting, r->issued);
}

/* A deadline may have left items that are in the way of removing the tree. */
static void clear_rest(struct rank_run *r, struct phase_end *end)
{
    struct error mine = error_none();
    home_clear(&r->home, &r->plan.metadata, r->comm, &mine);
    run_agree(r, &mine, end);
}

static void one_step(struct rank_run *r, enum metadata_phase phase, struct phase_end *end)
{
    const struct metadata_phase_row *row = &metadata_phases[phase];
    int kind = row->directories ? DIRECTORIES : FILES;
    bool items = row->files || row->directories;
    assign(r, row, end);
    if (run_ended(end))
        return;
    if (phase == METADATA_TREE_REMOVE && r->plan.deadline_ns)
        clear_rest(r, end);
    uint64_t acting = r->acting;
    double rate = r->plan.access.rate_per_s;
    int64_t deadline_ns = r->plan.deadline_ns;
    if (phase != METADATA_MIX) { /* the working set is made as fast as it goes, and whole */
        r->plan.access.rate_per_s = 0;
        if (r->plan.metadata.mixed)
            r->plan.deadline_ns = 0;
    }
    run_phase(r, end, row->part ? row->part : row->name);
    r->plan.access.rate_per_s = rate;
    r->plan.deadline_ns = deadline_ns;
    r->acting = acting;
    if (items && row->makes)
        note_tried(r, kind);
    if (items && row->removes && !run_ended(end) && !r->plan.deadline_ns)
        r->home.tried[kind] = 0;
    put_back(r, phase);
    r->acting = r->comm->rank;
    r->goal = UINT64_MAX;
}

static void keep(struct rank_run *r, struct phase_end *end)
{
    struct error mine = error_none();
    home_mark(&r->home, &r->plan, true, r->comm, &mine);
    run_agree(r, &mine, end);
}

/* What is there has a mark that was written before the first item, and no other. */
static bool interrupted(const struct rank_run *r)
{
    return !creates(&r->plan.metadata) && r->home.there && r->home.mark.runs_used == 0;
}

static void repeat(struct rank_run *r, struct phase_end *end)
{
    struct metadata_plan *m = &r->plan.metadata;
    struct error mine = error_none();
    m->repetition = r->plan.repetition;
    if (creates(m)) {
        make_home(r, end);
    } else {
        home_look(&r->home, &r->plan, r->comm, &mine);
        run_agree(r, &mine, end);
        if (!r->home.there)
            r->home.tried[FILES] = r->home.tried[DIRECTORIES] = m->items;
    }
    if (interrupted(r) && removes_some(m)) {
        if (r->comm->rank == 0)
            fprintf(stderr,
                    "pario: note: the run that made %s/pario.%" PRIu64
                    " was interrupted: what it left is removed, and not measured\n",
                    m->targets, m->repetition);
        clear(r, home_layout(&r->home, m), end);
        return;
    }
    for (unsigned i = 0; i < m->steps && !run_ended(end); i++)
        one_step(r, (enum metadata_phase)m->step[i], end);
    if (!r->home.there)
        return;
    if (m->mixed || (m->removes && run_ended(end)))
        clear(r, *m, end);
    else if (m->removes)
        remove_home(r, end);
    else if (creates(m) || removes_some(m))
        keep(r, end);
}

const struct scenario scenario_metadata = {
    .workload = WORKLOAD_METADATA,
    .look = look,
    .repeat = repeat,
};
