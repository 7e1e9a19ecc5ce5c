/* The columns. A rate is an amount and the seconds it took, apart, so that a summary can divide
 * total by total; what did not happen is NAN and not 0, so that no format shows a rate of it. */
#include "model/metrics.h"

#include <math.h>

static double seconds_or_nan(uint64_t ns)
{
    return ns ? (double)ns / 1e9 : NAN;
}

static double amount_or_nan(uint64_t n)
{
    return n ? (double)n : NAN;
}

/* Latency of the phase's own operation; NULL where none was measured, and where there are two. */
static const struct histogram *own(const struct phase_result *p)
{
    const struct histogram *h = p->also ? NULL : p->latency[p->about];
    return h && h->count ? h : NULL;
}

/* Readers of one kind each: function name, and what it reads. */
#define COUNTER_READER(name, COUNTER)                                                              \
    static uint64_t name(const struct phase_result *p)                                             \
    {                                                                                              \
        return p->counters[COUNTER];                                                               \
    }
#define TIME_READER(name, ns)                                                                      \
    static double name(const struct phase_result *p)                                               \
    {                                                                                              \
        return seconds_or_nan(ns);                                                                 \
    }
#define LATENCY_READER(name, value)                                                                \
    static double name(const struct phase_result *p)                                               \
    {                                                                                              \
        const struct histogram *h = own(p);                                                        \
        return h ? (double)(value) : NAN;                                                          \
    }

COUNTER_READER(bytes, COUNTER_BYTES)
COUNTER_READER(operations, COUNTER_OPERATIONS)
COUNTER_READER(planned, COUNTER_PLANNED)
COUNTER_READER(failed, COUNTER_FAILED)
COUNTER_READER(verified_bytes, COUNTER_VERIFIED_BYTES)
COUNTER_READER(bad_transfers, COUNTER_BAD_TRANSFERS)
COUNTER_READER(short_transfers, COUNTER_SHORT_TRANSFERS)
COUNTER_READER(entries, COUNTER_ENTRIES)
COUNTER_READER(retries, COUNTER_RETRIES)
COUNTER_READER(operations_min, COUNTER_OPERATIONS_MIN)
COUNTER_READER(operations_max, COUNTER_OPERATIONS_MAX)
COUNTER_READER(deadline_min, COUNTER_DEADLINE_MIN)
COUNTER_READER(deadline_max, COUNTER_DEADLINE_MAX)
COUNTER_READER(failed_ranks, COUNTER_FAILED_RANKS)
COUNTER_READER(switches, COUNTER_SWITCHES)

TIME_READER(elapsed, p->elapsed_ns)
TIME_READER(elapsed_lower, p->counters[COUNTER_ELAPSED_NS])
TIME_READER(stonewall, p->stonewall_ns)
TIME_READER(durable, p->synced ? p->counters[COUNTER_DURABLE_NS] : 0)
TIME_READER(ior_total, op_is_transfer(p->about) ? p->counters[COUNTER_ELAPSED_NS] : 0)
TIME_READER(open_max, p->stages[STAGE_OPEN].max_ns)
TIME_READER(transfer_max, p->stages[STAGE_TRANSFER].max_ns)
TIME_READER(rename_max, p->stages[STAGE_RENAME].max_ns)
TIME_READER(directory_sync_max, p->stages[STAGE_DIRECTORY_SYNC].max_ns)
TIME_READER(marker_max, p->stages[STAGE_MARKER].max_ns)
TIME_READER(blocked, p->counters[COUNTER_BLOCKED_NS])
TIME_READER(drain, p->counters[COUNTER_DRAIN_NS])
TIME_READER(returned, p->synced ? p->counters[COUNTER_RETURN_NS] : 0)
TIME_READER(sync_max, p->stages[STAGE_SYNC].max_ns)
TIME_READER(close_max, p->stages[STAGE_CLOSE].max_ns)
TIME_READER(user_cpu, p->counters[COUNTER_USER_NS])
TIME_READER(system_cpu, p->counters[COUNTER_SYSTEM_NS])
TIME_READER(rank_cpu_max, p->counters[COUNTER_CPU_MAX_NS])

