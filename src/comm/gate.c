/* One counter, and a round number that everybody watches (a barrier with reversing sense). The last
 * to arrive opens the round. Members may outnumber cores, and a spinning thread would then keep
 * from its core the very thread it waits for: so waiting ends asleep in a futex, and begins there
 * when cores are short.
 *
 * Maxima live in two sets, by the parity of the round. The last arriver of round r clears the set
 * of round r + 1: it was used in round r - 1, and everybody read it before arriving in r. */
#include "comm/gate.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SPINS = 20000 };

static void futex_wait(_Atomic uint32_t *word, uint32_t seen)
{
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void futex_wake_all(_Atomic uint32_t *word)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void raise_to_u64(_Atomic uint64_t *to, uint64_t value)
{
    uint64_t seen = atomic_load(to);

    while (seen < value && !atomic_compare_exchange_weak(to, &seen, value))
        ;
}

static void raise_to_i64(_Atomic int64_t *to, int64_t value)
{
    int64_t seen = atomic_load(to);

    while (seen < value && !atomic_compare_exchange_weak(to, &seen, value))
        ;
}

static void clear_set(struct gate *gate, uint32_t round)
{
    atomic_store(&gate->value[round & 1], 0);
    atomic_store(&gate->time_ns[round & 1], INT64_MIN);
}

void gate_init(struct gate *gate, uint32_t members, uint32_t cores)
{
    atomic_init(&gate->round, 0);
    atomic_init(&gate->sleepers, 0);
    atomic_init(&gate->arrived, 0);
    clear_set(gate, 0);
    clear_set(gate, 1);
    gate->members = members;
    gate->spins = members <= cores ? SPINS : 0;
}

uint32_t gate_arrive(struct gate *gate, uint64_t value, int64_t time_ns)
{
    /* It cannot change before this member has arrived. */
    uint32_t round = atomic_load(&gate->round);

    raise_to_u64(&gate->value[round & 1], value);
    raise_to_i64(&gate->time_ns[round & 1], time_ns);
    if (atomic_fetch_add(&gate->arrived, 1) + 1 < gate->members)
        return round;
    atomic_store(&gate->arrived, 0);
    clear_set(gate, round + 1);
    atomic_store(&gate->round, round + 1);
    if (atomic_load(&gate->sleepers) > 0)
        futex_wake_all(&gate->round);
    return round;
}

static int is_open(struct gate *gate, uint32_t round)
{
    return atomic_load_explicit(&gate->round, memory_order_acquire) != round;
}

struct gate_load gate_wait(struct gate *gate, uint32_t round, enum gate_patience patience)
{
    uint32_t spins = patience == GATE_SPIN ? gate->spins : 0;

    for (uint32_t i = 0; i < spins && !is_open(gate, round); i++)
        pause_briefly();
    /* The opener looks at sleepers after it has moved the round, and the kernel compares the round
     * before it puts a thread to sleep: one of the two notices the other. */
    while (!is_open(gate, round)) {
        atomic_fetch_add(&gate->sleepers, 1);
        futex_wait(&gate->round, round);
        atomic_fetch_sub(&gate->sleepers, 1);
    }
    return (struct gate_load){
        .value = atomic_load(&gate->value[round & 1]),
        .time_ns = atomic_load(&gate->time_ns[round & 1]),
    };
}
