/* The plan is pure: for any number of ranks it is made and looked at here as it would be by each of
 * them. Warnings are those of the run's own rules, asked about phases that went as assumed. */
#include "forecast.h"

#include "base/units.h"
#include "forecast_parts.h"
#include "formats/json_value.h"
#include "judge/verdicts.h"
#include "output.h"
#include "session_check.h"
#include "version.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int refuse_rate(struct error *e, const char *why, const char *example)
{
    return error_set(e, STATUS_USAGE, "usage", "option --assume: %s; here a rate is as in %s", why,
                     example);
}

/* "10GiB/s", "10g"; of a metadata run "20000/s", "20k". */
static int parse_rate(const char *text, bool items, double *rate, struct error *e)
{
    char number[64];
    struct error why = error_none();
    const char *example = items ? "20000/s: operations" : "10GiB/s: a size per second";
    size_t n = strlen(text);
    if (n > 2 && strcmp(text + n - 2, "/s") == 0)
        n -= 2;
    if (n >= sizeof number)
        n = sizeof number - 1;
    memcpy(number, text, n);
    number[n] = '\0';
    uint64_t bytes = 0;
    int failed = items ? units_parse_number(number, rate, &why)
                       : units_parse_size(number, &bytes, NULL, &why);
    if (failed)
        return refuse_rate(e, why.text, example);
    if (!items)
        *rate = (double)bytes;
    return *rate > 0 ? 0 : refuse_rate(e, "at a rate of 0 nothing would ever end", example);
}

