#include "session.h"

#include "backends/backend.h"
#include "formats/format.h"
#include "judge/spread.h"
#include "judge/steady.h"
#include "judge/verdicts.h"
#include "output.h"
#include "output_names.h"
#include "output_rows.h"
#include "run/run.h"
#include "run/world.h"
#include "probe/cache.h"
#include "session_check.h"
#include "session_hosts.h"
#include "session_world.h"
#include "version.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct session {
    const struct command *command;
    const struct backend *backend; /* of the test that runs */
    size_t group;                  /* its place among the groups */
    enum world_kind kind;
    bool speaks; /* this process has rank 0 */
    /* OVER: all is said; only the library has yet to end. A rank that is through with that earlier
     * makes some launchers end the others by signals, which are no reason to say more. */
    _Atomic enum ending { RUNNING, OVER, CUT } ending;
    struct watch *watch;
    pthread_mutex_t lock; /* the report, between rank 0 and the watch */
    struct report report;
    struct session_world world;
    const char **hosts; /* owned: name of each node, or NULL */
    struct output output;
    struct output_rows rows;
    enum status status; /* rank 0's; with MPI every rank's */
};

static void say_error(const struct error *e)
{
    fprintf(stderr, "pario: %s\n", e->text);
}

static void sink_test(void *context, const struct test_result *test, const struct plan *plan)
{
    struct session *s = context;
    struct reorder reorder =
        reorder_make(plan->reorder, s->world.topology, plan->reorder_offset, 0);
    /* Which nodes read what others wrote is known of blocks alone. */
    s->world.facts.same_node_read =
        s->world.files && (plan->workload & WORKLOAD_DATA) && reorder_meets(&reorder);
    s->world.facts.direct_buffered = test->direct_buffered;
    s->world.facts.hollow = test->hollow;
    output_test(&s->output, test);
}

static void name_hosts(const struct session *s, struct phase_result *p)
{
    const struct topology *t = s->world.topology;
    if (!s->hosts)
        return;
    text_copy(p->clock_host, sizeof p->clock_host, s->hosts[topology_node(t, p->clock_rank)]);
    for (int i = 0; i < STAGES; i++)
        if (p->stages[i].max_ns > 0)
            text_copy(p->stages[i].slowest_host, sizeof p->stages[i].slowest_host,
                      s->hosts[topology_node(t, p->stages[i].slowest_rank)]);
}

/* Spread over ranks and verdicts: what the numbers mean. */
static void judge(struct session *s, struct phase_result *phase, const struct plan *plan)
{
    struct error ignored = error_none();
    struct spread_ranks ranks = {.per_s = phase->rank_rates,
                                 .n = phase->rank_rates_used,
                                 .bytes = phase_counts_bytes(phase),
                                 .topology = s->world.topology,
                                 .hosts = s->hosts};
    spread_of(&phase->spread, &ranks, &ignored);
    name_hosts(s, phase);
    if (phase->about == OP_READ && s->world.files)
        text_copy(phase->cache_label, sizeof phase->cache_label,
                  cache_label(phase->cached_fraction, s->world.filesystem.page_cache));
    if (!s->world.files)
        phase->device_bytes = NAN;
    s->world.facts.direct = plan->direct;
    verdicts_phase(phase, plan, &s->world.facts);
}

static void sink_rows(void *context, const struct test_result *test,
                      const struct phase_result *phase, uint64_t first, uint64_t n,
                      const struct rank_row *rows)
{
    struct session *s = context;
    s->rows.topology = s->world.topology;
    s->rows.hosts = s->hosts;
    output_rows_add(&s->rows, test, phase, first, n, rows);
}

static void sink_phase(void *context, struct test_result *test, struct phase_result *finished,
                       const struct plan *plan)
{
    struct session *s = context;
    struct error e = error_none();
    pthread_mutex_lock(&s->lock);
    struct phase_result *phase = test_phase(test, &e);
    if (phase) {
        *phase = *finished;
        judge(s, phase, plan);
        steady_judge(test, phase, plan);
        if (s->report.settings->strict && phase->warnings_used)
            s->status = status_worse(s->status, STATUS_UNMET);
        output_phase(&s->output, test, phase, &e);
    } else {
        phase_result_free(finished);
    }
    if (e.status != STATUS_DONE) {
        say_error(&e);
        s->status = status_worse(s->status, e.status);
    }
    pthread_mutex_unlock(&s->lock);
}

static bool sink_enough(void *context, const struct test_result *test)
{
    (void)context;
    return steady_test(test);
}

