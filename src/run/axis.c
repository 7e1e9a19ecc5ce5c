/* A rank learns the axis from its parent in the tree and teaches it to its children. A round trip
 * of w ns bounds what one exchange can be wrong by, w / 2; of several the shortest counts. Bounds
 * add up along the way from rank 0. */
#include "run/axis.h"

#include "model/sample.h"
#include "run/axis_tree.h"

#include <stdlib.h>
#include <time.h>

enum {
    ROUNDS_MOST = 12,
    ROUNDS_LEAST = 3,
    READINGS = 5,
    LONG_ENOUGH_NS = 2000 * 1000, /* of round trips with one parent */
    /* A measurement may cost this share of the phase before it; beyond this age it is made anew. */
    SHARE_OF_PHASE = 20
};
#define OLD_NS INT64_C(10000000000)
/* Two clocks that were both calibrated to 40 ppm drift apart no faster. */
#define DRIFT_PPM 80

struct ask {
    uint64_t last;
};

struct answer {
    int64_t axis_ns; /* when it was given */
    int64_t error_ns;
    int64_t wall_ns; /* rank 0's wall clock - the axis */
};

static int64_t wall_clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The wall clock - the rank's own, from the closest of several readings. */
static int64_t wall_ahead_ns(const struct clock *clock)
{
    int64_t ahead = 0, narrowest = INT64_MAX;
    for (int i = 0; i < READINGS; i++) {
        int64_t before = clock->now_ns(clock);
        int64_t wall = wall_clock_ns();
        int64_t width = clock->now_ns(clock) - before;
        if (width < narrowest) {
            narrowest = width;
            ahead = wall - (before + width / 2);
        }
    }
    return ahead;
}

static void exchange(struct comm *comm, uint64_t with, const void *out, size_t out_bytes, void *in,
                     size_t in_bytes)
{
    struct comm_message sent, got;
    comm->ops->receive(comm, with, in, in_bytes, &got);
    comm->ops->send(comm, with, out, out_bytes, &sent);
    comm_wait(comm, &got);
    comm_wait(comm, &sent);
}

/* Rank 0's wall clock - the axis. */
static int64_t learn(struct comm *comm, uint64_t parent, struct axis_point *point)
{
    const struct clock *clock = comm->clock;
    int64_t narrowest = INT64_MAX, first_ns = 0, wall_ns = 0;
    struct ask ask = {.last = false};
    for (int round = 0; !ask.last; round++) {
        struct answer answer = {0};
        int64_t before = clock->now_ns(clock);
        ask.last = round + 1 == ROUNDS_MOST ||
                   (round + 1 >= ROUNDS_LEAST && before - first_ns > LONG_ENOUGH_NS);
        exchange(comm, parent, &ask, sizeof ask, &answer, sizeof answer);
        int64_t width = clock->now_ns(clock) - before;
        if (round == 0) /* most of which was waiting for the parent's attention */
            first_ns = before + width;
        if (width >= narrowest)
            continue;
        narrowest = width;
        point->own_ns = before + width / 2;
        point->ahead_ns = answer.axis_ns - point->own_ns;
        point->error_ns = answer.error_ns + (width + 1) / 2;
        wall_ns = answer.wall_ns;
    }
    return wall_ns;
}

static void teach(struct comm *comm, uint64_t child, const struct axis_point *point,
                  int64_t wall_ns)
{
    const struct clock *clock = comm->clock;
    struct ask ask = {.last = false};
    while (!ask.last) {
        struct comm_message got, sent;
        comm->ops->receive(comm, child, &ask, sizeof ask, &got);
        comm_wait(comm, &got);
        struct answer answer = {.axis_ns = clock->now_ns(clock) + point->ahead_ns,
                                .error_ns = point->error_ns,
                                .wall_ns = wall_ns};
        comm->ops->send(comm, child, &answer, sizeof answer, &sent);
        comm_wait(comm, &sent);
    }
}

void axis_measure(struct comm *comm, struct axis_point *point)
{
    struct axis_tree tree = axis_tree_of(comm->topology, comm->rank);
    int64_t wall_ahead = wall_ahead_ns(comm->clock);
    int64_t first_wall;
    *point = (struct axis_point){.own_ns = comm->clock->now_ns(comm->clock)};
    if (tree.is_root)
        first_wall = wall_ahead;
    else
        first_wall = learn(comm, tree.parent, point);
    point->wall_ns = wall_ahead - point->ahead_ns - first_wall;
    for (uint32_t i = 0; i < tree.children_used; i++)
        teach(comm, tree.children[i], point, first_wall);
}

