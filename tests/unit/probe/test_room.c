#include "probe/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MIB (UINT64_C(1) << 20)

static struct filesystem small(void)
{
    struct filesystem fs = {.mount_point = "/mnt",
                            .type = "tmpfs",
                            .source = "none",
                            .total_bytes = 10 * MIB,
                            .free_bytes = 8 * MIB,
                            .available_bytes = 8 * MIB,
                            .total_inodes = 100,
                            .free_inodes = 3};
    return fs;
}

static void what_fits_fits(void **state)
{
    struct filesystem fs = small();
    struct error e = error_none();
    (void)state;
    assert_int_equal(room_check(&fs, &(struct room_need){.bytes = 8 * MIB, .inodes = 3}, &e), 0);
    assert_int_equal(
        room_check(&fs, &(struct room_need){.bytes = 6 * MIB, .reserve_percent = 20}, &e), 0);
    assert_int_equal(room_check(&fs, &(struct room_need){0}, &e), 0);
    assert_int_equal(e.status, STATUS_DONE);
}

/* A052: what was needed, what there is, where. */
static void the_message_has_all_figures(void **state)
{
    struct filesystem fs = small();
    struct error e = error_none();
    (void)state;
    assert_int_equal(room_check(&fs, &(struct room_need){.bytes = 32 * MIB}, &e), -1);
    assert_int_equal(e.status, STATUS_FAILED);
    assert_string_equal(e.kind, "ENOSPC");
    assert_string_equal(e.text, "needs 32 MiB, 8 MiB available on tmpfs at /mnt (none), which has "
                                "10 MiB");
    e = error_none();
    struct room_need kept = {.bytes = 7 * MIB, .reserve_percent = 20};
    assert_int_equal(room_check(&fs, &kept, &e), -1);
    assert_string_equal(e.text, "needs 7 MiB, 8 MiB available on tmpfs at /mnt (none), which has "
                                "10 MiB, of which 2 MiB are kept free");
    e = error_none();
    assert_int_equal(room_check(&fs, &(struct room_need){.inodes = 4}, &e), -1);
    assert_string_equal(e.kind, "ENOSPC");
    assert_string_equal(e.text, "needs 4 inodes (files), 3 of 100 free on tmpfs at /mnt (none)");
}

static void what_is_replaced_counts(void **state)
{
    struct filesystem fs = small();
    struct room_need need = {
        .bytes = 9 * MIB, .inodes = 4, .replaced_bytes = MIB, .replaced_inodes = 1};
    (void)state;
    assert_int_equal(room_check(&fs, &need, NULL), 0);
    need.replaced_bytes--;
    assert_int_equal(room_check(&fs, &need, NULL), -1);
    /* Own files written anew need nothing, though the reserve is used up already. */
    fs.available_bytes = 0;
    need = (struct room_need){.bytes = MIB, .replaced_bytes = 2 * MIB, .reserve_percent = 2};
    assert_int_equal(room_check(&fs, &need, NULL), 0);
}

static void unknown_room_stops_nobody(void **state)
{
    struct filesystem fs = small();
    struct room_need need = {.bytes = 999 * MIB, .inodes = 999, .reserve_percent = 2};
    (void)state;
    fs.total_bytes = fs.free_bytes = fs.available_bytes = PROBE_UNKNOWN;
    fs.total_inodes = fs.free_inodes = PROBE_UNKNOWN;
    assert_int_equal(room_check(&fs, &need, NULL), 0);
    assert_int_equal(room_left(&fs, 2), PROBE_UNKNOWN);
}

static void the_reserve_is_kept(void **state)
{
    struct filesystem fs = small();
    (void)state;
    assert_int_equal(room_left(&fs, 0), 8 * MIB);
    assert_int_equal(room_left(&fs, 50), 3 * MIB);
    assert_int_equal(room_left(&fs, 90), 0);
    assert_int_equal(room_left(&fs, 100), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_fits),          cmocka_unit_test(the_message_has_all_figures),
        cmocka_unit_test(what_is_replaced_counts), cmocka_unit_test(unknown_room_stops_nobody),
        cmocka_unit_test(the_reserve_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
