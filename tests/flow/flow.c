#include "tests/flow/flow.h"

#include "judge/spread.h"
#include "run/run.h"
#include "run/world.h"

#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#undef run_test /* an old name of cmocka's; here it is run/run.h's */

#define WORDS_MOST 64

char *flow_folder(char *buf)
{
    const char *under = getenv("TMPDIR");
    snprintf(buf, 128, "%s/pario-flow-XXXXXX", under ? under : "/tmp");
    assert_non_null(mkdtemp(buf));
    return buf;
}

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *ftw)
{
    (void)s, (void)flag, (void)ftw;
    return remove(path);
}

void flow_clean(const char *folder)
{
    assert_int_equal(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* What all ranks of a run share. */
struct shared {
    struct flow *flow;
    const struct backend *backend;
    const void *backend_options;
    const char *workload;
};

static void take_test(void *context, const struct test_result *test, const struct plan *plan)
{
    (void)context, (void)test, (void)plan;
}

static void take_phase(void *context, struct test_result *test, struct phase_result *finished,
                       const struct plan *plan)
{
    struct flow *f = context;
    struct error e = error_none();
    (void)plan;
    struct phase_result *p = test_phase(test, &e);
    if (!p) {
        f->wrong_rows++;
        phase_result_free(finished);
        return;
    }
    *p = *finished;
    struct spread_ranks ranks = {
        .per_s = p->rank_rates, .n = p->rank_rates_used, .bytes = p->counters[COUNTER_BYTES] > 0};
    if (spread_of(&p->spread, &ranks, &e))
        f->wrong_rows++;
}

static void one_rank(void *context, struct comm *comm)
{
    struct shared *shared = context;
    struct flow *f = shared->flow;
    struct phase_end end = {.worst = error_none()};
    struct run_job job = {.settings = &f->command.tests[0].settings,
                          .backend = shared->backend,
                          .backend_options = shared->backend_options,
                          .workload = shared->workload,
                          .report = &f->report,
                          .sink = {.context = f, .test = take_test, .phase = take_phase}};
    enum status status = run_test(&job, comm, &end);
    if (comm->rank == 0) {
        f->status = status;
        f->worst = end.worst;
    }
}

static size_t collect_groups(struct option_group *groups)
{
    size_t n = 0;
    for (const struct backend *const *b = backend_table; *b; b++) {
        assert_true(n < FLOW_GROUPS);
        groups[n++] = (struct option_group){.prefix = (*b)->name,
                                            .sentence = (*b)->sentence,
                                            .table = (*b)->options,
                                            .bytes = (*b)->options_bytes,
                                            .unavailable = (*b)->unavailable};
    }
    return n;
}

static void parse(struct flow *f, const char *words)
{
    struct error e = error_none();
    char name[] = "pario", *argv[WORDS_MOST] = {name}, *rest, *copy = strdup(words);
    int argc = 1;
    for (char *w = strtok_r(copy, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
        assert_true(argc < WORDS_MOST - 1);
        argv[argc++] = w;
    }
    int failed = cli_parse(&f->command, argc, argv, &f->parts, &e);
    free(copy);
    if (failed)
        fail_msg("%s: %s", words, e.text);
}

void flow_run(struct flow *f, const char *words)
{
    struct error e = error_none();
    *f = (struct flow){.worst = error_none()};
    f->parts = (struct cli_parts){.version = "0", .workloads = workload_table, .groups = f->groups};
    f->parts.group_count = collect_groups(f->groups);
    parse(f, words);
    struct cli_test *test = &f->command.tests[0];
    struct shared shared = {
        .flow = f, .backend = backend_find(test->settings.api), .workload = workload_table->name};
    for (size_t i = 0; i < f->parts.group_count; i++)
        if (backend_table[i] == shared.backend)
            shared.backend_options = test->groups[i].values;
    for (const struct workload *w = workload_table; w->name; w++)
        if (w->bit == test->settings.workload)
            shared.workload = w->name;
    struct world_job job = {.kind = WORLD_THREADS,
                            .threads = (uint64_t)test->settings.threads,
                            .clock = (enum clock_choice)test->settings.clock,
                            .rank = one_rank,
                            .context = &shared};
    assert_true(job.threads > 0);
    if (world_run(&job, &e))
        fail_msg("%s: %s", words, e.text);
    assert_int_equal(f->wrong_rows, 0);
}

void flow_run_in(struct flow *f, const char *folder, const char *words)
{
    char line[1024];
    size_t used = 0;
    for (const char *c = words; *c && used < sizeof line - 1; c++)
        used += (size_t)(*c == '%' ? snprintf(line + used, sizeof line - used, "%s", folder)
                                   : snprintf(line + used, sizeof line - used, "%c", *c));
    assert_true(used < sizeof line - 1);
    flow_run(f, line);
}

void flow_free(struct flow *f)
{
    report_free(&f->report);
    command_free(&f->command);
}

const struct phase_result *flow_phase(const struct flow *f, const char *name, uint64_t repetition)
{
    assert_int_equal(f->report.tests_used, 1);
    const struct test_result *t = &f->report.tests[0];
    for (size_t i = 0; i < t->phases_used; i++)
        if (strcmp(t->phases[i].phase, name) == 0 && t->phases[i].repetition == repetition)
            return &t->phases[i];
    fail_msg("no result of phase %s", name);
    return NULL;
}

double flow_value(const struct phase_result *p, const char *key)
{
    const struct metric *m = metric_find(key);
    if (!m)
        fail_msg("no column %s", key);
    return metric_value(m, p);
}

void flow_is(const struct phase_result *p, const char *key, double expected)
{
    double value = flow_value(p, key);
    if (!(value == expected) && !(isnan(value) && isnan(expected)))
        fail_msg("%s of %s is %.17g and should be %.17g", key, p->phase, value, expected);
}

bool flow_near(double value, double expected)
{
    return fabs(value - expected) <= expected / 128;
}
