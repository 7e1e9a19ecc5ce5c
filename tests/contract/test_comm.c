/* self and threads keep the contract of comm.h, from one rank to many more than there are cores. */
#include "comm_contract.h"

#include "comm/comm.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { HANG_SECONDS = 120 };

static void run_checks(struct contract *k, const struct contract_check *checks)
{
    for (const struct contract_check *check = checks; check->name != NULL; check++)
        check->run(k);
}

struct seat {
    struct thread_world *world;
    uint64_t rank;
    bool is_virtual;
    const struct contract_check *extra; /* run instead of the contract; may be NULL */
    struct contract contract;
    struct error error;
};

static void *run_rank(void *arg)
{
    struct seat *seat = arg;
    int64_t own_ns = 0;
    struct clock clock = seat->is_virtual ? clock_virtual(&own_ns) : clock_monotonic();
    struct comm *comm = comm_threads(seat->world, seat->rank, &clock, &seat->error);

    if (comm == NULL)
        return NULL;
    seat->contract.comm = comm;
    if (seat->extra != NULL) {
        run_checks(&seat->contract, seat->extra);
    } else {
        run_checks(&seat->contract, comm_contract_checks);
        if (seat->is_virtual)
            run_checks(&seat->contract, comm_contract_virtual_checks);
    }
    comm->ops->free(comm);
    return NULL;
}

static void run_threads(uint64_t ranks, uint64_t per_node, bool is_virtual,
                        const struct contract_check *extra)
{
    struct error e = error_none();
    struct thread_world *world = thread_world_make(ranks, per_node, &e);

    assert_non_null(world);
    struct seat *seats = calloc(ranks, sizeof *seats);
    pthread_t *threads = calloc(ranks, sizeof *threads);

    assert_non_null(seats);
    assert_non_null(threads);
    for (uint64_t rank = 0; rank < ranks; rank++) {
        seats[rank] = (struct seat){.world = world,
                                    .rank = rank,
                                    .is_virtual = is_virtual,
                                    .extra = extra,
                                    .error = error_none()};
        assert_int_equal(pthread_create(&threads[rank], NULL, run_rank, &seats[rank]), 0);
    }
    uint64_t failures = 0;

    for (uint64_t rank = 0; rank < ranks; rank++) {
        assert_int_equal(pthread_join(threads[rank], NULL), 0);
        failures += seats[rank].contract.failures + (seats[rank].error.status != STATUS_DONE);
        if (seats[rank].contract.failures > 0)
            print_error("%s\n", seats[rank].contract.first);
    }
    thread_world_free(world);
    free(threads);
    free(seats);
    assert_int_equal(failures, 0);
}

static void run_self(bool is_virtual)
{
    int64_t own_ns = 0;
    struct clock clock = is_virtual ? clock_virtual(&own_ns) : clock_monotonic();
    struct error e = error_none();
    struct contract k = {.comm = comm_self(&clock, &e)};

    assert_non_null(k.comm);
    assert_int_equal(k.comm->size, 1);
    assert_string_equal(k.comm->ops->name, "self");
    run_checks(&k, comm_contract_checks);
    if (is_virtual)
        run_checks(&k, comm_contract_virtual_checks);
    if (k.failures > 0)
        print_error("%s\n", k.first);
    k.comm->ops->free(k.comm);
    assert_int_equal(k.failures, 0);
}

static void test_self(void **state)
{
    (void)state;
    run_self(false);
}

static void test_self_virtual(void **state)
{
    (void)state;
    run_self(true);
}

static void test_threads(void **state)
{
    (void)state;
    for (uint64_t ranks = 1; ranks <= 4; ranks++)
        run_threads(ranks, 0, false, NULL);
    run_threads(7, 0, false, NULL);
}

static void test_threads_virtual(void **state)
{
    (void)state;
    for (uint64_t ranks = 1; ranks <= 3; ranks++)
        run_threads(ranks, 0, true, NULL);
    run_threads(7, 2, true, NULL);
}

static void test_64_threads(void **state)
{
    (void)state;
    run_threads(64, 16, true, NULL);
}

static void barriers(struct contract *k)
{
    for (int i = 0; i < 100; i++)
        k->comm->ops->barrier(k->comm);
}

static void test_300_threads(void **state)
{
    (void)state;
    const struct contract_check checks[] = {{"barriers", barriers}, {NULL, NULL}};

    run_threads(300, 0, false, checks);
    run_threads(300, 0, true, comm_contract_virtual_checks);
}

static void nodes_of_seven(struct contract *k)
{
    const struct topology *t = k->comm->topology;
    char host[16];

    snprintf(host, sizeof host, "node%d", (int)k->comm->rank / 3);
    CONTRACT_CHECK(k, strcmp(k->comm->host, host) == 0);
    CONTRACT_CHECK(k, t->nodes == 3 && t->most_per_node == 3 && t->fewest_per_node == 1);
    struct error e = error_none();
    struct comm *part = k->comm->ops->split(k->comm, k->comm->rank >= 4, &e);

    CONTRACT_CHECK(k, part != NULL && strcmp(part->host, host) == 0);
    CONTRACT_CHECK(k, part->topology->nodes == 2);
    part->ops->free(part);
}

static void test_simulated_nodes(void **state)
{
    (void)state;
    const struct contract_check checks[] = {{"nodes", nodes_of_seven}, {NULL, NULL}};

    run_threads(7, 3, false, checks);
}

static void test_impossible_worlds(void **state)
{
    (void)state;
    struct error e = error_none();

    assert_null(thread_world_make(0, 0, &e));
    assert_int_equal(e.status, STATUS_USAGE);
    e = error_none();
    assert_null(thread_world_make(UINT64_MAX / 64, 0, &e));
    assert_int_equal(e.status, STATUS_USAGE);
    assert_non_null(strstr(e.text, "possible"));
    thread_world_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_self),
        cmocka_unit_test(test_self_virtual),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_threads_virtual),
        cmocka_unit_test(test_64_threads),
        cmocka_unit_test(test_300_threads),
        cmocka_unit_test(test_simulated_nodes),
        cmocka_unit_test(test_impossible_worlds),
    };

    alarm(HANG_SECONDS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
