/* Where the threads of a group meet. Arriving and waiting are two steps, so that one gate serves a
 * barrier (both at once) and an agreement (work in between). What arrivers bring along is reduced
 * to its maximum on the way. A group passes a gate again and again; nothing has to be reset. */
#ifndef PARIO_COMM_GATE_H
#define PARIO_COMM_GATE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

enum gate_patience {
    GATE_SPIN, /* awake for about a millisecond where every member has a core of its own, then
                  asleep */
    GATE_SLEEP /* asleep at once */
};

/* What the members of one round brought. */
struct gate_load {
    uint64_t value;  /* maximum over members */
    int64_t time_ns; /* maximum over members; INT64_MIN where nobody brought one */
};

struct gate {
    alignas(64) _Atomic uint32_t round; /* rounds completed, and what sleepers sleep on */
    _Atomic uint32_t sleepers;
    alignas(64) _Atomic uint32_t arrived; /* in the round under way */
    _Atomic uint64_t value[2];            /* by the parity of the round */
    _Atomic int64_t time_ns[2];
    uint32_t members;
    uint32_t spins; /* how often to look before going to sleep */
};

/* For members threads (> 0) on a process that may use cores cores. */
void gate_init(struct gate *gate, uint32_t members, uint32_t cores);

/* Never waits. Returns the round joined, for gate_wait; a member joins the next one only after it
 * has waited for this. time_ns INT64_MIN: brings none. */
uint32_t gate_arrive(struct gate *gate, uint64_t value, int64_t time_ns);

/* Returns once all members have arrived in that round; what they wrote before is visible then. */
struct gate_load gate_wait(struct gate *gate, uint32_t round, enum gate_patience patience);

#endif
