/* The network's own speed: a transfer goes to a rank on another node, or comes from there, by two-
 * sided messages, with the phases, times and report that a storage has. What that reaches, no
 * storage behind the same network can surpass.
 *
 * A rank serves its clients whenever it waits for its own transfers, and, when it has no more of
 * them, in its barriers and its close, until all of its clients are through as well. */
#include "backends/network_server.h"

#include "model/reorder.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATTERN_PAIRWISE, PATTERN_INCAST };

struct network_options {
    int64_t pattern;
};

static const struct option network_option_rows[] = {
    {.name = "pattern",
     .kind = OPTION_CHOICE,
     .field = offsetof(struct network_options, pattern),
     .initial = "pairwise",
     .choices = "pairwise|incast",
     .argument = "pairwise|incast",
     .group = "Backend network",
     .workloads = WORKLOAD_ANY,
     .help = "who talks to whom: each rank to one on another node, or all to rank 0",
     .text =
         "pairwise: ranks in node-major order, rotated by the ranks of a node: each rank sends "
         "to one rank and serves another, so every node sends and receives at once at full speed. "
         "incast: all ranks send to rank 0 (write) or ask it (read), as clients of one busy server "
         "do; rank 0's own transfers go the other way, to one rank on another node, so N - 1 of "
         "the N ranks' bytes cross rank 0's link. A write ends when its receipt is back. On one "
         "node, or with --threads, the messages go through memory. Run it beside a storage test "
         "with the same -b and -t: the storage's bandwidth over this one is how much of the "
         "network "
         "it used."},
    {.name = NULL},
};

struct network_call { /* in flight; they complete in order */
    uint32_t slot;
    bool last; /* a barrier or close: its end is that of all clients */
    bool barrier;
    uint32_t messages;
    uint64_t value;
    struct network_header header;
    uint64_t receipt;
    struct comm_message message[3];
    struct comm *of[3];
};

struct network {
    struct comm *comm;
    struct comm *requests; /* split from it: nobody else's messages */
    struct comm *answers;
    const struct clock *clock;
    struct network_server server;
    uint64_t partner;
    uint64_t most_bytes;
    bool begun; /* clients are awaited, until the close */
    uint32_t slots;
    uint32_t first; /* oldest call in flight; both count up, modulo the slots */
    uint32_t next;
    struct network_call *calls;
    char partners_text[120];
};

static void network_close(void *io)
{
    struct network *n = io;
    /* Receives under way cannot be taken back: after an internal error their memory stays. */
    if (!n->begun) {
        network_server_free(&n->server);
        free(n->calls);
    }
    if (!n->begun && n->requests != NULL)
        n->requests->ops->free(n->requests);
    if (!n->begun && n->answers != NULL)
        n->answers->ops->free(n->answers);
    free(n);
}

/* Whom each rank asks. */
static uint64_t partner_of(const struct reorder *pairs, bool incast, uint64_t rank)
{
    return incast && rank != 0 ? 0 : reorder_source(pairs, rank);
}

static void describe(struct network *n, bool incast, const struct reorder *pairs)
{
    const struct topology *t = n->comm->topology;
    uint64_t same = 0;
    for (uint64_t rank = 0; rank < n->comm->size; rank++)
        same += topology_node(t, rank) == topology_node(t, partner_of(pairs, incast, rank));
    snprintf(n->partners_text, sizeof n->partners_text,
             "%s: %" PRIu64 " ranks on %" PRIu32 " node%s, %" PRIu64
             " of them with a partner on their own node",
             incast ? "incast to rank 0" : "pairwise", n->comm->size, t->nodes,
             t->nodes == 1 ? "" : "s", same);
}

static int make_server(struct network *n, bool incast, const struct reorder *pairs, uint32_t depth,
                       struct error *e)
{
    uint64_t size = n->comm->size, used = 0;
    uint64_t *ranks = calloc(size, sizeof *ranks);
    if (ranks == NULL)
        return error_set(e, STATUS_FAILED, "ENOMEM", "network: no memory for %" PRIu64 " ranks",
                         size);
    for (uint64_t rank = 0; rank < size; rank++)
        if (partner_of(pairs, incast, rank) == n->comm->rank)
            ranks[used++] = rank;
    int failed = network_server_make(&n->server, ranks, used, n->most_bytes, depth, e);
    free(ranks);
    n->server.requests = n->requests;
    n->server.answers = n->answers;
    return failed;
}

