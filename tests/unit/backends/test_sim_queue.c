#include "backends/sim_queue.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define MOST 300

static struct completion in_slot(uint32_t slot)
{
    return (struct completion){.slot = slot, .outcome = {.value = slot}};
}

static void the_earliest_comes_first(void **state)
{
    (void)state;
    struct sim_queue *q = sim_queue_make(MOST);
    struct rng r = rng_make(5, 0);
    uint32_t pushed = 0;
    int64_t last_ns = 0;
    uint64_t last_sequence = 0;
    /* Waves of pushes and pops; few distinct times, so that many are equal. */
    for (int wave = 0; wave < 50; wave++) {
        int64_t base_ns = last_ns;
        while (q->used < MOST) {
            struct completion c = in_slot(pushed++);
            sim_queue_push(q, base_ns + (int64_t)rng_below(&r, 20), &c);
        }
        for (uint64_t pops = wave % 5 ? rng_below(&r, MOST) + 1 : MOST; pops > 0; pops--) {
            struct sim_flight f = sim_queue_pop(q);
            assert_true(f.done_ns >= last_ns);
            if (f.done_ns == last_ns)
                assert_true(f.sequence >= last_sequence);
            assert_int_equal(f.sequence, f.completion.slot);
            assert_int_equal(f.completion.outcome.value, f.completion.slot);
            last_ns = f.done_ns;
            last_sequence = f.sequence;
        }
    }
    free(q);
}

static void cancelling_spares_what_is_complete(void **state)
{
    (void)state;
    struct sim_queue *q = sim_queue_make(MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        struct completion c = in_slot(i);
        sim_queue_push(q, (int64_t)(i * 7919 % MOST), &c);
    }
    sim_queue_cancel(q, 100, 125);
    int complete = 0;
    int64_t last_ns = 0;
    for (uint32_t i = 0; i < MOST; i++) {
        struct sim_flight f = sim_queue_pop(q);
        assert_true(f.done_ns >= last_ns && f.done_ns <= 100);
        last_ns = f.done_ns;
        if (f.completion.outcome.error == 0) {
            complete++;
            assert_int_equal(f.completion.outcome.value, f.completion.slot);
        } else {
            assert_int_equal(f.completion.outcome.error, 125);
            assert_int_equal(f.completion.outcome.value, 0);
        }
    }
    assert_int_equal(complete, 101); /* at 0 .. 100 */
    assert_null(sim_queue_first(q));
    free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_earliest_comes_first),
        cmocka_unit_test(cancelling_spares_what_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
