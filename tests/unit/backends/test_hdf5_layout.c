/* Every byte of a file has one place in its datasets, and no two have the same. */
#include "backends/hdf5_layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { BLOCK = 24, RANKS = 3, SEGMENTS = 4, BYTES = BLOCK * RANKS * SEGMENTS };

static struct hdf5_layout make(bool per_segment, uint64_t variables)
{
    struct hdf5_layout l;
    struct error e = error_none();
    if (hdf5_layout_make(&l, BYTES, (uint64_t)BLOCK * RANKS, BLOCK, 4, per_segment, variables,
                         &e) != 0)
        fail_msg("%s", e.text);
    return l;
}

static void check_cover(const struct hdf5_layout *l)
{
    uint64_t size = hdf5_layout_dataset_bytes(l);
    uint64_t n = hdf5_layout_datasets(l);
    unsigned char seen[BYTES] = {0};
    assert_int_equal(n * size, BYTES);
    for (uint64_t at = 0; at < BYTES; at++) {
        struct hdf5_place p = hdf5_layout_place(l, at);
        assert_true(p.dataset < n && p.at_bytes < size && p.left_bytes > 0);
        assert_int_equal(seen[p.dataset * size + p.at_bytes]++, 0);
        for (uint64_t i = 1; i < p.left_bytes; i++) {
            struct hdf5_place next = hdf5_layout_place(l, at + i);
            assert_int_equal(next.dataset, p.dataset);
            assert_int_equal(next.at_bytes, p.at_bytes + i);
        }
    }
}

static void covers_every_byte_once(void **state)
{
    (void)state;
    struct hdf5_layout l[] = {make(false, 0), make(true, 0), make(false, 1), make(false, 3),
                              make(true, 6)};
    for (size_t i = 0; i < sizeof l / sizeof l[0]; i++)
        check_cover(&l[i]);
}

static void puts_bytes_where_it_says(void **state)
{
    (void)state;
    struct hdf5_layout one = make(false, 0), segments = make(true, 0), steps = make(false, 3);
    struct hdf5_place p = hdf5_layout_place(&one, 100);
    assert_int_equal(p.dataset, 0);
    assert_int_equal(p.at_bytes, 100);
    assert_int_equal(p.left_bytes, BYTES - 100);
    p = hdf5_layout_place(&segments, 100);
    assert_int_equal(p.dataset, 1);
    assert_int_equal(p.at_bytes, 28);
    assert_int_equal(p.left_bytes, 44);
    /* Segment 1, block 1 (of rank 1), its byte 4 of 24: in slab 0 of 8 bytes. */
    p = hdf5_layout_place(&steps, 100);
    assert_int_equal(p.dataset, 3);
    assert_int_equal(p.at_bytes, 12);
    assert_int_equal(p.left_bytes, 4);
    /* Segment 1, block 2, its byte 23: in slab 2. */
    p = hdf5_layout_place(&steps, 143);
    assert_int_equal(p.dataset, 5);
    assert_int_equal(p.at_bytes, 23);
    assert_int_equal(p.left_bytes, 1);
}

static void names_datasets(void **state)
{
    (void)state;
    struct hdf5_layout one = make(false, 0), segments = make(true, 0), steps = make(false, 3);
    char name[64];
    assert_string_equal(hdf5_layout_name(&one, 0, name, sizeof name), "/data");
    assert_string_equal(hdf5_layout_name(&segments, 3, name, sizeof name), "/segment.00000003");
    assert_string_equal(hdf5_layout_name(&steps, 5, name, sizeof name),
                        "/step.00000001/variable.2");
    assert_string_equal(hdf5_layout_group(&steps, 5, name, sizeof name), "/step.00000001");
    assert_string_equal(hdf5_layout_group(&segments, 3, name, sizeof name), "");
    assert_true(hdf5_layout_equal(&steps, &steps));
    assert_false(hdf5_layout_equal(&steps, &segments));
}

static void refuse(uint64_t file, uint64_t segment, uint64_t block, bool per_segment,
                   uint64_t variables, const char *text)
{
    struct hdf5_layout l;
    struct error e = error_none();
    assert_int_equal(hdf5_layout_make(&l, file, segment, block, 4, per_segment, variables, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    if (strstr(e.text, text) == NULL)
        fail_msg("'%s' lacks '%s'", e.text, text);
}

static void refuses_what_does_not_fit(void **state)
{
    (void)state;
    refuse(BYTES, 0, 0, true, 0, "--hdf5.dataset-per-segment");
    refuse(BYTES, 72, 24, false, 5, "use -b 40");
    refuse(BYTES, 72, 24, false, 4, "use -b 32");
    refuse(UINT64_C(70000) * 8, 8, 8, true, 0, "70000 datasets");
    struct hdf5_layout none;
    struct error e = error_none();
    assert_int_equal(hdf5_layout_make(&none, 0, 0, 0, 4, false, 0, &e), 0);
    assert_int_equal(hdf5_layout_datasets(&none), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_every_byte_once),
        cmocka_unit_test(puts_bytes_where_it_says),
        cmocka_unit_test(names_datasets),
        cmocka_unit_test(refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
