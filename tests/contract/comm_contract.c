#include "comm_contract.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    HOST_BYTES = 256,
    /* A notice takes a few hops; so many polls, a millisecond apart, are a hang. */
    MOST_POLLS = 20000
};

void contract_fail(struct contract *k, const char *file, int line, const char *what)
{
    if (k->failures++ == 0)
        snprintf(k->first, sizeof k->first, "rank %llu of %llu: %s:%d: %s",
                 (unsigned long long)k->comm->rank, (unsigned long long)k->comm->size, file, line,
                 what);
}

static int64_t kernel_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void sleep_us(long us)
{
    struct timespec t = {us / 1000000, us % 1000000 * 1000};

    nanosleep(&t, NULL);
}

/* Memory that is there, or no test. */
static void *need(size_t bytes)
{
    void *p = calloc(1, bytes + 1);

    if (p == NULL)
        abort();
    return p;
}

/* Gathers one number a rank and hands all of them to everybody; the caller frees. */
static uint64_t *share(struct comm *c, uint64_t mine)
{
    uint64_t *all = need(c->size * sizeof *all);

    c->ops->gather(c, &mine, sizeof mine, c->rank == 0 ? all : NULL);
    c->ops->broadcast(c, 0, all, c->size * sizeof *all);
    return all;
}

static void check_identity(struct contract *k)
{
    struct comm *c = k->comm;
    uint64_t *ranks = share(c, c->rank);

    CONTRACT_CHECK(k, c->size > 0 && c->rank < c->size);
    for (uint64_t r = 0; r < c->size; r++)
        CONTRACT_CHECK(k, ranks[r] == r);
    free(ranks);
    uint64_t size[2] = {c->size, c->size};

    comm_reduce_all(c, REDUCE_MIN, size, 1);
    comm_reduce_all(c, REDUCE_MAX, size + 1, 1);
    CONTRACT_CHECK(k, size[0] == c->size && size[1] == c->size);
    CONTRACT_CHECK(k, strlen(c->ops->name) > 0);
}

/* Ranks of one node have one host name, and nodes are numbered by their first rank. */
static void check_topology(struct contract *k)
{
    struct comm *c = k->comm;
    char *hosts = need(c->size * HOST_BYTES);
    char mine[HOST_BYTES] = "";

    snprintf(mine, sizeof mine, "%s", c->host);
    CONTRACT_CHECK(k, mine[0] != '\0');
    c->ops->gather(c, mine, sizeof mine, c->rank == 0 ? hosts : NULL);
    c->ops->broadcast(c, 0, hosts, c->size * HOST_BYTES);
    CONTRACT_CHECK(k, c->topology->ranks == c->size);
    CONTRACT_CHECK(k, c->topology->nodes > 0 && c->topology->nodes <= c->size);
    CONTRACT_CHECK(k, topology_node(c->topology, 0) == 0);
    uint32_t highest = 0;

    for (uint64_t r = 1; r < c->size; r++) {
        uint32_t node = topology_node(c->topology, r);

        CONTRACT_CHECK(k, node <= highest + 1);
        highest = node > highest ? node : highest;
        if (node == topology_node(c->topology, r - 1))
            CONTRACT_CHECK(k, strcmp(hosts + r * HOST_BYTES, hosts + (r - 1) * HOST_BYTES) == 0);
    }
    CONTRACT_CHECK(k, highest + 1 == c->topology->nodes);
    free(hosts);
}

/* All ranks are on one machine: its clock tells that nobody left before everybody had come. */
static void check_barrier_with(struct contract *k, void (*barrier)(struct comm *c))
{
    struct comm *c = k->comm;

    for (uint64_t late = 0; late < c->size && late < 4; late++) {
        if (c->rank == late)
            sleep_us(3000);
        uint64_t in = (uint64_t)kernel_ns();

        barrier(c);
        uint64_t out = (uint64_t)kernel_ns();

        comm_reduce_all(c, REDUCE_MAX, &in, 1);
        CONTRACT_CHECK(k, out >= in);
    }
}

static void check_barriers(struct contract *k)
{
    check_barrier_with(k, k->comm->ops->barrier);
    check_barrier_with(k, k->comm->ops->barrier_patient);
}

static void check_many_barriers(struct contract *k)
{
    for (int i = 0; i < 50; i++) {
        k->comm->ops->barrier(k->comm);
        k->comm->ops->barrier_patient(k->comm);
    }
    uint64_t one = 1;

    comm_reduce_all(k->comm, REDUCE_SUM, &one, 1);
    CONTRACT_CHECK(k, one == k->comm->size);
}

