#include "fixtures.h"

#include "model/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MIB (1024u * 1024u)
#define MS 1000000u

static void *need(void *p)
{
    if (!p)
        abort();
    return p;
}

/* A few options of each kind, so that new rows of settings.def leave the expected files alone. */
static const struct option few_options[] = {
    {.name = "api", .kind = OPTION_TEXT, .field = offsetof(struct settings, api)},
    {.name = "block", .kind = OPTION_SIZE, .field = offsetof(struct settings, block_bytes)},
    {.name = "fsync", .kind = OPTION_FLAG, .field = offsetof(struct settings, fsync)},
    {.name = "repetitions", .kind = OPTION_COUNT, .field = offsetof(struct settings, repetitions)},
    {.name = "deadline", .kind = OPTION_TIME, .field = offsetof(struct settings, deadline_ns)},
    {.name = "verbose", .kind = OPTION_COUNTER, .field = offsetof(struct settings, verbose)},
    {.name = "clock",
     .kind = OPTION_CHOICE,
     .field = offsetof(struct settings, clock),
     .choices = "auto|monotonic"},
    {.name = "json", .kind = OPTION_TEXT, .field = offsetof(struct settings, json)},
    {.name = NULL},
};
static const enum origin few_origins[] = {
    ORIGIN_COMMAND_LINE, ORIGIN_COMMAND_LINE, ORIGIN_DEFAULT, ORIGIN_PRESET,
    ORIGIN_FILE,         ORIGIN_COMMAND_LINE, ORIGIN_DEFAULT, ORIGIN_DEFAULT,
};

struct backend_fields {
    double share;
};
static const struct option backend_options[] = {
    {.name = "share", .kind = OPTION_PERCENT, .field = offsetof(struct backend_fields, share)},
    {.name = NULL},
};
static const struct backend_fields backend_values = {.share = 12.5};
static const enum origin backend_origins[] = {ORIGIN_COMMAND_LINE};

static char *const command[] = {(char *)"pario", (char *)"-a", (char *)"posix", (char *)"-b",
                                (char *)"4m",    (char *)"-t", (char *)"128k"};

static struct test_result *add_test(struct report *r, const char *name, uint64_t ranks)
{
    struct test_result *t = need(report_test(r, NULL));
    strcpy(t->name, name);
    strcpy(t->workload, "bulk");
    strcpy(t->backend, "posix");
    t->ranks = ranks;
    t->nodes = ranks > 1 ? 2 : 1;
    t->most_per_node = ranks > 1 ? ranks / 2 : 1;
    return t;
}

static void add_latency(struct phase_result *p, enum op_kind kind, uint64_t n, uint64_t ns)
{
    p->latency[kind] = need(malloc(sizeof *p->latency[kind]));
    histogram_clear(p->latency[kind]);
    for (uint64_t i = 1; i <= n; i++)
        histogram_add(p->latency[kind], ns * i);
}

static void add_timeline(struct phase_result *p)
{
    p->timeline = need(malloc(sizeof *p->timeline));
    timeline_start(p->timeline, 10 * MS);
    for (int i = 0; i < 4; i++)
        timeline_add(p->timeline, i * 10 * (int64_t)MS, 4 * MIB);
}

/* ranks ranks move 4 MiB each in 32 operations: open 1 ms, transfers 20 ms, close 1 ms; the last
 * rank takes 18 ms longer. */
