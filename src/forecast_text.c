/* A plan as text, in the manner of a run's own. */
#include "forecast_parts.h"

#include "base/units.h"
#include "formats/text_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

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

static void say_files(const struct forecast *f, struct text *out)
{
    const struct plan *p = &f->plan;
    char path[4200], size[UNITS_TEXT];
    units_size(size, (double)p->file_bytes);
    line(out, "file size", "%s (%" PRIu64 " bytes)%s", size, p->file_bytes,
         p->files > 1 ? " each" : "");
    if (p->files > 1 && plan_path(p, p->files - 1, path, sizeof path) == 0)
        line(out, "last file", "%.900s", path);
    if (p->multi_file)
        line(out, "repetitions", "%" PRIu64 ", each with files of its own%s", p->repetitions,
             p->keep ? ", which are kept" : "");
}

static void say_offsets(const struct forecast *f, struct text *out)
{
    const struct plan *p = &f->plan;
    uint64_t last = p->file_bytes - p->transfer_bytes;
    if (p->order == ORDER_DRAWN)
        line(out, "offsets", "drawn from 0 to %" PRIu64 ": some places are met again, others never",
             last);
    else
        line(out, "offsets", "0 to %" PRIu64 ", each once in a phase, by one rank%s", last,
             p->deadline_ns || p->transfers_most < p->transfers_per_rank ? ", as far as it gets"
                                                                         : "");
}

static void say_memory(const struct forecast *f, struct text *out)
{
    char buffers[UNITS_TEXT], bytes[UNITS_TEXT], memory[UNITS_TEXT];
    uint64_t rank = forecast_buffers(f);
    uint64_t per_node = (uint64_t)f->settings->plan_per_node;
    line(out, "memory", "%s of buffers and at most 4 MiB more per rank",
         units_size(buffers, (double)rank));
    if (!per_node)
        return;
    double data = (double)f->phase_bytes / (double)f->plan.ranks * (double)per_node;
    line(out, "a node", "%" PRIu64 " ranks, %s of memory for them, %s of data a phase", per_node,
         units_size(memory, (double)(rank + FORECAST_RANK_BYTES) * (double)per_node),
         units_size(bytes, data));
    if (f->settings->plan_memory)
        line(out, "", "data is %.3g x its memory of %s", data / (double)f->settings->plan_memory,
             units_size(memory, (double)f->settings->plan_memory));
}

static void say_phases(const struct forecast *f, struct text *out)
{
    char bytes[UNITS_TEXT], time[UNITS_TEXT];
    struct text words = {0};
    for (unsigned i = 0; i < f->phases_used; i++) {
        const struct forecast_phase *p = &f->phases[i];
        text_clear(&words);
        if (p->operations != FORECAST_UNKNOWN)
            text_add(&words, ", %s%" PRIu64 " operation%s", f->plan.deadline_ns ? "at most " : "",
                     p->operations, p->operations == 1 ? "" : "s");
        if (p->bytes != FORECAST_UNKNOWN && p->bytes > 0)
            text_add(&words, ", %s", units_size(bytes, (double)p->bytes));
        if (p->bytes == FORECAST_UNKNOWN)
            text_add(&words, ", as much as the deadline lets through");
        if (p->seconds > 0)
            text_add(&words, ", %s", units_time(time, p->seconds * 1e9));
        line(out, i ? "" : "phases", "%s%s: %s", p->name,
             p->phase->about == OP_READ && f->plan.check_read ? " (compared)" : "",
             words.used > 2 ? words.data + 2 : "nothing to do");
    }
    text_free(&words);
}

static void say_time(const struct forecast *f, struct text *out)
{
    char all[UNITS_TEXT], rate[UNITS_TEXT];
    const char *by = "by the deadline";
    bool items = f->plan.workload == WORKLOAD_METADATA;
    double seconds = forecast_seconds(f);
    if (seconds <= 0) {
        line(out, "time", "not known without a rate: give one with --assume %s",
             items ? "20000/s" : "10GiB/s");
        return;
    }
    if (f->rate > 0)
        by = items ? units_number(rate, f->rate) : units_rate(rate, f->rate);
    line(out, "time", "%s%s%s: %s in all, of %" PRIu64 " repetition%s", f->rate > 0 ? "at " : "",
         by, f->rate > 0 && items ? " operations/s" : "", units_time(all, seconds * 1e9),
         f->plan.repetitions, f->plan.repetitions == 1 ? "" : "s");
}