static uint64_t element(uint64_t rank, uint64_t i)
{
    return (rank + 1) * 1000003 + i * (rank % 3 == 0 ? 7 : 5);
}

static uint64_t reduced(enum reduce_rule rule, uint64_t ranks, uint64_t i)
{
    uint64_t result = element(0, i);

    for (uint64_t r = 1; r < ranks; r++) {
        uint64_t v = element(r, i);

        if (rule == REDUCE_SUM)
            result += v;
        else if ((rule == REDUCE_MIN) == (v < result))
            result = v;
    }
    return result;
}

static void check_reduce(struct contract *k)
{
    static const size_t sizes[] = {0, 1, 2, 7, 10000};
    struct comm *c = k->comm;

    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        uint64_t *values = need(sizes[s] * sizeof *values);

        for (int rule = REDUCE_SUM; rule <= REDUCE_MAX; rule++) {
            for (size_t i = 0; i < sizes[s]; i++)
                values[i] = element(c->rank, i);
            c->ops->reduce(c, (enum reduce_rule)rule, values, sizes[s]);
            for (size_t i = 0; i < sizes[s] && c->rank == 0; i++)
                CONTRACT_CHECK(k, values[i] == reduced((enum reduce_rule)rule, c->size, i));
        }
        free(values);
    }
    uint64_t wide[2] = {UINT64_MAX - c->rank, c->rank};

    comm_reduce_all(c, REDUCE_MAX, wide, 2);
    CONTRACT_CHECK(k, wide[0] == UINT64_MAX && wide[1] == c->size - 1);
    /* Unsigned all the way: what is beyond 2^63 is large, not negative. */
    uint64_t first = c->rank == 0 ? 5 : UINT64_MAX, last = first;

    comm_reduce_all(c, REDUCE_MIN, &first, 1);
    comm_reduce_all(c, REDUCE_MAX, &last, 1);
    CONTRACT_CHECK(k, first == 5 && last == (c->size > 1 ? UINT64_MAX : 5));
    c->ops->agree_begin(c, c->rank == 0 ? 5 : UINT64_MAX);
    CONTRACT_CHECK(k, c->ops->agree_end(c) == (c->size > 1 ? UINT64_MAX : 5));
}

static void check_broadcast(struct contract *k)
{
    static const size_t sizes[] = {0, 1, 1000, 3000003};
    struct comm *c = k->comm;

    for (uint64_t root = 0; root < c->size; root += c->size / 8 + 1) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            unsigned char *data = need(sizes[s]);

            memset(data, c->rank == root ? (int)(root + s + 1) & 0xff : 0, sizes[s]);
            c->ops->broadcast(c, root, data, sizes[s]);
            for (size_t i = 0; i < sizes[s]; i += i + 2 < sizes[s] || i + 1 == sizes[s] ? 997 : 1)
                CONTRACT_CHECK(k, data[i] == (unsigned char)(root + s + 1));
            CONTRACT_CHECK(k, data[sizes[s]] == 0);
            free(data);
        }
    }
}

static void check_gather_of(struct contract *k, size_t bytes)
{
    struct comm *c = k->comm;
    unsigned char *mine = need(bytes);
    unsigned char *all = c->rank == 0 ? need(bytes * c->size) : NULL;
    size_t stride = bytes > 100000 ? 997 : 1;

    for (size_t i = 0; i < bytes; i++)
        mine[i] = (unsigned char)(c->rank * 31 + i % 251);
    c->ops->gather(c, mine, bytes, all);
    for (size_t i = 0; all != NULL && i < bytes * c->size; i += stride)
        CONTRACT_CHECK(k, all[i] == (unsigned char)(i / bytes * 31 + i % bytes % 251));
    free(mine);
    free(all);
}

static void check_gather(struct contract *k)
{
    check_gather_of(k, 0);
    check_gather_of(k, 1);
    check_gather_of(k, 12);
    check_gather_of(k, 40001);
    check_gather_of(k, 70000001 / k->comm->size); /* more than one message holds */
}

static void check_agree(struct contract *k)
{
    struct comm *c = k->comm;

    for (uint64_t i = 0; i < 300; i++) {
        uint64_t mine = (c->rank * 7 + i * 13) % 101 + (i == 7 ? UINT64_MAX - 1000 : 0);
        uint64_t expected = mine;

        c->ops->agree_begin(c, mine);
        if (i % 5 == 0)
            c->ops->barrier(c);
        uint64_t agreed = c->ops->agree_end(c);

        for (uint64_t r = 0; r < c->size; r++) {
            uint64_t v = (r * 7 + i * 13) % 101 + (i == 7 ? UINT64_MAX - 1000 : 0);

            expected = v > expected ? v : expected;
        }
        CONTRACT_CHECK(k, agreed == expected);
    }
}

