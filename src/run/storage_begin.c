/* A run that is killed leaves files and has no time to say whose they are: what it is about to make
 * is told beforehand, in a sidecar that lists no file yet. */
#include "run/storage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int storage_begin(struct storage *s, const struct plan *plan, struct comm *comm, struct error *e)
{
    struct error why = error_none();
    if (!s->files || plan->devices || plan->reuse || comm->rank != 0)
        return 0;
    s->recorded = storage_record(plan, NULL, comm->size, &why) == 0;
    if (s->recorded || !plan->keep) /* what is not kept is seldom left */
        return 0;
    *e = why;
    return -1;
}

/* The first bytes that the file really has. */
static ssize_t read_first(int fd, unsigned char *head, size_t bytes)
{
    off_t data = lseek(fd, 0, SEEK_DATA);
    if (data < 0)
        return errno == ENXIO ? 0 : -1;
    return pread(fd, head, bytes, data - data % FILL_SECTOR);
}

bool storage_unfinished(const struct sidecar *sidecar, const char *path)
{
    unsigned char head[8 * FILL_SECTOR], zero[sizeof head] = {0};
    if (!sidecar || sidecar->files_used > 0)
        return false;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t got = read_first(fd, head, sizeof head);
    close(fd);
    uint64_t seed = sidecar->seed;
    if (got < 0)
        return false;
    if (memcmp(head, zero, (size_t)got) == 0) /* nothing in it that anybody could miss */
        return true;
    return fill_find_seed(head, 0, (uint64_t)got, &seed) && seed == sidecar->seed;
}

void storage_see_left(struct storage *s, const struct plan *plan, uint64_t rank)
{
    char path[PROBE_PATH_BYTES];
    struct file_facts facts;
    struct error ignored = error_none();
    const struct sidecar own = {.seed = plan->data.seed};
    if (!s->files || !s->mine || s->exists || plan->devices || plan->reuse ||
        plan_path(plan, plan_object(plan, rank), path, sizeof path))
        return;
    if (file_look(path, &facts, &ignored) == 0 && facts.kind == FILE_REGULAR &&
        storage_unfinished(&own, path))
        s->exists = s->owned = true;
}