static struct phase_result *add_phase(struct test_result *t, const char *name, enum op_kind about,
                                      uint64_t repetition)
{
    struct phase_result *p = need(test_phase(t, NULL));
    uint64_t operations = 32 * t->ranks;
    uint64_t tail_ns = t->ranks > 1 ? 18 * MS : 0;
    strcpy(p->phase, name);
    p->about = about;
    p->repetition = repetition;
    p->ranks = t->ranks;
    p->counters[COUNTER_BYTES] = 4 * MIB * t->ranks;
    p->counters[COUNTER_OPERATIONS] = operations;
    p->counters[COUNTER_PLANNED] = operations;
    p->counters[COUNTER_ELAPSED_NS] = 22 * MS + tail_ns;
    p->counters[COUNTER_ELAPSED_MIN_NS] = 22 * MS;
    p->counters[COUNTER_OPERATIONS_MIN] = 32;
    p->counters[COUNTER_OPERATIONS_MAX] = 32;
    p->counters[COUNTER_USER_NS] = MS * t->ranks;
    p->counters[COUNTER_SYSTEM_NS] = 4 * MS * t->ranks;
    p->counters[COUNTER_CPU_MAX_NS] = 5 * MS;
    p->counters[COUNTER_SWITCHES] = 7;
    p->elapsed_ns = 22 * MS + tail_ns + repetition * MS;
    p->stonewall_ns = 22 * MS;
    p->stonewall_bytes = p->counters[COUNTER_BYTES] - (tail_ns ? MIB : 0);
    p->stonewall_operations = operations - (tail_ns ? 8 : 0);
    p->stages[STAGE_OPEN] =
        (struct stage_spread){.max_ns = MS, .median_ns = MS, .min_ns = MS, .sum_ns = MS * t->ranks};
    p->stages[STAGE_TRANSFER] = (struct stage_spread){.max_ns = 20 * MS + tail_ns,
                                                      .median_ns = 20 * MS,
                                                      .min_ns = 20 * MS,
                                                      .sum_ns = 20 * MS * t->ranks + tail_ns,
                                                      .slowest_rank = 3,
                                                      .slowest_host = "node1"};
    p->stages[STAGE_CLOSE] =
        (struct stage_spread){.max_ns = MS, .median_ns = MS, .min_ns = MS, .sum_ns = MS * t->ranks};
    add_latency(p, about, operations, 5000);
    add_latency(p, OP_OPEN, t->ranks, MS);
    add_timeline(p);
    return p;
}

static void add_spread(struct phase_result *p)
{
    p->spread = (struct spread){.ranks = 4,
                                .bytes = true,
                                .min_per_s = 100.0 * MIB,
                                .median_per_s = 181.5 * MIB,
                                .max_per_s = 182.0 * MIB,
                                .sum_per_s = 645.0 * MIB,
                                .cv = 0.253,
                                .slowest_used = 2,
                                .slowest = {{3, "node1", 100.0 * MIB}, {0, "node0", 181.0 * MIB}},
                                .modes.coefficient = NAN};
}

static void fill_bulk(struct report *r, struct settings *s)
{
    s->block_bytes = 4 * MIB;
    s->transfer = (struct sizes){.bytes = 128 * 1024};
    s->fsync = true;
    report_environment(r, "file_system", "ext4", NULL);
    report_environment(r, "file_system_mount", "/scratch", NULL);
    report_environment(r, "file_system_source", "/dev/vda1", NULL);
    report_environment(r, "file_system_bytes", "107374182400", NULL);
    report_environment(r, "file_system_available_bytes", "53687091200", NULL);
    report_environment(r, "host", "node0", NULL);
    report_environment(r, "hosts", "node0 node1", NULL);
    report_environment(r, "cores_node", "16", NULL);
    report_environment(r, "memory_usable_bytes", "68719476736", NULL);
    struct test_result *t = add_test(r, "", 4);
    test_fact(t, "preallocated", "no", NULL);
    struct phase_result *p = add_phase(t, "write", OP_WRITE, 0);
    add_spread(p);
    p->synced = true;
    p->counters[COUNTER_DURABLE_NS] = 38 * MS;
    p->stages[STAGE_SYNC] = (struct stage_spread){
        .max_ns = 8 * MS, .median_ns = 7 * MS, .min_ns = 6 * MS, .sum_ns = 28 * MS};
    phase_warn(
        p, "short-phase", 0.04,
        "the phase took 40.0 ms, less than 1.00 s: start and end weigh heavily, and chance too. "
        "Do more per phase (larger -b or -s).");
    p = add_phase(t, "read", OP_READ, 0);
    add_spread(p);
    strcpy(p->cache_label, "warm");
    p->cached_fraction = 1;
    p->device_bytes = 0;
    p->node_cpu = 0.25;
    p->counters[COUNTER_VERIFIED_BYTES] = p->counters[COUNTER_BYTES];
    phase_warn(p, "short-phase", 0.04, "not shown: a warning is told once");
    phase_warn(p, "cached-reads", 1, "100.0 %% of the data lay in the page cache before the read.");
}

