#include "run/guard.h"

#include "probe/file.h"

#include <stdlib.h>
#include <sys/statvfs.h>

#define GUARD_NS 200000000

bool guard_make(struct guard *g, const struct plan *plan)
{
    *g = (struct guard){.plan = plan};
    if (plan->reserve_percent <= 0) /* nothing is to be kept: the disk may run full */
        return false;
    if (!plan->deadline_ns || plan->in_place || plan->reuse)
        return false;
    g->before = malloc(plan->targets * sizeof *g->before);
    for (uint64_t i = 0; g->before && i < plan->targets; i++)
        g->before[i] = -1;
    return g->before;
}

static bool target_full(const struct plan *plan, uint64_t target, double *before)
{
    struct statvfs fs;
    char path[PROBE_PATH_BYTES], directory[PROBE_PATH_BYTES];
    if (target == 0 ? plan_base(plan, path, sizeof path)
                    : plan_path(plan, target, path, sizeof path))
        return false;
    file_directory(path, directory, sizeof directory);
    if (statvfs(directory, &fs) || fs.f_blocks == 0)
        return false;
    double available = (double)fs.f_bavail;
    double taken = *before > available ? *before - available : 0;
    *before = available;
    return available - taken < (double)fs.f_blocks / 100 * plan->reserve_percent;
}

bool guard_full(struct guard *g, int64_t now_ns)
{
    bool full = false;
    if (now_ns < g->next_ns)
        return false;
    g->next_ns = now_ns + GUARD_NS;
    for (uint64_t i = 0; i < g->plan->targets; i++)
        full = target_full(g->plan, i, &g->before[i]) || full;
    return full;
}

void guard_drop(struct guard *g)
{
    free(g->before);
    g->before = NULL;
}
