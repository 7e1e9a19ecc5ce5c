#include "model/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void histograms_for_what_is_asked(void **state)
{
    (void)state;
    struct sample *s = malloc(sizeof *s);
    assert_non_null(s);
    memset(s, 0xa5, sizeof *s);
    assert_int_equal(sample_start(s, 1u << OP_WRITE | 1u << OP_COMPUTE, 1000, NULL), 0);
    for (unsigned kind = 0; kind < OP_KINDS; kind++) {
        if (kind != OP_WRITE && kind != OP_COMPUTE) {
            assert_null(s->latency[kind]);
            continue;
        }
        assert_int_equal(s->latency[kind]->count, 0);
        assert_true(s->latency[kind]->min == UINT64_MAX);
        for (size_t cell = 0; cell < HISTOGRAM_CELLS; cell++)
            assert_int_equal(s->latency[kind]->cells[cell], 0);
    }
    for (unsigned i = 0; i < COUNTERS; i++)
        assert_int_equal(s->counters[i], 0);
    for (unsigned i = 0; i < STAGES; i++)
        assert_int_equal(s->stage_ns[i], 0);
    assert_int_equal(s->timeline.interval_ns, 1000);
    assert_int_equal(s->timeline.cells[0].operations, 0);
    sample_free(s);
    for (unsigned kind = 0; kind < OP_KINDS; kind++)
        assert_null(s->latency[kind]);
    sample_free(s); /* again does no harm */
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histograms_for_what_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
