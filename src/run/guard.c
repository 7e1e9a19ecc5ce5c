#include "run/guard.h"

#include "probe/file.h"

#include <string.h>
#include <sys/statvfs.h>

#define GUARD_NS 200000000

bool guard_make(struct guard *g, const struct plan *plan)
{
    char base[sizeof g->path];
    *g = (struct guard){.reserve_percent = plan->reserve_percent, .before = -1};
    if (plan->reserve_percent <= 0) /* nothing is to be kept: the disk may run full */
        return false;
    if (!plan->deadline_ns || plan->in_place || plan->reuse || plan_base(plan, base, sizeof base))
        return false;
    file_directory(base, g->path, sizeof g->path);
    return true;
}

bool guard_full(struct guard *g, int64_t now_ns)
{
    struct statvfs fs;
    if (now_ns < g->next_ns)
        return false;
    g->next_ns = now_ns + GUARD_NS;
    if (statvfs(g->path, &fs) || fs.f_blocks == 0)
        return false;
    double available = (double)fs.f_bavail;
    double taken = g->before > available ? g->before - available : 0;
    g->before = available;
    return available - taken < (double)fs.f_blocks / 100 * g->reserve_percent;
}
