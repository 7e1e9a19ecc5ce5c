/* One rank alone: nobody to wait for, nobody to tell. */
#include "base/text.h"
#include "comm/comm.h"
#include "comm/mailbox.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct self_comm {
    struct comm base;
    struct topology topology;
    uint64_t agreed;
    struct mailbox mail; /* to itself */
    int reason;          /* raised and not settled; 0: none */
    char host[HOST_NAME_MAX + 1];
};

static struct self_comm *self_of(struct comm *c)
{
    return (struct self_comm *)c;
}

static void self_barrier(struct comm *c)
{
    (void)c;
}

static void self_reduce(struct comm *c, enum reduce_rule rule, uint64_t *values, size_t n)
{
    (void)c, (void)rule, (void)values, (void)n;
}

static void self_broadcast(struct comm *c, uint64_t root, void *data, size_t bytes)
{
    (void)c, (void)root, (void)data, (void)bytes;
}

static void self_gather(struct comm *c, const void *mine, size_t bytes, void *all)
{
    (void)c;
    if (bytes > 0)
        memcpy(all, mine, bytes);
}

static void self_agree_begin(struct comm *c, uint64_t value)
{
    self_of(c)->agreed = value;
}

static uint64_t self_agree_end(struct comm *c)
{
    return self_of(c)->agreed;
}

static void self_raise(struct comm *c, int reason)
{
    if (self_of(c)->reason == 0)
        self_of(c)->reason = reason;
}

static int self_raised(struct comm *c)
{
    return self_of(c)->reason;
}

static void self_settle(struct comm *c)
{
    self_of(c)->reason = 0;
}

static void self_send(struct comm *c, uint64_t to, const void *data, size_t bytes,
                      struct comm_message *m)
{
    (void)to;
    *m = (struct comm_message){.data = (void *)(uintptr_t)data, .bytes = bytes, .is_send = true};
    mailbox_put(&self_of(c)->mail, m);
}

static void self_receive(struct comm *c, uint64_t from, void *data, size_t bytes,
                         struct comm_message *m)
{
    (void)from;
    *m = (struct comm_message){.data = data, .bytes = bytes};
    mailbox_await(&self_of(c)->mail, m);
}

static bool self_done(struct comm *c, struct comm_message *m)
{
    return m->is_send ? atomic_load(&m->taken) : mailbox_take(&self_of(c)->mail, m);
}

static struct comm *self_split(struct comm *c, uint64_t color, struct error *e)
{
    (void)color;
    return comm_self(c->clock, e);
}

static enum native_kind self_native(struct comm *c, void **handle)
{
    (void)c;
    *handle = NULL;
    return NATIVE_NONE;
}

static void self_free(struct comm *c)
{
    topology_free(&self_of(c)->topology);
    free(c);
}

static const struct comm_ops self_ops = {
    .name = "self",
    .barrier = self_barrier,
    .barrier_patient = self_barrier,
    .reduce = self_reduce,
    .broadcast = self_broadcast,
    .gather = self_gather,
    .agree_begin = self_agree_begin,
    .agree_end = self_agree_end,
    .raise = self_raise,
    .raised = self_raised,
    .settle = self_settle,
    .send = self_send,
    .receive = self_receive,
    .done = self_done,
    .split = self_split,
    .native = self_native,
    .free = self_free,
};

struct comm *comm_self(const struct clock *clock, struct error *e)
{
    struct self_comm *self = calloc(1, sizeof *self);

    if (self == NULL) {
        error_errno(e, errno, "communication of a single rank");
        return NULL;
    }
    if (topology_regular(&self->topology, 1, 1, false, e) != 0) {
        free(self);
        return NULL;
    }
    if (gethostname(self->host, sizeof self->host - 1) != 0)
        text_copy(self->host, sizeof self->host, "localhost");
    self->base = (struct comm){
        .ops = &self_ops,
        .size = 1,
        .topology = &self->topology,
        .host = self->host,
        .clock = clock,
    };
    return &self->base;
}
