/* Includes case A025: a permutation shows no skew of low address bits. */
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Chi-square of counts against equal expectation, as standard deviations from its mean (k - 1, with
 * variance 2 (k - 1)). Fixed seeds: no test here can fail by chance on another day. */
static double sigmas(const uint64_t *counts, size_t k)
{
    double total = 0;
    for (size_t i = 0; i < k; i++)
        total += (double)counts[i];
    double expected = total / (double)k;
    double sum = 0;
    for (size_t i = 0; i < k; i++)
        sum += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    return (sum - (double)(k - 1)) / sqrt(2 * (double)(k - 1));
}

static void the_same_on_every_machine(void **state)
{
    (void)state;
    assert_true(rng_mix(0) == 0);
    assert_true(rng_mix(1) == UINT64_C(0x5692161d100b05e5));
    struct rng r = {.state = 1234567};
    assert_true(rng_next(&r) == UINT64_C(6457827717110365317)); /* splitmix64's first of 1234567 */
    struct rng a = rng_make(42, 7);
    struct rng b = rng_make(42, 7);
    for (int i = 0; i < 100; i++)
        assert_true(rng_next(&a) == rng_next(&b));
}

static void streams_differ(void **state)
{
    (void)state;
    for (uint64_t stream = 0; stream < 1000; stream++) {
        struct rng a = rng_make(1, stream);
        struct rng b = rng_make(1, stream + 1);
        struct rng c = rng_make(2, stream);
        uint64_t x = rng_next(&a);
        assert_true(x != rng_next(&b) && x != rng_next(&c));
    }
}

static void below_is_uniform(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {2, 3, 5, 7, 10, 100, 127};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct rng r = rng_make(9, s);
        uint64_t counts[128] = {0};
        for (int i = 0; i < 100000; i++) {
            uint64_t x = rng_below(&r, sizes[s]);
            assert_true(x < sizes[s]);
            counts[x]++;
        }
        assert_true(fabs(sigmas(counts, sizes[s])) < 4);
    }
    struct rng r = rng_make(9, 99);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(rng_below(&r, 1), 0);
}

/* 3/4 of 2^64: a draw without rejection would favour every third value, here the lower half. */
static void below_has_no_bias_for_large_n(void **state)
{
    (void)state;
    uint64_t n = UINT64_C(3) << 62;
    struct rng r = rng_make(5, 5);
    uint64_t counts[3] = {0};
    for (int i = 0; i < 90000; i++) {
        uint64_t x = rng_below(&r, n);
        assert_true(x < n);
        counts[x % 3]++;
    }
    assert_true(fabs(sigmas(counts, 3)) < 4);
}

static void units_are_inside_of_0_and_1(void **state)
{
    (void)state;
    struct rng r = rng_make(3, 3);
    double sum = 0;
    uint64_t counts[16] = {0};
    for (int i = 0; i < 160000; i++) {
        double u = rng_unit(&r);
        assert_true(u > 0 && u < 1);
        sum += u;
        counts[(size_t)(u * 16)]++;
    }
    assert_true(fabs(sum / 160000 - 0.5) < 4 / sqrt(12.0 * 160000));
    assert_true(fabs(sigmas(counts, 16)) < 4);
}

static void check_bijection(uint64_t n, uint64_t key, bool *seen)
{
    memset(seen, 0, n);
    struct permutation p = permutation_make(n, key);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t x = permutation_at(&p, i);
        if (x >= n || seen[x])
            fail_msg("n %ju key %ju: %ju -> %ju", (uintmax_t)n, (uintmax_t)key, (uintmax_t)i,
                     (uintmax_t)x);
        seen[x] = true;
    }
}

