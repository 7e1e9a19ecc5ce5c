#include "run/world.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define STACK_BYTES (1u << 20)

static struct clock make_clock(enum clock_choice choice, int64_t *virtual_ns)
{
    if (choice == CLOCK_VIRTUAL)
        return clock_virtual(virtual_ns);
    return clock_real(choice == CLOCK_MONOTONIC_ONLY);
}

/* A table of open files that threads share costs each call for small I/O two atomic operations (3 %
 * of it), and opening waits for others. From here on this thread has a copy; where the kernel
 * refuses, it goes on with the shared one. Not with MPI, whose own threads use the same files. */
static void own_files(void)
{
    (void)unshare(CLONE_FILES);
}

static int run_one(const struct world_job *job, struct error *e)
{
    int64_t virtual_ns = 0;
    struct clock clock = make_clock(job->clock, &virtual_ns);
    if (job->kind == WORLD_SELF)
        own_files();
    struct comm *comm = job->kind == WORLD_MPI ? comm_mpi(&clock, e) : comm_self(&clock, e);
    if (!comm)
        return -1;
    job->rank(job->context, comm);
    comm->ops->free(comm);
    return 0;
}

struct crew { /* the threads of a world */
    const struct world_job *job;
    struct thread_world *world;
    struct clock clock; /* copied by each thread where it is real: calibrated once */
    pthread_mutex_t lock;
    pthread_cond_t opened;
    enum { GATE_SHUT, GATE_OPEN, GATE_CANCELLED } gate;
};

struct member {
    struct crew *crew;
    uint64_t rank;
    int64_t virtual_ns;
    pthread_t thread;
    struct error error;
};

/* Nobody starts before all exist: a rank that is missing would leave the others waiting for ever.
 */
static bool pass_gate(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->gate == GATE_SHUT)
        pthread_cond_wait(&crew->opened, &crew->lock);
    bool go = crew->gate == GATE_OPEN;
    pthread_mutex_unlock(&crew->lock);
    return go;
}

static void *member_main(void *argument)
{
    struct member *m = argument;
    const struct world_job *job = m->crew->job;
    if (!pass_gate(m->crew))
        return NULL;
    own_files();
    struct clock clock =
        job->clock == CLOCK_VIRTUAL ? clock_virtual(&m->virtual_ns) : m->crew->clock;
    struct comm *comm = comm_threads(m->crew->world, m->rank, &clock, &m->error);
    if (!comm)
        return NULL;
    job->rank(job->context, comm);
    comm->ops->free(comm);
    return NULL;
}

static uint64_t start_members(struct crew *crew, struct member *members, struct error *e)
{
    pthread_attr_t attributes;
    uint64_t started = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    while (started < crew->job->threads) {
        struct member *m = &members[started];
        *m = (struct member){.crew = crew, .rank = started, .error = error_none()};
        int failed = pthread_create(&m->thread, &attributes, member_main, m);
        if (failed) {
            error_errno(e, failed, "starting thread %" PRIu64 " of %" PRIu64, started + 1,
                        crew->job->threads);
            break;
        }
        started++;
    }
    pthread_attr_destroy(&attributes);
    return started;
}

static int run_threads(const struct world_job *job, struct error *e)
{
    struct crew crew = {.job = job,
                        .clock = make_clock(job->clock, NULL),
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .opened = PTHREAD_COND_INITIALIZER};
    struct member *members = calloc(job->threads, sizeof *members);
    crew.world = members ? thread_world_make(job->threads, job->ranks_per_node, e) : NULL;
    if (!crew.world) {
        free(members);
        return error_errno(e, ENOMEM, "memory for %" PRIu64 " threads", job->threads);
    }
    uint64_t started = start_members(&crew, members, e);
    pthread_mutex_lock(&crew.lock);
    crew.gate = started == job->threads ? GATE_OPEN : GATE_CANCELLED;
    pthread_cond_broadcast(&crew.opened);
    pthread_mutex_unlock(&crew.lock);
    int failed = started == job->threads ? 0 : -1;
    for (uint64_t i = 0; i < started; i++) {
        pthread_join(members[i].thread, NULL);
        if (members[i].error.status != STATUS_DONE && !failed) {
            failed = -1;
            *e = members[i].error;
        }
    }
    thread_world_free(crew.world);
    free(members);
    return failed;
}

int world_run(const struct world_job *job, struct error *e)
{
    return job->kind == WORLD_THREADS ? run_threads(job, e) : run_one(job, e);
}
