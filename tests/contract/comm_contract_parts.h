/* What the files of the contract of comm share. */
#ifndef PARIO_TESTS_CONTRACT_COMM_CONTRACT_PARTS_H
#define PARIO_TESTS_CONTRACT_COMM_CONTRACT_PARTS_H

#include "comm_contract.h"

#include <stdlib.h>
#include <time.h>

static inline int64_t kernel_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline void sleep_us(long us)
{
    struct timespec t = {us / 1000000, us % 1000000 * 1000};

    nanosleep(&t, NULL);
}

/* Memory that is there, or no test. */
static inline void *need(size_t bytes)
{
    void *p = calloc(1, bytes + 1);

    if (p == NULL)
        abort();
    return p;
}

/* Gathers one number a rank and hands all of them to everybody; the caller frees. */
static inline uint64_t *share(struct comm *c, uint64_t mine)
{
    uint64_t *all = need(c->size * sizeof *all);

    c->ops->gather(c, &mine, sizeof mine, c->rank == 0 ? all : NULL);
    c->ops->broadcast(c, 0, all, c->size * sizeof *all);
    return all;
}

/* Who is who, asked of a part of a comm, too. */
void contract_identity(struct contract *k);
void contract_topology(struct contract *k);
/* Notices and parts of a comm. */
void contract_agree_begin_does_not_wait(struct contract *k);
void contract_raise_reaches_all(struct contract *k);
void contract_two_raisers(struct contract *k);
void contract_settle_takes_all(struct contract *k);
void contract_raise_right_after_settle(struct contract *k);
void contract_split(struct contract *k);
void contract_split_into_single_ranks(struct contract *k);
void contract_native(struct contract *k);
void contract_free_with_notice_under_way(struct contract *k);
/* Messages between two ranks. */
void contract_messages(struct contract *k);
void contract_messages_to_one(struct contract *k);

#endif
