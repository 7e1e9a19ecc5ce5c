/* The plan is pure: for any number of ranks it is made and looked at here as it would be by each of
 * them. Warnings are those of the run's own rules, asked about phases that went as assumed. */
#include "forecast.h"

#include "base/units.h"
#include "formats/text_parts.h"
#include "judge/verdicts.h"
#include "session_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of a rank, beside its transfer buffers: pool, histograms, timeline. */
#define RANK_BYTES (UINT64_C(4) << 20)

struct forecast {
    const struct settings *settings;
    struct plan plan;
    struct report report;
    uint64_t operations;  /* of a phase, all ranks */
    uint64_t phase_bytes; /* likewise */
    uint64_t rate;        /* assumed, bytes / s; 0: none */
    struct text out;
};

/* "10GiB/s", "10g". */
static int parse_rate(const char *text, uint64_t *bytes_per_s, struct error *e)
{
    char size[64];
    struct error why = error_none();
    size_t n = strlen(text);
    if (n > 2 && strcmp(text + n - 2, "/s") == 0)
        n -= 2;
    if (n >= sizeof size)
        n = sizeof size - 1;
    memcpy(size, text, n);
    size[n] = '\0';
    if (units_parse_size(size, bytes_per_s, NULL, &why))
        return error_set(e, STATUS_USAGE, "usage",
                         "option --assume: %s; a rate is a size per second, as in 10GiB/s",
                         why.text);
    if (*bytes_per_s == 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --assume: at a rate of 0 nothing would ever end");
    return 0;
}

static int check(const struct forecast *f, struct error *e)
{
    const struct settings *s = f->settings;
    const char *document = s->json ? "json" : s->csv ? "csv" : s->per_rank ? "per-rank" : NULL;
    if (document)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --%s: a plan has no results, it is a text for people", document);
    if (!(f->plan.workload & WORKLOAD_TRANSFERS))
        return error_set(e, STATUS_USAGE, "usage",
                         "plan: only the workloads bulk, random and checkpoint can be planned");
    if ((uint64_t)s->plan_per_node > f->plan.ranks)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --ranks-per-node %" PRId64 ": there are only %" PRIu64
                         " ranks in all",
                         s->plan_per_node, f->plan.ranks);
    if (s->plan_memory && !s->plan_per_node)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --node-memory: how many ranks share it? Give --ranks-per-node");
    return 0;
}

