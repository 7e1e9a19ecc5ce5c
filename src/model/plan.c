#include "model/plan.h"

#include <inttypes.h>
#include <stdio.h>

/* a * b, or UINT64_MAX where that is more. */
static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static int check_sizes(const struct settings *s, struct error *e)
{
    if (s->block_bytes < s->transfer_bytes)
        return error_set(e, STATUS_USAGE, "usage",
                         "block size -b %" PRIu64 " is smaller than transfer size -t %" PRIu64
                         ": a block holds one transfer or more",
                         s->block_bytes, s->transfer_bytes);
    if (s->block_bytes % s->transfer_bytes != 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "block size -b %" PRIu64 " is no multiple of transfer size -t %" PRIu64
                         ": the nearest that are: %" PRIu64 " and %" PRIu64,
                         s->block_bytes, s->transfer_bytes,
                         s->block_bytes - s->block_bytes % s->transfer_bytes,
                         s->block_bytes - s->block_bytes % s->transfer_bytes + s->transfer_bytes);
    return 0;
}

static int check_extent(const struct plan *p, struct error *e)
{
    /* Offsets travel as off_t: the last byte of a file must stay below 2^63. */
    if (p->file_bytes > INT64_MAX)
        return error_set(e, STATUS_USAGE, "usage",
                         "a file of %" PRIu64 " ranks x %" PRIu64 " segments x %" PRIu64
                         " bytes is larger than 8 EiB, which no file system addresses: "
                         "use a smaller -b or -s, or -F",
                         p->file_per_process ? 1 : p->ranks, p->segments, p->block_bytes);
    return 0;
}

int plan_make(struct plan *plan, const struct settings *s, uint64_t ranks, struct error *e)
{
    bool both = !s->write && !s->read;
    if (check_sizes(s, e))
        return -1;
    *plan = (struct plan){
        .ranks = ranks,
        .segments = (uint64_t)s->segments,
        .block_bytes = s->block_bytes,
        .transfer_bytes = s->transfer_bytes,
        .transfers_per_block = s->block_bytes / s->transfer_bytes,
        .repetitions = (uint64_t)s->repetitions,
        .file_per_process = s->file_per_process,
        .write = s->write || both,
        .read = s->read || both,
        .fsync = s->fsync,
        .barriers = s->barriers,
        .collective = s->collective,
        .keep = s->keep,
        .reuse = s->reuse,
        .replace = s->replace,
        .reserve_percent = s->reserve_percent,
        .direct = s->direct,
        .seed = (uint64_t)s->signature,
        .depth = (uint32_t)s->depth,
        .delay_ns = s->delay_ns,
        .deadline_ns = s->deadline_ns,
        .file = s->file,
    };
    uint64_t rank_bytes = times(plan->segments, plan->block_bytes);
    plan->transfers_per_rank = times(plan->transfers_per_block, plan->segments);
    plan->total_bytes = times(rank_bytes, ranks);
    plan->files = plan->file_per_process ? ranks : 1;
    plan->file_bytes = plan->file_per_process ? rank_bytes : plan->total_bytes;
    return check_extent(plan, e);
}

uint64_t plan_offset(const struct plan *p, uint64_t rank, uint64_t i)
{
    uint64_t segment = i / p->transfers_per_block;
    uint64_t in_block = i % p->transfers_per_block * p->transfer_bytes;
    if (p->file_per_process)
        return segment * p->block_bytes + in_block;
    return (segment * p->ranks + rank) * p->block_bytes + in_block;
}

uint64_t plan_object(const struct plan *p, uint64_t rank)
{
    return p->file_per_process ? rank : 0;
}

int plan_path(const void *plan, uint64_t object, char *buf, size_t bytes)
{
    const struct plan *p = plan;
    int n = p->file_per_process ? snprintf(buf, bytes, "%s.%08" PRIu64, p->file, object)
                                : snprintf(buf, bytes, "%s", p->file);
    return n >= 0 && (size_t)n < bytes ? 0 : -1;
}
