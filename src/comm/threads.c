/* Ranks as threads of one process. What ranks give each other stays where it is: each shows the
 * others a pointer in its slot, all meet, those who need it read it, all meet again. The gates
 * (gate.h) order these accesses; notices and split are built on the same two steps.
 *
 * With virtual clocks each meeting carries the ranks' times along and leaves all clocks at the
 * latest of them: in that world nothing passes while waiting but the time of the slowest. */
#include "base/text.h"
#include "comm/threads_parts.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct thread_world {
    struct group *group;
    bool simulated_nodes;
};

static int64_t time_to_share(const struct comm *c)
{
    return c->clock->is_virtual ? c->clock->now_ns(c->clock) : INT64_MIN;
}

static void take_time(const struct comm *c, struct gate_load load)
{
    if (c->clock->is_virtual)
        c->clock->sleep_until(c->clock, load.time_ns);
}

static void meet(struct comm *c, enum gate_patience patience)
{
    struct gate *gate = &thread_of(c)->group->meeting;
    uint32_t round = gate_arrive(gate, 0, time_to_share(c));

    take_time(c, gate_wait(gate, round, patience));
}

void threads_meet(struct comm *c)
{
    meet(c, GATE_SPIN);
}

static void threads_barrier(struct comm *c)
{
    meet(c, GATE_SPIN);
}

static void threads_barrier_patient(struct comm *c)
{
    meet(c, GATE_SLEEP);
}

static void combine(enum reduce_rule rule, uint64_t *into, const uint64_t *from, size_t first,
                    size_t end)
{
    for (size_t i = first; i < end; i++) {
        switch (rule) {
        case REDUCE_SUM:
            into[i] += from[i];
            break;
        case REDUCE_MIN:
            into[i] = from[i] < into[i] ? from[i] : into[i];
            break;
        case REDUCE_MAX:
            into[i] = from[i] > into[i] ? from[i] : into[i];
            break;
        }
    }
}

/* Each rank does its share of the elements, in the array of rank 0; nobody else touches that share.
 */
static void threads_reduce(struct comm *c, enum reduce_rule rule, uint64_t *values, size_t n)
{
    struct group *group = thread_of(c)->group;
    size_t share = n / c->size + 1;
    size_t first = c->rank * share < n ? c->rank * share : n;
    size_t end = n - first < share ? n : first + share;

    group->slots[c->rank].data = values;
    meet(c, GATE_SPIN);
    uint64_t *into = (uint64_t *)(uintptr_t)group->slots[0].data;

    for (uint64_t rank = 1; rank < c->size && first < end; rank++)
        combine(rule, into, group->slots[rank].data, first, end);
    meet(c, GATE_SPIN);
}

static void threads_broadcast(struct comm *c, uint64_t root, void *data, size_t bytes)
{
    struct group *group = thread_of(c)->group;

    group->slots[c->rank].data = data;
    meet(c, GATE_SPIN);
    if (c->rank != root && bytes > 0)
        memcpy(data, group->slots[root].data, bytes);
    meet(c, GATE_SPIN);
}

static void threads_gather(struct comm *c, const void *mine, size_t bytes, void *all)
{
    struct group *group = thread_of(c)->group;

    group->slots[c->rank].data = all;
    meet(c, GATE_SPIN);
    char *to = (char *)(uintptr_t)group->slots[0].data;

    if (bytes > 0)
        memcpy(to + c->rank * bytes, mine, bytes);
    meet(c, GATE_SPIN);
}

static void threads_agree_begin(struct comm *c, uint64_t value)
{
    struct thread_comm *own = thread_of(c);

    own->agreement_round = gate_arrive(&own->group->agreement, value, time_to_share(c));
}

static uint64_t threads_agree_end(struct comm *c)
{
    struct thread_comm *own = thread_of(c);
    struct gate_load load = gate_wait(&own->group->agreement, own->agreement_round, GATE_SPIN);

    take_time(c, load);
    return load.value;
}

static void threads_raise(struct comm *c, int reason)
{
    int none = 0;

    atomic_compare_exchange_strong(&thread_of(c)->group->notice, &none, reason);
}

static int threads_raised(struct comm *c)
{
    return atomic_load_explicit(&thread_of(c)->group->notice, memory_order_acquire);
}

static void threads_settle(struct comm *c)
{
    meet(c, GATE_SPIN);
    if (c->rank == 0)
        atomic_store(&thread_of(c)->group->notice, 0);
    meet(c, GATE_SPIN);
}

static void threads_send(struct comm *c, uint64_t to, const void *data, size_t bytes,
                         struct comm_message *m)
{
    *m = (struct comm_message){.data = (void *)(uintptr_t)data,
                               .bytes = bytes,
                               .from = c->rank,
                               .time_ns = time_to_share(c),
                               .is_send = true};
    mailbox_put(&thread_of(c)->group->slots[to].mail, m);
}

