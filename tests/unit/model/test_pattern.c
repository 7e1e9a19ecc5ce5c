/* Orders of transfers: each place once, whatever the ranks; what was cut short is read as it was
 * written; and all of it without memory, at any size. */
#include "model/pattern.h"

#include "plans.h"

#include <stdlib.h>

#define MOST_RANKS 64

static struct settings shape(uint64_t block, uint64_t transfer, int64_t segments, bool own,
                             int64_t random)
{
    struct settings s = plans_settings();
    s.block_bytes = block;
    s.transfer = (struct sizes){.bytes = transfer};
    s.segments = segments;
    s.file_per_process = own;
    s.random = random;
    return s;
}

/* Marks where a rank goes; each place may be marked once. Returns how many were. */
static uint64_t mark(const struct plan *p, uint64_t rank, bool read, uint64_t goal, uint8_t *marks,
                     uint64_t places)
{
    struct pattern at;
    uint64_t n = 0;
    for (pattern_begin(&at, p, rank, read, 3, goal, p->file_bytes); at.left > 0; n++) {
        uint64_t offset = pattern_next(&at);
        assert_int_equal(offset % p->transfer_bytes, 0);
        assert_true(offset / p->transfer_bytes < places);
        assert_int_equal(marks[offset / p->transfer_bytes]++, 0);
    }
    return n;
}

static void assert_all_marked(const uint8_t *marks, uint64_t places)
{
    for (uint64_t i = 0; i < places; i++)
        assert_int_equal(marks[i], 1);
}

/* A026: every rank does as much as every other, and all together each place once. */
static void cover(const struct settings *s, uint64_t ranks, bool read)
{
    struct plan p = plans_make(s, ranks);
    uint64_t places = p.file_bytes / p.transfer_bytes;
    uint8_t *marks = calloc(places, 1);
    assert_non_null(marks);
    for (uint64_t rank = 0; rank < ranks; rank++) {
        assert_int_equal(mark(&p, rank, read, UINT64_MAX, marks, places), p.transfers_per_rank);
        if (p.file_per_process) {
            assert_all_marked(marks, places);
            memset(marks, 0, places);
        }
    }
    if (!p.file_per_process)
        assert_all_marked(marks, places);
    free(marks);
}