LATENCY_READER(latency_p50, histogram_quantile(h, 0.5))
LATENCY_READER(latency_p90, histogram_quantile(h, 0.9))
LATENCY_READER(latency_p95, histogram_quantile(h, 0.95))
LATENCY_READER(latency_p99, histogram_quantile(h, 0.99))
LATENCY_READER(latency_p99_9, histogram_quantile(h, 0.999))
LATENCY_READER(latency_p99_99, histogram_quantile(h, 0.9999))
LATENCY_READER(latency_min, h->min)
LATENCY_READER(latency_max, h->max)
LATENCY_READER(latency_mean, histogram_mean(h))
LATENCY_READER(latency_sd, histogram_sd(h))

static uint64_t stonewall_bytes(const struct phase_result *p)
{
    return p->stonewall_bytes;
}

static uint64_t stonewall_operations(const struct phase_result *p)
{
    return p->stonewall_operations;
}

static double bytes_moved(const struct phase_result *p)
{
    return amount_or_nan(bytes(p));
}

static double bytes_by_stonewall(const struct phase_result *p)
{
    return bytes(p) ? amount_or_nan(stonewall_bytes(p)) : NAN;
}

static double operations_done(const struct phase_result *p)
{
    return amount_or_nan(operations(p));
}

static double operations_by_stonewall(const struct phase_result *p)
{
    return amount_or_nan(stonewall_operations(p));
}

static double entries_seen(const struct phase_result *p)
{
    return amount_or_nan(entries(p));
}

/* Every rank's time ends behind the closing barrier there, so the slowest is who did least. */
static double mdtest_amount(const struct phase_result *p)
{
    return op_is_transfer(p->about) ? NAN : amount_or_nan(p->ranks * operations_min(p));
}

static double rank_sum(const struct phase_result *p)
{
    return p->spread.ranks && p->spread.bytes && bytes(p) ? p->spread.sum_per_s : NAN;
}

static double tail(const struct phase_result *p)
{
    double busy_ns = 0;
    for (size_t i = 0; i < STAGES; i++)
        busy_ns += (double)p->stages[i].sum_ns;
    double all_ns = (double)p->ranks * (double)p->counters[COUNTER_ELAPSED_NS];
    return busy_ns > 0 ? fmax(0, all_ns - busy_ns) / 1e9 : NAN;
}

static double cached_fraction(const struct phase_result *p)
{
    return p->cached_fraction;
}

static double node_cpu(const struct phase_result *p)
{
    return p->node_cpu;
}

/* What counters of the clock say, where stamps were taken. */
static double by_clock(const struct phase_result *p, double value)
{
    return p->counters[COUNTER_START_LAST_NS] ? value : NAN;
}

static double apart(const struct phase_result *p, enum counter last, enum counter first)
{
    return by_clock(p, (double)(p->counters[last] - p->counters[first]) / 1e9);
}

static double start_spread(const struct phase_result *p)
{
    return apart(p, COUNTER_START_LAST_NS, COUNTER_START_FIRST_NS);
}

static double finish_spread(const struct phase_result *p)
{
    return apart(p, COUNTER_END_LAST_NS, COUNTER_END_FIRST_NS);
}

/* A step may make it negative. */
static double wall_clock(const struct phase_result *p)
{
    uint64_t ns = p->counters[COUNTER_WALL_LAST_NS] - p->counters[COUNTER_WALL_FIRST_NS];
    return by_clock(p, (double)(int64_t)ns / 1e9);
}

static double clock_apart(const struct phase_result *p)
{
    return by_clock(p, (double)p->counters[COUNTER_CLOCK_APART_NS] / 1e9);
}

static double clock_error(const struct phase_result *p)
{
    return by_clock(p, (double)p->counters[COUNTER_CLOCK_ERROR_NS] / 1e9);
}

static double clock_drift(const struct phase_result *p)
{
    uint64_t ppb = p->counters[COUNTER_CLOCK_DRIFT_PPB];
    return ppb ? (double)ppb / 1e9 : NAN;
}

