/* Memory in the way: was it the storage that was measured? */
#include "judge/rules.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

#define MEMORY_FACTOR 1.5
#define CACHED_LIMIT 0.01

static double node_bytes(const struct phase_result *p, const struct world *w)
{
    return p->ranks
               ? (double)p->counters[COUNTER_BYTES] * (double)w->most_per_node / (double)p->ranks
               : 0;
}

void rule_working_set(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    double data = node_bytes(p, w);
    double memory = (double)w->memory_bytes;
    char data_text[UNITS_TEXT], memory_text[UNITS_TEXT], enough[UNITS_TEXT];
    /* The same places again and again are no more data than they hold. */
    if (plan->access.loops && w->nodes > 0)
        data = fmin(data, (double)plan->total_bytes / w->nodes);
    if (!op_is_transfer(p->about) || data <= 0 || memory <= 0 || data >= MEMORY_FACTOR * memory)
        return;
    phase_warn(
        p, "working-set", data / memory,
        "%s of data per node are %.3g %% of its memory (%s): caches may have held all of it. "
        "Move at least %s per node (larger -b or -s), or limit the job's memory.",
        units_size(data_text, data), 100 * data / memory, units_size(memory_text, memory),
        units_size(enough, MEMORY_FACTOR * memory));
}

void rule_cached_writes(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan;
    double data = node_bytes(p, w);
    double memory = (double)w->memory_bytes;
    char data_text[UNITS_TEXT], memory_text[UNITS_TEXT];
    if (p->about != OP_WRITE || data <= 0 || memory <= 0 || data >= memory)
        return;
    if (p->synced || (w->direct && !w->direct_buffered))
        return;
    phase_warn(p, "cached-writes", data / memory,
               "nothing forced the data out, and %s per node fit into its memory (%s): this may be "
               "the speed of memory. Use -e (fsync) or direct I/O.",
               units_size(data_text, data), units_size(memory_text, memory));
}

static const char *against_caches(const struct plan *plan)
{
    if (plan->workload != WORKLOAD_CHECKPOINT)
        return "Read on other nodes than wrote (-C), drop the caches, or use direct I/O.";
    if (plan->checkpoint.cold)
        return "--cold could not make the nodes forget it: the files lie in memory, somebody has "
               "them mapped, or another cache answers.";
    return "Read on other nodes than wrote (--readers shifted), let the nodes forget what they "
           "have (--cold), or use direct I/O.";
}

void rule_cached_reads(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)w;
    bool labelled = strcmp(p->cache_label, "warm") == 0 || strcmp(p->cache_label, "mixed") == 0;
    bool cached = p->cached_fraction > CACHED_LIMIT;
    bool elsewhere = p->device_bytes < (1 - CACHED_LIMIT) * (double)p->counters[COUNTER_BYTES];
    char device[UNITS_TEXT], bytes[UNITS_TEXT];
    if (p->about != OP_READ || (!labelled && !cached && !elsewhere))
        return;
    if (cached)
        phase_warn(p, "cached-reads", p->cached_fraction,
                   "%.1f %% of the data lay in the page cache before the read. %s",
                   100 * p->cached_fraction, against_caches(plan));
    else if (elsewhere)
        phase_warn(p, "cached-reads", p->device_bytes / (double)p->counters[COUNTER_BYTES],
                   "only %s of %s read came from the device: the rest came from a cache. %s",
                   units_size(device, p->device_bytes),
                   units_size(bytes, (double)p->counters[COUNTER_BYTES]), against_caches(plan));
    else
        phase_warn(p, "cached-reads", NAN,
                   "the read was %s: part of the data was in the page cache. %s", p->cache_label,
                   against_caches(plan));
}

void rule_same_node_read(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan;
    if (p->about != OP_READ || !w->same_node_read || p->counters[COUNTER_OPERATIONS] == 0)
        return;
    phase_warn(
        p, "same-node-read", NAN,
        "some rank reads what a rank of its own node wrote, which that node may have cached. "
        "%s",
        w->nodes > 1 ? "Use -C to read what another node wrote."
                     : "Use two nodes or more, and -C to read what another node wrote.");
}

void rule_memory_fs(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan;
    if (!w->memory_fs)
        return;
    phase_warn(
        p, "memory-fs", NAN,
        "the files lie in memory (%s): this is the speed of memory, not of storage. Give a path "
        "on the file system that is meant.",
        w->fs_type[0] ? w->fs_type : "tmpfs");
}

/* A shared file whose end was written while a deadline kept ranks from what lies before it. */
static void left_holes(struct phase_result *p, const struct plan *plan)
{
    uint64_t least = p->counters[COUNTER_OPERATIONS_MIN];
    char bytes[UNITS_TEXT], span_text[UNITS_TEXT];
    if (p->about != OP_WRITE || !p->counters[COUNTER_STOPPED] || !plan->keep || least == 0 ||
        plan->file_per_process || plan->order != ORDER_IN_SEQUENCE ||
        plan->transfers_per_block == 0)
        return;
    double span = (double)(plan_offset(plan, plan->ranks - 1, least - 1) + plan->transfer_bytes);
    double moved = (double)p->counters[COUNTER_BYTES];
    if (moved < span / 2)
        phase_warn(p, "hollow-file", moved / span,
                   "the deadline left holes: %s of a file that spans %s. Its size says nothing; "
                   "read it with the same -b, -s and ranks, and no more than that is read.",
                   units_size(bytes, moved), units_size(span_text, span));
}

void rule_hollow_file(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    left_holes(p, plan);
    if (p->about == OP_READ && w->hollow)
        phase_warn(p, "hollow-file", NAN,
                   "less than half of what is read lies on the storage: the rest is holes (or "
                   "compressed), and reading those measures nothing. Write the file first.");
}

void rule_buffered_direct(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan;
    if (!w->direct_buffered || !op_is_transfer(p->about))
        return;
    phase_warn(
        p, "buffered-direct", NAN,
        "direct I/O was asked for, and the data went through the page cache all the same%s%s. "
        "Treat the figures as buffered, or use a file system that honours O_DIRECT.",
        w->fs_type[0] ? " on " : "", w->fs_type);
}