/* Sizes of a model's files, a kind each. */
static void say_kinds(const struct forecast *f, struct text *out)
{
    const struct checkpoint_layout *l = &f->plan.checkpoint.layout;
    struct model_kind kinds[MODEL_KINDS];
    if (l->model == CHECKPOINT_NO_MODEL)
        return;
    const struct checkpoint_model *m = &checkpoint_model_table[l->model];
    unsigned n = model_kinds(m, l->writers, kinds);
    for (unsigned i = 0; i < n; i++)
        line(out, i ? "" : "of them", "%" PRIu64 " of %" PRIu64 " bytes%s", kinds[i].files,
             kinds[i].bytes, l->scale_ppb == 1000000000 ? "" : ", before --scale");
    line(out, "", "divided among %" PRIu64 " ranks (%.4g parameters)", l->writers,
         (double)model_parameters(m));
}

static void say_checkpoint(const struct forecast *f, struct text *out)
{
    const struct checkpoint_plan *c = &f->plan.checkpoint;
    char size[UNITS_TEXT], path[4200];
    text_steps(out, &f->plan);
    line(out, "largest file", "%s (%" PRIu64 " bytes)",
         units_size(size, (double)layout_largest(&c->layout)), layout_largest(&c->layout));
    say_kinds(f, out);
    if (plan_path(&f->plan, checkpoint_file(1, 0), path, sizeof path) == 0)
        line(out, "first file", "%.900s", path);
    if (f->phases_used > 0 && f->phases[0].seconds > 0)
        line(out, "time", "%s a checkpoint at the rate assumed",
             units_time(size, f->phases[0].seconds * 1e9));
}

static void say_metadata(const struct forecast *f, struct text *out)
{
    const struct metadata_plan *m = &f->plan.metadata;
    char path[4200];
    text_items(out, &f->plan);
    uint64_t last = metadata_object(m, m->files ? OBJECT_FILE : OBJECT_DIRECTORY, m->ranks - 1,
                                    m->items > 0 ? m->items - 1 : 0);
    if (m->items > 0 && metadata_path(m, last, path, sizeof path) == 0)
        line(out, "last item", "%.900s", path);
}

static void say_room(const struct forecast *f, struct text *out)
{
    char size[UNITS_TEXT];
    bool beyond = f->stored_bytes == UINT64_MAX; /* where the sum stops */
    if (f->plan.write || f->plan.workload != WORKLOAD_BULK)
        line(out, "room", "%s and %" PRIu64 " inode%s%s",
             beyond ? "more than 16 EiB" : units_size(size, (double)f->stored_bytes), f->inodes,
             f->inodes == 1 ? "" : "s", beyond ? "" : " at the most");
}

void forecast_text(const struct forecast *f, struct text *out)
{
    char size[UNITS_TEXT];
    const struct test_result *t = &f->report.tests[0];
    text_line(out, "backend", t->backend);
    if (f->settings->plan_per_node)
        line(out, "ranks", "%" PRIu64 " on %" PRIu32 " node%s", t->ranks, t->nodes,
             t->nodes == 1 ? "" : "s");
    else
        line(out, "ranks", "%" PRIu64 ", on nodes of which nothing is known", t->ranks);
    if (f->plan.workload == WORKLOAD_CHECKPOINT) {
        say_checkpoint(f, out);
    } else if (f->plan.workload == WORKLOAD_METADATA) {
        say_metadata(f, out);
    } else {
        text_plan(out, &f->report, t);
        say_files(f, out);
        say_offsets(f, out);
        if (f->plan.workload == WORKLOAD_RANDOM)
            line(out, "beforehand", "the file is laid out where it is not there, untimed: %s",
                 units_size(size, (double)f->stored_bytes));
    }
    if (f->plan.workload != WORKLOAD_CHECKPOINT)
        say_phases(f, out);
    say_room(f, out);
    say_memory(f, out);
    if (f->plan.workload != WORKLOAD_CHECKPOINT)
        say_time(f, out);
    text_warnings(out, t);
}