/* The report's frame for the test that is about to run. */
static void frame(struct session *s, const struct cli_test *test)
{
    struct report *r = &s->report;
    r->settings = &test->settings;
    r->settings_table = settings_table;
    r->origins = test->origins;
    r->backend_table = s->backend->options;
    r->backend_options = test->groups[s->group].values;
    r->backend_origins = test->groups[s->group].origins;
    r->backend_prefix = s->backend->name;
}

static void say_cut(const struct session *s, enum stop_reason why)
{
    if (why == STOP_SIGNAL)
        fprintf(stderr, "pario: cut short by signal %d (%s)\n", watch_signal(s->watch),
                strsignal(watch_signal(s->watch)));
    else if (why == STOP_FULL)
        fprintf(stderr, "pario: cut short: the file system is full but for what --reserve keeps\n");
    else if (why == STOP_LIMIT)
        fprintf(stderr,
                "pario: cut short: the time is up (--time-limit, or the batch job's end)\n");
}

/* One test on this rank; false ends the run. */
static bool one_test(struct session *s, const struct cli_test *test, struct comm *comm)
{
    struct phase_end end;
    struct run_job job = {
        .settings = &test->settings,
        .backend = s->backend,
        .backend_options = test->groups[s->group].values,
        .workload = session_workload(test)->name,
        .watch = s->watch,
        .terminal = comm->rank == 0 && isatty(STDERR_FILENO) ? stderr : NULL,
        .report = &s->report,
        .sink = {s, sink_test, sink_rows, sink_phase, sink_enough},
    };
    enum status status = run_test(&job, comm, &end);
    if (comm->rank == 0) {
        s->status = status_worse(s->status, status);
        if (end.worst.status != STATUS_DONE)
            say_error(&end.worst);
        else if (status == STATUS_CUT)
            say_cut(s, end.stopped);
    }
    return status == STATUS_DONE;
}

/* Every result has a file of its own, which is none of a test's. */
static int check_names(const struct session *s, struct error *e)
{
    struct output_name names[OUTPUT_DOCUMENTS + 1] = {{"per-rank", s->rows.path}};
    size_t n = 1;
    for (size_t i = 0; i < OUTPUT_DOCUMENTS; i++)
        names[n++] =
            (struct output_name){s->output.documents[i].option, s->output.documents[i].file};
    if (output_names_differ(names, n, e))
        return -1;
    for (size_t i = 0; i < s->command->test_count; i++) {
        const struct settings *t = &s->command->tests[i].settings;
        bool numbered = t->file_per_process || t->multi_file;
        if (t->workload & WORKLOAD_DATA && output_names_spare(names, n, t->file, numbered, e))
            return -1;
    }
    return 0;
}

/* Documents can be written: rank 0 knows, all hear of it. */
static bool open_output(struct session *s, struct comm *comm)
{
    struct error e = error_none();
    uint64_t failed = 0;
    if (comm->rank == 0 && (check_names(s, &e) || output_open(&s->output, &s->report, &e) ||
                            output_rows_open(&s->rows, &e))) {
        say_error(&e);
        s->status = e.status;
        failed = 1;
    }
    comm->ops->broadcast(comm, 0, &failed, sizeof failed);
    return !failed;
}

static void close_output(struct session *s)
{
    struct error e = error_none();
    s->report.status = s->status;
    s->report.ended_s = (int64_t)time(NULL);
    pthread_mutex_lock(&s->lock);
    int failed = output_rows_close(&s->rows, &e);
    if (output_end(&s->output, &e) || failed) {
        say_error(&e);
        s->status = status_worse(s->status, e.status);
    }
    pthread_mutex_unlock(&s->lock);
}

/* Test number i by the ranks that it wants; the others wait. */
static uint64_t take_part(struct session *s, size_t i, struct comm *comm)
{
    const struct cli_test *test = &s->command->tests[i];
    struct error e = error_none();
    struct comm *team = run_team(comm, (uint64_t)test->settings.tasks, &e);
    uint64_t going = e.status == STATUS_DONE;
    if (!going)
        say_error(&e);
    if (comm->rank == 0 && going) {
        s->group = session_backend(test, &s->backend);
        frame(s, test);
        world_look(&s->world, &s->report, s->backend, s->report.backend_options,
                   session_place(&test->settings), team);
    }
    comm_barrier(comm);
    if (s->kind == WORLD_MPI)
        s->group = session_backend(test, &s->backend);
    if (team)
        going = one_test(s, test, team);
    run_team_end(team, comm);
    comm->ops->broadcast(comm, 0, &going, sizeof going);
    return going;
}

