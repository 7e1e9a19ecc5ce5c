/* Several transfer sizes: what is read, what is refused, and that each has exactly its share. */
#include "model/sizes.h"

#include "model/pattern.h"
#include "phases/phase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sizes parse(const char *text)
{
    struct sizes s;
    struct error e = error_none();
    assert_int_equal(sizes_parse(text, &s, &e), 0);
    return s;
}

static void sizes_are_read_and_shown(void **state)
{
    static const char *const texts[] = {"4k",      "47008",          "1m",
                                        "512:1",   "4k:70,64k:30",   "512:1,3k:2,1m:3",
                                        "1g:9000", "1:1,2:2,3:3,4:4"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char shown[SIZES_TEXT];
        struct sizes s = parse(texts[i]);
        sizes_show(&s, shown, sizeof shown);
        if (s.used)
            assert_string_equal(shown, texts[i]);
        else
            assert_memory_equal(shown, texts[i], strlen(shown));
    }
    assert_int_equal(parse("4k:70,64k:30").bytes, 65536);
    assert_int_equal(parse("64k:30,4k:70").bytes, 65536);
    assert_int_equal(parse("4k:5").used, 0);
    struct sizes s = parse("4k:70,64k:30");
    assert_true(sizes_mean(&s) == 0.7 * 4096 + 0.3 * 65536);
}

static void what_is_no_mix_is_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "4k:",
                                        ":4",
                                        "4k:1,",
                                        ",4k:1",
                                        "4k:1,,8k:1",
                                        "4k:1,8k",
                                        "4k:1,4k:2",
                                        "4k:0,8k:1",
                                        "4k:-1,8k:1",
                                        "4k:1.5,8k:1",
                                        "4q:1,8k:1",
                                        "4k:1:2,8k:1",
                                        "4k,8k",
                                        "4k:9999,8k:2",
                                        "1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sizes s = {.bytes = 7};
        struct error e = error_none();
        assert_int_equal(sizes_parse(texts[i], &s, &e), -1);
        assert_int_equal(e.status, STATUS_USAGE);
        assert_int_equal(s.bytes, 7);
    }
}

/* In each block exactly, whatever the key; in another order in the next block. */
static void shares_are_exact(void **state)
{
    struct sizes s = parse("4k:30,16k:50,64k:20");
    (void)state;
    for (uint64_t key = 0; key < 50; key++) {
        unsigned same = 0;
        for (uint64_t block = 0; block < 20; block++) {
            unsigned counts[3] = {0};
            for (uint64_t i = 0; i < 10; i++) {
                uint64_t bytes = sizes_at(&s, block * 10 + i, key);
                counts[bytes == 4096 ? 0 : bytes == 16384 ? 1 : 2]++;
                same += bytes == sizes_at(&s, i, key);
            }
            assert_int_equal(counts[0], 3);
            assert_int_equal(counts[1], 5);
            assert_int_equal(counts[2], 2);
        }
        assert_true(same < 150);
    }
}

/* The phase's own stream: inside of the file, at multiples of the own size, each place of a size as
 * often as the others. */
static void places_are_aligned_and_even(void **state)
{
    struct settings s;
    struct plan plan;
    struct error e = error_none();
    unsigned small[64] = {0}, large[4] = {0};
    (void)state;
    assert_int_equal(option_defaults(settings_table, &s, &e), 0);
    s.workload = WORKLOAD_RANDOM;
    s.block_bytes = 256 << 10;
    s.segments = 1;
    s.deadline_ns = 1;
    s.transfer = parse("4k:70,64k:30");
    assert_int_equal(plan_make(&plan, &s, 1, &e), 0);
    assert_int_equal(plan.transfers_per_rank, 12); /* 256 KiB / 22.0 KiB, rounded up */
    const struct phase *read = phase_find("read");
    struct cursor *c = calloc(1, read->cursor_bytes);
    assert_non_null(c);
    c->plan = &plan;
    c->goal = UINT64_MAX;
    c->file_bytes = plan.file_bytes;
    read->begin(c);
    struct op op;
    for (unsigned n = 0; n < 64000;) {
        assert_int_equal(read->next(c, &op), STEP_OP);
        if (op.kind != OP_READ)
            continue;
        n++;
        assert_int_equal(op.offset_bytes % op.length_bytes, 0);
        assert_true(op.offset_bytes + op.length_bytes <= plan.file_bytes);
        if (op.length_bytes == 4096)
            small[op.offset_bytes / 4096]++;
        else
            large[op.offset_bytes / 65536]++;
    }
    for (unsigned i = 0; i < 64; i++)
        assert_in_range(small[i], 700 - 160, 700 + 160); /* 6 standard deviations */
    for (unsigned i = 0; i < 4; i++)
        assert_in_range(large[i], 4800 - 420, 4800 + 420);
    free(c);
    option_free(settings_table, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_read_and_shown),
        cmocka_unit_test(what_is_no_mix_is_refused),
        cmocka_unit_test(shares_are_exact),
        cmocka_unit_test(places_are_aligned_and_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
