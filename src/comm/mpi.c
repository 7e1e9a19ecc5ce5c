/* Ranks as processes of an MPI job. A failing call ends the job: there is nobody left to tell.
 *
 * Only the tight barrier blocks inside MPI, where libraries spin. All else is begun and then asked
 * for with patience (patience.h), because ranks wait there for others who work; and where ranks
 * outnumber cores the tight barrier does the same: with MPICH 7 spinning ranks on 2 cores need
 * 10 times as long as with pauses. */
#include "base/text.h"
#include "comm/comm.h"
#include "comm/mpi_message.h"
#include "comm/mpi_must.h"
#include "comm/mpi_neighbours.h"
#include "comm/mpi_notice.h"
#include "comm/node_map.h"
#include "comm/patience.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    REDUCE_CHUNK = 1 << 20,
    BROADCAST_CHUNK_BYTES = 1 << 28,
    GATHER_CHUNK_BYTES = 1 << 26 /* of all ranks together */
};

struct mpi_comm {
    struct comm base;
    MPI_Comm collectives;
    struct mpi_notices *notices;
    struct topology topology;
    MPI_Request agreement;
    uint64_t proposed[2]; /* value, time */
    uint64_t agreed[2];
    uint32_t hops; /* log2(size): how far news goes from rank to rank */
    bool crowded;  /* ranks outnumber the cores of some node: who spins there spins in the way */
    char host[HOST_NAME_MAX + 1];
};

static struct mpi_comm *mpi_of(struct comm *c)
{
    return (struct mpi_comm *)c;
}

/* Waits for a collective that was begun; outside of the timed part a wait may be long. */
static void finish(const struct mpi_comm *own, int code, const char *call, MPI_Request *request)
{
    struct patience patience = patience_begin(own->hops);
    int done = 0;

    mpi_must(code, call);
    while (!done) {
        mpi_must(MPI_Test(request, &done, MPI_STATUS_IGNORE), call);
        if (!done)
            patience_pause(&patience);
    }
}

/* MPICH 4.0 compares all unsigned integers as if they were signed. So what is compared travels as
 * signed: with the highest bit flipped, the order of the unsigned is that of the signed. */
#define ORDERED_TYPE MPI_INT64_T
#define ORDERED_BIT (UINT64_C(1) << 63)

static void flip_order(uint64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] ^= ORDERED_BIT;
}

/* The maximum over ranks, everywhere. */
static void maximum(const struct mpi_comm *own, uint64_t *value)
{
    MPI_Request request = MPI_REQUEST_NULL;

    flip_order(value, 1);
    finish(
        own,
        MPI_Iallreduce(MPI_IN_PLACE, value, 1, ORDERED_TYPE, MPI_MAX, own->collectives, &request),
        "MPI_Iallreduce", &request);
    flip_order(value, 1);
}

/* Leaves virtual clocks at the maximum of the ranks' times. */
static void meet_in_time(struct comm *c)
{
    if (!c->clock->is_virtual)
        return;
    uint64_t time_ns = (uint64_t)c->clock->now_ns(c->clock);

    maximum(mpi_of(c), &time_ns);
    c->clock->sleep_until(c->clock, (int64_t)time_ns);
}

static void mpi_barrier_patient(struct comm *c)
{
    struct mpi_comm *own = mpi_of(c);
    MPI_Request request = MPI_REQUEST_NULL;

    finish(own, MPI_Ibarrier(own->collectives, &request), "MPI_Ibarrier", &request);
    meet_in_time(c);
}

static void mpi_barrier(struct comm *c)
{
    struct mpi_comm *own = mpi_of(c);

    if (own->crowded) {
        mpi_barrier_patient(c);
        return;
    }
    mpi_must(MPI_Barrier(own->collectives), "MPI_Barrier");
    meet_in_time(c);
}

static MPI_Op op_of(enum reduce_rule rule)
{
    switch (rule) {
    case REDUCE_MIN:
        return MPI_MIN;
    case REDUCE_MAX:
        return MPI_MAX;
    case REDUCE_SUM:
        break;
    }
    return MPI_SUM;
}

static void mpi_reduce(struct comm *c, enum reduce_rule rule, uint64_t *values, size_t n)
{
    struct mpi_comm *own = mpi_of(c);
    bool compared = rule != REDUCE_SUM;

    if (compared)
        flip_order(values, n);
    for (size_t done = 0; done < n;) {
        int count = n - done < REDUCE_CHUNK ? (int)(n - done) : REDUCE_CHUNK;
        MPI_Request request = MPI_REQUEST_NULL;
        uint64_t *part = values + done;
        int code = MPI_Ireduce(c->rank == 0 ? MPI_IN_PLACE : part, c->rank == 0 ? part : NULL,
                               count, compared ? ORDERED_TYPE : MPI_UINT64_T, op_of(rule), 0,
                               own->collectives, &request);

        finish(own, code, "MPI_Ireduce", &request);
        done += (size_t)count;
    }
    if (compared)
        flip_order(values, n);
    meet_in_time(c);
}

