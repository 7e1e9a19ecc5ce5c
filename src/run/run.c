#include "run/run.h"

#include "base/rng.h"
#include "base/text.h"
#include "probe/slurm.h"
#include "run/reduce.h"
#include "run/scenario.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Left to a batch job for results and cleaning up. */
#define LAST_WORDS_S 15

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
    test->direct_buffered = r->storage.direct_buffered;
    test->hollow = r->storage.hollow;
    return test;
}

/* A seed of its own for each run, the same on all ranks, unless the user gave one or what is read
 * has one. */
static int choose_seed(struct rank_run *r, struct error *e)
{
    struct plan *p = &r->plan;
    (void)e;
    if (p->data.seed == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        p->data.seed = rng_mix((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
    }
    r->comm->ops->broadcast(r->comm, 0, &p->data.seed, sizeof p->data.seed);
    if (p->order_seed == 0)
        p->order_seed = p->data.seed;
    return 0;
}

int run_make_buffers(struct rank_run *r, struct error *e)
{
    r->fill = fill_make(&r->plan.data, r->plan.transfer_bytes, r->plan.depth, e);
    if (!r->fill)
        return -1;
    r->buffers = calloc(r->plan.depth, sizeof *r->buffers);
    if (!r->buffers)
        return error_errno(e, ENOMEM, "memory for %" PRIu32 " buffers of %" PRIu64 " bytes",
                           r->plan.depth, r->plan.transfer_bytes);
    for (uint32_t slot = 0; slot < r->plan.depth; slot++)
        r->buffers[slot] = fill_buffer(r->fill, slot);
    return 0;
}

void run_free_buffers(struct rank_run *r)
{
    fill_free(r->fill);
    free(r->buffers);
    r->fill = NULL;
    r->buffers = NULL;
}

/* When the run has to stop: the user's limit, or the end of the batch job, less some seconds for
 * the last words. On this rank's clock; 0: never. */
static int64_t find_limit(const struct rank_run *r)
{
    uint64_t left_ns = 0;
    if (r->comm->rank == 0) {
        struct slurm_time job = slurm_left(getenv, (int64_t)time(NULL));
        left_ns = (uint64_t)r->plan.time_limit_ns;
        if (job.known && job.seconds_left < INT64_MAX / 1000000000) {
            int64_t left_s = job.seconds_left - LAST_WORDS_S;
            uint64_t job_ns = left_s > 0 ? (uint64_t)left_s * 1000000000u : 1; /* 1: at once */
            left_ns = left_ns && left_ns < job_ns ? left_ns : job_ns;
        }
    }
    r->comm->ops->broadcast(r->comm, 0, &left_ns, sizeof left_ns);
    return left_ns ? r->comm->clock->now_ns(r->comm->clock) + (int64_t)left_ns : 0;
}

static int take_memory(struct rank_run *r, struct error *e)
{
    const struct topology *t = r->comm->topology;
    if (!r->plan.memory)
        return 0;
    return ballast_take(&r->ballast, r->plan.memory, t->most_per_node, e);
}

/* Everything that can be refused before the first byte; the same answer on all ranks. */
static int set_up(struct rank_run *r, struct error *worst)
{
    const struct run_job *job = r->job;
    int (*const steps[])(struct rank_run *, struct error *) = {r->scenario->look, choose_seed,
                                                               run_make_buffers, take_memory};
    struct error mine = error_none();
    int failed = plan_make(&r->plan, job->settings, r->comm->size, &mine);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        reduce_errors(NULL, &mine, r->comm, worst);
        if (worst->status != STATUS_DONE)
            return -1;
        failed = steps[i](r, &mine);
    }
    if (!failed && r->comm->rank == 0)
        r->test = new_test(r, &mine);
    reduce_errors(NULL, &mine, r->comm, worst);
    r->limit_ns = find_limit(r);
    return worst->status == STATUS_DONE ? 0 : -1;
}

/* IOR's way of limiting time: what has begun is finished, and no more is begun. */
static bool time_is_up(const struct rank_run *r, int64_t began_ns)
{
    uint64_t up = 0;
    if (r->plan.max_ns && r->comm->rank == 0)
        up = r->comm->clock->now_ns(r->comm->clock) - began_ns >= r->plan.max_ns;
    if (r->plan.max_ns)
        r->comm->ops->broadcast(r->comm, 0, &up, sizeof up);
    return up;
}

/* Rank 0 knows whether the results have come to rest. */
static bool is_enough(const struct rank_run *r)
{
    uint64_t enough = 0;
    if (!r->plan.until_steady)
        return false;
    if (r->comm->rank == 0)
        enough = r->job->sink.enough && r->job->sink.enough(r->job->sink.context, r->test);
    r->comm->ops->broadcast(r->comm, 0, &enough, sizeof enough);
    return enough != 0;
}

static void repeat(struct rank_run *r, struct phase_end *end)
{
    int64_t began_ns = r->comm->clock->now_ns(r->comm->clock);
    bool enough = false;
    for (uint64_t i = 0; i < r->plan.repetitions && !run_ended(end) && !enough; i++) {
        if (time_is_up(r, began_ns)) {
            if (r->comm->rank == 0)
                fprintf(stderr,
                        "pario: note: -T: %" PRIu64 " of %" PRIu64 " repetitions left out\n",
                        r->plan.repetitions - i, r->plan.repetitions);
            break;
        }
        r->plan.repetition = i;
        r->scenario->repeat(r, end);
        enough = is_enough(r);
    }
    if (r->scenario->finish)
        r->scenario->finish(r, end);
}

enum status run_test(const struct run_job *job, struct comm *comm, struct phase_end *end)
{
    struct rank_run r = {
        .job = job, .comm = comm, .scenario = scenario_of(job->settings->workload)};
    *end = (struct phase_end){.worst = error_none()};
    if (!set_up(&r, &end->worst)) {
        if (comm->rank == 0)
            job->sink.test(job->sink.context, r.test, &r.plan);
        repeat(&r, end);
        if (end->worst.status == STATUS_DONE)
            end->worst = r.item_error;
    }
    home_free(&r.home);
    tensor_list_free(&r.tensors);
    ballast_drop(&r.ballast);
    run_free_buffers(&r);
    if (end->worst.status != STATUS_DONE)
        return end->worst.status;
    return end->stopped > STOP_DEADLINE ? STATUS_CUT : STATUS_DONE;
}

struct comm *run_team(struct comm *comm, uint64_t n, struct error *e)
{
    if (n == 0 || n >= comm->size)
        return comm;
    struct comm *part = comm->ops->split(comm, comm->rank < n ? 0 : 1, e);
    if (part && comm->rank >= n) {
        part->ops->free(part);
        part = NULL;
    }
    return part;
}

void run_team_end(struct comm *team, struct comm *comm)
{
    if (team && team != comm)
        team->ops->free(team);
    comm->ops->barrier_patient(comm);
}
