/* Port: how the ranks of a run talk. Fillings: mpi, threads (ranks as threads of one process),
 * self. The timed part of a phase uses barrier, agree and raised only; everything else is outside
 * of it. */
#ifndef PARIO_COMM_COMM_H
#define PARIO_COMM_COMM_H

#include "base/error.h"
#include "clock/clock.h"
#include "model/topology.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reduce_rule { REDUCE_SUM, REDUCE_MIN, REDUCE_MAX };

enum native_kind { NATIVE_NONE, NATIVE_MPI };

struct comm;

/* A message between two ranks: the filling's from send or receive until done says true. */
struct comm_message {
    struct comm_message *next;
    void *data;
    size_t bytes;
    uint64_t from;
    int64_t time_ns; /* virtual: when it was sent */
    _Atomic bool taken;
    bool is_send;
    unsigned char request[2][8]; /* the library's own handles */
};

/* All calls but raise, raised and those of messages are collective: every rank of the comm makes
 * the same ones in the same order. A comm is used by the thread of its rank alone (in a process
 * with MPI: the thread that called comm_mpi_start). Failures inside a filling end the process group
 * (there is nobody left to tell). Virtual clocks: a collective call leaves all of them at the
 * maximum of the ranks' times; but agree_begin changes none, and agree_end leaves each no earlier
 * than the last rank's agree_begin. */
struct comm_ops {
    const char *name; /* "mpi", "threads", "self" */
    /* Tight: spins. */
    void (*barrier)(struct comm *c);
    /* Same, for long waits: polls at <= 0.1 % of the time waited, at most every 1 ms. */
    void (*barrier_patient)(struct comm *c);
    /* Element-wise over ranks, in place; the result is valid on rank 0 alone. */
    void (*reduce)(struct comm *c, enum reduce_rule rule, uint64_t *values, size_t n);
    /* From rank root to all. */
    void (*broadcast)(struct comm *c, uint64_t root, void *data, size_t bytes);
    /* bytes of each rank to rank 0, in rank order; all is NULL elsewhere. */
    void (*gather)(struct comm *c, const void *mine, size_t bytes, void *all);
    /* Starts a maximum over ranks of value, without waiting; one at a time. */
    void (*agree_begin)(struct comm *c, uint64_t value);
    /* Waits for it. */
    uint64_t (*agree_end)(struct comm *c);
    /* Tells all ranks that the run must stop; reason > 0. Never waits, and costs no more when all
     * ranks raise at once. The others pass it on as they call raised. Not collective. */
    void (*raise)(struct comm *c, int reason);
    /* 0, or a reason that somebody raised since the last settle. Cheap, but polls the network: the
     * engine asks at most every 50 ms. Not collective. */
    int (*raised)(struct comm *c);
    /* Collective: takes in every notice still under way and forgets them. */
    void (*settle)(struct comm *c);
    /* Begin a message of bytes < 2^31, as many on both sides; neither waits. Messages of one pair
     * of ranks arrive in the order in which they were sent, at the receives in the order in which
     * these were begun. The data, and *m, stay where they are until done. */
    void (*send)(struct comm *c, uint64_t to, const void *data, size_t bytes,
                 struct comm_message *m);
    void (*receive)(struct comm *c, uint64_t from, void *data, size_t bytes,
                    struct comm_message *m);
    /* Whether the data may be used again (send) or is there (receive); asked until it says true,
     * once. Virtual clocks: the receiver's is then no earlier than the sending was. */
    bool (*done)(struct comm *c, struct comm_message *m);
    /* Ranks of equal color, ordered as before; NULL with an error on failure. */
    struct comm *(*split)(struct comm *c, uint64_t color, struct error *e);
    /* The library's own handle (MPI_Comm *), for backends that need one. */
    enum native_kind (*native)(struct comm *c, void **handle);
    void (*free)(struct comm *c);
};

struct comm {
    const struct comm_ops *ops;
    uint64_t rank;
    uint64_t size;
    const struct topology *topology; /* of this comm */
    const char *host;                /* this rank's host name */
    const struct clock *clock;       /* this rank's */
};

static inline void comm_barrier(struct comm *c)
{
    c->ops->barrier(c);
}
/* Until the message is done, with patience. */
void comm_wait(struct comm *c, struct comm_message *m);
/* Reduce, then broadcast: the result is valid everywhere. */
void comm_reduce_all(struct comm *c, enum reduce_rule rule, uint64_t *values, size_t n);

/* One rank alone. */
struct comm *comm_self(const struct clock *clock, struct error *e);

/* Ranks as threads. The world is shared; each thread makes its own comm from it. */
struct thread_world;
/* ranks_per_node 0: all on one node (the real host); else nodes "node0", "node1", ... as if. */
struct thread_world *thread_world_make(uint64_t ranks, uint64_t ranks_per_node, struct error *e);
struct comm *comm_threads(struct thread_world *world, uint64_t rank, const struct clock *clock,
                          struct error *e);
void thread_world_free(struct thread_world *world);

/* MPI. In a build without MPI, comm_mpi says so in e. comm_mpi_start calls MPI_Init_thread once,
 * where the environment does not rule out that it goes well (launch.h), and comm_mpi_end
 * MPI_Finalize (comms must be freed before). Where that has not come back after limit_ns (0: no
 * limit), give_up is called by another thread: it may end the process. */
int comm_mpi_start(int *argc, char ***argv, struct error *e);
struct comm *comm_mpi(const struct clock *clock, struct error *e);
void comm_mpi_end(int64_t limit_ns, void (*give_up)(void *context), void *context);
/* Ends all ranks at once with this status; for the watch alone, when the main thread is stuck. Does
 * nothing where MPI is not running: the watch ends its own process afterwards in any case. */
void comm_mpi_abort(int status);
/* "Open MPI 4.1.4", or "none" in a build without MPI; cut to fit. Valid before MPI_Init. Returns
 * buf. */
char *comm_mpi_version(char *buf, size_t bytes);
/* "asked for funneled, given multiple"; empty where MPI is not running. Returns buf. */
char *comm_mpi_threads(char *buf, size_t bytes);

#endif