/* The run comes to its end or the watch cuts it off, not both. False: the other was first. */
static bool claim_end(struct session *s, enum ending how)
{
    enum ending was = RUNNING;
    return atomic_compare_exchange_strong(&s->ending, &was, how);
}

static void rank_main(void *context, struct comm *comm)
{
    struct session *s = context;
    const struct command *c = s->command;
    uint64_t status;
    struct error e = error_none();
    if (comm->rank == 0 && world_record(&s->report, &e))
        say_error(&e);
    const char **hosts = hosts_gather(comm, &s->report);
    if (comm->rank == 0)
        s->hosts = hosts;
    if (open_output(s, comm)) {
        uint64_t going = 1;
        for (size_t i = 0; going && i < c->test_count; i++)
            going = take_part(s, i, comm);
        if (comm->rank == 0)
            close_output(s);
    }
    status = s->status;
    comm->ops->broadcast(comm, 0, &status, sizeof status);
    if (s->kind == WORLD_MPI)
        s->status = (enum status)status;
    if (s->kind == WORLD_MPI || comm->rank == 0)
        if (!claim_end(s, OVER))
            for (;;)
                pause(); /* until the watch has ended the process: no library takes both at once */
}

/* The time to come to an end is up: what is known is kept, and the process goes. */
static void last_words(void *context, int number)
{
    struct session *s = context;
    if (!claim_end(s, CUT))
        _exit((int)s->status);
    if (s->speaks && pthread_mutex_trylock(&s->lock) == 0) {
        fprintf(stderr, "pario: signal %d (%s), and an operation does not return: ending now\n",
                number, strsignal(number));
        s->report.ended_s = (int64_t)time(NULL);
        output_last(&s->output);
    }
    if (s->kind == WORLD_MPI)
        comm_mpi_abort(STATUS_CUT);
    _exit(STATUS_CUT);
}

static void start_report(struct session *s, int argc, char **argv)
{
    s->report.program = (struct program){PARIO_VERSION, PARIO_GIT, PARIO_COMPILER, PARIO_FEATURES};
    s->report.argc = argc;
    s->report.argv = argv;
    s->report.started_s = (int64_t)time(NULL);
    s->report.status = STATUS_CUT; /* until it has come to its end: a killed run's files say so */
    const struct settings *settings = &s->command->tests[0].settings;
    s->rows.path = settings->per_rank;
    s->output.documents[0] = (struct output_document){"json", "json", settings->json};
    s->output.documents[1] = (struct output_document){"csv", "csv", settings->csv};
    s->output.documents[2] =
        (struct output_document){"histogram-csv", "histogram", settings->histogram_csv};
}

/* Some libraries do not always come back from MPI_Finalize (MPICH over TCP with UCX). */
static void end_without_library(void *context)
{
    struct session *s = context;
    fputs("pario: note: MPI_Finalize does not come back (--mpi-end-limit); all results are out, "
          "ending without it\n",
          stderr);
    _exit((int)s->status);
}

static int run_world(struct session *s, const struct launcher *launcher, int *argc, char ***argv,
                     struct error *e)
{
    const struct settings *settings = &s->command->tests[0].settings;
    struct world_job job = {.kind = s->kind,
                            .threads = (uint64_t)settings->threads,
                            .clock = (enum clock_choice)settings->clock,
                            .rank = rank_main,
                            .context = s};
    if (s->kind == WORLD_MPI && comm_mpi_start(argc, argv, e)) {
        /* What is wrong with all of them is said by one. */
        launcher_let_speak(launcher);
        return -1;
    }
    int failed = world_run(&job, e);
    s->status = status_worse(s->status, e->status);
    if (s->kind == WORLD_MPI)
        comm_mpi_end(settings->mpi_end_limit_ns, end_without_library, s);
    return failed;
}

enum status session_run(const struct command *command, const struct launcher *launcher, int argc,
                        char **argv)
{
    struct session s = {.command = command, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct error e = error_none();
    if (session_check(command, launcher, &s.kind, &e)) {
        if (launcher_speaks(launcher))
            say_error(&e);
        launcher_let_speak(launcher);
        return e.status;
    }
    s.speaks = launcher_speaks(launcher);
    start_report(&s, argc, argv);
    s.watch = watch_start(last_words, &s, &e);
    if (!s.watch || run_world(&s, launcher, &argc, &argv, &e)) {
        if (e.status != STATUS_USAGE || launcher_speaks(launcher))
            say_error(&e);
        s.status = status_worse(s.status, e.status);
    }
    watch_stop(s.watch);
    report_free(&s.report);
    free(s.hosts);
    return s.status;
}