/* Kinds of rows: exact count, rate, time, latency of the own operation. Keys stand in full. */
#define WHOLE(function) .whole = function
#define RATE(numerator, denominator) .amount = numerator, .seconds = denominator, .summary = true
#define TIME(function) .unit = METRIC_SECONDS, .amount = function
#define LATENCY(function) .unit = METRIC_NS, .amount = function, .json_apart = true
#define STAGE(function) TIME(function), .json_apart = true

const struct metric metric_table[] = {
    {.key = "bandwidth_bytes_per_s",
     .heading = "bandwidth",
     .unit = METRIC_BYTES_PER_S,
     RATE(bytes_moved, elapsed),
     .meaning = "the headline: bytes moved by all ranks / elapsed_s. Filling, checking and syncing "
                "(when asked for) are inside."},
    {.key = "operations_per_s",
     .heading = "IOPS",
     .unit = METRIC_PER_S,
     RATE(operations_done, elapsed),
     .meaning = "the phase's own operations that succeeded / elapsed_s."},
    {.key = "latency_p50_ns",
     .heading = "p50",
     LATENCY(latency_p50),
     .meaning =
         "latency of the phase's own operation: the median over all of them on all ranks. Every "
         "percentile is that of the merged histogram, within 1/128 (0.8 %) and never above "
         "the maximum. In JSON latency_ns has these for each kind of operation."},
    {.key = "latency_p99_ns",
     .heading = "p99",
     LATENCY(latency_p99),
     .meaning = "the same: 99 % took no longer."},
    {.key = "open_max_s",
     .heading = "open",
     STAGE(open_max),
     .meaning = "time in open, of the rank that spent most. Each instant of a rank between its own "
                "start and own end belongs to exactly one stage, that of its oldest operation in "
                "flight, so one rank's stages sum to its own elapsed; maxima of different ranks do "
                "not. In JSON stages has maximum, median and minimum of every stage; record is "
                "pario's own booking of latencies."},
    {.key = "transfer_max_s",
     .heading = "transfer",
     STAGE(transfer_max),
     .meaning = "the same: reading and writing, syncs after each write among them."},
    {.key = "sync_max_s",
     .heading = "sync",
     STAGE(sync_max),
     .meaning = "the same: forcing data out."},
    {.key = "close_max_s", .heading = "close", STAGE(close_max), .meaning = "the same: closing."},
    {.key = "elapsed_s",
     .heading = "elapsed",
     TIME(elapsed),
     .summary = true,
     .meaning =
         "rank 0's stamp after the closing barrier - its stamp between the two barriers before "
         "the start: one clock, and everything that any rank did lies inside."},
    {.key = "bytes",
     .heading = "bytes",
     .unit = METRIC_BYTES,
     WHOLE(bytes),
     .meaning = "bytes that the phase's own operations moved, all ranks."},
    {.key = "operations",
     WHOLE(operations),
     .meaning =
         "own operations of the phase (reads in a read phase) that succeeded, all ranks: counted "
         "from what happened, never from the plan."},
    {.key = "operations_planned", WHOLE(planned), .meaning = "own operations that the plan has."},
    {.key = "operations_failed", WHOLE(failed), .meaning = "own operations that failed."},
    {.key = "verified_bytes",
     .unit = METRIC_BYTES,
     WHOLE(verified_bytes),
     .meaning = "bytes compared with what was written, and found right."},
    {.key = "elapsed_lower_s",
     TIME(elapsed_lower),
     .meaning = "the maximum over ranks of own end - own start. The truth lies between this and "
                "elapsed_s; they differ by the barriers and by ranks that started late."},
    {.key = "transfer_bandwidth_bytes_per_s",
     .unit = METRIC_BYTES_PER_S,
     RATE(bytes_moved, transfer_max),
     .meaning = "bytes / transfer_max_s: open, close, sync, filling and checking left out."},
    {.key = "durable_bandwidth_bytes_per_s",
     .unit = METRIC_BYTES_PER_S,
     RATE(bytes_moved, durable),
     .meaning = "bytes / the maximum over ranks of the time from own start to the end of the last "
                "sync; only where synced."},
    {.key = "stonewall_bandwidth_bytes_per_s",
     .unit = METRIC_BYTES_PER_S,
     RATE(bytes_by_stonewall, stonewall),
     .meaning = "at first rank done: stonewall_bytes / stonewall_s. Its gap to the headline is the "
                "tail."},
    {.key = "rank_sum_bandwidth_bytes_per_s",
     .unit = METRIC_BYTES_PER_S,
     .amount = rank_sum,
     .summary = true,
     .meaning =
         "sum over ranks of own bytes / own elapsed: an upper bound, reached only if all ranks "
         "worked all the time."},
    {.key = "stonewall_operations_per_s",
     .unit = METRIC_PER_S,
     RATE(operations_by_stonewall, stonewall),
     .meaning = "at first rank done: stonewall_operations / stonewall_s."},
    {.key = "compat.ior_total_s",
     TIME(ior_total),
     .meaning =
         "what IOR's total(s) column would show if node clocks agreed and all ranks started at "
         "once: elapsed_lower_s, for phases that read or write."},
    {.key = "compat.mdtest_rate",
     .unit = METRIC_PER_S,
     RATE(mdtest_amount, elapsed),
     .meaning = "what mdtest would call the rate of a metadata phase: the least over ranks of own "
                "operations / time, times the ranks. It is below operations_per_s where ranks did "
                "unequal work; a phase that some rank has no part in has none."},
    {.key = "entries",
     WHOLE(entries),
     .meaning = "directory entries that lists came upon, without . and .., all ranks."},
    {.key = "entries_per_s",
     .unit = METRIC_PER_S,
     RATE(entries_seen, elapsed),
     .meaning = "entries / elapsed_s."},
    {.key = "short_transfers",
     WHOLE(short_transfers),
     .meaning = "calls that moved less than asked and were continued."},
    {.key = "retries",
     WHOLE(retries),
     .meaning =
         "calls made again because a signal (EINTR) or a busy resource (EAGAIN) got in the way."},
    {.key = "bad_transfers", WHOLE(bad_transfers), .meaning = "transfers whose data was wrong."},
    {.key = "failed_ranks", WHOLE(failed_ranks), .meaning = "ranks that an error struck."},
    {.key = "stonewall_s",
     TIME(stonewall),
     .meaning = "t*, the least own elapsed over ranks: when the first was done, or the deadline."},
    {.key = "stonewall_bytes",
     .unit = METRIC_BYTES,
     WHOLE(stonewall_bytes),
     .meaning =
         "what each rank had moved by its own t*, all ranks; from timelines, so it may be wrong "
         "by one cell's content per rank."},
    {.key = "stonewall_operations",
     WHOLE(stonewall_operations),
     .meaning = "operations by t*, in the same way."},
    {.key = "tail_rank_s",
     TIME(tail),
     .meaning =
         "time lost to the tail: rank-seconds that ranks, done with their own part, waited for "
         "the last one."},
    {.key = "operations_rank_min",
     WHOLE(operations_min),
     .meaning = "own operations of the rank that did fewest."},
    {.key = "operations_rank_max",
     WHOLE(operations_max),
     .meaning = "own operations of the rank that did most."},
    {.key = "latency_min_ns",
     LATENCY(latency_min),
     .meaning = "latency of the phase's own operation: the least, exact."},
    {.key = "latency_mean_ns", LATENCY(latency_mean), .meaning = "the same: mean, exact."},
    {.key = "latency_sd_ns",
     LATENCY(latency_sd),
     .meaning = "the same: standard deviation (n - 1)."},
    {.key = "latency_p90_ns", LATENCY(latency_p90), .meaning = "the same: 90 % took no longer."},
    {.key = "latency_p95_ns", LATENCY(latency_p95), .meaning = "the same: 95 % took no longer."},
    {.key = "latency_p99_9_ns",
     LATENCY(latency_p99_9),
     .meaning = "the same: 99.9 % took no longer."},
    {.key = "latency_p99_99_ns",
     LATENCY(latency_p99_99),
     .meaning = "the same: 99.99 % took no longer."},
    {.key = "latency_max_ns", LATENCY(latency_max), .meaning = "the same: the most, exact."},
    {.key = "cached_fraction",
     .unit = METRIC_SHARE,
     .amount = cached_fraction,
     .json_apart = true,
     .meaning = "read phases: share of the bytes that lay in the page cache before; in JSON under "
                "cache."},
    {.key = "cpu.user_s", TIME(user_cpu), .meaning = "CPU time in user mode, all ranks."},
    {.key = "cpu.system_s", TIME(system_cpu), .meaning = "CPU time in the kernel, all ranks."},
    {.key = "cpu.rank_max_s",
     TIME(rank_cpu_max),
     .meaning = "CPU time, user and kernel, of the rank that used most."},
    {.key = "cpu.node_share",
     .unit = METRIC_SHARE,
     .amount = node_cpu,
     .meaning = "share of the busiest node's cores in use, by anybody, 0 to 1."},
    {.key = "cpu.context_switches",
     WHOLE(switches),
     .meaning = "context switches, voluntary or not, all ranks."},
    {.key = "start_spread_s",
     TIME(start_spread),
     .meaning = "from the first rank's own start to the last's, on one axis of time: rank 0's "
                "clock, to which the others are compared by ping-pong before and after the phase."},
    {.key = "finish_spread_s", TIME(finish_spread), .meaning = "the same: of own ends."},
    {.key = "clock.error_s",
     TIME(clock_error),
     .meaning = "the spreads may be wrong by this: half a round trip to the rank where it was "
                "longest, and drift since. Rates are made without the axis."},
    {.key = "clock.drift",
     .unit = METRIC_SHARE,
     .amount = clock_drift,
     .meaning = "how much faster or slower the clock of a rank ran than rank 0's, at most; where "
                "that is more than the measurements before and after the phase may be wrong by."},
    {.key = "clock.wall_apart_s",
     TIME(clock_apart),
     .meaning = "the wall clock (time of day) that is farthest from rank 0's: how far."},
    {.key = "clock.wall_elapsed_s",
     TIME(wall_clock),
     .meaning =
         "latest own end - earliest own start by the wall clocks of the ranks: what a tool "
         "that subtracts those takes for the time of the phase. Nothing here is made from it."},
    {.key = "return_bandwidth_bytes_per_s",
     .unit = METRIC_BYTES_PER_S,
     RATE(bytes_moved, returned),
     .meaning = "bytes / the maximum over ranks of the time from own start to the end of the last "
                "sync, less the time spent in syncs: what a program sees that does not sync; only "
                "where synced."},
    {.key = "rename_max_s", STAGE(rename_max), .meaning = "as open_max_s: renaming."},
    {.key = "directory_sync_max_s",
     STAGE(directory_sync_max),
     .meaning = "the same: making the names in a directory durable."},
    {.key = "marker_max_s",
     STAGE(marker_max),
     .meaning = "the same: replacing the marker that says which checkpoint is the latest, from its "
                "open to the sync of its directory."},
    {.key = "blocked_s",
     TIME(blocked),
     .meaning = "checkpoints: what the program waited for this one, the rank that waited longest: "
                "all of it; with --background until what it saves may be changed (copied, where "
                "there is --staging), and what the drain lasted beyond the next interval of work."},
    {.key = "drain_s",
     TIME(drain),
     .meaning = "checkpoints with --background: time from then on until it was whole, that went on "
                "beside the program's work, the most of any rank; without --staging all of it."},
    {.key = "deadline_operations_rank_min",
     WHOLE(deadline_min),
     .meaning = "own operations of the rank that had done fewest when the deadline struck; where "
                "none did, as operations_rank_min. With --wear-out all went on to the largest."},
    {.key = "deadline_operations_rank_max",
     WHOLE(deadline_max),
     .meaning = "the same of the rank that had done most."},
    {.key = NULL},
};