/* Asks until a notice is there; 0 if it never comes. */
static int wait_for_notice(struct comm *c)
{
    for (int i = 0; i < MOST_POLLS; i++) {
        int reason = c->ops->raised(c);

        if (reason != 0)
            return reason;
        sleep_us(1000);
    }
    return 0;
}

static void expect_quiet(struct contract *k)
{
    k->comm->ops->barrier(k->comm);
    for (int i = 0; i < 3; i++) {
        CONTRACT_CHECK(k, k->comm->ops->raised(k->comm) == 0);
        sleep_us(300);
    }
    k->comm->ops->barrier(k->comm);
}

/* The others begin only after rank 0 has come back from its agree_begin: it must not wait. */
static void check_agree_begin_does_not_wait(struct contract *k)
{
    struct comm *c = k->comm;

    if (c->rank == 0) {
        c->ops->agree_begin(c, 5);
        c->ops->raise(c, 1);
    } else {
        CONTRACT_CHECK(k, wait_for_notice(c) == 1);
        c->ops->agree_begin(c, c->rank == c->size - 1 ? 9 : 2);
    }
    CONTRACT_CHECK(k, c->ops->agree_end(c) == (c->size > 1 ? 9 : 5));
    c->ops->settle(c);
    expect_quiet(k);
}

static void check_raise_reaches_all(struct contract *k)
{
    struct comm *c = k->comm;

    for (uint64_t raiser = 0; raiser < c->size; raiser += c->size / 8 + 1) {
        int reason = (int)raiser + 1;

        CONTRACT_CHECK(k, c->ops->raised(c) == 0);
        c->ops->barrier(c);
        if (c->rank == raiser)
            c->ops->raise(c, reason);
        CONTRACT_CHECK(k, wait_for_notice(c) == reason);
        CONTRACT_CHECK(k, c->ops->raised(c) == reason);
        c->ops->settle(c);
        CONTRACT_CHECK(k, c->ops->raised(c) == 0);
        c->ops->barrier(c);
    }
}

/* Two raise, with different reasons: each rank hears one of them. */
static void check_two_raisers(struct contract *k)
{
    struct comm *c = k->comm;

    for (int round = 0; round < 10; round++) {
        if (c->rank == 0)
            c->ops->raise(c, INT_MAX);
        if (c->rank == c->size - 1)
            c->ops->raise(c, 2);
        int reason = wait_for_notice(c);

        CONTRACT_CHECK(k, reason == INT_MAX || reason == 2);
        c->ops->settle(c);
        expect_quiet(k);
    }
}

/* All raise, and again; nobody asks before it is settled. */
static void check_settle_takes_all(struct contract *k)
{
    struct comm *c = k->comm;

    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 100; i++)
            c->ops->raise(c, 3);
        c->ops->settle(c);
        if (round % 3 == 0)
            expect_quiet(k);
    }
    c->ops->settle(c);
    expect_quiet(k);
}

/* A notice raised right after settle is one of the new time, even while others still settle. */
static void check_raise_right_after_settle(struct contract *k)
{
    struct comm *c = k->comm;

    for (int round = 0; round < 20; round++) {
        if (c->rank == (uint64_t)round % c->size)
            c->ops->raise(c, 1 + round);
        CONTRACT_CHECK(k, wait_for_notice(c) == 1 + round);
        c->ops->settle(c);
    }
    expect_quiet(k);
}

/* The basic calls, on a part. */
static void use_part(struct contract *k, struct comm *part)
{
    uint64_t sum[2] = {1, part->rank};

    comm_reduce_all(part, REDUCE_SUM, sum, 2);
    CONTRACT_CHECK(k, sum[0] == part->size && sum[1] == part->size * (part->size - 1) / 2);
    part->ops->agree_begin(part, part->rank);
    CONTRACT_CHECK(k, part->ops->agree_end(part) == part->size - 1);
    part->ops->barrier(part);
    part->ops->barrier_patient(part);
}