static int check(const struct backend_setup *setup, struct error *e)
{
    if (setup->comm->size < 2)
        return error_set(e, STATUS_USAGE, "usage",
                         "backend network: a single rank has nobody to talk to: start at least two "
                         "(mpirun -np 2, or --threads 2)");
    if (setup->transfer_bytes > NETWORK_LARGEST)
        return error_set(e, STATUS_USAGE, "usage",
                         "backend network: a transfer of more than 1 GiB is not one message");
    return 0;
}

static void *network_open(const struct backend_setup *setup, struct error *e)
{
    const struct network_options *options = setup->options;
    bool incast = options->pattern == PATTERN_INCAST;
    if (check(setup, e) != 0)
        return NULL;
    struct reorder pairs = reorder_make(REORDER_CONSTANT, setup->comm->topology, 1, 0);
    struct network *n = calloc(1, sizeof *n);
    if (n == NULL) {
        error_set(e, STATUS_FAILED, "ENOMEM", "network: out of memory");
        return NULL;
    }
    n->comm = setup->comm;
    n->clock = setup->clock;
    n->most_bytes = setup->transfer_bytes > 0 ? setup->transfer_bytes : 1;
    n->slots = setup->slots + 1; /* a close beside the transfers */
    n->partner = partner_of(&pairs, incast, n->comm->rank);
    n->calls = calloc(n->slots, sizeof *n->calls);
    n->requests = n->comm->ops->split(n->comm, 0, e);
    n->answers = n->requests != NULL ? n->comm->ops->split(n->comm, 0, e) : NULL;
    if (n->calls == NULL)
        error_set(e, STATUS_FAILED, "ENOMEM", "network: no memory for %u operations", n->slots);
    if (n->calls != NULL && n->answers != NULL &&
        make_server(n, incast, &pairs, setup->slots, e) == 0) {
        describe(n, incast, &pairs);
        return n;
    }
    network_close(n);
    return NULL;
}

static void send(struct network *n, struct network_call *c, const void *data, uint64_t bytes)
{
    c->of[c->messages] = n->requests;
    n->requests->ops->send(n->requests, n->partner, data, bytes, &c->message[c->messages++]);
}

static void receive(struct network *n, struct network_call *c, void *data, uint64_t bytes)
{
    c->of[c->messages] = n->answers;
    n->answers->ops->receive(n->answers, n->partner, data, bytes, &c->message[c->messages++]);
}

static struct network_call *begin(struct network *n, uint32_t slot, enum network_ask ask,
                                  uint64_t bytes)
{
    struct network_call *c = &n->calls[n->next++ % n->slots];
    c->slot = slot;
    c->last = ask == NETWORK_END;
    c->barrier = false;
    c->messages = 0;
    c->value = bytes;
    c->header = (struct network_header){ask, bytes};
    send(n, c, &c->header, sizeof c->header);
    return c;
}

static enum io_state perform_transfer(void *io, const struct op *op, uint32_t slot,
                                      struct outcome *outcome)
{
    struct network *n = io;
    uint64_t bytes = op_bytes(op);
    if (bytes > n->most_bytes || !n->begun) {
        *outcome = (struct outcome){.error = n->begun ? EMSGSIZE : EBADF};
        return IO_DONE;
    }
    if (op->kind == OP_WRITE) {
        struct network_call *c = begin(n, slot, NETWORK_WRITE, bytes);
        if (bytes > 0)
            send(n, c, op->data, bytes);
        receive(n, c, &c->receipt, sizeof c->receipt);
    } else {
        receive(n, begin(n, slot, NETWORK_READ, bytes), op->data, bytes);
    }
    return IO_QUEUED;
}

static enum io_state perform_open(void *io, const struct op *op, uint32_t slot,
                                  struct outcome *outcome)
{
    struct network *n = io;
    (void)op, (void)slot;
    *outcome = (struct outcome){0};
    if (!n->begun)
        network_server_begin(&n->server);
    n->begun = true;
    return IO_DONE;
}

