#include "run/storage.h"

#include "probe/file.h"
#include "probe/filesystem.h"
#include "probe/room.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int path_of(const struct plan *plan, uint64_t object, char path[PROBE_PATH_BYTES],
                   struct error *e)
{
    if (plan_path(plan, object, path, PROBE_PATH_BYTES))
        return error_set(e, STATUS_USAGE, "usage", "option -o: the path is longer than %d bytes",
                         PROBE_PATH_BYTES - 1);
    return file_check_name(path, e);
}

static bool is_directory(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* What is at the path of a file that is to be written. */
static int look_to_write(const struct plan *plan, uint64_t object, const char *path,
                         struct file_facts *facts, struct error *e)
{
    char directory[PROBE_PATH_BYTES];
    if (plan_directory(plan, object, directory, sizeof directory) == 0 &&
        !is_directory(directory)) {
        /* The rank's own directory is made later: it is the place for it that must be there. */
        *facts = (struct file_facts){.kind = FILE_MISSING};
        return file_check(directory, false, NULL, e);
    }
    return file_check(path, false, facts, e);
}

static int check_readable(const struct storage *s, const char *path, const struct file_facts *facts,
                          struct error *e)
{
    if (!s->exists)
        return error_set(e, STATUS_USAGE, "usage",
                         "%s does not exist: there is nothing to read (write it first, with -w -k)",
                         path);
    return file_check_target(path, facts, false, e);
}

static int look_at_file(struct storage *s, const struct plan *plan, const struct sidecar *sidecar,
                        uint64_t object, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct file_facts facts;
    if (path_of(plan, object, path, e))
        return -1;
    if (plan->write ? look_to_write(plan, object, path, &facts, e) : file_look(path, &facts, e))
        return -1;
    s->exists = facts.kind != FILE_MISSING;
    s->size_bytes = s->exists ? facts.size_bytes : 0;
    s->hollow = !plan->write && file_is_hollow(&facts);
    s->owned = sidecar_owns(sidecar, object, &facts) == OWNERSHIP_OWN ||
               (facts.kind == FILE_REGULAR && storage_unfinished(sidecar, path));
    if (!plan->write)
        return check_readable(s, path, &facts, e);
    bool harmless = plan->reuse && s->size_bytes == 0;
    if (s->exists && !s->owned && !harmless && !plan->replace)
        return error_set(e, STATUS_USAGE, "foreign-file",
                         "%s exists and was not made by pario: it is neither written nor removed "
                         "(choose another -o, or say --replace to lose what it holds)",
                         path);
    return 0;
}

/* Where a target lies, as a number that no other file system of this node has. */
static int look_at_target(const struct plan *plan, uint64_t target, struct filesystem *fs,
                          uint64_t *where, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    if (target == 0 ? plan_base(plan, path, sizeof path)
                    : plan_path(plan, target, path, sizeof path))
        return error_set(e, STATUS_USAGE, "usage", "option -o: the path is longer than %d bytes",
                         PROBE_PATH_BYTES - 1);
    if (probe_filesystem(NULL, path, fs, e))
        return -1;
    *where = (uint64_t)fs->major << 32 | fs->minor;
    return 0;
}

static struct room_need need_of(const struct storage *s, const struct plan *plan)
{
    uint64_t copies = plan->multi_file && plan->keep ? plan->repetitions : 1;
    uint64_t bytes = plan->total_bytes;
    if (plan->transfers_most < plan->transfers_per_rank)
        bytes = plan_times(plan_times(plan->ranks, plan->transfers_most), plan->transfer_bytes);
    return (struct room_need){.bytes = plan_times(bytes, copies),
                              .inodes = plan_times(plan->files, copies),
                              .replaced_bytes = plan->file_per_process ? 0 : s->size_bytes,
                              .reserve_percent = plan->reserve_percent};
}

/* Room on each file system that targets lie on, for those of them that do. */
static int look_at_targets(const struct storage *s, const struct plan *plan, uint64_t *where,
                           struct error *e)
{
    struct filesystem fs;
    for (uint64_t i = 0; i < plan->targets; i++)
        if (look_at_target(plan, i, &fs, &where[i], e))
            return -1;
    for (uint64_t i = 0; i < plan->targets; i++) {
        uint64_t before = 0, here = 0;
        for (uint64_t other = 0; other < plan->targets; other++) {
            here += where[other] == where[i];
            before += other < i && where[other] == where[i];
        }
        if (before > 0 || look_at_target(plan, i, &fs, &where[i], e))
            continue;
        struct room_need need = need_of(s, plan);
        double share = (double)here / (double)plan->targets;
        need.bytes = here < plan->targets ? (uint64_t)((double)need.bytes * share) : need.bytes;
        need.inodes = here < plan->targets ? (uint64_t)((double)need.inodes * share) : need.inodes;
        if (room_check(&fs, &need, e))
            return -1;
    }
    return 0;
}

/* Rank 0: is there room for all that will be written? What is there already and will be replaced
 * counts as room. With a deadline nobody knows how much it will be. */
static int look_for_room(const struct storage *s, const struct plan *plan, struct error *e)
{
    if (!plan->write || (plan->deadline_ns && !plan->in_place))
        return 0;
    uint64_t *where = calloc(plan->targets, sizeof *where);
    if (!where)
        return error_errno(e, ENOMEM, "memory for %" PRIu64 " targets", plan->targets);
    int failed = look_at_targets(s, plan, where, e);
    free(where);
    return failed;
}

/* Rank 0: names that the file system takes. */
static int look_at_names(const struct plan *plan, struct error *e)
{
    struct filesystem fs;
    uint64_t where;
    if (!plan->write || !plan->keep)
        return 0;
    return look_at_target(plan, 0, &fs, &where, e) ? -1 : storage_check_names(plan, fs.name_max, e);
}

/* Rank 0: the seed of data that no sidecar tells of, from the data. */
static int find_seed(const struct plan *plan, uint64_t *seed, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    unsigned char head[4 * FILL_SECTOR];
    if (path_of(plan, 0, path, e))
        return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t got = fd < 0 ? -1 : pread(fd, head, sizeof head, 0);
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (got < 0)
        return error_errno(e, why, "%s: reading its first bytes", path);
    if (!fill_find_seed(head, 0, (uint64_t)got, seed))
        return error_set(
            e, STATUS_USAGE, "usage",
            "option %s: %s does not begin with data that pario wrote: there is nothing "
            "to compare it with",
            plan->check_read ? "-R" : "-W", path);
    return 0;
}

/* Where data is only read and compared: what must it be? */
static int look_for_seed(struct plan *plan, struct comm *comm, struct error *e)
{
    bool wanted = !plan->write && (plan->check_read || plan->check_write) && plan->data.seed == 0 &&
                  plan->data.mode != FILL_ZERO;
    int failed = 0;
    if (!wanted)
        return 0;
    if (comm->rank == 0)
        failed = find_seed(plan, &plan->data.seed, e);
    comm->ops->broadcast(comm, 0, &plan->data.seed, sizeof plan->data.seed);
    return failed;
}

int storage_look(struct storage *s, struct plan *plan, bool files, struct comm *comm,
                 struct error *e)
{
    struct sidecar sidecar;
    bool there = false;
    *s = (struct storage){.files = files, .written = STORAGE_ALL, .owned = !files};
    s->mine = plan->file_per_process || comm->rank == 0;
    if (!files)
        return 0;
    int failed = 0;
    if (plan->devices)
        sidecar = (struct sidecar){0};
    else
        failed = storage_recall(&sidecar, &there, plan, comm, e);
    s->recorded = there;
    if (!failed && s->mine)
        failed = plan->devices ? storage_look_device(s, plan, comm->rank, e)
                               : look_at_file(s, plan, there ? &sidecar : NULL,
                                              plan_object(plan, comm->rank), e);
    if (!failed && comm->rank == 0 && !plan->devices)
        failed = look_at_names(plan, e) || look_for_room(s, plan, e) ? -1 : 0;
    if (!failed && comm->rank == 0)
        failed = storage_look_direct(s, plan, e);
    bool begun = there && sidecar.files_used == 0;
    if (!failed && there && !begun && (!plan->write || plan->in_place))
        failed = storage_adopt(s, plan, &sidecar, comm->rank, e);
    sidecar_free(&sidecar);
    if (s->written != STORAGE_ALL) /* holes that nobody reads */
        s->hollow = false;
    /* One rank's file may be the reason, and the rest is collective. */
    uint64_t some[2] = {failed ? 1 : 0, s->hollow ? 1 : 0};
    comm_reduce_all(comm, REDUCE_MAX, some, 2);
    s->hollow = some[1];
    return some[0] ? failed : look_for_seed(plan, comm, e);
}

void storage_see(struct storage *s, const struct plan *plan, uint64_t rank)
{
    char path[PROBE_PATH_BYTES];
    struct stat st;
    if (!s->files || !s->mine || plan_path(plan, plan_object(plan, rank), path, sizeof path))
        return;
    if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        s->exists = s->owned = true;
}

int storage_make_directory(struct storage *s, const struct plan *plan, uint64_t rank,
                           struct error *e)
{
    char path[PROBE_PATH_BYTES];
    if (!s->files || plan_directory(plan, plan_object(plan, rank), path, sizeof path))
        return 0;
    if (mkdir(path, 0777) == 0)
        s->directory_made = true;
    else if (errno != EEXIST)
        return error_errno(e, errno, "%s: making the directory of rank %" PRIu64, path, rank);
    return 0;
}

void storage_remove_directory(struct storage *s, const struct plan *plan, uint64_t rank)
{
    char path[PROBE_PATH_BYTES];
    if (!s->directory_made || plan_directory(plan, plan_object(plan, rank), path, sizeof path))
        return;
    rmdir(path);
    s->directory_made = false;
}