static void check_split(struct contract *k)
{
    struct comm *c = k->comm;
    /* The two colors differ in high bits only. */
    uint64_t color = c->rank % 2 == 0 ? UINT64_C(1) << 62 : 0;
    struct error e = error_none();
    struct comm *part = c->ops->split(c, color, &e);

    CONTRACT_CHECK(k, part != NULL && e.status == STATUS_DONE);
    CONTRACT_CHECK(k, part->size == (c->size + (c->rank % 2 == 0)) / 2);
    CONTRACT_CHECK(k, part->rank == c->rank / 2);
    CONTRACT_CHECK(k, part->clock == c->clock);
    CONTRACT_CHECK(k, strcmp(part->host, c->host) == 0);
    struct contract own = {.comm = part};

    check_identity(&own);
    check_topology(&own);
    check_raise_reaches_all(&own);
    k->failures += own.failures;
    if (own.failures > 0)
        snprintf(k->first, sizeof k->first, "in a split comm: %.200s", own.first);
    use_part(k, part);
    /* A notice in one part is none in the other, and none in the whole. */
    if (c->rank == 0)
        part->ops->raise(part, 4);
    c->ops->barrier(c);
    CONTRACT_CHECK(k, c->ops->raised(c) == 0);
    CONTRACT_CHECK(k, c->rank % 2 == 0 ? wait_for_notice(part) == 4 : part->ops->raised(part) == 0);
    part->ops->settle(part);
    part->ops->free(part);
    check_identity(k);
}

static void check_split_into_single_ranks(struct contract *k)
{
    struct error e = error_none();
    struct comm *alone = k->comm->ops->split(k->comm, k->comm->rank, &e);

    CONTRACT_CHECK(k, alone != NULL && alone->size == 1 && alone->rank == 0);
    use_part(k, alone);
    struct comm *again = alone->ops->split(alone, 1, &e);

    CONTRACT_CHECK(k, again != NULL && again->size == 1);
    alone->ops->free(alone);
    use_part(k, again);
    again->ops->free(again);
}

static void check_native(struct contract *k)
{
    void *handle = k;
    enum native_kind kind = k->comm->ops->native(k->comm, &handle);

    CONTRACT_CHECK(k, (kind == NATIVE_NONE) == (handle == NULL));
    CONTRACT_CHECK(k, (kind == NATIVE_MPI) == (strcmp(k->comm->ops->name, "mpi") == 0));
    CONTRACT_CHECK(k, handle != k);
}

/* A comm freed with a notice under way leaves the others in peace. */
static void check_free_with_notice_under_way(struct contract *k)
{
    struct error e = error_none();
    struct comm *part = k->comm->ops->split(k->comm, 0, &e);

    CONTRACT_CHECK(k, part != NULL);
    if (part->rank == part->size / 2)
        part->ops->raise(part, 1);
    part->ops->free(part);
    expect_quiet(k);
}

/* To the next rank and from the one before: an empty one, then several of different sizes, all
 * begun before any is waited for; in turn or the last first. */
static void check_messages_waited(struct contract *k, bool last_first)
{
    enum { MESSAGES = 5, MOST_WORDS = 20000 };
    static const size_t words[MESSAGES] = {0, 1, 300, MOST_WORDS, 2};
    struct comm *c = k->comm;
    uint64_t next = (c->rank + 1) % c->size, before = (c->rank + c->size - 1) % c->size;
    uint64_t *out = need(MESSAGES * MOST_WORDS * sizeof *out);
    uint64_t *in = need(MESSAGES * MOST_WORDS * sizeof *in);
    struct comm_message sent[MESSAGES], got[MESSAGES];

    for (size_t i = 0; i < MESSAGES * MOST_WORDS; i++)
        out[i] = c->rank * 1000003 + i;
    for (int i = 0; i < MESSAGES; i++) {
        c->ops->receive(c, before, in + i * MOST_WORDS, words[i] * sizeof *in, &got[i]);
        c->ops->send(c, next, out + i * MOST_WORDS, words[i] * sizeof *out, &sent[i]);
    }
    for (int i = 0; i < MESSAGES; i++) {
        int m = last_first ? MESSAGES - 1 - i : i;
        comm_wait(c, &got[m]);
        comm_wait(c, &sent[m]);
    }
    for (int i = 0; i < MESSAGES; i++)
        for (size_t word = 0; word < MOST_WORDS; word++) {
            size_t at = (size_t)i * MOST_WORDS + word;

            CONTRACT_CHECK(k, in[at] == (word < words[i] ? before * 1000003 + at : 0));
        }
    free(in);
    free(out);
}

static void check_messages(struct contract *k)
{
    check_messages_waited(k, false);
    check_messages_waited(k, true);
}

/* Of several senders each is heard by itself, whoever was first. */
static void check_messages_to_one(struct contract *k)
{
    struct comm *c = k->comm;
    struct comm_message m;

    if (c->rank > 0) {
        c->ops->send(c, 0, &c->rank, sizeof c->rank, &m);
        comm_wait(c, &m);
        return;
    }
    for (uint64_t from = c->size - 1; from > 0; from--) {
        uint64_t got = 0;

        c->ops->receive(c, from, &got, sizeof got, &m);
        comm_wait(c, &m);
        CONTRACT_CHECK(k, got == from);
    }
}