static void permutations_are_bijections(void **state)
{
    (void)state;
    static const uint64_t large[] = {1000,  1024,  4095,   4096,    4097,    65535,
                                     65536, 65537, 100003, 1048575, 1048576, 1048577};
    bool *seen = malloc(1048577);
    assert_non_null(seen);
    for (uint64_t n = 1; n <= 300; n++)
        for (uint64_t key = 0; key < 8; key++)
            check_bijection(n, key, seen);
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        check_bijection(large[i], i, seen);
    free(seen);
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Too many to try all: a sample of indices must stay in range and meet no value twice. */
static void large_permutations_do_not_repeat(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {(UINT64_C(1) << 32) + 15, (UINT64_C(1) << 32) - 1,
                                     UINT64_C(1) << 33,        (UINT64_C(1) << 48) + 12345,
                                     (UINT64_C(1) << 63) + 1,  UINT64_MAX};
    enum { SAMPLE = 200000 };
    uint64_t *values = malloc(SAMPLE * sizeof *values);
    assert_non_null(values);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct permutation p = permutation_make(sizes[s], s);
        uint64_t step = sizes[s] / SAMPLE; /* spread over the whole range, with neighbours */
        for (uint64_t i = 0; i < SAMPLE; i++) {
            values[i] = permutation_at(&p, i / 2 * 2 * step + i % 2);
            assert_true(values[i] < sizes[s]);
        }
        qsort(values, SAMPLE, sizeof *values, ascending);
        for (size_t i = 1; i < SAMPLE; i++)
            assert_true(values[i] != values[i - 1]);
    }
    free(values);
}

static void large_permutations_are_uniform(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {100000, 1 << 20, (1 << 20) + 7, (UINT64_C(1) << 32) + 15,
                                     UINT64_C(3) << 40};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct permutation p = permutation_make(sizes[s], 77 + s);
        uint64_t low[16] = {0};
        uint64_t high[16] = {0};
        uint64_t stripe[4] = {0}; /* A025: 64 KiB stripes of 4 KiB blocks on 4 disks */
        uint64_t rising = 0;
        uint64_t last = 0;
        enum { DRAWS = 60000 };
        for (uint64_t i = 0; i < DRAWS; i++) {
            uint64_t x = permutation_at(&p, i);
            low[x % 16]++;
            high[(uint64_t)((unsigned __int128)x * 16 / sizes[s])]++;
            stripe[x / 16 % 4]++;
            rising += x > last;
            last = x;
        }
        assert_true(sigmas(low, 16) < 4);
        assert_true(sigmas(high, 16) < 4);
        assert_true(sigmas(stripe, 4) < 4);
        for (size_t i = 0; i < 4; i++)
            assert_true(fabs((double)stripe[i] / DRAWS - 0.25) < 0.0075);
        assert_true(fabs((double)rising - DRAWS / 2.0) < 4 * sqrt(DRAWS / 12.0));
    }
}

/* Over many keys each value is equally likely at each place, for few values too. */
static void small_permutations_are_fair(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {2, 3, 4, 5, 7, 8, 11, 16, 17, 31, 64};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        uint64_t n = sizes[s];
        uint64_t counts[64 * 64] = {0};
        uint64_t fixed = 0;
        enum { KEYS = 20000 };
        for (uint64_t key = 0; key < KEYS; key++) {
            struct permutation p = permutation_make(n, key);
            for (uint64_t i = 0; i < n; i++) {
                uint64_t x = permutation_at(&p, i);
                counts[i * 64 + x]++;
                fixed += x == i;
            }
        }
        for (uint64_t i = 0; i < n; i++)
            if (sigmas(&counts[i * 64], n) > 5)
                fail_msg("n %ju place %ju: %g sigmas", (uintmax_t)n, (uintmax_t)i,
                         sigmas(&counts[i * 64], n));
        /* A random permutation has one fixed point on average, with variance one. */
        assert_true(fabs((double)fixed / KEYS - 1) < 0.06);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_on_every_machine),
        cmocka_unit_test(streams_differ),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(below_has_no_bias_for_large_n),
        cmocka_unit_test(units_are_inside_of_0_and_1),
        cmocka_unit_test(permutations_are_bijections),
        cmocka_unit_test(large_permutations_do_not_repeat),
        cmocka_unit_test(large_permutations_are_uniform),
        cmocka_unit_test(small_permutations_are_fair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
