#include "run/storage.h"

#include "base/rng.h"
#include "probe/file.h"
#include "probe/filesystem.h"
#include "probe/room.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Rank 0's sidecar, to all: its text travels, and each rank takes its own part of it. */
static int recall(struct sidecar *sidecar, bool *there, const struct plan *plan, struct comm *comm,
                  struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct text text = {0};
    uint64_t bytes = 0; /* 0: none is there; UINT64_MAX: it could not be read */
    *sidecar = (struct sidecar){0};
    if (comm->rank == 0) {
        if (sidecar_path(plan->file, path, sizeof path, e) || sidecar_read(path, sidecar, there, e))
            bytes = UINT64_MAX;
        else if (*there && sidecar_format(sidecar, &text, e) == 0)
            bytes = text.used;
    }
    comm->ops->broadcast(comm, 0, &bytes, sizeof bytes);
    *there = bytes != 0 && bytes != UINT64_MAX;
    int failed = bytes == UINT64_MAX && comm->rank == 0 ? -1 : 0;
    if (*there) {
        char *copy = comm->rank == 0 ? text.data : malloc(bytes);
        uint64_t ready = copy ? 1 : 0;
        comm_reduce_all(comm, REDUCE_MIN, &ready, 1);
        if (ready)
            comm->ops->broadcast(comm, 0, copy, bytes);
        if (!ready)
            failed = error_errno(e, ENOMEM, "memory for a sidecar of %" PRIu64 " bytes", bytes);
        else if (comm->rank != 0)
            failed = sidecar_parse(copy, bytes, "sidecar", sidecar, e);
        if (comm->rank != 0)
            free(copy);
    }
    text_free(&text);
    return failed;
}

/* How many of this plan's transfers a rank's blocks hold, from the bytes that were written into
 * them: exact where the blocks lie as they did, however large the transfers are now. */
static uint64_t written_transfers(const struct sidecar *s, const struct plan *p, uint64_t rank)
{
    bool same = s->ranks == p->ranks && s->segments == p->segments &&
                s->block_bytes == p->block_bytes &&
                s->file_per_process == (p->file_per_process ? 1 : 0);
    uint64_t whole = s->segments * (s->block_bytes / s->transfer_bytes);
    uint64_t done = sidecar_written(s, rank);
    if (!same || done >= whole)
        return STORAGE_ALL;
    return done * s->transfer_bytes / p->transfer_bytes;
}

static int look_at_file(struct storage *s, const struct plan *plan, const struct sidecar *sidecar,
                        uint64_t object, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct file_facts facts;
    if (plan_path(plan, object, path, sizeof path))
        return error_set(e, STATUS_USAGE, "usage", "option -o: the path is longer than %d bytes",
                         PROBE_PATH_BYTES - 1);
    if (plan->write ? file_check(path, false, &facts, e)
                    : file_check_name(path, e) || file_look(path, &facts, e))
        return -1;
    s->exists = facts.kind != FILE_MISSING;
    s->size_bytes = s->exists ? facts.size_bytes : 0;
    s->owned = sidecar_owns(sidecar, object, &facts) == OWNERSHIP_OWN;
    if (!s->exists && !plan->write)
        return error_set(e, STATUS_USAGE, "usage",
                         "%s does not exist: there is nothing to read (write it first, with -w -k)",
                         path);
    if (!plan->write && file_check_target(path, &facts, false, e))
        return -1;
    bool harmless = plan->reuse && s->size_bytes == 0;
    if (plan->write && s->exists && !s->owned && !harmless && !plan->replace)
        return error_set(e, STATUS_USAGE, "foreign-file",
                         "%s exists and was not made by pario: it is neither written nor removed "
                         "(choose another -o, or say --replace to lose what it holds)",
                         path);
    return 0;
}

/* Rank 0: is there room for all that will be written? What is there already and will be replaced
 * counts as room. With a deadline nobody knows how much it will be. */
