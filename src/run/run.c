#include "run/run.h"

#include "base/rng.h"
#include "base/text.h"
#include "run/phase_run.h"
#include "run/reduce.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Untimed, on all ranks: a pause that the user asked for before each phase. */
static void pause_before(const struct rank_run *r)
{
    const struct clock *clock = r->comm->clock;
    if (r->plan.delay_ns)
        clock->sleep_until(clock, clock->now_ns(clock) + r->plan.delay_ns);
}

static bool ended(const struct phase_end *end)
{
    return end->worst.status != STATUS_DONE || end->stopped > STOP_DEADLINE;
}

/* One phase of a repetition, if nothing went wrong before. */
static void go_through(struct rank_run *r, struct phase_end *end, bool wanted, const char *name)
{
    if (!wanted || ended(end))
        return;
    const struct phase *phase = phase_find(name);
    if (phase->timed)
        pause_before(r);
    *end = phase_run(r, phase);
}

static bool keeps(const struct plan *p)
{
    return p->keep || p->reuse;
}

/* Collective: what every rank may remove of what is there. */
static void clear(struct rank_run *r, struct phase_end *end)
{
    uint64_t exists = r->storage.mine && r->storage.exists ? 1 : 0;
    comm_reduce_all(r->comm, REDUCE_MAX, &exists, 1);
    if (!exists)
        return;
    struct phase_end removal = phase_run(r, phase_find("remove"));
    if (!ended(end))
        *end = removal;
    if (removal.worst.status == STATUS_DONE)
        r->storage.exists = false;
    if (r->comm->rank == 0)
        storage_forget(&r->storage, &r->plan);
}

static void write_once(struct rank_run *r, struct phase_end *end)
{
    const struct plan *p = &r->plan;
    if (!p->write || ended(end))
        return;
    if (!p->reuse)
        clear(r, end);
    go_through(r, end, !p->file_per_process, "prepare");
    go_through(r, end, true, "write");
    r->storage.written = r->done < p->transfers_per_rank ? r->done : STORAGE_ALL;
    if (keeps(p) && end->worst.status == STATUS_DONE) {
        struct error mine = error_none();
        storage_keep(&r->storage, p, r->done, r->comm, &mine);
        reduce_errors(NULL, &mine, r->comm, &end->worst);
    }
}

static void repeat_once(struct rank_run *r, struct phase_end *end)
{
    write_once(r, end);
    go_through(r, end, r->plan.read, "read");
    if (!keeps(&r->plan) && (r->plan.write || r->storage.recorded))
        clear(r, end);
}

static struct test_result *new_test(const struct rank_run *r, struct error *e)
{
    const struct run_job *job = r->job;
    struct test_result *test = report_test(job->report, e);
    if (!test)
        return NULL;
    text_copy(test->name, sizeof test->name, job->workload);
    text_copy(test->workload, sizeof test->workload, job->workload);
    text_copy(test->backend, sizeof test->backend, job->backend->name);
    test->ranks = r->comm->size;
    test->nodes = r->comm->topology->nodes;
    test->most_per_node = r->comm->topology->most_per_node;
    return test;
}

/* A seed of its own for each run, the same on all ranks, unless the user gave one. */
static void choose_seed(struct rank_run *r)
{
    uint64_t seed = r->plan.seed;
    if (seed == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = rng_mix((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
    }
    r->comm->ops->broadcast(r->comm, 0, &seed, sizeof seed);
    r->plan.seed = seed;
}

static int make_buffers(struct rank_run *r, struct error *e)
{
    struct fill_data data = {.mode = FILL_STAMPED, .seed = r->plan.seed};
    r->fill = fill_make(&data, r->plan.transfer_bytes, r->plan.depth, e);
    r->buffers = calloc(r->plan.depth, sizeof *r->buffers);
    if (!r->fill || !r->buffers)
        return error_errno(e, ENOMEM, "memory for %" PRIu32 " buffers of %" PRIu64 " bytes",
                           r->plan.depth, r->plan.transfer_bytes);
    for (uint32_t slot = 0; slot < r->plan.depth; slot++)
        r->buffers[slot] = fill_buffer(r->fill, slot);
    return 0;
}

/* Everything that can be refused before the first byte; the same answer on all ranks. */
static int set_up(struct rank_run *r, struct error *worst)
{
    const struct run_job *job = r->job;
    struct error mine = error_none();
    int failed = plan_make(&r->plan, job->settings, r->comm->size, &mine);
    choose_seed(r);
    if (!failed) {
        failed = make_buffers(r, &mine);
    }
    if (!failed && r->comm->rank == 0) {
        r->test = new_test(r, &mine);
        failed = !r->test;
    }
    reduce_errors(NULL, &mine, r->comm, worst);
    if (worst->status != STATUS_DONE)
        return -1;
    bool files = backend_traits(job->backend, job->backend_options) & BACKEND_PATHS;
    storage_look(&r->storage, &r->plan, files, r->comm, &mine);
    reduce_errors(NULL, &mine, r->comm, worst);
    return worst->status == STATUS_DONE ? 0 : -1;
}

enum status run_test(const struct run_job *job, struct comm *comm, struct error *worst)
{
    struct rank_run r = {.job = job, .comm = comm};
    struct phase_end end = {.worst = error_none()};
    *worst = error_none();
    if (!set_up(&r, worst)) {
        if (comm->rank == 0)
            job->sink.test(job->sink.context, r.test, &r.plan);
        for (r.repetition = 0; r.repetition < r.plan.repetitions && !ended(&end); r.repetition++)
            repeat_once(&r, &end);
        *worst = end.worst;
    }
    fill_free(r.fill);
    free(r.buffers);
    if (worst->status != STATUS_DONE)
        return worst->status;
    return end.stopped > STOP_DEADLINE ? STATUS_CUT : STATUS_DONE;
}