static void threads_receive(struct comm *c, uint64_t from, void *data, size_t bytes,
                            struct comm_message *m)
{
    *m = (struct comm_message){.data = data, .bytes = bytes, .from = from};
    mailbox_await(&thread_of(c)->group->slots[c->rank].mail, m);
}

static bool threads_done(struct comm *c, struct comm_message *m)
{
    if (m->is_send)
        return atomic_load_explicit(&m->taken, memory_order_acquire);
    if (!mailbox_take(&thread_of(c)->group->slots[c->rank].mail, m))
        return false;
    take_time(c, (struct gate_load){.time_ns = m->time_ns});
    return true;
}

static void group_release(struct group *group)
{
    if (atomic_fetch_sub(&group->users, 1) > 1)
        return;
    topology_free(&group->topology);
    free(group);
}

static void threads_free(struct comm *c)
{
    group_release(thread_of(c)->group);
    free(c);
}

static enum native_kind threads_native(struct comm *c, void **handle)
{
    (void)c;
    *handle = NULL;
    return NATIVE_NONE;
}

struct group *group_new(uint64_t ranks, uint32_t cores, struct error *e)
{
    if (ranks == 0 || ranks > UINT16_MAX) {
        error_set(e, STATUS_USAGE, "usage", "%llu ranks as threads: 1 to %d are possible",
                  (unsigned long long)ranks, UINT16_MAX);
        return NULL;
    }
    size_t bytes = sizeof(struct group) + ranks * sizeof(struct slot);
    struct group *group = aligned_alloc(alignof(struct group), bytes);

    if (group == NULL) {
        error_errno(e, errno, "%llu ranks as threads", (unsigned long long)ranks);
        return NULL;
    }
    memset(group, 0, bytes);
    gate_init(&group->meeting, (uint32_t)ranks, cores);
    gate_init(&group->agreement, (uint32_t)ranks, cores);
    group->cores = cores;
    return group;
}

static const struct comm_ops threads_ops;

struct thread_comm *thread_comm_fill(struct thread_comm *own, struct group *group, uint64_t rank,
                                     const struct clock *clock)
{
    own->group = group;
    own->base = (struct comm){
        .ops = &threads_ops,
        .rank = rank,
        .size = group->topology.ranks,
        .topology = &group->topology,
        .host = own->host,
        .clock = clock,
    };
    return own;
}

static const struct comm_ops threads_ops = {
    .name = "threads",
    .barrier = threads_barrier,
    .barrier_patient = threads_barrier_patient,
    .reduce = threads_reduce,
    .broadcast = threads_broadcast,
    .gather = threads_gather,
    .agree_begin = threads_agree_begin,
    .agree_end = threads_agree_end,
    .raise = threads_raise,
    .raised = threads_raised,
    .settle = threads_settle,
    .send = threads_send,
    .receive = threads_receive,
    .done = threads_done,
    .split = threads_split,
    .native = threads_native,
    .free = threads_free,
};

static uint32_t cores_of_process(void)
{
    cpu_set_t cores;

    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        return (uint32_t)CPU_COUNT(&cores);
    return 1; /* more than a cpu_set_t holds, or unknown: waiting asleep is right everywhere */
}

struct thread_world *thread_world_make(uint64_t ranks, uint64_t ranks_per_node, struct error *e)
{
    struct thread_world *world = calloc(1, sizeof *world);

    if (world == NULL) {
        error_errno(e, errno, "%llu ranks as threads", (unsigned long long)ranks);
        return NULL;
    }
    world->group = group_new(ranks, cores_of_process(), e);
    if (world->group == NULL) {
        free(world);
        return NULL;
    }
    atomic_store(&world->group->users, 1);
    world->simulated_nodes = ranks_per_node > 0;
    if (topology_regular(&world->group->topology, ranks,
                         ranks_per_node > 0 ? ranks_per_node : ranks, false, e) != 0) {
        thread_world_free(world);
        return NULL;
    }
    return world;
}

struct comm *comm_threads(struct thread_world *world, uint64_t rank, const struct clock *clock,
                          struct error *e)
{
    struct thread_comm *own = calloc(1, sizeof *own);

    if (own == NULL) {
        error_errno(e, errno, "rank %llu as a thread", (unsigned long long)rank);
        return NULL;
    }
    if (world->simulated_nodes)
        snprintf(own->host, sizeof own->host, "node%u",
                 topology_node(&world->group->topology, rank));
    else if (gethostname(own->host, sizeof own->host - 1) != 0)
        text_copy(own->host, sizeof own->host, "localhost");
    atomic_fetch_add(&world->group->users, 1);
    return &thread_comm_fill(own, world->group, rank, clock)->base;
}

void thread_world_free(struct thread_world *world)
{
    if (world == NULL)
        return;
    group_release(world->group);
    free(world);
}
