#include "model/plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

uint64_t plan_times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static int refuse_mix(const struct settings *s, struct error *e)
{
    char mix[SIZES_TEXT];
    return error_set(e, STATUS_USAGE, "usage",
                     "option -t %s: several sizes are mixed at random places only: use the "
                     "workload random, or give one size",
                     sizes_show(&s->transfer, mix, sizeof mix));
}

static int check_sizes(const struct settings *s, struct error *e)
{
    if (s->transfer.used && s->workload != WORKLOAD_RANDOM)
        return refuse_mix(s, e);
    if (s->block_bytes < s->transfer.bytes)
        return error_set(e, STATUS_USAGE, "usage",
                         "block size -b %" PRIu64 " is smaller than transfer size -t %" PRIu64
                         ": a block holds one transfer or more",
                         s->block_bytes, s->transfer.bytes);
    if (s->block_bytes % s->transfer.bytes != 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "block size -b %" PRIu64 " is no multiple of transfer size -t %" PRIu64
                         ": the nearest that are: %" PRIu64 " and %" PRIu64,
                         s->block_bytes, s->transfer.bytes,
                         s->block_bytes - s->block_bytes % s->transfer.bytes,
                         s->block_bytes - s->block_bytes % s->transfer.bytes + s->transfer.bytes);
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

static enum fill_mode data_mode(int64_t choice)
{
    /* In the order of the choices of --data: pario's three names, then IOR's four. */
    static const enum fill_mode modes[] = {FILL_STAMPED, FILL_POOL, FILL_ZERO};
    return choice < 3 ? modes[choice] : FILL_STAMPED;
}

static int check_order(const struct plan *p, const struct settings *s, struct error *e)
{
    if (p->access.mixed && !p->write && p->workload == WORKLOAD_BULK)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --read-percent: with -r alone nothing is written: leave -r out, "
                         "or use the workload random");
    if (!s->reorder && s->reorder_offset != 1)
        return error_set(e, STATUS_USAGE, "usage",
                         "option -Q says how far -C goes: add -C, or leave it out");
    if (!s->reorder_random && s->reorder_seed != 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "option -X is the seed of -Z: add -Z, or leave it out");
    if (s->reorder && s->reorder_random)
        return error_set(e, STATUS_USAGE, "usage",
                         "options -C and -Z exclude each other: a constant or a random distance");
    if (p->order != ORDER_IN_SEQUENCE && !p->file_per_process && p->reorder != REORDER_NONE)
        return error_set(
            e, STATUS_USAGE, "usage",
            "option %s: with -z on a shared file every rank reads places of all others "
            "already: leave it out, or use -F",
            s->reorder ? "-C" : "-Z");
    if (p->order == ORDER_DRAWN && p->file_bytes / p->draw_bytes < 2)
        return error_set(
            e, STATUS_USAGE, "usage",
            "option -z -z draws blocks from the whole file, but there is only one: use "
            "more segments (-s) or smaller blocks (-b)");
    bool holes = p->order == ORDER_DRAWN && p->workload != WORKLOAD_RANDOM;
    if (holes && (p->check_write || (p->check_read && p->write)))
        return error_set(
            e, STATUS_USAGE, "usage",
            "option %s: with -z -z blocks are drawn, and some are never written: check "
            "with -R what another run wrote",
            p->check_write ? "-W" : "-R");
    return 0;
}

static int check_devices(const struct plan *p, struct error *e)
{
    const char *file = p->unique_dir    ? "-u"
                       : p->multi_file  ? "--multi-file"
                       : p->time_create ? "--time-create"
                                        : NULL;
    if (file)
        return error_set(e, STATUS_USAGE, "usage",
                         "option %s is about files that are made: it means nothing with "
                         "--allow-device",
                         file);
    if ((p->write || p->access.mixed) && !p->device_write)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --allow-device lets a device be read; writing destroys what it "
                         "holds: give -r alone, or say --allow-device=write");
    return 0;
}

