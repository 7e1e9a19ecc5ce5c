/* The model's figures against the formulas of its manual, worked out here once more. */
#include "backends/sim_model.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct sim_options defaults(void)
{
    struct sim_options o;
    struct error e = error_none();
    memset(&o, 0xa5, sizeof o);
    if (option_defaults(sim_option_table, &o, &e) != 0)
        fail_msg("%s", e.text);
    return o;
}

static void set(struct sim_options *o, const char *name, const char *value)
{
    struct error e = error_none();
    if (option_set(option_find(sim_option_table, name), o, name, value, &e) != 0)
        fail_msg("%s: %s", name, e.text);
}

static const struct sim_rank rank0 = {.rank = 0, .ranks = 4, .seed = 42};
static const struct sim_rank rank1 = {.rank = 1, .ranks = 4, .seed = 42};

static void by_default_nothing_happens(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    for (uint64_t i = 0; i < 3000; i++) {
        assert_int_equal(sim_service_ns(&o, &rank0, i), 100000);
        assert_false(sim_is_short(&o, i));
        assert_false(sim_is_flipped(&o, &rank0, i));
        assert_int_equal(sim_error(&o, &rank0, OP_WRITE, i, i), 0);
    }
    assert_int_equal(sim_channel_ns(&o, &rank0, UINT64_MAX), 0);
    for (enum op_kind kind = 0; kind < OP_KINDS; kind++)
        assert_int_equal(sim_other_ns(&o, &rank0, kind), 0);
    for (uint64_t rank = 0; rank < 100; rank++)
        assert_false(sim_is_slow(&o, rank));
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void a_block_holds_each_quantile_once(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    int64_t drawn[SIM_BLOCK];
    set(&o, "service", "2ms");
    set(&o, "distribution", "exponential");
    for (uint64_t block = 0; block < 3; block++) {
        for (uint64_t i = 0; i < SIM_BLOCK; i++)
            drawn[i] = sim_service_ns(&o, &rank1, block * SIM_BLOCK + i);
        qsort(drawn, SIM_BLOCK, sizeof drawn[0], by_size);
        for (int i = 0; i < SIM_BLOCK; i++) {
            double quantile = -2e6 * log(1 - (i + 0.5) / 1024.0);
            assert_true(fabs((double)drawn[i] - quantile) < 1);
        }
    }
}

/* How many of the first block's times are equal to the other's at the same place. */
static int alike(const struct sim_options *o, const struct sim_rank *a, uint64_t from_a,
                 const struct sim_rank *b, uint64_t from_b)
{
    int same = 0;
    for (uint64_t i = 0; i < SIM_BLOCK; i++)
        same += sim_service_ns(o, a, from_a + i) == sim_service_ns(o, b, from_b + i);
    return same;
}

static void the_order_depends_on_rank_block_and_seed(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    struct sim_rank reseeded = {.rank = 0, .ranks = 4, .seed = 43};
    set(&o, "distribution", "exponential");
    assert_int_equal(alike(&o, &rank0, 0, &rank0, 0), SIM_BLOCK);
    assert_in_range(alike(&o, &rank0, 0, &rank1, 0), 0, 20);
    assert_in_range(alike(&o, &rank0, 0, &rank0, SIM_BLOCK), 0, 20);
    assert_in_range(alike(&o, &rank0, 0, &reseeded, 0), 0, 20);
}

static void two_humps_share_as_asked(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    int late = 0;
    set(&o, "distribution", "two-humped");
    set(&o, "service", "100us");
    set(&o, "hump", "5ms");
    set(&o, "hump-share", "25%");
    for (uint64_t i = 0; i < SIM_BLOCK; i++) {
        int64_t ns = sim_service_ns(&o, &rank0, i);
        assert_true(ns == 100000 || ns == 5000000);
        late += ns == 5000000;
    }
    assert_int_equal(late, 256);
}

static void the_narrower_limit_counts(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    set(&o, "rate", "100MB");
    assert_int_equal(sim_channel_ns(&o, &rank0, 1000000), 10000000);
    assert_int_equal(sim_channel_ns(&o, &rank0, 1), 10);
    set(&o, "total-rate", "200MB"); /* 50 MB/s for each of 4 */
    assert_int_equal(sim_channel_ns(&o, &rank0, 1000000), 20000000);
    set(&o, "total-rate", "1GB");
    assert_int_equal(sim_channel_ns(&o, &rank0, 1000000), 10000000);
    set(&o, "rate", "0");
    assert_int_equal(sim_channel_ns(&o, &rank0, 1000000), 4000000);
    set(&o, "rate", "1");
    assert_int_equal(sim_channel_ns(&o, &rank0, UINT64_MAX), 1000000000000000000);
}

static void operations_have_times_of_their_own(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    set(&o, "open", "1ms");
    set(&o, "close", "2ms");
    set(&o, "sync", "3ms");
    set(&o, "meta", "4ms");
    assert_int_equal(sim_other_ns(&o, &rank0, OP_OPEN), 1000000);
    assert_int_equal(sim_other_ns(&o, &rank0, OP_CLOSE), 2000000);
    assert_int_equal(sim_other_ns(&o, &rank0, OP_SYNC), 3000000);
    assert_int_equal(sim_other_ns(&o, &rank0, OP_CREATE), 4000000);
    assert_int_equal(sim_other_ns(&o, &rank0, OP_UNLINK), 4000000);
}

static void slow_ranks_take_longer_for_everything(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    set(&o, "slow-rank", "1");
    set(&o, "slow-factor", "1.5");
    set(&o, "rate", "1GB");
    set(&o, "sync", "1ms");
    assert_int_equal(sim_service_ns(&o, &rank0, 0), 100000);
    assert_int_equal(sim_service_ns(&o, &rank1, 0), 150000);
    assert_int_equal(sim_channel_ns(&o, &rank1, 1000), 1500);
    assert_int_equal(sim_other_ns(&o, &rank1, OP_SYNC), 1500000);
    set(&o, "slow-count", "3");
    set(&o, "slow-every", "10");
    for (uint64_t rank = 0; rank < 40; rank++)
        assert_int_equal(sim_is_slow(&o, rank), (rank >= 1 && rank <= 3) || rank % 10 == 9);
    set(&o, "slow-rank", "-1");
    assert_false(sim_is_slow(&o, 2));
}

static void every_nth_transfer_is_short(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    set(&o, "short", "3");
    for (uint64_t i = 0; i < 30; i++)
        assert_int_equal(sim_is_short(&o, i), i % 3 == 2);
}

static void the_stall_is_one_transfer_longer(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    set(&o, "stall-at", "5");
    set(&o, "stall", "2s");
    for (uint64_t i = 0; i < 10; i++) {
        assert_int_equal(sim_service_ns(&o, &rank0, i), i == 4 ? 2000100000 : 100000);
        assert_int_equal(sim_service_ns(&o, &rank1, i), 100000);
    }
}

static void errors_strike_where_asked(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    set(&o, "error-at", "7");
    assert_int_equal(sim_error(&o, &rank0, OP_READ, 0, 6), EIO); /* any operation: all count */
    assert_int_equal(sim_error(&o, &rank0, OP_READ, 6, 8), 0);
    set(&o, "error-op", "write");
    set(&o, "error-kind", "ENOSPC");
    assert_int_equal(sim_error(&o, &rank0, OP_WRITE, 6, 8), ENOSPC);
    assert_int_equal(sim_error(&o, &rank0, OP_WRITE, 7, 9), 0);
    assert_int_equal(sim_error(&o, &rank0, OP_READ, 6, 6), 0);
    assert_int_equal(sim_error(&o, &rank1, OP_WRITE, 6, 8), 0);
    set(&o, "error-rank", "1");
    assert_int_equal(sim_error(&o, &rank0, OP_WRITE, 6, 8), 0);
    assert_int_equal(sim_error(&o, &rank1, OP_WRITE, 6, 8), ENOSPC);
    set(&o, "error-rank", "-1");
    assert_int_equal(sim_error(&o, &rank0, OP_WRITE, 6, 8), ENOSPC);
    set(&o, "flip-at", "2");
    assert_true(sim_is_flipped(&o, &rank0, 1));
    assert_false(sim_is_flipped(&o, &rank0, 2));
}

/* Every name among the choices means the operation or errno of that name. */
static void choices_mean_what_they_say(void **state)
{
    (void)state;
    struct sim_options o = defaults();
    set(&o, "error-at", "1");
    for (enum op_kind kind = 0; kind < OP_KINDS; kind++) {
        if (op_performer(kind) != PERFORMER_BACKEND)
            continue;
        set(&o, "error-op", op_name(kind));
        for (enum op_kind other = 0; other < OP_KINDS; other++)
            assert_int_equal(sim_error(&o, &rank0, other, 0, 0), other == kind ? EIO : 0);
    }
    set(&o, "error-op", "any");
    char *names = strdup(option_find(sim_option_table, "error-kind")->choices);
    assert_non_null(names);
    char *rest = names;
    for (char *name; (name = strsep(&rest, "|")) != NULL;) {
        set(&o, "error-kind", name);
        assert_string_equal(strerrorname_np(sim_error(&o, &rank0, OP_OPEN, 0, 0)), name);
    }
    free(names);
}

static void transfers_share_a_channel(void **state)
{
    (void)state;
    int64_t free_ns = 0;
    /* Two handed over at once: the second's bytes follow the first's, service overlaps. */
    assert_int_equal(sim_completion_ns(false, &free_ns, 1000, 500, 200), 1700);
    assert_int_equal(sim_completion_ns(false, &free_ns, 1000, 500, 200), 1900);
    assert_int_equal(sim_completion_ns(false, &free_ns, 5000, 500, 200), 5700);
    assert_int_equal(sim_completion_ns(false, &free_ns, 5000, 500, 0), 5500); /* carries no bytes */
    free_ns = 0;
    assert_int_equal(sim_completion_ns(true, &free_ns, 1000, 500, 200), 1700);
    assert_int_equal(sim_completion_ns(true, &free_ns, 1000, 500, 200), 2400);
    assert_int_equal(sim_completion_ns(true, &free_ns, 1000, 500, 0), 2900);
    assert_int_equal(sim_completion_ns(true, &free_ns, 9000, 500, 0), 9500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_default_nothing_happens),
        cmocka_unit_test(a_block_holds_each_quantile_once),
        cmocka_unit_test(the_order_depends_on_rank_block_and_seed),
        cmocka_unit_test(two_humps_share_as_asked),
        cmocka_unit_test(the_narrower_limit_counts),
        cmocka_unit_test(operations_have_times_of_their_own),
        cmocka_unit_test(slow_ranks_take_longer_for_everything),
        cmocka_unit_test(every_nth_transfer_is_short),
        cmocka_unit_test(the_stall_is_one_transfer_longer),
        cmocka_unit_test(errors_strike_where_asked),
        cmocka_unit_test(choices_mean_what_they_say),
        cmocka_unit_test(transfers_share_a_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