const struct contract_check comm_contract_checks[] = {
    {"ranks and size", check_identity},
    {"topology", check_topology},
    {"barriers hold everybody back", check_barriers},
    {"many barriers", check_many_barriers},
    {"reduce", check_reduce},
    {"broadcast", check_broadcast},
    {"gather", check_gather},
    {"messages in a ring", check_messages},
    {"messages to one rank", check_messages_to_one},
    {"agree", check_agree},
    {"agree_begin does not wait", check_agree_begin_does_not_wait},
    {"raise reaches all", check_raise_reaches_all},
    {"two raisers", check_two_raisers},
    {"settle takes all notices in", check_settle_takes_all},
    {"raise right after settle", check_raise_right_after_settle},
    {"split", check_split},
    {"split into single ranks", check_split_into_single_ranks},
    {"native", check_native},
    {"free with a notice under way", check_free_with_notice_under_way},
    {NULL, NULL},
};

/* Sets the rank's clock forward, to another time on each rank; returns the greatest. */
static int64_t drift(struct comm *c, int64_t to_ns)
{
    c->clock->sleep_until(c->clock, to_ns + (int64_t)(c->rank * 37 % 101));
    int64_t greatest = 0;

    for (uint64_t r = 0; r < c->size; r++)
        greatest = (int64_t)(r * 37 % 101) > greatest ? (int64_t)(r * 37 % 101) : greatest;
    return to_ns + greatest;
}

static int64_t now(const struct comm *c)
{
    return c->clock->now_ns(c->clock);
}

static void check_virtual_collectives(struct contract *k)
{
    struct comm *c = k->comm;
    uint64_t value = 1;
    uint64_t *all = c->rank == 0 ? need(c->size * sizeof *all) : NULL;

    for (int64_t t = 1000; t < 100000; t += 1000) {
        int64_t latest = drift(c, t);

        switch (t / 1000 % 5) {
        case 0:
            c->ops->barrier(c);
            break;
        case 1:
            c->ops->barrier_patient(c);
            break;
        case 2:
            c->ops->reduce(c, REDUCE_MAX, &value, 1);
            break;
        case 3:
            c->ops->broadcast(c, c->size - 1, &value, sizeof value);
            break;
        default:
            c->ops->gather(c, &value, sizeof value, all);
        }
        CONTRACT_CHECK(k, now(c) == latest);
    }
    free(all);
}

static void check_virtual_agree(struct contract *k)
{
    struct comm *c = k->comm;

    c->ops->barrier(c);
    for (int round = 0; round < 50; round++) {
        int64_t latest = drift(c, now(c) + 1000);
        int64_t begun = now(c);

        c->ops->agree_begin(c, 1);
        CONTRACT_CHECK(k, now(c) == begun);
        if (c->rank % 2 == 1) { /* works on meanwhile, longer than it would have waited */
            c->clock->sleep_until(c->clock, latest + 50);
            latest += 50;
        }
        c->ops->agree_end(c);
        CONTRACT_CHECK(k, now(c) == latest);
        c->ops->barrier(c);
    }
}

/* The last rank is ahead in time; what it sends takes its time along. */
static void check_virtual_messages(struct contract *k)
{
    struct comm *c = k->comm;
    int64_t sent_ns = drift(c, 900000) + 5000;
    int64_t before_ns = c->clock->now_ns(c->clock);
    uint64_t last = c->size - 1, word = 0;
    struct comm_message m;

    if (c->rank == last) {
        c->clock->sleep_until(c->clock, sent_ns);
        for (uint64_t to = 0; to < last; to++) {
            c->ops->send(c, to, &word, sizeof word, &m);
            comm_wait(c, &m);
        }
        CONTRACT_CHECK(k, c->clock->now_ns(c->clock) == sent_ns);
        return;
    }
    c->ops->receive(c, last, &word, sizeof word, &m);
    CONTRACT_CHECK(k, c->clock->now_ns(c->clock) == before_ns);
    comm_wait(c, &m);
    CONTRACT_CHECK(k, c->clock->now_ns(c->clock) == sent_ns);
}

const struct contract_check comm_contract_virtual_checks[] = {
    {"collectives leave virtual clocks at the maximum", check_virtual_collectives},
    {"agree_end waits for the last agree_begin", check_virtual_agree},
    {"virtual time of messages", check_virtual_messages},
    {NULL, NULL},
};
