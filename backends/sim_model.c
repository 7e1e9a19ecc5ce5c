#include "backends/sim_model.h"

#include "base/rng.h"

#include <math.h>

bool sim_is_slow(const struct sim_options *o, uint64_t rank)
{
    uint64_t first = (uint64_t)o->slow_rank;
    uint64_t every = (uint64_t)o->slow_every;
    if (o->slow_rank >= 0 && rank >= first && rank - first < (uint64_t)o->slow_count)
        return true;
    return every > 0 && rank % every == every - 1;
}

static double slowness(const struct sim_options *o, uint64_t rank)
{
    return sim_is_slow(o, rank) ? o->slow_factor : 1.0;
}

/* Kept below 32 years, so that sums of a few do not overflow. */
static int64_t whole_ns(double ns)
{
    return llround(fmin(ns, 1e18));
}

double sim_quantile_ns(const struct sim_options *o, uint64_t position)
{
    double q = ((double)position + 0.5) / SIM_BLOCK;
    double service = (double)o->service_ns;
    switch ((enum sim_distribution)o->distribution) {
    case SIM_EXPONENTIAL:
        return -service * log1p(-q);
    case SIM_TWO_HUMPED:
        return q < 1.0 - o->hump_share / 100.0 ? service : (double)o->hump_ns;
    case SIM_CONSTANT:
        break;
    }
    return service;
}

int64_t sim_service_ns(const struct sim_options *o, const struct sim_rank *r, uint64_t index)
{
    uint64_t position = 0;
    if (o->distribution != SIM_CONSTANT) {
        uint64_t key = rng_mix(r->seed ^ rng_mix(r->rank + 1)) + index / SIM_BLOCK;
        struct permutation order = permutation_make(SIM_BLOCK, key);
        position = permutation_at(&order, index % SIM_BLOCK);
    }
    int64_t ns = whole_ns(sim_quantile_ns(o, position) * slowness(o, r->rank));
    if (o->stall_at > 0 && index + 1 == (uint64_t)o->stall_at && sim_is_struck(o, r->rank))
        ns += o->stall_ns;
    return ns;
}

int64_t sim_channel_ns(const struct sim_options *o, const struct sim_rank *r, uint64_t bytes)
{
    double rate = o->rate > 0 ? (double)o->rate : INFINITY;
    if (o->total_rate > 0)
        rate = fmin(rate, (double)o->total_rate / (double)r->ranks);
    return whole_ns((double)bytes * 1e9 / rate * slowness(o, r->rank));
}

int64_t sim_other_ns(const struct sim_options *o, const struct sim_rank *r, enum op_kind kind)
{
    int64_t ns = kind == OP_OPEN    ? o->open_ns
                 : kind == OP_CLOSE ? o->close_ns
                 : kind == OP_SYNC  ? o->sync_ns
                                    : o->meta_ns;
    return whole_ns((double)ns * slowness(o, r->rank));
}

bool sim_is_short(const struct sim_options *o, uint64_t index)
{
    return o->short_every > 0 && (index + 1) % (uint64_t)o->short_every == 0;
}

bool sim_is_struck(const struct sim_options *o, uint64_t rank)
{
    return o->error_rank < 0 || rank == (uint64_t)o->error_rank;
}

bool sim_is_flipped(const struct sim_options *o, const struct sim_rank *r, uint64_t index)
{
    return o->flip_at > 0 && index + 1 == (uint64_t)o->flip_at && sim_is_struck(o, r->rank);
}

int64_t sim_completion_ns(bool serial, int64_t *free_ns, int64_t now_ns, int64_t service_ns,
                          int64_t channel_ns)
{
    if (!serial && channel_ns == 0)
        return now_ns + service_ns;
    int64_t start = now_ns > *free_ns ? now_ns : *free_ns;
    if (serial)
        return *free_ns = start + channel_ns + service_ns;
    *free_ns = start + channel_ns;
    return *free_ns + service_ns;
}
