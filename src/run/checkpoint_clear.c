#include "run/checkpoint_clear.h"

#include "run/checkpoint_store.h"
#include "run/scenario.h"

#include <errno.h>
#include <unistd.h>

static int unlink_file(const struct checkpoint_plan *p, uint64_t object, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    if (checkpoint_path(p, object, path, sizeof path) || unlink(path) == 0 || errno == ENOENT)
        return 0;
    return error_errno(e, errno, "%s: unlink", path);
}

/* A step that no marker listed may have files under their temporary names. */
static int unlink_writers(const struct checkpoint_plan *p, uint64_t step, uint64_t first,
                          uint64_t end, bool whole, struct error *e)
{
    const struct checkpoint_layout *l = &p->layout;
    for (uint64_t writer = first; writer < end; writer++)
        for (uint64_t slot = 0; slot < layout_files(l, writer); slot++) {
            uint64_t file = checkpoint_file(step, writer * l->slots + slot);
            if (unlink_file(p, file, e) || (!whole && unlink_file(p, file | OBJECT_TEMPORARY, e)))
                return -1;
        }
    return 0;
}

/* Files that all share are rank 0's. */
static int unlink_share(const struct rank_run *r, const struct checkpoint_store *store,
                        uint64_t latest, struct error *e)
{
    struct checkpoint_plan p = r->plan.checkpoint;
    uint64_t first, end;
    p.layout = store->marker.layout;
    if (layout_is_shared(&p.layout))
        return 0;
    layout_share(&p.layout, r->comm->rank, r->comm->size, &first, &end);
    for (uint64_t i = 0; i < store->steps_used; i++)
        if (unlink_writers(&p, store->steps[i], first, end, store->steps[i] <= latest, e))
            return -1;
    return 0;
}

void checkpoint_clear(struct rank_run *r, struct phase_end *end)
{
    const struct checkpoint_plan *p = &r->plan.checkpoint;
    struct checkpoint_store store = {0};
    struct error mine = error_none();
    uint64_t latest = 0;
    if (!r->storage.files)
        return;
    if (r->comm->rank == 0 && checkpoint_store_look(&store, p, true, &mine) == 0) {
        latest = store.marked ? store.marker.latest : 0;
        if (store.marked)
            checkpoint_store_unmark(&store, p, &mine);
    }
    r->comm->ops->broadcast(r->comm, 0, &store, sizeof store);
    r->comm->ops->broadcast(r->comm, 0, &latest, sizeof latest);
    if (store.marked && mine.status == STATUS_DONE)
        unlink_share(r, &store, latest, &mine);
    run_agree(r, &mine, end);
    if (r->comm->rank == 0 && store.exists && mine.status == STATUS_DONE)
        checkpoint_store_clear(p, &mine);
    run_agree(r, &mine, end);
}