static int look_for_room(const struct storage *s, const struct plan *plan, struct error *e)
{
    struct filesystem fs;
    if (!plan->write || plan->deadline_ns)
        return 0;
    if (probe_filesystem(NULL, plan->file, &fs, e))
        return -1;
    struct room_need need = {.bytes = plan->total_bytes,
                             .inodes = plan->files,
                             .replaced_bytes = plan->file_per_process ? 0 : s->size_bytes,
                             .reserve_percent = plan->reserve_percent};
    return room_check(&fs, &need, e);
}

int storage_look(struct storage *s, const struct plan *plan, bool files, struct comm *comm,
                 struct error *e)
{
    struct sidecar sidecar;
    bool there = false;
    *s = (struct storage){.files = files, .written = STORAGE_ALL, .owned = !files};
    s->mine = plan->file_per_process || comm->rank == 0;
    if (!files)
        return 0;
    int failed = recall(&sidecar, &there, plan, comm, e);
    s->recorded = there;
    if (!failed && s->mine)
        failed = look_at_file(s, plan, there ? &sidecar : NULL, plan_object(plan, comm->rank), e);
    if (!failed && comm->rank == 0)
        failed = look_for_room(s, plan, e);
    if (!failed && there && !plan->write) {
        s->written = written_transfers(&sidecar, plan, comm->rank);
        s->seed = sidecar.seed;
    }
    sidecar_free(&sidecar);
    return failed;
}

struct kept { /* of one rank, on its way to the sidecar */
    uint64_t done;
    uint64_t there;
    struct file_facts facts;
};

static int compose(struct sidecar *sidecar, const struct plan *plan, const struct kept *all,
                   uint64_t ranks, struct error *e)
{
    sidecar->seed = plan->seed;
    sidecar->ranks = ranks;
    sidecar->segments = plan->segments;
    sidecar->block_bytes = plan->block_bytes;
    sidecar->transfer_bytes = plan->transfer_bytes;
    sidecar->file_per_process = plan->file_per_process ? 1 : 0;
    snprintf(sidecar->run, sizeof sidecar->run, "%016" PRIx64,
             rng_mix(plan->seed ^ (uint64_t)time(NULL)));
    snprintf(sidecar->program, sizeof sidecar->program, "pario");
    snprintf(sidecar->data, sizeof sidecar->data, "stamped");
    for (uint64_t rank = 0; rank < ranks; rank++) {
        if (sidecar_add_written(sidecar, all[rank].done, e))
            return -1;
        if (all[rank].there && sidecar_add_file(sidecar, rank, &all[rank].facts, e))
            return -1;
    }
    char path[PROBE_PATH_BYTES];
    if (sidecar_path(plan->file, path, sizeof path, e))
        return -1;
    return sidecar_write(path, sidecar, e);
}

int storage_keep(struct storage *s, const struct plan *plan, uint64_t done, struct comm *comm,
                 struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct kept mine = {.done = done}, *all = NULL;
    struct error ignored = error_none();
    if (!s->files)
        return 0;
    if (s->mine && plan_path(plan, plan_object(plan, comm->rank), path, sizeof path) == 0)
        mine.there = file_look(path, &mine.facts, &ignored) == 0 && mine.facts.kind == FILE_REGULAR;
    uint64_t ready = 1;
    if (comm->rank == 0 && !(all = malloc(comm->size * sizeof *all)))
        ready = 0;
    comm->ops->broadcast(comm, 0, &ready, sizeof ready);
    if (!ready)
        return error_errno(e, ENOMEM, "memory for the sidecar of %" PRIu64 " ranks", comm->size);
    comm->ops->gather(comm, &mine, sizeof mine, all);
    int failed = 0;
    if (comm->rank == 0) {
        struct sidecar sidecar = {0};
        failed = compose(&sidecar, plan, all, comm->size, e);
        sidecar_free(&sidecar);
        s->recorded = !failed;
    }
    free(all);
    return failed;
}

void storage_forget(struct storage *s, const struct plan *plan)
{
    char path[PROBE_PATH_BYTES];
    if (!s->recorded || sidecar_path(plan->file, path, sizeof path, NULL))
        return;
    unlink(path);
    s->recorded = false;
}
