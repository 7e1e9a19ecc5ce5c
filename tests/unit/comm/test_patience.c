#include "comm/patience.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { MS = 1000 * 1000, SLACK = 50 * 1000 };

/* With the kernel's slack, news is noticed within 0.1 % of the wait, and within 1 ms. */
static void test_limits(void **state)
{
    (void)state;
    struct patience p = patience_begin(1);

    for (int64_t waited = 0; waited < INT64_C(3600) * 1000 * MS; waited = waited * 2 + 1) {
        int64_t pause = patience_pause_ns(&p, waited);

        assert_true(pause >= 0);
        if (pause > 0)
            assert_true(pause + SLACK <= waited / 1000 && pause + SLACK <= MS);
    }
    assert_int_equal(patience_pause_ns(&p, 40 * MS), 0);
    assert_int_equal(patience_pause_ns(&p, 100 * MS), MS / 10 - SLACK);
    assert_int_equal(patience_pause_ns(&p, INT64_C(5000) * MS), MS - SLACK);
}

static void test_more_hops_pause_less(void **state)
{
    (void)state;
    struct patience few = patience_begin(2), many = patience_begin(10);

    assert_int_equal(patience_pause_ns(&few, INT64_C(5000) * MS), MS - SLACK);
    assert_int_equal(patience_pause_ns(&many, INT64_C(5000) * MS), MS / 5 - SLACK);
    assert_int_equal(patience_pause_ns(&many, 100 * MS), 0);
}

static void test_pause_tells_the_wait(void **state)
{
    (void)state;
    struct patience p = patience_begin(1);
    int64_t last = 0;

    for (int i = 0; i < 100; i++) {
        int64_t waited = patience_pause(&p);

        assert_true(waited >= last);
        last = waited;
    }
    p.start_ns -= 10 * INT64_C(1000) * MS; /* as if since 10 s */
    int64_t before = patience_pause(&p);
    int64_t after = patience_pause(&p);

    assert_true(before >= 10 * INT64_C(1000) * MS);
    assert_true(after - before >= MS - SLACK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_more_hops_pause_less),
        cmocka_unit_test(test_pause_tells_the_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
