/* What data is made and how it is checked, in every mode and at every kind of place. */
#include "model/fill_sector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST (UINT64_C(64) << 10)

static struct fill *make(struct fill_data data, uint64_t transfer, uint32_t slots)
{
    struct error e = error_none();
    struct fill *f = fill_make(&data, transfer, slots, &e);
    assert_non_null(f);
    return f;
}

static const struct fill_data kinds[] = {
    {FILL_STAMPED, 5, 0, 0},  {FILL_STAMPED, 5, 30, 0}, {FILL_STAMPED, 5, 93, 0},
    {FILL_STAMPED, 5, 0, 40}, {FILL_STAMPED, 5, 50, 7}, {FILL_POOL, 5, 0, 0},
    {FILL_POOL, 5, 50, 40},   {FILL_ZERO, 5, 0, 0},
};

static const struct {
    uint64_t offset;
    uint64_t length;
} places[] = {{0, 4096},     {4096, 65536},         {8192 - 512, 1024}, {512, 47008},
              {47008, 8192}, {1000003, 1},          {1048576 - 3, 7},   {511, 2},
              {512, 512},    {UINT64_MAX / 4, 4096}};

/* However it is put together and whichever slot it stands in, content is a function of its place;
 * and a check passes on it, and on nothing else. */
static void content_is_a_function_of_its_place(void **state)
{
    (void)state;
    unsigned char put[MOST], piece[MOST];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (uint32_t slots = 1; slots < 6; slots += 4) {
            struct fill *f = make(kinds[k], MOST, slots);
            for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
                uint64_t offset = places[i].offset, length = places[i].length;
                struct mismatch m;
                fill_put(f, put, 3, offset, length);
                for (uint64_t at = 0; at < length; at += 777)
                    fill_put(f, piece + at, 3, offset + at, length - at < 777 ? length - at : 777);
                assert_memory_equal(put, piece, length);
                unsigned char *data = fill_prepare(f, slots - 1, 3, offset, length);
                assert_memory_equal(data, put, length);
                assert_int_equal(fill_check(f, put, 3, offset, length, &m), 0);
                uint64_t at = length * 2 / 3;
                put[at] ^= 0x10;
                assert_int_equal(fill_check(f, put, 3, offset, length, &m), 1);
                assert_int_equal(m.offset, offset + at);
                fill_target(f, slots - 1, offset, length, true);
            }
            fill_free(f);
        }
    }
}

static void check_width(const struct fill_words *words)
{
    struct fill *f = make(kinds[0], MOST, 1);
    f->words = words;
    unsigned char *large = aligned_alloc(4096, UINT64_C(17) << 20);
    unsigned char sector[FILL_SECTOR];
    assert_non_null(large);
    struct owner owner = fill_owner(f->seed_key, 9);
    f->words->put(f, large, owner, 1 << 20, UINT64_C(17) << 20);
    assert_int_equal(f->words->right(f, large, owner, 1 << 20, UINT64_C(17) << 20), 17 << 20);
    for (uint64_t at = 0; at < UINT64_C(17) << 20; at += FILL_SECTOR) {
        uint64_t offset = (1 << 20) + at;
        struct mask mask = fill_mask(f->data.seed, f->seed_key, owner, offset);
        memcpy(sector, &mask, sizeof mask);
        for (uint64_t i = FILL_STAMP; i < FILL_SECTOR; i += 8) {
            uint64_t word;
            memcpy(&word, f->pool + offset % FILL_BASE + i, 8);
            word ^= mask.key;
            memcpy(sector + i, &word, 8);
        }
        assert_memory_equal(large + at, sector, FILL_SECTOR);
    }
    for (uint64_t at = 0; at < FILL_SECTOR; at++) {
        large[8 * FILL_SECTOR + at] ^= 1;
        assert_int_equal(f->words->right(f, large, owner, 1 << 20, 1 << 20), 8 * FILL_SECTOR);
        large[8 * FILL_SECTOR + at] ^= 1;
    }
    free(large);
    fill_free(f);
}

static void any_width_makes_the_same(void **state)
{
    (void)state;
    check_width(&fill_words_common);
    check_width(fill_words_here());
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

/* No word of 8 bytes is there twice in 32 MiB, at whatever distance. */
static void no_word_is_there_twice(void **state)
{
    (void)state;
    uint64_t bytes = UINT64_C(32) << 20;
    struct fill *f = make(kinds[0], MOST, 1);
    unsigned char *data = malloc(bytes);
    assert_non_null(data);
    fill_put(f, data, 0, 0, bytes);
    qsort(data, bytes / 8, 8, compare_words);
    for (uint64_t i = 8; i < bytes; i += 8)
        assert_memory_not_equal(data + i - 8, data + i, 8);
    free(data);
    fill_free(f);
}

static enum mismatch_kind found(const struct fill *f, const void *data, uint64_t offset,
                                struct mismatch *m)
{
    assert_int_not_equal(fill_check(f, data, 1, offset, 4096, m), 0);
    return m->kind;
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    for (int mode = FILL_STAMPED; mode <= FILL_POOL; mode++) {
        struct fill_data kind = {(enum fill_mode)mode, 5, 0, 0},
                         other = {(enum fill_mode)mode, 6, 0, 0};
        struct fill *f = make(kind, MOST, 1), *earlier = make(other, MOST, 1);
        unsigned char data[4096] = {0};
        struct mismatch m;
        struct stamp stamp;
        uint64_t seed;
        assert_int_equal(found(f, data, 4096, &m), MISMATCH_ZERO);
        fill_put(f, data, 1, 8192, 4096);
        assert_int_equal(found(f, data, 4096, &m), MISMATCH_MISPLACED);
        assert_int_equal(m.home.offset, 8192);
        assert_int_equal(m.bad_sectors, 8);
        fill_put(f, data, 2, 4096, 4096);
        assert_int_equal(found(f, data, 4096, &m), MISMATCH_MISPLACED);
        assert_int_equal(m.home.file, 2);
        fill_put(earlier, data, 1, 4096, 4096);
        assert_int_equal(found(f, data, 4096, &m), MISMATCH_STALE);
        assert_int_equal(m.home.seed, 6);
        assert_true(fill_decode(data, &stamp) && stamp.offset == 4096 && stamp.file == 1);
        assert_true(fill_find_seed(data, 4096, 4096, &seed) && seed == 6);
        assert_int_equal(found(f, fill_target(f, 0, 4096, 4096, true), 4096, &m), MISMATCH_UNREAD);
        memset(data, 'x', sizeof data);
        assert_int_equal(found(f, data, 4096, &m), MISMATCH_FOREIGN);
        fill_free(f);
        fill_free(earlier);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content_is_a_function_of_its_place),
        cmocka_unit_test(any_width_makes_the_same),
        cmocka_unit_test(no_word_is_there_twice),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
