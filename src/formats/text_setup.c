#include "formats/text_parts.h"

#include "base/units.h"
#include "model/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void files(struct text *out, const struct plan *p)
{
    struct text words = {0};
    if (p->devices)
        text_add(&words, "%s: a region for each rank", p->file);
    else if (p->file_per_process)
        text_add(&words, "%s.00000000 and up: %" PRIu64 ", one per rank", p->file, p->files);
    else
        text_add(&words, "%s: one, shared", p->file);
    text_line(out,
              p->devices            ? "device"
              : p->file_per_process ? "files"
                                    : "file",
              words.data ? words.data : "");
    out->failed |= words.failed;
    text_free(&words);
}

static void add_order(struct text *words, const struct plan *p)
{
    static const char *const orders[] = {
        [ORDER_IN_SEQUENCE] = "in order of offsets",
        [ORDER_RANDOM] = "in random order, each place once",
        [ORDER_DRAWN] = "places drawn at random, independently",
    };
    const struct access_plan *a = &p->access;
    text_add(words, ", %s", orders[p->order]);
    if (a->zipf > 0)
        text_add(words, " (Zipf, exponent %g)", a->zipf);
    if (a->hot_draws > 0)
        text_add(words, " (%g %% of them to %g %% of the places)", 100 * a->hot_draws,
                 100 * a->hot_places);
    if (a->loops)
        text_add(words, ", again and again until the deadline");
    if (p->reorder != REORDER_NONE)
        text_add(words, "; each rank reads what another wrote%s",
                 p->reorder == REORDER_RANDOM ? ", at random" : "");
}

/* Files of many ranks can hold more together than the plan's sum can say, which stops at 16 EiB. */
static double volume_bytes(const struct plan *p)
{
    return p->total_bytes == UINT64_MAX && p->file_per_process
               ? (double)p->file_bytes * (double)p->ranks
               : (double)p->total_bytes;
}

static void sizes(struct text *out, const struct plan *p)
{
    char total[UNITS_TEXT], mine[UNITS_TEXT], block[UNITS_TEXT], transfer[SIZES_TEXT];
    struct text words = {0};
    uint64_t operations;
    if (__builtin_mul_overflow(p->transfers_per_rank, p->ranks, &operations))
        operations = UINT64_MAX;
    units_size(total, volume_bytes(p));
    units_size(mine, volume_bytes(p) / (double)p->ranks);
    text_add(&words, "%s a phase in %" PRIu64 " operation%s, %s per rank", total, operations,
             operations == 1 ? "" : "s", mine);
    text_line(out, "volume", words.data ? words.data : "");
    text_clear(&words);
    units_size(block, (double)p->block_bytes);
    if (p->sizes.used)
        sizes_show(&p->sizes, transfer, sizeof transfer);
    else
        units_size(transfer, (double)p->transfer_bytes);
    text_add(&words, "block %s, transfer %s, %" PRIu64 " segment%s", block, transfer, p->segments,
             p->segments == 1 ? "" : "s");
    add_order(&words, p);
    text_line(out, "pattern", words.data ? words.data : "");
    out->failed |= words.failed;
    text_free(&words);
}

/* What was asked for beside the pattern; nothing where nothing was. */
static void manner(struct text *out, const struct plan *p)
{
    char time[UNITS_TEXT];
    struct text words = {0};
    if (p->access.mixed)
        text_add(&words, ", %u %% reads and %u %% writes", p->access.read_percent,
                 100 - p->access.read_percent);
    if (p->access.rate_per_s > 0)
        text_add(&words, ", %.6g operations per second and rank", p->access.rate_per_s);
    if (p->access.think_ns > 0)
        text_add(&words, ", pause of %s after each operation",
                 units_time(time, (double)p->access.think_ns));
    if (p->check_read)
        text_add(&words, ", reads compared");
    if (p->fsync_each)
        text_add(&words, ", fsync after each write");
    if (p->fsync)
        text_add(&words, ", fsync after the last write");
    if (p->barriers)
        text_add(&words, ", barriers between open, transfers and close");
    if (p->collective)
        text_add(&words, ", collective calls");
    if (p->direct)
        text_add(&words, ", direct I/O");
    if (p->reuse)
        text_add(&words, ", into existing files");
    if (p->depth > 1)
        text_add(&words, ", %" PRIu32 " operations in flight per rank", p->depth);
    if (p->deadline_ns > 0)
        text_add(&words, ", deadline %s a phase%s", units_time(time, (double)p->deadline_ns),
                 p->wear_out ? " and on to the largest count" : "");
    if (p->access.ramp_ns > 0)
        text_add(&words, " after a ramp of %s", units_time(time, (double)p->access.ramp_ns));
    if (p->delay_ns > 0)
        text_add(&words, ", pause of %s before each phase", units_time(time, (double)p->delay_ns));
    if (words.used > 2)
        text_line(out, "manner", words.data + 2);
    out->failed |= words.failed;
    text_free(&words);
}

