#include "comm_contract_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HOST_BYTES = 256 };

void contract_fail(struct contract *k, const char *file, int line, const char *what)
{
    if (k->failures++ == 0)
        snprintf(k->first, sizeof k->first, "rank %llu of %llu: %s:%d: %s",
                 (unsigned long long)k->comm->rank, (unsigned long long)k->comm->size, file, line,
                 what);
}

void contract_identity(struct contract *k)
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
void contract_topology(struct contract *k)
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

const struct contract_check comm_contract_checks[] = {
    {"ranks and size", contract_identity},
    {"topology", contract_topology},
    {"barriers hold everybody back", check_barriers},
    {"many barriers", check_many_barriers},
    {"reduce", check_reduce},
    {"broadcast", check_broadcast},
    {"gather", check_gather},
    {"messages in a ring", contract_messages},
    {"messages to one rank", contract_messages_to_one},
    {"agree", check_agree},
    {"agree_begin does not wait", contract_agree_begin_does_not_wait},
    {"raise reaches all", contract_raise_reaches_all},
    {"two raisers", contract_two_raisers},
    {"settle takes all notices in", contract_settle_takes_all},
    {"raise right after settle", contract_raise_right_after_settle},
    {"split", contract_split},
    {"split into single ranks", contract_split_into_single_ranks},
    {"native", contract_native},
    {"free with a notice under way", contract_free_with_notice_under_way},
    {NULL, NULL},
};