static int check_files(const struct plan *p, struct error *e)
{
    if (p->workload == WORKLOAD_RANDOM && (p->multi_file || p->time_create))
        return error_set(
            e, STATUS_USAGE, "usage",
            "option %s: the workload random lays its file out beforehand, once for all "
            "repetitions",
            p->multi_file ? "--multi-file" : "--time-create");
    if (p->devices && check_devices(p, e))
        return -1;
    if (p->unique_dir && !p->file_per_process)
        return error_set(e, STATUS_USAGE, "usage",
                         "option -u: a directory for each rank needs a file for each: add -F");
    if (p->targets > 1 && !p->file_per_process)
        return error_set(
            e, STATUS_USAGE, "usage",
            "option -o: several paths (@) need a file per process: add -F, or write @@ "
            "for an @ in a name");
    if (p->wear_out && !p->deadline_ns)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --wear-out goes on after a deadline: give one with -D");
    if (p->time_create && p->file_per_process)
        return error_set(
            e, STATUS_USAGE, "usage",
            "option --time-create is about a shared file: with -F each rank creates its "
            "own in the measured open as it is");
    if (p->data.compressible_percent > 93)
        return error_set(
            e, STATUS_USAGE, "usage",
            "option --compressible: more than 93 %% is not possible: the stamp of each "
            "sector remains");
    return 0;
}

/* Rounds of --until-steady where -i does not say, as in SNIA's specification. */
#define STEADY_MOST 25

static enum order given_order(const struct settings *s)
{
    return s->random == 0 ? ORDER_IN_SEQUENCE : s->random == 1 ? ORDER_RANDOM : ORDER_DRAWN;
}

/* Which transfers there are, and in what order. */
static void give_work(struct plan *p, const struct settings *s)
{
    bool both = !s->write && !s->read && !s->check_write && !s->check_read;
    p->segments = (uint64_t)s->segments;
    p->block_bytes = s->block_bytes;
    p->transfer_bytes = s->transfer.bytes;
    p->sizes = s->transfer;
    p->write = s->write || both;
    p->check_write = s->check_write;
    p->read = s->read || s->check_read || both;
    p->check_read = s->check_read;
    p->order = given_order(s);
    p->order_seed = s->random_seed > 0 ? (uint64_t)s->random_seed : 0;
    p->reorder = s->reorder ? REORDER_CONSTANT : s->reorder_random ? REORDER_RANDOM : REORDER_NONE;
    p->reorder_offset = (uint64_t)s->reorder_offset;
    p->reorder_seed = s->reorder_seed;
    p->status_file = s->status_file;
    p->transfers_most = s->transfers_most > 0 ? (uint64_t)s->transfers_most : UINT64_MAX;
    p->data = (struct fill_data){.mode = data_mode(s->data),
                                 .seed = (uint64_t)s->signature,
                                 .compressible_percent = (unsigned)s->compressible,
                                 .dedup_percent = (unsigned)s->dedup};
}

static void give_files(struct plan *p, const struct settings *s)
{
    p->file = s->file;
    p->targets = plan_count_targets(s->file);
    p->file_per_process = s->file_per_process || (s->allow_device > 0 && p->targets > 1);
    p->unique_dir = s->unique_dir;
    p->multi_file = s->multi_file;
    p->devices = s->allow_device > 0;
    p->device_write = s->allow_device > 1;
    p->keep = s->keep;
    p->keep_with_error = s->keep_with_error;
    p->reuse = s->reuse || s->allow_device > 0; /* nothing is made, nothing removed */
    p->replace = s->replace;
    p->reserve_percent = s->reserve_percent;
}

/* What is given as it is; the rest is derived from it. */
static struct plan given(const struct settings *s, uint64_t ranks)
{
    double minutes_ns = s->max_minutes * 60e9;
    struct plan plan = {
        .workload = s->workload,
        .ranks = ranks,
        .repetitions =
            s->until_steady && s->repetitions == 1 ? STEADY_MOST : (uint64_t)s->repetitions,
        .until_steady = s->until_steady,
        .fsync = s->fsync,
        .fsync_each = s->fsync_each,
        .barriers = s->barriers,
        .collective = s->collective,
        .direct = s->direct,
        .single_attempt = s->single_attempt,
        .time_create = s->time_create,
        .depth = (uint32_t)s->depth,
        .delay_ns = s->delay_ns,
        .series = s->json || s->interval_ns,
        .interval_ns = s->interval_ns,
        .deadline_ns = s->deadline_ns,
        .wear_out = s->wear_out,
        .max_ns = minutes_ns < 9e18 ? (int64_t)minutes_ns : INT64_MAX,
        .time_limit_ns = s->time_limit_ns,
        .memory = s->memory,
    };
    give_work(&plan, s);
    give_files(&plan, s);
    return plan;
}