static void mpi_broadcast(struct comm *c, uint64_t root, void *data, size_t bytes)
{
    struct mpi_comm *own = mpi_of(c);

    for (size_t done = 0; done < bytes;) {
        size_t left = bytes - done;
        int count = left < BROADCAST_CHUNK_BYTES ? (int)left : BROADCAST_CHUNK_BYTES;
        MPI_Request request = MPI_REQUEST_NULL;
        int code =
            MPI_Ibcast((char *)data + done, count, MPI_BYTE, (int)root, own->collectives, &request);

        finish(own, code, "MPI_Ibcast", &request);
        done += (size_t)count;
    }
    meet_in_time(c);
}

/* Gathers bytes [done, done + count) of each rank's part to their places in all. */
static void gather_chunk(const struct mpi_comm *own, const char *mine, size_t bytes, char *all,
                         size_t done, int count)
{
    MPI_Datatype chunk = MPI_DATATYPE_NULL, part = MPI_DATATYPE_NULL;
    MPI_Request request = MPI_REQUEST_NULL;

    mpi_must(MPI_Type_contiguous(count, MPI_BYTE, &chunk), "MPI_Type_contiguous");
    mpi_must(MPI_Type_create_resized(chunk, 0, (MPI_Aint)bytes, &part), "MPI_Type_create_resized");
    mpi_must(MPI_Type_commit(&part), "MPI_Type_commit");
    int code = MPI_Igather(mine + done, count, MPI_BYTE, all != NULL ? all + done : NULL, 1, part,
                           0, own->collectives, &request);

    finish(own, code, "MPI_Igather", &request);
    MPI_Type_free(&part);
    MPI_Type_free(&chunk);
}

/* Libraries count in ints and forward whole subtrees, so what is under way at a time is bounded. */
static void mpi_gather(struct comm *c, const void *mine, size_t bytes, void *all)
{
    size_t share = GATHER_CHUNK_BYTES / c->size > 0 ? GATHER_CHUNK_BYTES / c->size : 1;

    for (size_t done = 0; done < bytes;) {
        size_t count = bytes - done < share ? bytes - done : share;

        gather_chunk(mpi_of(c), mine, bytes, all, done, (int)count);
        done += count;
    }
    meet_in_time(c);
}

static void mpi_agree_begin(struct comm *c, uint64_t value)
{
    struct mpi_comm *own = mpi_of(c);

    own->proposed[0] = value;
    own->proposed[1] = c->clock->is_virtual ? (uint64_t)c->clock->now_ns(c->clock) : 0;
    flip_order(own->proposed, 2);
    mpi_must(MPI_Iallreduce(own->proposed, own->agreed, 2, ORDERED_TYPE, MPI_MAX, own->collectives,
                            &own->agreement),
             "MPI_Iallreduce");
}

static uint64_t mpi_agree_end(struct comm *c)
{
    struct mpi_comm *own = mpi_of(c);

    finish(own, MPI_SUCCESS, "MPI_Iallreduce", &own->agreement);
    flip_order(own->agreed, 2);
    if (c->clock->is_virtual)
        c->clock->sleep_until(c->clock, (int64_t)own->agreed[1]);
    return own->agreed[0];
}

static void mpi_raise(struct comm *c, int reason)
{
    mpi_notices_raise(mpi_of(c)->notices, reason);
}

static int mpi_raised(struct comm *c)
{
    return mpi_notices_raised(mpi_of(c)->notices);
}

static void take_in_notices(struct mpi_comm *own)
{
    uint64_t any = (uint64_t)mpi_notices_known(own->notices);

    maximum(own, &any);
    if (any > 0)
        mpi_notices_settle(own->notices, (int)any);
}

static void mpi_settle(struct comm *c)
{
    take_in_notices(mpi_of(c));
    meet_in_time(c);
}

static void mpi_send(struct comm *c, uint64_t to, const void *data, size_t bytes,
                     struct comm_message *m)
{
    *m = (struct comm_message){
        .data = (void *)(uintptr_t)data, .bytes = bytes, .from = c->rank, .is_send = true};
    mpi_message_send(c, &mpi_of(c)->collectives, to, m);
}

static void mpi_receive(struct comm *c, uint64_t from, void *data, size_t bytes,
                        struct comm_message *m)
{
    *m = (struct comm_message){.data = data, .bytes = bytes, .from = from};
    mpi_message_receive(c, &mpi_of(c)->collectives, m);
}

static enum native_kind mpi_native(struct comm *c, void **handle)
{
    *handle = &mpi_of(c)->collectives;
    return NATIVE_MPI;
}

