/* Notices that the run must stop, and comms made of parts of another. */
#include "comm_contract_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A notice takes a few hops; so many polls, a millisecond apart, are a hang. */
#define MOST_POLLS 20000

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
void contract_agree_begin_does_not_wait(struct contract *k)
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

void contract_raise_reaches_all(struct contract *k)
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
void contract_two_raisers(struct contract *k)
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
void contract_settle_takes_all(struct contract *k)
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
void contract_raise_right_after_settle(struct contract *k)
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

void contract_split(struct contract *k)
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

    contract_identity(&own);
    contract_topology(&own);
    contract_raise_reaches_all(&own);
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
    contract_identity(k);
}

void contract_split_into_single_ranks(struct contract *k)
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

void contract_native(struct contract *k)
{
    void *handle = k;
    enum native_kind kind = k->comm->ops->native(k->comm, &handle);

    CONTRACT_CHECK(k, (kind == NATIVE_NONE) == (handle == NULL));
    CONTRACT_CHECK(k, (kind == NATIVE_MPI) == (strcmp(k->comm->ops->name, "mpi") == 0));
    CONTRACT_CHECK(k, handle != k);
}

/* A comm freed with a notice under way leaves the others in peace. */
void contract_free_with_notice_under_way(struct contract *k)
{
    struct error e = error_none();
    struct comm *part = k->comm->ops->split(k->comm, 0, &e);

    CONTRACT_CHECK(k, part != NULL);
    if (part->rank == part->size / 2)
        part->ops->raise(part, 1);
    part->ops->free(part);
    expect_quiet(k);
}
