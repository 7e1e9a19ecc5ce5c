#include "run/observe.h"

#include "probe/cache.h"
#include "run/checkpoint_cold.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

/* Blocks looked at one by one; of a file with more segments its whole rest is. */
#define BLOCKS_MOST 64

void observe_open(struct observation *o, struct comm *comm)
{
    void *handle;
    bool threads = comm->size > 1 && comm->ops->native(comm, &handle) == NATIVE_NONE;
    o->role = !threads ? OBSERVE_PROCESS : comm->rank == 0 ? OBSERVE_FOR_ALL : OBSERVE_OWN;
}

void observe_begin(struct observation *o)
{
    counters_read(NULL, COUNTERS_PROCESS, 0, 0, &o->before);
    counters_usage_read(COUNTERS_THREAD, &o->own);
}

static uint64_t known(uint64_t value)
{
    return value == PROBE_UNKNOWN ? 0 : value;
}

void observe_end(const struct observation *o, uint64_t *counters)
{
    struct counters after;
    struct counters_usage own;
    counters_usage_read(COUNTERS_THREAD, &own);
    counters_read(NULL, COUNTERS_PROCESS, 0, 0, &after);
    struct counters used = counters_diff(&o->before, &after);
    double node = counters_node_cpu(&used);
    counters[COUNTER_NODE_CPU_PERMILLE] = isnan(node) ? 0 : (uint64_t)(node * 1000 + 0.5);
    counters[COUNTER_CPU_MAX_NS] =
        o->role == OBSERVE_PROCESS
            ? known(used.usage.user_ns) + known(used.usage.system_ns)
            : own.user_ns - o->own.user_ns + own.system_ns - o->own.system_ns;
    if (o->role == OBSERVE_OWN)
        return;
    counters[COUNTER_USER_NS] = known(used.usage.user_ns);
    counters[COUNTER_SYSTEM_NS] = known(used.usage.system_ns);
    counters[COUNTER_SWITCHES] = known(used.usage.switches);
    counters[COUNTER_DEVICE_READ_BYTES] = known(used.io.read_bytes);
    counters[COUNTER_DEVICE_WRITTEN_BYTES] = known(used.io.write_bytes);
}

static void look(int fd, uint64_t offset, uint64_t length, struct cache_pages *sum)
{
    struct cache_pages part;
    struct error ignored = error_none();
    if (cache_look(fd, offset, length, CACHE_ANY, &part, &ignored))
        part = (struct cache_pages){.method = CACHE_NONE};
    cache_add(sum, &part);
}

void observe_cache(const struct plan *plan, uint64_t rank, uint64_t *counters)
{
    if (plan->workload == WORKLOAD_CHECKPOINT)
        cold_look(&plan->checkpoint, counters);
    if (!(plan->workload & WORKLOAD_DATA))
        return; /* who reads which files the pattern of blocks does not tell */
    char path[PROBE_PATH_BYTES];
    struct cache_pages sum = {0};
    if (plan_path(plan, plan_object(plan, rank), path, sizeof path))
        return;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (plan->file_per_process || plan->segments > BLOCKS_MOST)
        look(fd, plan_offset(plan, rank, 0), plan->devices ? plan->file_bytes : 0, &sum);
    else
        for (uint64_t s = 0; s < plan->segments; s++)
            look(fd, plan_offset(plan, rank, s * plan->transfers_per_block), plan->block_bytes,
                 &sum);
    close(fd);
    if (sum.method == CACHE_NONE)
        return;
    counters[COUNTER_CACHE_PAGES] = sum.pages;
    counters[COUNTER_CACHED_PAGES] = sum.cached;
}