static void ranks(struct text *out, const struct test_result *t)
{
    struct text words = {0};
    text_add(&words, "%" PRIu64 " on %" PRIu32 " node%s", t->ranks, t->nodes,
             t->nodes == 1 ? "" : "s");
    if (t->nodes > 1)
        text_add(&words, ", at most %" PRIu64 " on one", t->most_per_node);
    text_line(out, "ranks", words.data ? words.data : "");
    out->failed |= words.failed;
    text_free(&words);
}

/* A number recorded as text; NAN where it is not there. */
static double recorded(const struct report *r, const char *key)
{
    const char *value = report_environment_get(r, key);
    return value ? strtod(value, NULL) : NAN;
}

static void host(struct text *out, const struct report *r, const struct test_result *t)
{
    struct text words = {0};
    char memory[UNITS_TEXT];
    const char *name = report_environment_get(r, "host");
    const char *cores = report_environment_get(r, "cores_node");
    if (!name)
        return;
    text_add(&words, "%s", name);
    if (cores)
        text_add(&words, ", %s cores", cores);
    if (!isnan(recorded(r, "memory_usable_bytes")))
        text_add(&words, ", %s of memory", units_size(memory, recorded(r, "memory_usable_bytes")));
    text_line(out, t->nodes > 1 ? "first node" : "node", words.data ? words.data : "");
    out->failed |= words.failed;
    text_free(&words);
}

static void file_system(struct text *out, const struct report *r)
{
    struct text words = {0};
    char total[UNITS_TEXT], free_text[UNITS_TEXT];
    const char *type = report_environment_get(r, "file_system");
    const char *mount = report_environment_get(r, "file_system_mount");
    const char *source = report_environment_get(r, "file_system_source");
    double all = recorded(r, "file_system_bytes");
    double available = recorded(r, "file_system_available_bytes");
    if (!type)
        return;
    text_add(&words, "%s", type);
    if (mount)
        text_add(&words, " on %s", mount);
    if (source)
        text_add(&words, " (%s)", source);
    if (!isnan(all) && !isnan(available))
        text_add(&words, ", %s of %s free", units_size(free_text, available),
                 units_size(total, all));
    text_line(out, "file system", words.data ? words.data : "");
    out->failed |= words.failed;
    text_free(&words);
}

/* Where MPI runs: which, and whether it knows of threads. */
static void mpi(struct text *out, const struct report *r)
{
    struct text words = {0};
    const char *name = report_environment_get(r, "mpi");
    const char *threads = report_environment_get(r, "mpi_threads");
    if (!name || !threads)
        return;
    text_add(&words, "%s, threads: %s", name, threads);
    text_line(out, "MPI", words.data ? words.data : "");
    out->failed |= words.failed;
    text_free(&words);
}

void text_plan(struct text *out, const struct report *r, const struct test_result *t)
{
    struct plan plan;
    if (t->ranks == 0 || plan_make(&plan, r->settings, t->ranks, NULL))
        return;
    if (plan.workload == WORKLOAD_METADATA) {
        text_items(out, &plan);
    } else if (plan.workload == WORKLOAD_CHECKPOINT) {
        text_steps(out, &plan);
    } else {
        files(out, &plan);
        sizes(out, &plan);
    }
    if (plan.workload != WORKLOAD_CHECKPOINT || !plan.checkpoint.restart)
        manner(out, &plan);
    if (plan.repetitions > 1) {
        char count[UNITS_TEXT];
        text_line(out, "repetitions", units_number(count, (double)plan.repetitions));
    }
}

void text_set_up(struct text *out, const struct report *r, const struct test_result *t)
{
    if (r->tests_used > 1)
        text_line(out, "test", t->name);
    text_line(out, "backend", t->backend);
    ranks(out, t);
    mpi(out, r);
    if (t->nodes > 1 && report_environment_get(r, "hosts"))
        text_line(out, "hosts", report_environment_get(r, "hosts"));
    host(out, r, t);
    file_system(out, r);
    text_plan(out, r, t);
}