/* A workload with a part of its own in the plan: how large its transfers are is said there. */
static int plan_metadata(struct plan *plan, const struct settings *s, uint64_t ranks,
                         struct error *e)
{
    *plan = given(s, ranks);
    if (metadata_plan_make(&plan->metadata, s, ranks, e) || access_make(&plan->access, s, ranks, e))
        return -1;
    if (plan->wear_out && !plan->deadline_ns)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --wear-out goes on after a deadline: give one with -W");
    plan->transfer_bytes = plan->metadata.transfer_bytes;
    return 0;
}

/* Where nobody said otherwise, each workload works at a place of its own. */
static const char *file_or(const struct settings *s, const char *usual)
{
    return strcmp(s->file, "testFile") == 0 ? usual : s->file;
}

/* The workload random: places in no order, in a file that is laid out beforehand. */
static void plan_randomize(struct plan *p, const struct settings *s)
{
    bool skewed = p->access.zipf > 0 || p->access.hot_draws > 0;
    bool mix = p->sizes.used > 0;
    p->order = s->random >= 2 || skewed || mix ? ORDER_DRAWN : ORDER_RANDOM;
    p->draw_bytes = p->transfer_bytes;
    if (mix) /* as much as there is, in operations of the mean size */
        p->transfers_per_rank =
            (uint64_t)ceil((double)p->segments * (double)p->block_bytes / sizes_mean(&p->sizes));
    p->in_place = true;
    p->file = file_or(s, "pario.random");
}

static int make_checkpoint(struct plan *plan, const struct settings *s, struct error *e)
{
    struct checkpoint_plan *c = &plan->checkpoint;
    if (checkpoint_plan_make(c, s, plan->ranks, e))
        return -1;
    if (s->transfer.used)
        return refuse_mix(s, e);
    if (plan->collective && !layout_is_shared(&c->layout))
        return error_set(e, STATUS_USAGE, "usage",
                         "option -c: collective I/O needs a file that all ranks share: --shape "
                         "shared or strided");
    plan->file = c->path = file_or(s, "pario.checkpoint");
    plan->write = c->write;
    plan->read = c->restart;
    plan->fsync = true;
    plan->file_per_process = !layout_is_shared(&c->layout);
    plan->files = c->files;
    plan->total_bytes = c->bytes;
    plan->file_bytes = layout_largest(&c->layout);
    plan->transfers_per_block = 1;
    return 0;
}

int plan_make(struct plan *plan, const struct settings *s, uint64_t ranks, struct error *e)
{
    if (s->workload == WORKLOAD_METADATA)
        return plan_metadata(plan, s, ranks, e);
    if (s->tasks > 0 && (uint64_t)s->tasks > ranks)
        return error_set(e, STATUS_USAGE, "usage",
                         "option -N %" PRId64 ": there %s only %" PRIu64 " rank%s", s->tasks,
                         ranks == 1 ? "is" : "are", ranks, ranks == 1 ? "" : "s");
    if (s->tasks > 0)
        ranks = (uint64_t)s->tasks;
    *plan = given(s, ranks);
    if (s->workload == WORKLOAD_CHECKPOINT)
        return make_checkpoint(plan, s, e);
    if (check_sizes(s, e))
        return -1;
    uint64_t rank_bytes = plan_times(plan->segments, plan->block_bytes);
    plan->transfers_per_block = s->block_bytes / s->transfer.bytes;
    plan->transfers_per_rank = plan_times(plan->transfers_per_block, plan->segments);
    plan->total_bytes = plan_times(rank_bytes, ranks);
    plan->files = plan->file_per_process ? ranks : 1;
    plan->file_bytes = plan->file_per_process ? rank_bytes : plan->total_bytes;
    plan->draw_bytes = plan->block_bytes;
    if (access_make(&plan->access, s, ranks, e))
        return -1;
    if (s->workload == WORKLOAD_RANDOM)
        plan_randomize(plan, s);
    return check_extent(plan, e) || check_order(plan, s, e) || check_files(plan, e) ? -1 : 0;
}

uint64_t plan_base_offset(const struct plan *p, uint64_t rank)
{
    return p->devices && p->file_per_process ? rank / p->targets * p->file_bytes : 0;
}

uint64_t plan_offset(const struct plan *p, uint64_t rank, uint64_t i)
{
    uint64_t segment = i / p->transfers_per_block;
    uint64_t in_block = i % p->transfers_per_block * p->transfer_bytes;
    if (p->file_per_process)
        return plan_base_offset(p, rank) + segment * p->block_bytes + in_block;
    return (segment * p->ranks + rank) * p->block_bytes + in_block;
}

uint64_t plan_object(const struct plan *p, uint64_t rank)
{
    return p->file_per_process ? rank : 0;
}