static int check(const struct forecast *f, struct error *e)
{
    const struct settings *s = f->settings;
    if (!(f->plan.workload & (WORKLOAD_TRANSFERS | WORKLOAD_METADATA)))
        return error_set(e, STATUS_USAGE, "usage",
                         "plan: only the workloads bulk, random, checkpoint and metadata can be "
                         "planned");
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

static void judge(struct forecast *f, struct test_result *t, const struct world *world,
                  const struct forecast_phase *p)
{
    struct error ignored = error_none();
    struct phase_result *r = test_phase(t, &ignored);
    if (!r)
        return;
    bool known = p->operations != FORECAST_UNKNOWN;
    uint64_t operations = known ? p->operations : f->plan.transfers_per_rank * f->plan.ranks;
    text_copy(r->phase, sizeof r->phase, p->name);
    r->about = p->phase->about;
    r->ranks = f->plan.ranks;
    r->synced = f->plan.fsync || f->plan.fsync_each;
    r->counters[COUNTER_BYTES] = p->bytes == FORECAST_UNKNOWN ? f->phase_bytes : p->bytes;
    r->counters[COUNTER_OPERATIONS] = r->counters[COUNTER_PLANNED] = operations;
    r->counters[COUNTER_OPERATIONS_MIN] = r->counters[COUNTER_OPERATIONS_MAX] =
        operations / f->plan.ranks;
    double ns = p->seconds * 1e9;
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

static void judge_all(struct forecast *f, struct test_result *t)
{
    const struct plan *p = &f->plan;
    uint64_t per_node = (uint64_t)f->settings->plan_per_node;
    struct world world = {
        .memory_bytes = f->settings->plan_memory,
        .most_per_node = t->most_per_node,
        .nodes = t->nodes,
        .same_node_read = meets(p, per_node),
        .direct = p->direct,
        .fs_used = NAN,
        .inodes_used = NAN,
    };
    for (unsigned i = 0; i < f->phases_used && p->workload & WORKLOAD_DATA; i++)
        judge(f, t, &world, &f->phases[i]);
}

/* What a run would know from a file and from its nodes. */
static int plan_checkpoint(struct forecast *f, uint64_t per_node, struct error *e)
{
    struct checkpoint_plan *c = &f->plan.checkpoint;
    if (f->plan.workload != WORKLOAD_CHECKPOINT)
        return 0;
    if (c->tensor_list && tensor_list_load(&f->tensors, c, e))
        return -1;
    if (c->layout.shape == CHECKPOINT_GROUPS && c->group == 0 && per_node)
        checkpoint_plan_group(c, per_node);
    f->plan.files = c->files;
    f->plan.total_bytes = c->bytes;
    f->plan.file_bytes = layout_largest(&c->layout);
    return 0;
}

static int make(struct forecast *f, const struct cli_test *test, const struct launcher *launcher,
                struct error *e)
{
    const struct settings *s = &test->settings;
    uint64_t per_node = (uint64_t)s->plan_per_node;
    uint64_t ranks = s->plan_ranks > 0    ? (uint64_t)s->plan_ranks
                     : s->threads > 0     ? (uint64_t)s->threads
                     : launcher->size > 0 ? (uint64_t)launcher->size
                                          : 1;
    f->settings = f->report.settings = s;
    if (session_check_plan(test, ranks, &f->plan, e) || check(f, e))
        return -1;
    if (plan_checkpoint(f, per_node, e))
        return -1;
    if (f->plan.workload == WORKLOAD_METADATA)
        f->plan.transfers_most = UINT64_MAX;
    if (s->plan_rate &&
        parse_rate(s->plan_rate, f->plan.workload == WORKLOAD_METADATA, &f->rate, e))
        return -1;
    forecast_count(f);
    struct test_result *t = report_test(&f->report, e);
    if (!t)
        return -1;
    text_copy(t->name, sizeof t->name, session_workload(test)->name);
    text_copy(t->workload, sizeof t->workload, session_workload(test)->name);
    text_copy(t->backend, sizeof t->backend, s->api);
    t->ranks = f->plan.ranks;
    t->nodes = per_node ? (uint32_t)((f->plan.ranks + per_node - 1) / per_node) : 1;
    t->most_per_node = per_node ? per_node : f->plan.ranks;
    judge_all(f, t);
    return 0;
}

/* The options of a run, planned as they stand: what would hold its results is left alone. */
static void note_results(const struct settings *s)
{
    const char *option = s->csv ? "csv" : s->per_rank ? "per-rank" : NULL;
    if (option)
        fprintf(stderr, "pario: note: --%s: a plan has no results, and nothing is written there\n",
                option);
}

static int write_document(const char *file, json_t *tests, struct text *out, struct error *e)
{
    json_t *document = json_object();
    json_put(out, document, "schema", json_string("pario-plan/1"));
    json_put(out, document, "program.name", json_string("pario"));
    json_put(out, document, "program.version", json_string(PARIO_VERSION));
    json_put(out, document, "tests", tests);
    json_write(out, document);
    text_add(out, "\n");
    return output_write_file(file, out, e);
}

enum status forecast(const struct command *command, const struct launcher *launcher,
                     struct error *e)
{
    const char *file = command->tests[0].settings.json;
    bool quiet = file && strcmp(file, "-") == 0;
    struct text out = {0}, document = {0};
    json_t *tests = json_array();
    int failed = file ? output_check_file("json", file, e) : 0;
    note_results(&command->tests[0].settings);
    for (size_t i = 0; i < command->test_count && !failed; i++) {
        struct forecast f = {.settings = NULL};
        text_add(&out, "%sPlan: nothing is run, and nothing touched\n", i ? "\n" : "");
        failed = make(&f, &command->tests[i], launcher, e);
        if (!failed) {
            forecast_text(&f, &out);
            json_push(&document, tests, forecast_json(&f, &document));
        }
        report_free(&f.report);
        tensor_list_free(&f.tensors);
    }
    if (!failed && !quiet)
        failed = output_write_file("-", &out, e);
    if (!failed && file)
        failed = write_document(file, json_incref(tests), &document, e);
    json_decref(tests);
    text_free(&out);
    text_free(&document);
    return failed ? e->status : STATUS_DONE;
}