/* Close and barrier: this rank has nothing in flight, and asks for no more. */
static enum io_state perform_end(void *io, const struct op *op, uint32_t slot,
                                 struct outcome *outcome)
{
    struct network *n = io;
    *outcome = (struct outcome){0};
    if (!n->begun) { /* a file that was only created: one rank alone */
        if (op->kind == OP_BARRIER)
            n->comm->ops->barrier_patient(n->comm);
        return IO_DONE;
    }
    begin(n, slot, NETWORK_END, 0)->barrier = op->kind == OP_BARRIER;
    return IO_QUEUED;
}

/* What names and durability ask for, the network has not. */
static enum io_state perform_nothing(void *io, const struct op *op, uint32_t slot,
                                     struct outcome *outcome)
{
    (void)io, (void)op, (void)slot;
    *outcome = (struct outcome){0};
    return IO_DONE;
}

/* All clients are through as well: after a barrier they come again. */
static void end(struct network *n, const struct network_call *c)
{
    n->begun = c->barrier;
    if (!c->barrier)
        return;
    n->comm->ops->barrier_patient(n->comm);
    network_server_begin(&n->server);
}

/* Whether the oldest call in flight is complete. */
static bool advance(struct network *n, struct network_call *c)
{
    while (c->messages > 0) {
        uint32_t m = c->messages - 1;
        if (!c->of[m]->ops->done(c->of[m], &c->message[m]))
            return false;
        c->messages--;
    }
    if (c->last && !network_server_is_done(&n->server))
        return false;
    if (c->last)
        end(n, c);
    return true;
}

static uint32_t take(struct network *n, struct completion *done, uint32_t max)
{
    uint32_t used = 0;
    while (used < max && n->first != n->next) {
        struct network_call *c = &n->calls[n->first % n->slots];
        if (!advance(n, c))
            break;
        n->first++;
        done[used++] =
            (struct completion){.slot = c->slot, .outcome = {.value = (int64_t)c->value}};
    }
    return used;
}

static int network_reap(void *io, uint32_t min, int64_t until_ns, struct completion *done,
                        uint32_t max, struct error *e)
{
    struct network *n = io;
    uint32_t used = 0;
    (void)e;
    if (min > n->next - n->first)
        min = n->next - n->first;
    if (min > max)
        min = max;
    for (;;) {
        bool moved = n->begun && network_server_work(&n->server);
        uint32_t got = take(n, done + used, max - used);
        used += got;
        if (used >= min || (until_ns != INT64_MAX && n->clock->now_ns(n->clock) >= until_ns))
            return (int)used;
        if (!moved && got == 0)
            sched_yield();
    }
}

static void network_explain(void *io, const struct op *op, const struct outcome *outcome,
                            struct error *e)
{
    (void)io;
    error_errno(e, outcome->error, "%s of %" PRIu64 " bytes over the network",
                op_name((enum op_kind)op->kind), op_bytes(op));
}

static size_t network_facts(void *io, struct fact *facts, size_t max)
{
    const struct network *n = io;
    if (max < 1)
        return 0;
    snprintf(facts[0].key, sizeof facts[0].key, "network");
    snprintf(facts[0].value, sizeof facts[0].value, "%s", n->partners_text);
    return 1;
}

const struct backend backend_network = {
    .name = "network",
    .sentence = "messages to a rank on another node: the network's own speed, beside the storage's",
    .traits = BACKEND_NEEDS_PARTNER,
    .options = network_option_rows,
    .options_bytes = sizeof(struct network_options),
    .max_depth = 4096,
    .open = network_open,
    .close = network_close,
    .perform = {[OP_OPEN] = perform_open,
                [OP_CREATE] = perform_nothing,
                [OP_READ] = perform_transfer,
                [OP_WRITE] = perform_transfer,
                [OP_SYNC] = perform_nothing,
                [OP_CLOSE] = perform_end,
                [OP_UNLINK] = perform_nothing,
                [OP_BARRIER] = perform_end},
    .reap = network_reap,
    .explain = network_explain,
    .facts = network_facts,
};
