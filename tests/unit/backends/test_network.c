/* The network backend among ranks that are threads. */
#include "backends/network_server.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

extern const struct backend backend_network;

enum { DEPTH = 8, MOST_BYTES = 65536, PAIRWISE = 0, INCAST = 1 };

/* What is wrong on a rank is counted: cmocka's assertions are for its own thread. */
struct rank {
    struct comm *comm;
    void *io;
    struct error error;
    unsigned failures;
    char first[200];
    char network[sizeof((struct fact *)NULL)->value]; /* the fact */
    char *data;
};

#define EXPECT(r, condition)                                                                       \
    do {                                                                                           \
        if (!(condition) && (r)->failures++ == 0)                                                  \
            snprintf((r)->first, sizeof(r)->first, "rank %llu, line %d: %s",                       \
                     (unsigned long long)(r)->comm->rank, __LINE__, #condition);                   \
    } while (0)

struct scene {
    struct thread_world *world;
    int64_t pattern;
    uint64_t ranks;
    uint64_t transfer_bytes; /* that the backend is told; 0: MOST_BYTES */
    void (*play)(struct rank *r);
};

static void call(struct rank *r, enum op_kind kind, int error)
{
    struct op op = {.kind = (uint8_t)kind};
    struct completion done = {.outcome = {.error = -1}};
    if (backend_network.perform[kind](r->io, &op, 0, &done.outcome) == IO_QUEUED)
        EXPECT(r, backend_network.reap(r->io, 1, INT64_MAX, &done, 1, &r->error) == 1);
    EXPECT(r, done.outcome.error == error);
}

/* `total` transfers with the queue full; reads must bring the server's data. */
static void pump(struct rank *r, enum op_kind kind, uint64_t total)
{
    static const uint64_t sizes[] = {4096, MOST_BYTES, 1, 0, 47008 % MOST_BYTES, 512};
    struct op ops[DEPTH];
    struct completion done[DEPTH];
    struct outcome outcome;
    uint32_t idle[DEPTH], idle_used = DEPTH;
    uint64_t next = 0, completed = 0;
    for (uint32_t i = 0; i < DEPTH; i++)
        idle[i] = i;
    while (completed < total) {
        while (idle_used > 0 && next < total) {
            uint32_t slot = idle[--idle_used];
            char *data = r->data + slot * MOST_BYTES;
            ops[slot] =
                (struct op){.kind = (uint8_t)kind, .length_bytes = sizes[next++ % 6], .data = data};
            memset(data, 0, ops[slot].length_bytes);
            EXPECT(r,
                   backend_network.perform[kind](r->io, &ops[slot], slot, &outcome) == IO_QUEUED);
        }
        int n = backend_network.reap(r->io, 1, INT64_MAX, done, DEPTH, &r->error);
        EXPECT(r, n >= 1);
        for (int i = 0; i < n; i++) {
            const struct op *op = &ops[done[i].slot];
            const char *data = op->data;
            EXPECT(r, done[i].outcome.error == 0);
            EXPECT(r, done[i].outcome.value == (int64_t)op->length_bytes);
            if (kind == OP_READ && op->length_bytes > 0)
                EXPECT(r, data[0] == 0x5a && data[op->length_bytes - 1] == 0x5a);
            idle[idle_used++] = done[i].slot;
        }
        completed += (uint64_t)n;
    }
}

struct seat {
    const struct scene *scene;
    struct rank rank;
    uint64_t number;
    pthread_t thread;
};

static void *run_rank(void *argument)
{
    struct seat *seat = argument;
    const struct scene *scene = seat->scene;
    struct rank *r = &seat->rank;
    struct clock clock = clock_monotonic();
    struct fact fact;
    r->error = error_none();
    r->comm = comm_threads(scene->world, seat->number, &clock, &r->error);
    r->data = calloc(DEPTH, MOST_BYTES);
    if (r->comm == NULL || r->data == NULL)
        return NULL;
    uint64_t bytes = scene->transfer_bytes > 0 ? scene->transfer_bytes : MOST_BYTES;
    struct backend_setup setup = {.options = &scene->pattern,
                                  .comm = r->comm,
                                  .clock = &clock,
                                  .slots = DEPTH,
                                  .handles = 1,
                                  .transfer_bytes = bytes};
    r->io = backend_network.open(&setup, &r->error);
    EXPECT(r, r->io != NULL);
    if (r->io != NULL) {
        EXPECT(r, backend_network.facts(r->io, &fact, 1) == 1);
        memcpy(r->network, fact.value, sizeof fact.value);
        scene->play(r);
        backend_network.close(r->io);
    }
    r->comm->ops->free(r->comm);
    free(r->data);
    return NULL;
}

/* fact: what must stand in the line about partners. */
static void play(const struct scene *as, uint64_t per_node, const char *fact)
{
    struct scene scene = *as;
    struct error e = error_none();
    struct seat *seats = calloc(scene.ranks, sizeof *seats);
    scene.world = thread_world_make(scene.ranks, per_node, &e);
    assert_non_null(seats);
    assert_non_null(scene.world);
    for (uint64_t i = 0; i < scene.ranks; i++) {
        seats[i] = (struct seat){.scene = &scene, .number = i};
        assert_int_equal(pthread_create(&seats[i].thread, NULL, run_rank, &seats[i]), 0);
    }
    for (uint64_t i = 0; i < scene.ranks; i++)
        assert_int_equal(pthread_join(seats[i].thread, NULL), 0);
    thread_world_free(scene.world);
    for (uint64_t i = 0; i < scene.ranks; i++) {
        assert_string_equal(seats[i].rank.first, "");
        assert_int_equal(seats[i].rank.error.status, STATUS_DONE);
        if (strstr(seats[i].rank.network, fact) == NULL)
            fail_msg("'%s' is not in '%s'", fact, seats[i].rank.network);
    }
    free(seats);
}

static void write_and_read(struct rank *r)
{
    call(r, OP_OPEN, 0);
    pump(r, OP_WRITE, 300);
    call(r, OP_SYNC, 0);
    call(r, OP_CLOSE, 0);
    call(r, OP_OPEN, 0);
    pump(r, OP_READ, 300);
    call(r, OP_CLOSE, 0);
}

static void test_pairs(void **state)
{
    (void)state;
    struct scene s = {.play = write_and_read, .ranks = 2};
    play(&s, 0, "pairwise: 2 ranks on 1 node, 2 of them with a partner on their own node");
    play(&s, 1, "2 ranks on 2 nodes, 0 of them");
    s.ranks = 4;
    play(&s, 2, "4 ranks on 2 nodes, 0 of them");
    s.ranks = 5; /* 3 on the first node, 2 on the other: one pair has to stay */
    play(&s, 3, "5 ranks on 2 nodes, 1 of them");
    s.ranks = 9;
    play(&s, 2, "9 ranks on 5 nodes, 0 of them");
}

static void test_incast(void **state)
{
    (void)state;
    struct scene s = {.play = write_and_read, .ranks = 5, .pattern = INCAST};
    play(&s, 1, "incast to rank 0: 5 ranks on 5 nodes, 0 of them");
    s.ranks = 2;
    play(&s, 0, "incast");
}

/* One buffer for all requests: they wait for it, and none is lost. */
static void test_few_buffers(void **state)
{
    (void)state;
    struct scene s = {.play = write_and_read,
                      .ranks = 3,
                      .pattern = INCAST,
                      .transfer_bytes = NETWORK_POOL_BYTES / 2 + 1};
    play(&s, 0, "incast");
}

/* Who has done his part serves on until the last is through. */
static void unequal(struct rank *r)
{
    call(r, OP_OPEN, 0);
    pump(r, OP_WRITE, r->comm->rank == 1 ? 1000 : 3 * r->comm->rank);
    pump(r, OP_READ, r->comm->rank == 0 ? 500 : 0);
    call(r, OP_CLOSE, 0);
}

static void test_unequal_work(void **state)
{
    (void)state;
    for (int64_t pattern = PAIRWISE; pattern <= INCAST; pattern++) {
        struct scene s = {.play = unequal, .ranks = 4, .pattern = pattern};
        play(&s, 2, "4 ranks");
    }
}

static _Atomic unsigned arrived;

/* Ranks in a barrier serve those who are not there yet; nobody leaves before the last has come. */
static void barriers(struct rank *r)
{
    call(r, OP_OPEN, 0);
    for (unsigned round = 1; round <= 5; round++) {
        pump(r, OP_WRITE, (r->comm->rank + round) % 4 * 50);
        atomic_fetch_add(&arrived, 1);
        call(r, OP_BARRIER, 0);
        EXPECT(r, atomic_load(&arrived) >= round * r->comm->size);
        call(r, OP_BARRIER, 0);
    }
    call(r, OP_CLOSE, 0);
    call(r, OP_BARRIER, 0);
}

static void test_barriers(void **state)
{
    (void)state;
    for (int64_t pattern = PAIRWISE; pattern <= INCAST; pattern++) {
        struct scene s = {.play = barriers, .ranks = 4, .pattern = pattern};
        atomic_store(&arrived, 0);
        play(&s, 2, "4 ranks");
    }
}

/* A file that one rank creates is no transfer between two. */
static void create_alone(struct rank *r)
{
    if (r->comm->rank == 0) {
        call(r, OP_CREATE, 0);
        call(r, OP_CLOSE, 0);
        call(r, OP_UNLINK, 0);
    }
}

static void not_open(struct rank *r)
{
    struct op op = {.kind = OP_WRITE, .length_bytes = 4096, .data = r->data};
    struct outcome outcome;
    EXPECT(r, backend_network.perform[OP_WRITE](r->io, &op, 0, &outcome) == IO_DONE);
    EXPECT(r, outcome.error == EBADF);
    call(r, OP_OPEN, 0);
    op.length_bytes = MOST_BYTES + 1;
    EXPECT(r, backend_network.perform[OP_WRITE](r->io, &op, 0, &outcome) == IO_DONE);
    EXPECT(r, outcome.error == EMSGSIZE);
    struct error e = error_none();
    backend_network.explain(r->io, &op, &outcome, &e);
    EXPECT(r, strcmp(e.kind, "EMSGSIZE") == 0 && strstr(e.text, "65537 bytes") != NULL);
    call(r, OP_CLOSE, 0);
}

static void test_what_one_rank_does_alone(void **state)
{
    (void)state;
    struct scene s = {.play = create_alone, .ranks = 3};
    play(&s, 0, "3 ranks");
    s.play = not_open;
    play(&s, 0, "3 ranks");
}

static void test_refusals(void **state)
{
    (void)state;
    struct error e = error_none();
    struct clock clock = clock_monotonic();
    struct comm comm = {.size = 1};
    int64_t pattern = PAIRWISE;
    struct backend_setup setup = {
        .options = &pattern, .comm = &comm, .clock = &clock, .slots = 1, .transfer_bytes = 4096};
    assert_null(backend_network.open(&setup, &e));
    assert_int_equal(e.status, STATUS_USAGE);
    assert_non_null(strstr(e.text, "at least two"));
    e = error_none();
    comm.size = 2;
    setup.transfer_bytes = NETWORK_LARGEST + 1;
    assert_null(backend_network.open(&setup, &e));
    assert_int_equal(e.status, STATUS_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),       cmocka_unit_test(test_incast),
        cmocka_unit_test(test_few_buffers), cmocka_unit_test(test_unequal_work),
        cmocka_unit_test(test_barriers),    cmocka_unit_test(test_what_one_rank_does_alone),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