int64_t axis_place(const struct axis_point *before, const struct axis_point *after, int64_t own_ns,
                   int64_t *error_ns)
{
    int64_t span = after->own_ns - before->own_ns;
    *error_ns = before->error_ns > after->error_ns ? before->error_ns : after->error_ns;
    if (span <= 0 || own_ns < before->own_ns || own_ns > after->own_ns) {
        const struct axis_point *near = own_ns < before->own_ns ? before : after;
        *error_ns += llabs(own_ns - near->own_ns) / 1000000 * DRIFT_PPM;
        return own_ns + near->ahead_ns;
    }
    double share = (double)(own_ns - before->own_ns) / (double)span;
    return own_ns + before->ahead_ns +
           (int64_t)(share * (double)(after->ahead_ns - before->ahead_ns));
}

/* Threads of one process share its clocks. */
static bool shares_clocks(struct comm *comm)
{
    void *handle;
    return comm->clock->is_virtual || comm->ops->native(comm, &handle) == NATIVE_NONE;
}

static void measure(struct axis *axis, struct comm *comm)
{
    const struct clock *clock = comm->clock;
    int64_t start_ns = clock->now_ns(clock);
    axis_measure(comm, &axis->last);
    axis->cost_ns = clock->now_ns(clock) - start_ns;
    axis->known = true;
}

void axis_begin(struct axis *axis, struct comm *comm)
{
    if (!axis->known && !shares_clocks(comm))
        measure(axis, comm);
}

/* Rank 0 decides for all. */
static bool worth_measuring(const struct axis *axis, struct comm *comm, uint64_t elapsed_ns)
{
    uint64_t worth = axis->cost_ns * SHARE_OF_PHASE <= (int64_t)elapsed_ns ||
                     comm->clock->now_ns(comm->clock) - axis->last.own_ns > OLD_NS;
    comm->ops->broadcast(comm, 0, &worth, sizeof worth);
    return worth;
}

/* Stamps are counted from a time before any of them, since counters have no sign. */
static uint64_t unsign(int64_t ns)
{
    return (uint64_t)ns ^ UINT64_C(1) << 63;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* 0 where the clocks did not get apart by more than the measurements may be wrong by. */
static uint64_t drift_ppb(const struct axis_point *before, const struct axis_point *after)
{
    int64_t moved = llabs(after->ahead_ns - before->ahead_ns);
    if (moved <= before->error_ns + after->error_ns || after->own_ns <= before->own_ns)
        return 0;
    return (uint64_t)(1e9 * (double)moved / (double)(after->own_ns - before->own_ns));
}

void axis_end(struct axis *axis, struct comm *comm, const struct stretch *s, uint64_t elapsed_ns,
              uint64_t *counters)
{
    struct axis_point before = axis->last;
    int64_t error_start = 0, error_end = 0;
    if (axis->known && worth_measuring(axis, comm, elapsed_ns))
        measure(axis, comm);
    const struct axis_point *after = &axis->last;
    int64_t start_ns = s->own_start_ns, end_ns = s->own_end_ns;
    if (axis->known) { /* else all ranks have one clock */
        start_ns = axis_place(&before, after, start_ns, &error_start);
        end_ns = axis_place(&before, after, end_ns, &error_end);
    }
    counters[COUNTER_START_FIRST_NS] = counters[COUNTER_START_LAST_NS] = unsign(start_ns);
    counters[COUNTER_END_FIRST_NS] = counters[COUNTER_END_LAST_NS] = unsign(end_ns);
    counters[COUNTER_WALL_FIRST_NS] = unsign(s->wall_start_ns);
    counters[COUNTER_WALL_LAST_NS] = unsign(s->wall_end_ns);
    counters[COUNTER_CLOCK_ERROR_NS] =
        (uint64_t)(error_start > error_end ? error_start : error_end);
    counters[COUNTER_CLOCK_APART_NS] =
        later((uint64_t)llabs(before.wall_ns), (uint64_t)llabs(after->wall_ns));
    counters[COUNTER_CLOCK_DRIFT_PPB] = drift_ppb(&before, after);
}

/* In a virtual world the wall clock is the virtual one. */
void stretch_begin(struct stretch *s, const struct clock *clock)
{
    s->wall_start_ns = wall_clock_ns();
    s->own_start_ns = clock->now_ns(clock);
    if (clock->is_virtual)
        s->wall_start_ns = s->own_start_ns;
}

void stretch_end(struct stretch *s, const struct clock *clock)
{
    s->own_end_ns = clock->now_ns(clock);
    s->wall_end_ns = clock->is_virtual ? s->own_end_ns : wall_clock_ns();
}