static void mpi_free(struct comm *c)
{
    struct mpi_comm *own = mpi_of(c);

    take_in_notices(own);
    mpi_notices_free(own->notices);
    mpi_must(MPI_Comm_free(&own->collectives), "MPI_Comm_free");
    topology_free(&own->topology);
    free(own);
}

static struct comm *mpi_split(struct comm *c, uint64_t color, struct error *e);

static const struct comm_ops mpi_ops = {
    .name = "mpi",
    .barrier = mpi_barrier,
    .barrier_patient = mpi_barrier_patient,
    .reduce = mpi_reduce,
    .broadcast = mpi_broadcast,
    .gather = mpi_gather,
    .agree_begin = mpi_agree_begin,
    .agree_end = mpi_agree_end,
    .raise = mpi_raise,
    .raised = mpi_raised,
    .settle = mpi_settle,
    .send = mpi_send,
    .receive = mpi_receive,
    .done = mpi_message_done,
    .split = mpi_split,
    .native = mpi_native,
    .free = mpi_free,
};

static int map_world(struct mpi_comm *own, struct error *e)
{
    struct mpi_neighbours near = mpi_neighbours_of(&own->collectives);
    struct node_sign sign = node_sign_here(own->host, near.lowest, NULL);
    uint64_t crowded = near.crowded;

    maximum(own, &crowded);
    own->crowded = crowded > 0;
    return node_map_join(&own->base, &sign, &own->topology, e);
}

static int map_part(struct mpi_comm *own, const struct mpi_comm *parent, struct error *e)
{
    uint32_t node = topology_node(&parent->topology, parent->base.rank);

    own->crowded = parent->crowded;
    return node_map_share(&own->base, node, &own->topology, e);
}

/* Takes over own->collectives; parent is NULL for the world. */
static struct comm *comm_complete(struct mpi_comm *own, const struct clock *clock,
                                  struct mpi_comm *parent)
{
    struct error e = error_none();
    int rank = 0, size = 0;

    if (gethostname(own->host, sizeof own->host - 1) != 0)
        text_copy(own->host, sizeof own->host, "localhost");
    MPI_Comm_set_errhandler(own->collectives, MPI_ERRORS_RETURN);
    own->notices = mpi_notices_make(&own->collectives);
    MPI_Comm_rank(own->collectives, &rank);
    MPI_Comm_size(own->collectives, &size);
    own->base = (struct comm){
        .ops = &mpi_ops,
        .rank = (uint64_t)rank,
        .size = (uint64_t)size,
        .topology = &own->topology,
        .host = own->host,
        .clock = clock,
    };
    while (own->hops < 31 && (INT64_C(1) << own->hops) < size)
        own->hops++;
    if ((parent != NULL ? map_part(own, parent, &e) : map_world(own, &e)) != 0)
        mpi_die("starting", e.text);
    return &own->base;
}

/* Memory for a comm, on all ranks of within or on none. */
static struct mpi_comm *comm_begin(MPI_Comm within, struct error *e)
{
    struct mpi_comm *own = calloc(1, sizeof *own);
    int there = own != NULL;
    int code = MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_INT, MPI_MIN, within);

    if (code == MPI_SUCCESS && there)
        return own;
    free(own);
    error_set(e, STATUS_FAILED, "ENOMEM", "communication by MPI: out of memory on some rank");
    return NULL;
}

/* MPI's colors are ints: wider ones are split by in pieces. */
static struct comm *mpi_split(struct comm *c, uint64_t color, struct error *e)
{
    enum { PIECE_BITS = 31, COLOR_BITS = 64 };
    struct mpi_comm *parent = mpi_of(c), *own = comm_begin(parent->collectives, e);
    uint64_t most = color;

    if (own == NULL)
        return NULL;
    mpi_must(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, parent->collectives),
             "MPI_Allreduce");
    own->collectives = parent->collectives;
    for (int shift = 0; shift == 0 || (shift < COLOR_BITS && most >> shift > 0);
         shift += PIECE_BITS) {
        MPI_Comm wider = own->collectives;
        int piece = (int)(color >> shift & INT_MAX);

        mpi_must(MPI_Comm_split(wider, piece, (int)c->rank, &own->collectives), "MPI_Comm_split");
        if (shift > 0)
            mpi_must(MPI_Comm_free(&wider), "MPI_Comm_free");
    }
    struct comm *part = comm_complete(own, c->clock, parent);

    meet_in_time(c);
    return part;
}

struct comm *comm_mpi(const struct clock *clock, struct error *e)
{
    struct mpi_comm *own = comm_begin(MPI_COMM_WORLD, e);

    if (own == NULL)
        return NULL;
    mpi_must(MPI_Comm_dup(MPI_COMM_WORLD, &own->collectives), "MPI_Comm_dup");
    return comm_complete(own, clock, NULL);
}
