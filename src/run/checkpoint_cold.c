#include "run/checkpoint_cold.h"

#include "probe/cache.h"
#include "probe/program.h"
#include "run/scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOOK_FILES 64

#define FORGET_ALL '3'   /* pages, names, inodes */
#define FORGET_NAMES '2' /* names and inodes */

struct ranges { /* what this rank reads, file by file */
    const struct checkpoint_plan *plan;
    struct checkpoint_walk walk;
    struct checkpoint_piece ahead;
    bool more;
};

struct range {
    uint64_t file, begin_bytes, end_bytes;
};

static struct ranges ranges_of(const struct checkpoint_plan *p)
{
    struct ranges r = {
        .plan = p,
        .walk = checkpoint_read_walk(&p->layout, p->coalesced, p->reader, p->reader_count)};
    r.more = checkpoint_walk_next(&r.walk, &r.ahead);
    return r;
}

static bool next_range(struct ranges *r, struct range *range)
{
    if (!r->more)
        return false;
    *range = (struct range){r->ahead.file, UINT64_MAX, 0};
    for (; r->more && r->ahead.file == range->file;
         r->more = checkpoint_walk_next(&r->walk, &r->ahead)) {
        uint64_t begin = r->ahead.offset_bytes, end = begin + r->ahead.length_bytes;
        range->begin_bytes = begin < range->begin_bytes ? begin : range->begin_bytes;
        range->end_bytes = end > range->end_bytes ? end : range->end_bytes;
    }
    return true;
}

/* -1 where the file is not there: the restart will say so. */
static int open_file(const struct checkpoint_plan *p, uint64_t file, char *path, size_t bytes)
{
    if (checkpoint_path(p, checkpoint_file(p->step, file), path, bytes))
        return -1;
    return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static int drop_files(const struct checkpoint_plan *p, struct error *e)
{
    struct ranges ranges = ranges_of(p);
    struct range range;
    char path[PROBE_PATH_BYTES];
    while (next_range(&ranges, &range)) {
        int fd = open_file(p, range.file, path, sizeof path);
        int failed = fd < 0 ? 0 : cache_drop(fd, e);
        if (fd >= 0)
            close(fd);
        if (failed)
            return error_wrap(e, "--cold: %s", path);
    }
    return 0;
}

/* 0, or the errno of it. */
static int forget(char what)
{
    int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int failed = write(fd, &what, 1) == 1 ? 0 : errno;
    close(fd);
    return failed;
}

/* The lowest rank of its node. */
static bool leads(const struct comm *comm)
{
    const struct topology *t = comm->topology;
    uint32_t node = topology_node(t, comm->rank);
    uint64_t i = 0;
    while (t->runs[i].node != node)
        i++;
    return t->runs[i].first_rank == comm->rank;
}

/* What became of the nodes' caches goes into the result, and on the terminal where they stayed. */
static void say_forgotten(struct rank_run *r, int mine)
{
    uint64_t sums[2] = {mine != 0, (uint64_t)mine};
    r->comm->ops->reduce(r->comm, REDUCE_SUM, sums, 1);
    r->comm->ops->reduce(r->comm, REDUCE_MAX, sums + 1, 1);
    if (r->comm->rank != 0)
        return;
    char fact[160];
    uint64_t nodes = r->comm->topology->nodes;
    snprintf(fact, sizeof fact,
             "files synced and given up; caches of %" PRIu64 " of %" PRIu64 " nodes dropped",
             nodes - sums[0], nodes);
    test_fact(r->test, "cold", fact, NULL);
    if (sums[0])
        fprintf(stderr,
                "pario: note: --cold=all: %" PRIu64 " of %" PRIu64
                " nodes may not drop their caches (/proc/sys/vm/drop_caches: %s): there only the "
                "checkpoint's own files were given up\n",
                sums[0], nodes, strerror((int)sums[1]));
}

static void run_between(struct rank_run *r, struct phase_end *end)
{
    struct error mine = error_none();
    struct argv argv;
    if (leads(r->comm) && (argv_split(&argv, r->plan.checkpoint.between, "--between", &mine) ||
                           program_run(&argv, &mine)))
        error_wrap(&mine, "--between");
    run_agree(r, &mine, end);
    if (r->comm->rank == 0)
        test_fact(r->test, "between", r->plan.checkpoint.between, NULL);
}

void cold_make(struct rank_run *r, struct phase_end *end)
{
    const struct checkpoint_plan *p = &r->plan.checkpoint;
    struct error mine = error_none();
    if (p->cold) {
        drop_files(p, &mine);
        run_agree(r, &mine, end);
    }
    if (p->cold == COLD_ALL)
        say_forgotten(r, leads(r->comm) ? forget(FORGET_ALL) : 0);
    else if (p->cold && r->comm->rank == 0)
        test_fact(r->test, "cold", "files synced and given up", NULL);
    if (p->between && !run_ended(end))
        run_between(r, end);
}

void cold_look(const struct checkpoint_plan *p, uint64_t *counters)
{
    struct ranges ranges = ranges_of(p);
    struct range range;
    struct cache_pages sum = {0};
    char path[PROBE_PATH_BYTES];
    for (int i = 0; i < LOOK_FILES && next_range(&ranges, &range); i++) {
        struct error ignored = error_none();
        struct cache_pages part = {.method = CACHE_NONE};
        int fd = open_file(p, range.file, path, sizeof path);
        if (fd < 0)
            continue;
        cache_look(fd, range.begin_bytes, range.end_bytes - range.begin_bytes, CACHE_ANY, &part,
                   &ignored);
        cache_add(&sum, &part);
        close(fd);
    }
    if (p->cold == COLD_ALL)
        forget(FORGET_NAMES);
    if (sum.method == CACHE_NONE)
        return;
    counters[COUNTER_CACHE_PAGES] = sum.pages;
    counters[COUNTER_CACHED_PAGES] = sum.cached;
}
