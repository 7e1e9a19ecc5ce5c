/* The axis of time, on threads whose clocks are far apart and drift. */
#include "run/axis.h"

#include "model/sample.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

#define SECOND INT64_C(1000000000)

static int64_t kernel_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

/* origin: how far ahead it is; multiplier: by how many ppm it is fast. */
static int64_t wrong_clock_at(const struct clock *clock, int64_t truth_ns)
{
    return truth_ns + (int64_t)clock->origin +
           (int64_t)((double)truth_ns * (double)clock->multiplier / 1e6);
}

static int64_t wrong_clock_now(const struct clock *clock)
{
    return wrong_clock_at(clock, kernel_ns());
}

static struct clock wrong_clock(uint64_t rank)
{
    return (struct clock){
        .name = "wrong",
        .now_ns = wrong_clock_now,
        .origin = (uint64_t)((int64_t)(rank % 3) * 345 * SECOND - (int64_t)rank * 10000000),
        .multiplier = rank % 4 * 20};
}

struct seat {
    struct thread_world *world;
    uint64_t rank;
    int64_t wrong_ns; /* of the axis, from the truth, at most */
    struct axis_point point;
    int64_t placed_wrong_ns;
    int64_t placed_error_ns;
    pthread_t thread;
};

static int64_t apart(int64_t a, int64_t b)
{
    return llabs(a - b);
}

static void *take_seat(void *argument)
{
    struct seat *seat = argument;
    struct clock first = wrong_clock(0), clock = wrong_clock(seat->rank);
    struct comm *comm = comm_threads(seat->world, seat->rank, &clock, NULL);
    struct axis_point before;
    axis_measure(comm, &before);
    comm->ops->barrier(comm);
    int64_t truth_ns = kernel_ns();
    comm->ops->barrier(comm);
    axis_measure(comm, &seat->point);
    seat->placed_wrong_ns = apart(
        axis_place(&before, &seat->point, wrong_clock_at(&clock, truth_ns), &seat->placed_error_ns),
        wrong_clock_at(&first, truth_ns));
    truth_ns = kernel_ns();
    seat->wrong_ns = apart(wrong_clock_at(&clock, truth_ns) + seat->point.ahead_ns,
                           wrong_clock_at(&first, truth_ns));
    comm->ops->free(comm);
    return NULL;
}

static void check_world(uint64_t ranks, uint64_t per_node)
{
    struct thread_world *world = thread_world_make(ranks, per_node, NULL);
    struct seat *seats = calloc(ranks, sizeof *seats);
    int64_t start_ns = kernel_ns();
    assert_non_null(world);
    assert_non_null(seats);
    for (uint64_t rank = 0; rank < ranks; rank++) {
        seats[rank] = (struct seat){.world = world, .rank = rank};
        assert_int_equal(pthread_create(&seats[rank].thread, NULL, take_seat, &seats[rank]), 0);
    }
    for (uint64_t rank = 0; rank < ranks; rank++)
        pthread_join(seats[rank].thread, NULL);
    for (uint64_t rank = 0; rank < ranks; rank++) {
        const struct seat *s = &seats[rank];
        /* Drift of up to 60 ppm goes on while the ranks finish: 10 us in 160 ms. */
        int64_t drift_ns = (kernel_ns() - start_ns) / 1000000 * 100 + 1000;
        assert_true(s->wrong_ns <= s->point.error_ns + drift_ns);
        assert_true(s->placed_wrong_ns <= s->placed_error_ns + 1000);
        assert_true(rank == 0 ? s->point.error_ns == 0 : s->point.error_ns > 0);
        /* One wall clock: what is left is the error of the axis. */
        assert_true(llabs(s->point.wall_ns) <= s->point.error_ns + drift_ns + 100000);
    }
    thread_world_free(world);
    free(seats);
}

static void clocks_far_apart(void **state)
{
    (void)state;
    check_world(1, 1);
    check_world(2, 1);
    check_world(5, 2);
    check_world(16, 4);
    check_world(9, 9);
}

static void stamps_between_measurements(void **state)
{
    (void)state;
    struct axis_point before = {.own_ns = 10 * SECOND, .ahead_ns = 500, .error_ns = 7};
    struct axis_point after = {.own_ns = 20 * SECOND, .ahead_ns = 1500, .error_ns = 9};
    int64_t error;
    assert_int_equal(axis_place(&before, &after, 10 * SECOND, &error), 10 * SECOND + 500);
    assert_int_equal(axis_place(&before, &after, 15 * SECOND, &error), 15 * SECOND + 1000);
    assert_int_equal(error, 9);
    assert_int_equal(axis_place(&before, &after, 20 * SECOND, &error), 20 * SECOND + 1500);
    assert_int_equal(axis_place(&before, &after, 21 * SECOND, &error), 21 * SECOND + 1500);
    assert_int_equal(error, 9 + 80000);
    assert_int_equal(axis_place(&before, &before, 9 * SECOND, &error), 9 * SECOND + 500);
    assert_int_equal(error, 7 + 80000);
}

/* Ranks that share a clock need no measurement, and stamps are taken over as they are. */
static void one_clock(void **state)
{
    (void)state;
    struct clock clock = clock_monotonic();
    struct comm *comm = comm_self(&clock, NULL);
    struct axis axis = {.known = false};
    struct stretch s = {1000, 5000, 2000, 6000};
    uint64_t c[COUNTERS] = {0};
    axis_begin(&axis, comm);
    axis_end(&axis, comm, &s, 4000, c);
    assert_false(axis.known);
    assert_int_equal(c[COUNTER_END_LAST_NS] - c[COUNTER_START_FIRST_NS], 4000);
    assert_int_equal(c[COUNTER_WALL_LAST_NS] - c[COUNTER_WALL_FIRST_NS], 4000);
    assert_int_equal(c[COUNTER_CLOCK_ERROR_NS], 0);
    assert_int_equal(c[COUNTER_CLOCK_APART_NS], 0);
    assert_true(c[COUNTER_START_LAST_NS] != 0);
    comm->ops->free(comm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_far_apart),
        cmocka_unit_test(stamps_between_measurements),
        cmocka_unit_test(one_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