static void every_place_is_met_once(void **state)
{
    static const struct {
        uint64_t block, transfer;
        int64_t segments;
    } shapes[] = {{8, 8, 1}, {47008, 47008, 7}, {12288, 4096, 5}, {1000, 100, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int own = 0; own < 2; own++)
            for (int random = 0; random < 2; random++) {
                struct settings s =
                    shape(shapes[i].block, shapes[i].transfer, shapes[i].segments, own, random);
                for (uint64_t ranks = 1; ranks <= MOST_RANKS; ranks++) {
                    cover(&s, ranks, false);
                    cover(&s, ranks, true);
                }
                option_free(settings_table, &s);
            }
}

/* Where a rank is after so many transfers of a write, and where a reader of just these goes: a rank
 * that came to its end while others were cut short stays in its places, too. */
static void what_was_cut_is_read_as_written(void **state)
{
    static const uint64_t done[] = {0, 1, 2, 7, 19, 20};
    (void)state;
    for (int own = 0; own < 2; own++)
        for (int random = 0; random < 2; random++) {
            struct settings s = shape(40960, 4096, 2, own, random);
            struct plan p = plans_make(&s, 5);
            uint64_t places = p.file_bytes / p.transfer_bytes;
            for (uint64_t rank = 0; rank < 5; rank++)
                for (size_t i = 0; i < sizeof done / sizeof done[0]; i++) {
                    uint8_t *written = calloc(places, 1), *read = calloc(places, 1);
                    assert_non_null(written);
                    assert_non_null(read);
                    assert_int_equal(mark(&p, rank, false, done[i], written, places), done[i]);
                    assert_int_equal(mark(&p, rank, true, done[i], read, places), done[i]);
                    assert_memory_equal(written, read, places);
                    free(written);
                    free(read);
                }
            option_free(settings_table, &s);
        }
}

static bool same_order(const struct plan *p, uint64_t rank, bool read, uint64_t repetition,
                       uint64_t goal)
{
    struct pattern a, b;
    bool same = true;
    pattern_begin(&a, p, rank, false, 0, goal, p->file_bytes);
    pattern_begin(&b, p, rank, read, repetition, goal, p->file_bytes);
    while (a.left > 0)
        same &= pattern_next(&a) == pattern_next(&b);
    return same;
}

static void a_read_takes_another_way_than_the_write(void **state)
{
    (void)state;
    for (int own = 0; own < 2; own++) {
        struct settings s = shape(4096 * 64, 4096, 1, own, 1);
        struct plan p = plans_make(&s, 3);
        assert_true(same_order(&p, 1, false, 0, UINT64_MAX));
        assert_false(same_order(&p, 1, true, 0, UINT64_MAX));
        assert_false(same_order(&p, 1, true, 0, 40));
        struct pattern first, second;
        bool same = true;
        pattern_begin(&first, &p, 1, true, 0, UINT64_MAX, p.file_bytes);
        pattern_begin(&second, &p, 1, true, 1, UINT64_MAX, p.file_bytes);
        while (first.left > 0)
            same &= pattern_next(&first) == pattern_next(&second);
        assert_false(same);
        p.order_seed++;
        struct plan q = plans_make(&s, 3);
        pattern_begin(&first, &p, 1, false, 0, UINT64_MAX, p.file_bytes);
        pattern_begin(&second, &q, 1, false, 0, UINT64_MAX, q.file_bytes);
        for (same = true; first.left > 0;)
            same &= pattern_next(&first) == pattern_next(&second);
        assert_false(same);
        option_free(settings_table, &s);
    }
}

/* -z -z: whole blocks, each from its beginning to its end, anywhere in the file as it is. */
static void blocks_are_drawn_from_the_real_file(void **state)
{
    struct settings s = shape(4 * 4096, 4096, 500, false, 2);
    struct plan p = plans_make(&s, 2);
    struct pattern at;
    uint64_t hits[8] = {0};
    (void)state;
    pattern_begin(&at, &p, 1, true, 0, UINT64_MAX, 8 * p.block_bytes + 5000);
    assert_int_equal(at.left, 2000);
    while (at.left > 0) {
        uint64_t block = pattern_next(&at);
        assert_int_equal(block % p.block_bytes, 0);
        assert_true(block / p.block_bytes < 8);
        hits[block / p.block_bytes]++;
        for (uint64_t i = 1; i < 4; i++)
            assert_int_equal(pattern_next(&at), block + i * 4096);
    }
    for (int i = 0; i < 8; i++) /* 62.5 expected, 7.4 of standard deviation */
        assert_in_range(hits[i], 30, 95);
    pattern_begin(&at, &p, 0, true, 0, UINT64_MAX, 10);
    assert_int_equal(pattern_next(&at), 0);
    option_free(settings_table, &s);
}

/* A028: block = transfer = 4 KiB is no reason to refuse random order: it goes over the whole file.
 */
static void single_transfer_blocks_are_permuted_over_the_file(void **state)
{
    struct settings s = shape(4096, 4096, 16, true, 1);
    struct plan p = plans_make(&s, 3);
    (void)state;
    assert_int_equal(p.file_bytes, 65536);
    cover(&s, 3, false);
    struct pattern at;
    bool in_sequence = true;
    pattern_begin(&at, &p, 2, false, 0, UINT64_MAX, p.file_bytes);
    for (uint64_t i = 0; i < 16; i++)
        in_sequence &= pattern_next(&at) == i * 4096;
    assert_false(in_sequence);
    option_free(settings_table, &s);
}

/* A056: 240 ranks, 10^7 segments of 47008 bytes. */
static void offsets_do_not_overflow(void **state)
{
    struct settings s = shape(47008, 47008, 10000000, false, 0);
    struct plan p = plans_make(&s, 240);
    struct pattern at;
    (void)state;
    assert_int_equal(plan_offset(&p, 239, 9999999), UINT64_C(112819199952992));
    assert_int_equal(p.total_bytes, UINT64_C(112819200000000));
    pattern_begin(&at, &p, 239, false, 0, UINT64_MAX, p.file_bytes);
    uint64_t last = 0;
    while (at.left > 0)
        last = pattern_next(&at);
    assert_int_equal(last, UINT64_C(112819199952992));
    option_free(settings_table, &s);
}

/* Ten million ranks and a file of nearly 8 EiB: reached at once, at both ends. */
static void nothing_grows_with_ranks_or_bytes(void **state)
{
    const uint64_t ranks = 10000000, segments = 219902, block = UINT64_C(4) << 20;
    struct settings s = shape(block, 4096, (int64_t)segments, false, 0);
    struct plan p = plans_make(&s, ranks);
    struct pattern at;
    (void)state;
    assert_int_equal(p.file_bytes, ranks * segments * block);
    assert_true(p.file_bytes > INT64_MAX - (UINT64_C(1) << 50));
    assert_int_equal(plan_offset(&p, ranks - 1, p.transfers_per_rank - 1), p.file_bytes - 4096);
    pattern_begin(&at, &p, ranks - 1, false, 0, UINT64_MAX, p.file_bytes);
    assert_int_equal(pattern_next(&at), (ranks - 1) * block);
    for (int i = 1; i < 1024; i++)
        pattern_next(&at);
    assert_int_equal(pattern_next(&at), (2 * ranks - 1) * block);
    s.random = 1;
    p = plans_make(&s, ranks);
    for (uint64_t rank = 0; rank < ranks; rank += 99991) {
        pattern_begin(&at, &p, rank, true, 0, UINT64_MAX, p.file_bytes);
        for (int i = 0; i < 3; i++) {
            uint64_t offset = pattern_next(&at);
            assert_int_equal(offset % 4096, 0);
            assert_true(offset <= p.file_bytes - 4096);
        }
    }
    option_free(settings_table, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_is_met_once),
        cmocka_unit_test(what_was_cut_is_read_as_written),
        cmocka_unit_test(a_read_takes_another_way_than_the_write),
        cmocka_unit_test(blocks_are_drawn_from_the_real_file),
        cmocka_unit_test(single_transfer_blocks_are_permuted_over_the_file),
        cmocka_unit_test(offsets_do_not_overflow),
        cmocka_unit_test(nothing_grows_with_ranks_or_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
