#include "run/files.h"

#include "run/scenario.h"

#include <fcntl.h>
#include <unistd.h>

bool files_real(const struct rank_run *r)
{
    return backend_traits(r->job->backend, r->job->backend_options) & BACKEND_PATHS;
}

bool files_kept(const struct rank_run *r, const struct phase_end *end)
{
    const struct plan *p = &r->plan;
    return p->keep || p->reuse || (p->keep_with_error && end->worst.status != STATUS_DONE);
}

void files_clear(struct rank_run *r, struct phase_end *end)
{
    if (run_ended(end) && r->plan.write)
        storage_see_left(&r->storage, &r->plan, r->comm->rank);
    uint64_t exists = r->storage.mine && r->storage.exists ? 1 : 0;
    comm_reduce_all(r->comm, REDUCE_MAX, &exists, 1);
    if (exists) {
        struct phase_end removal = phase_run(r, phase_find("remove"));
        if (!run_ended(end))
            *end = removal;
        if (removal.worst.status == STATUS_DONE)
            r->storage.exists = false;
    }
    if (r->comm->rank == 0)
        storage_forget(&r->storage, &r->plan);
    storage_remove_directory(&r->storage, &r->plan, r->comm->rank);
}

void files_record(struct rank_run *r, uint64_t done, struct phase_end *end)
{
    struct error mine = error_none();
    storage_keep(&r->storage, &r->plan, done, r->comm, &mine);
    run_agree(r, &mine, end);
}

bool files_all(const struct rank_run *r, bool mine)
{
    uint64_t yes = mine || !r->storage.mine ? 1 : 0;
    comm_reduce_all(r->comm, REDUCE_MIN, &yes, 1);
    return yes != 0;
}

void files_drop_cache(const struct rank_run *r)
{
    char path[4096];
    if (!files_real(r) ||
        plan_path(&r->plan, plan_object(&r->plan, r->comm->rank), path, sizeof path))
        return;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return;
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    close(fd);
}