static void fill_repeated(struct report *r, struct settings *s)
{
    s->repetitions = 6;
    s->file_per_process = true;
    struct test_result *t = add_test(r, "", 4);
    for (uint64_t i = 0; i < 6; i++) {
        struct phase_result *p = add_phase(t, "write", OP_WRITE, i);
        add_spread(p);
        p->spread.cv += i == 2 ? 0.1 : 0;
        phase_warn(p, "short-phase", 0.04, "the phase took less than 1.00 s.");
    }
    for (uint64_t i = 0; i < 2; i++)
        add_phase(t, "read", OP_READ, i);
}

/* Nothing that went well: an error, a path of control characters and bytes that are no UTF-8. */
static void fill_failed(struct report *r, struct settings *s)
{
    struct error e = error_none();
    struct test_result *t = add_test(r, "", 1);
    struct phase_result *p = add_phase(t, "write", OP_WRITE, 0);
    error_set(&e, STATUS_FAILED, "ENOSPC", "write 131072 bytes: No space left on device");
    error_place(&e, "dir/\x1b[31mred\n\xff\xc3\xa9,\"end\"", 1048576);
    phase_error(p, &e, 0, "node0", 1);
    (void)s;
    strcpy(t->name, "na\xffme, \"quoted\"");
    p->counters[COUNTER_OPERATIONS] = 8;
    p->counters[COUNTER_BYTES] = MIB;
    p->counters[COUNTER_FAILED] = 1;
    p->counters[COUNTER_FAILED_RANKS] = 1;
    p->cut = CUT_FULL;
    phase_warn(p, "cut-short", 0.25, "stopped by a full file system after 8 of 32 operations.");
    report_warn(r, "leftover", NAN, "a file of this run is still there");
    r->status = STATUS_FAILED;
}

static void fill_empty(struct report *r, struct settings *s)
{
    (void)s;
    r->argc = 0;
    r->started_s = 0;
    r->ended_s = 0;
    r->program = (struct program){0};
    r->settings_table = NULL;
    r->backend_table = NULL;
}

/* 10 EiB, beyond what a signed integer holds; and a phase in which nothing happened at all. */
static void fill_extremes(struct report *r, struct settings *s)
{
    (void)s;
    struct test_result *t = add_test(r, "huge", 1000000);
    struct phase_result *p = add_phase(t, "write", OP_WRITE, 0);
    p->counters[COUNTER_BYTES] = UINT64_C(10) << 60;
    p->counters[COUNTER_OPERATIONS] = UINT64_MAX;
    p->counters[COUNTER_PLANNED] = INT64_MAX;
    p->elapsed_ns = UINT64_C(7) * 86400 * 1000000000;
    t = add_test(r, "nothing", 1);
    p = need(test_phase(t, NULL));
    strcpy(p->phase, "read");
    p->about = OP_READ;
}

const struct fixture fixture_table[] = {
    {"bulk", 0, fill_bulk},           {"verbose", 2, fill_bulk}, {"repeated", 0, fill_repeated},
    {"failed", 0, fill_failed},       {"empty", 0, fill_empty},  {"extremes", 0, fill_extremes},
    {"repeated-v", 1, fill_repeated}, {NULL, 0, NULL},
};

struct fixture_report *fixture_make(const struct fixture *f)
{
    struct fixture_report *r = need(calloc(1, sizeof *r));
    if (option_defaults(settings_table, &r->settings, NULL))
        abort();
    r->settings.workload = WORKLOAD_BULK;
    r->settings.verbose = f->verbose;
    r->report = (struct report){
        .program = {"0.0.0", "0123456789ab", "gcc 12.2.0", "openmpi liburing"},
        .settings = &r->settings,
        .settings_table = few_options,
        .origins = few_origins,
        .backend_table = backend_options,
        .backend_options = &backend_values,
        .backend_origins = backend_origins,
        .backend_prefix = "posix",
        .argc = sizeof command / sizeof *command,
        .argv = command,
        .started_s = 1735732800,
        .ended_s = 1735732860,
    };
    f->fill(&r->report, &r->settings);
    return r;
}

void fixture_free(struct fixture_report *r)
{
    report_free(&r->report);
    option_free(settings_table, &r->settings);
    free(r);
}
