#include "base/digits.h"

#include "base/rng.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

static void same(uint64_t n)
{
    char expected[32], got[32];
    int bytes = snprintf(expected, sizeof expected, "%" PRIu64, n);
    memset(got, '#', sizeof got);
    assert_int_equal(digits_count(n), bytes);
    assert_ptr_equal(digits_put(got, n), got + bytes);
    assert_memory_equal(got, expected, (size_t)bytes);
    assert_int_equal(got[bytes], '#');
}

static void as_printf_does(void **state)
{
    (void)state;
    struct rng rng = rng_make(1, 2);
    uint64_t power = 1;
    for (int i = 0; i < 20; i++, power *= 10) {
        same(power - 1);
        same(power);
        same(power + 1);
    }
    same(UINT64_MAX);
    for (uint64_t n = 0; n < 20000; n++)
        same(n);
    for (int i = 0; i < 20000; i++)
        same(rng_next(&rng) >> rng_below(&rng, 64));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_printf_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