static void line(struct text *out, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void line(struct text *out, const char *label, const char *format, ...)
{
    char words[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    text_line(out, label, words);
}

static void say_files(struct forecast *f)
{
    const struct plan *p = &f->plan;
    char path[4200], size[UNITS_TEXT];
    units_size(size, (double)p->file_bytes);
    line(&f->out, "file size", "%s (%" PRIu64 " bytes)%s", size, p->file_bytes,
         p->files > 1 ? " each" : "");
    if (p->files > 1 && plan_path(p, p->files - 1, path, sizeof path) == 0)
        line(&f->out, "last file", "%.900s", path);
    if (p->multi_file)
        line(&f->out, "repetitions", "%" PRIu64 ", each with files of its own%s", p->repetitions,
             p->keep ? ", which are kept" : "");
}

static void say_offsets(struct forecast *f)
{
    const struct plan *p = &f->plan;
    uint64_t last = p->file_bytes - p->transfer_bytes;
    if (p->order == ORDER_DRAWN)
        line(&f->out, "offsets",
             "drawn from 0 to %" PRIu64 ": some places are met again, others never", last);
    else
        line(&f->out, "offsets", "0 to %" PRIu64 ", each once in a phase, by one rank%s", last,
             p->deadline_ns || p->transfers_most < p->transfers_per_rank ? ", as far as it gets"
                                                                         : "");
}

static void say_phases(struct forecast *f)
{
    const struct plan *p = &f->plan;
    char bytes[UNITS_TEXT];
    line(&f->out, "phases", "%s%s%s%s%s, %" PRIu64 " repetition%s", p->write ? "write" : "",
         p->write && (p->check_write || p->read) ? ", " : "",
         p->check_write ? p->read ? "write-check, " : "write-check" : "", p->read ? "read" : "",
         p->check_read ? " (compared)" : "", p->repetitions, p->repetitions == 1 ? "" : "s");
    line(&f->out, "a phase", "at most %" PRIu64 " operations, %s", f->operations,
         units_size(bytes, (double)f->phase_bytes));
}

static void say_memory(struct forecast *f)
{
    const struct plan *p = &f->plan;
    char buffers[UNITS_TEXT], bytes[UNITS_TEXT], memory[UNITS_TEXT];
    uint64_t rank = plan_times(p->depth, p->transfer_bytes);
    uint64_t per_node = (uint64_t)f->settings->plan_per_node;
    line(&f->out, "memory", "%s of buffers and at most 4 MiB more per rank",
         units_size(buffers, (double)rank));
    if (!per_node)
        return;
    double data = (double)f->phase_bytes / (double)p->ranks * (double)per_node;
    line(&f->out, "a node", "%" PRIu64 " ranks, %s of memory for them, %s of data a phase",
         per_node, units_size(memory, (double)(rank + RANK_BYTES) * (double)per_node),
         units_size(bytes, data));
    if (f->settings->plan_memory)
        line(&f->out, "", "data is %.3g x its memory of %s",
             data / (double)f->settings->plan_memory,
             units_size(memory, (double)f->settings->plan_memory));
}

/* Of one phase; 0: not known. */
static double estimate_s(const struct forecast *f)
{
    double seconds = f->rate ? (double)f->phase_bytes / (double)f->rate : 0;
    double deadline = (double)f->plan.deadline_ns / 1e9;
    bool loops = f->plan.access.loops;
    if (deadline > 0 && !f->plan.wear_out && (seconds > deadline || seconds <= 0 || loops))
        return deadline;
    return seconds;
}

static void say_time(struct forecast *f)
{
    const struct plan *p = &f->plan;
    char phase[UNITS_TEXT], all[UNITS_TEXT], rate[UNITS_TEXT];
    double seconds = estimate_s(f);
    uint64_t phases = (p->write + (uint64_t)p->check_write + p->read) * p->repetitions;
    if (seconds <= 0) {
        text_line(&f->out, "time", "not known without a rate: give one with --assume 10GiB/s");
        return;
    }
    units_rate(rate, (double)f->rate);
    line(&f->out, "time", "%s%s: %s a phase, %s in all", f->rate ? "at " : "by the deadline",
         f->rate ? rate : "", units_time(phase, seconds * 1e9),
         units_time(all, seconds * (double)phases * 1e9 + (double)p->delay_ns * (double)phases));
}

/* Sizes of a model's files, a kind each. */
static void say_kinds(struct forecast *f)
{
    const struct checkpoint_layout *l = &f->plan.checkpoint.layout;
    struct model_kind kinds[MODEL_KINDS];
    if (l->model == CHECKPOINT_NO_MODEL)
        return;
    const struct checkpoint_model *m = &checkpoint_model_table[l->model];
    unsigned n = model_kinds(m, l->writers, kinds);
    for (unsigned i = 0; i < n; i++)
        line(&f->out, i ? "" : "of them", "%" PRIu64 " of %" PRIu64 " bytes%s", kinds[i].files,
             kinds[i].bytes, l->scale_ppb == 1000000000 ? "" : ", before --scale");
    line(&f->out, "", "divided among %" PRIu64 " ranks (%.4g parameters)", l->writers,
         (double)model_parameters(m));
}

static void say_checkpoint(struct forecast *f)
{
    const struct checkpoint_plan *c = &f->plan.checkpoint;
    char size[UNITS_TEXT], path[4200];
    uint64_t bytes, files;
    f->phase_bytes = c->bytes;
    checkpoint_plan_most(c, &bytes, &files);
    line(&f->out, "checkpoint", "%s (%" PRIu64 " bytes) in %" PRIu64 " file%s",
         units_size(size, (double)c->bytes), c->bytes, c->files, c->files == 1 ? "" : "s");
    line(&f->out, "largest file", "%s (%" PRIu64 " bytes)",
         units_size(size, (double)layout_largest(&c->layout)), layout_largest(&c->layout));
    say_kinds(f);
    if (plan_path(&f->plan, checkpoint_file(1, 0), path, sizeof path) == 0)
        line(&f->out, "first file", "%.900s", path);
    line(&f->out, "steps", "%" PRIu64 ", of which %" PRIu64 " stay", c->steps,
         c->steps < c->retain ? c->steps : c->retain);
    line(&f->out, "room", "%s and %" PRIu64 " inodes at the most", units_size(size, (double)bytes),
         files);
    say_memory(f);
    if (f->rate)
        line(&f->out, "time", "%s a checkpoint at the rate assumed",
             units_time(size, estimate_s(f) * 1e9));
}

static void judge(struct forecast *f, struct test_result *t, const struct world *world,
                  const char *name, enum op_kind about)
{
    struct error ignored = error_none();
    struct phase_result *r = test_phase(t, &ignored);
    if (!r)
        return;
    text_copy(r->phase, sizeof r->phase, name);
    r->about = about;
    r->ranks = f->plan.ranks;
    r->synced = f->plan.fsync || f->plan.fsync_each;
    r->counters[COUNTER_BYTES] = f->phase_bytes;
    r->counters[COUNTER_OPERATIONS] = r->counters[COUNTER_PLANNED] = f->operations;
    r->counters[COUNTER_OPERATIONS_MIN] = r->counters[COUNTER_OPERATIONS_MAX] =
        f->operations / f->plan.ranks;
    double ns = estimate_s(f) * 1e9;
    r->elapsed_ns = ns < 1e18 ? (uint64_t)ns : UINT64_C(1000000000000000000);
    r->counters[COUNTER_ELAPSED_NS] = r->elapsed_ns;
    verdicts_phase(r, &f->plan, world);
}

/* Some reader is on its writer's node; ranks lie node by node, as far as is known. */
static bool meets(const struct plan *p, uint64_t per_node)
{
    struct topology t;
    struct error ignored = error_none();
    if (per_node == 0 || topology_regular(&t, p->ranks, per_node, false, &ignored))
        return false;
    struct reorder r = reorder_make(p->reorder, &t, p->reorder_offset, 0);
    bool met = reorder_meets(&r);
    topology_free(&t);
    return met;
}

static void say_warnings(struct forecast *f, struct test_result *t)
{
    const struct plan *p = &f->plan;
    uint64_t per_node = (uint64_t)f->settings->plan_per_node;
    struct world world = {
        .memory_bytes = f->settings->plan_memory,
        .most_per_node = per_node ? per_node : p->ranks,
        .nodes = per_node ? (uint32_t)((p->ranks + per_node - 1) / per_node) : 1,
        .same_node_read = meets(p, per_node),
        .direct = p->direct,
        .fs_used = NAN,
        .inodes_used = NAN,
    };
    if (p->write)
        judge(f, t, &world, "write", OP_WRITE);
    if (p->check_write)
        judge(f, t, &world, "write-check", OP_READ);
    if (p->read)
        judge(f, t, &world, "read", OP_READ);
    text_warnings(&f->out, t);
}

static void count(struct forecast *f)
{
    const struct plan *p = &f->plan;
    uint64_t each = p->transfers_per_rank;
    if (p->transfers_most < each)
        each = p->transfers_most;
    f->operations = plan_times(p->ranks, each);
    f->phase_bytes = p->sizes.used ? p->total_bytes : plan_times(f->operations, p->transfer_bytes);
}

static int say(struct forecast *f, const struct cli_test *test, struct error *e)
{
    uint64_t per_node = (uint64_t)test->settings.plan_per_node;
    f->report.settings = &test->settings;
    struct test_result *t = report_test(&f->report, e);
    if (!t)
        return -1;
    text_copy(t->name, sizeof t->name, session_workload(test)->name);
    text_copy(t->backend, sizeof t->backend, test->settings.api);
    t->ranks = f->plan.ranks;
    t->nodes = per_node ? (uint32_t)((f->plan.ranks + per_node - 1) / per_node) : 1;
    t->most_per_node = per_node ? per_node : f->plan.ranks;
    text_line(&f->out, "backend", t->backend);
    if (per_node)
        line(&f->out, "ranks", "%" PRIu64 " on %" PRIu32 " node%s", t->ranks, t->nodes,
             t->nodes == 1 ? "" : "s");
    else
        line(&f->out, "ranks", "%" PRIu64 ", on nodes of which nothing is known", t->ranks);
    if (f->plan.workload == WORKLOAD_CHECKPOINT) {
        say_checkpoint(f);
        return 0;
    }
    text_plan(&f->out, &f->report, t);
    say_files(f);
    say_offsets(f);
    say_phases(f);
    say_memory(f);
    say_time(f);
    say_warnings(f, t);
    return 0;
}

static int forecast_test(struct forecast *f, const struct cli_test *test,
                         const struct launcher *launcher, struct error *e)
{
    const struct settings *s = &test->settings;
    uint64_t ranks = s->plan_ranks > 0    ? (uint64_t)s->plan_ranks
                     : s->threads > 0     ? (uint64_t)s->threads
                     : launcher->size > 0 ? (uint64_t)launcher->size
                                          : 1;
    f->settings = s;
    if (session_check_plan(test, ranks, &f->plan, e) || check(f, e))
        return -1;
    if (s->plan_rate && parse_rate(s->plan_rate, &f->rate, e))
        return -1;
    count(f);
    return say(f, test, e);
}

enum status forecast(const struct command *command, const struct launcher *launcher,
                     struct error *e)
{
    for (size_t i = 0; i < command->test_count; i++) {
        struct forecast f = {.settings = NULL};
        text_add(&f.out, "%sPlan: nothing is run, and nothing touched\n", i ? "\n" : "");
        int failed = forecast_test(&f, &command->tests[i], launcher, e);
        if (!failed && f.out.data)
            fputs(f.out.data, stdout);
        text_free(&f.out);
        report_free(&f.report);
        if (failed)
            return e->status;
    }
    return STATUS_DONE;
}
