/* Messages between two ranks, and what virtual clocks make of all that is done together. */
#include "comm_contract_parts.h"

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

void contract_messages(struct contract *k)
{
    check_messages_waited(k, false);
    check_messages_waited(k, true);
}

/* Of several senders each is heard by itself, whoever was first. */
void contract_messages_to_one(struct contract *k)
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
