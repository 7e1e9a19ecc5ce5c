/* What the files of the threads comm share. */
#ifndef PARIO_COMM_THREADS_PARTS_H
#define PARIO_COMM_THREADS_PARTS_H

#include "comm/comm.h"
#include "comm/gate.h"
#include "comm/mailbox.h"

#include <limits.h>
#include <stdalign.h>
#include <stdint.h>

struct group;

struct slot {
    alignas(64) const void *data;
    uint64_t color;
    struct group *group; /* split: made by the first rank of a color for the others */
    struct mailbox mail; /* to the rank */
};

/* What the ranks of a comm share; goes with the last of its users. */
struct group {
    struct gate meeting;
    struct gate agreement;
    _Atomic int notice; /* the first reason raised since the last settle; 0: none */
    _Atomic uint64_t users;
    uint32_t cores; /* this process may use */
    struct topology topology;
    struct slot slots[];
};

struct thread_comm {
    struct comm base;
    struct group *group;
    uint32_t agreement_round;
    char host[HOST_NAME_MAX + 1];
};

static inline struct thread_comm *thread_of(struct comm *c)
{
    return (struct thread_comm *)c;
}

/* Without its topology; users is left to the caller. */
struct group *group_new(uint64_t ranks, uint32_t cores, struct error *e);
/* own becomes the comm of a rank of the group. */
struct thread_comm *thread_comm_fill(struct thread_comm *own, struct group *group, uint64_t rank,
                                     const struct clock *clock);
/* All ranks of the group meet, spinning. */
void threads_meet(struct comm *c);
struct comm *threads_split(struct comm *c, uint64_t color, struct error *e);

#endif
