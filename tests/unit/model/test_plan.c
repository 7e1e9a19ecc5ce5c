/* What settings amount to: sizes, names of files, and what contradicts itself. */
#include "model/pattern.h"

#include "plans.h"

#include <stdio.h>
#include <stdlib.h>

static void sizes_follow_from_the_settings(void **state)
{
    struct settings s = plans_settings();
    (void)state;
    plans_set(&s, "block", "4m");
    plans_set(&s, "transfer", "128k");
    plans_set(&s, "segments", "3");
    struct plan p = plans_make(&s, 256);
    assert_int_equal(p.transfers_per_block, 32);
    assert_int_equal(p.transfers_per_rank, 96);
    assert_int_equal(p.files, 1);
    assert_int_equal(p.file_bytes, UINT64_C(256) * 3 * (4 << 20));
    assert_int_equal(p.total_bytes, p.file_bytes);
    assert_true(p.write && p.read && !p.check_write && !p.check_read);
    plans_set(&s, "file-per-process", "1");
    p = plans_make(&s, 256);
    assert_int_equal(p.files, 256);
    assert_int_equal(p.file_bytes, 3 * (4 << 20));
    assert_int_equal(p.total_bytes, UINT64_C(256) * 3 * (4 << 20));
    option_free(settings_table, &s);
}

/* Neither of -w -r -W -R means both; each alone means itself; -R is a read. */
static void phases_are_those_asked_for(void **state)
{
    static const struct {
        const char *option;
        bool write, check_write, read, check_read;
    } rows[] = {{"write", true, false, false, false},
                {"read", false, false, true, false},
                {"check-write", false, true, false, false},
                {"check-read", false, false, true, true}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct settings s = plans_settings();
        plans_set(&s, rows[i].option, "1");
        struct plan p = plans_make(&s, 2);
        assert_int_equal(p.write, rows[i].write);
        assert_int_equal(p.check_write, rows[i].check_write);
        assert_int_equal(p.read, rows[i].read);
        assert_int_equal(p.check_read, rows[i].check_read);
        option_free(settings_table, &s);
    }
}

/* A034 A035: 0 is all ranks, fewer are taken as they are, more there are not. */
static void tasks_limit_the_ranks(void **state)
{
    struct settings s = plans_settings();
    (void)state;
    assert_int_equal(plans_make(&s, 3).ranks, 3);
    plans_set(&s, "tasks", "2");
    struct plan p = plans_make(&s, 3);
    assert_int_equal(p.ranks, 2);
    assert_int_equal(p.file_bytes, 2 << 20);
    plans_refused(&s, 1, "option -N 2: there is only 1 rank");
    option_free(settings_table, &s);
}

static void assert_path(const struct plan *p, uint64_t object, const char *expected)
{
    char path[300];
    assert_int_equal(plan_path(p, object, path, sizeof path), 0);
    assert_string_equal(path, expected);
    assert_int_equal(plan_path(p, object, path, strlen(expected) + 1), 0);
    assert_int_equal(plan_path(p, object, path, strlen(expected)), -1);
    assert_int_equal(plan_path(p, object, path, 1), -1);
}

static void assert_base(const struct plan *p, const char *expected)
{
    char path[300];
    assert_int_equal(plan_base(p, path, sizeof path), 0);
    assert_string_equal(path, expected);
}

static void a_shared_file_has_its_own_name(void **state)
{
    struct settings s = plans_settings();
    (void)state;
    plans_set(&s, "file", "/d/me@@site/file");
    struct plan p = plans_make(&s, 4);
    assert_int_equal(p.targets, 1);
    assert_path(&p, 0, "/d/me@site/file");
    assert_base(&p, "/d/me@site/file");
    assert_int_equal(plan_object(&p, 3), 0);
    char none[8];
    assert_int_equal(plan_directory(&p, 0, none, sizeof none), -1);
    plans_set(&s, "multi-file", "1");
    p = plans_make(&s, 4);
    p.repetition = 12;
    assert_path(&p, 0, "/d/me@site/file.12");
    assert_base(&p, "/d/me@site/file.12");
    option_free(settings_table, &s);
}

static void ranks_take_targets_in_turn(void **state)
{
    struct settings s = plans_settings();
    (void)state;
    plans_set(&s, "file", "/a/f@/b/f@c@@d@@@e");
    plans_set(&s, "file-per-process", "1");
    struct plan p = plans_make(&s, 100000000);
    assert_int_equal(p.targets, 4);
    assert_path(&p, 0, "/a/f.00000000");
    assert_path(&p, 1, "/b/f.00000001");
    assert_path(&p, 2, "c@d@.00000002");
    assert_path(&p, 3, "e.00000003");
    assert_path(&p, 4, "/a/f.00000004");
    assert_path(&p, 99999999, "e.99999999");
    assert_path(&p, 123456789, "/b/f.123456789");
    assert_base(&p, "/a/f");
    assert_int_equal(plan_object(&p, 3), 3);
    s.file_per_process = false;
    plans_refused(&s, 4, "write @@ for an @ in a name");
    option_free(settings_table, &s);
}

static void directories_of_ranks(void **state)
{
    struct settings s = plans_settings();
    char directory[64];
    (void)state;
    plans_set(&s, "file", "/a/f@g");
    plans_set(&s, "unique-dir", "1");
    plans_refused(&s, 4, "option -u: a directory for each rank needs a file for each: add -F");
    plans_set(&s, "file-per-process", "1");
    plans_set(&s, "multi-file", "1");
    struct plan p = plans_make(&s, 4);
    p.repetition = 1;
    assert_path(&p, 2, "/a/2/f.00000002.1");
    assert_path(&p, 3, "3/g.00000003.1");
    assert_int_equal(plan_directory(&p, 2, directory, sizeof directory), 0);
    assert_string_equal(directory, "/a/2");
    assert_int_equal(plan_directory(&p, 3, directory, sizeof directory), 0);
    assert_string_equal(directory, "3");
    assert_int_equal(plan_directory(&p, 2, directory, 4), -1);
    option_free(settings_table, &s);
}

/* A059: the reason comes first that is the reason. */
/* Ranks in one region each, on the devices in turn; no two meet. */
static void devices_have_regions(void **state)
{
    (void)state;
    struct settings s = plans_settings();
    plans_set(&s, "file", "/dev/a@/dev/b");
    plans_set(&s, "allow-device", "write");
    plans_set(&s, "block", "1m");
    plans_set(&s, "transfer", "256k");
    plans_set(&s, "segments", "2");
    struct plan p = plans_make(&s, 5);
    assert_true(p.file_per_process);
    assert_true(p.reuse);
    static const char *const paths[] = {"/dev/a", "/dev/b", "/dev/a", "/dev/b", "/dev/a"};
    for (uint64_t rank = 0; rank < 5; rank++) {
        assert_path(&p, rank, paths[rank]);
        assert_int_equal(plan_base_offset(&p, rank), rank / 2 << 21);
        assert_int_equal(plan_offset(&p, rank, 0), rank / 2 << 21);
        assert_int_equal(plan_offset(&p, rank, 5), (rank / 2 << 21) + 5 * 262144);
    }
    plans_set(&s, "file", "/dev/a");
    p = plans_make(&s, 5);
    assert_false(p.file_per_process);
    assert_int_equal(plan_base_offset(&p, 3), 0);
    assert_int_equal(plan_offset(&p, 3, 0), 3 << 20);
    assert_path(&p, 0, "/dev/a");
    option_free(settings_table, &s);
}

/* Each place of a rank's region once, or places drawn from it alone. */
static void disorder_stays_in_the_region(void **state)
{
    (void)state;
    struct settings s = plans_settings();
    plans_set(&s, "file", "/dev/a@/dev/b");
    plans_set(&s, "allow-device", "read");
    plans_set(&s, "read", "1");
    plans_set(&s, "block", "64k");
    plans_set(&s, "transfer", "4k");
    plans_set(&s, "segments", "4");
    for (int order = 0; order < 3; order++) {
        struct pattern pattern;
        struct plan p = plans_make(&s, 3);
        bool seen[64] = {false};
        pattern_begin(&pattern, &p, 2, true, 0, UINT64_MAX, UINT64_C(1) << 30);
        for (int i = 0; i < 64; i++) {
            uint64_t place = (pattern_next(&pattern) - (1 << 18)) / 4096;
            assert_true(place < 64);
            assert_true(order == 2 || !seen[place]);
            seen[place] = true;
        }
        plans_set(&s, "random", order ? "2" : "1");
    }
    option_free(settings_table, &s);
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    struct settings s = plans_settings();
    (void)state;
    s.block_bytes = 1 << 20;
    s.transfer = (struct sizes){.bytes = 2 << 20};
    plans_refused(&s, 1, "block size -b 1048576 is smaller than transfer size -t 2097152");
    s.block_bytes = 102400;
    s.transfer = (struct sizes){.bytes = 65536};
    plans_refused(&s, 1,
                  "is no multiple of transfer size -t 65536: the nearest that are: 65536 "
                  "and 131072");
    s.block_bytes = UINT64_C(1) << 62;
    s.transfer = (struct sizes){.bytes = 1 << 20};
    plans_make(&s, 1);
    plans_refused(&s, 2, "larger than 8 EiB");
    s.file_per_process = true;
    assert_int_equal(plans_make(&s, 8).total_bytes, UINT64_MAX);
    s.segments = INT64_MAX;
    plans_refused(&s, 1, "larger than 8 EiB");
    option_free(settings_table, &s);
}

static void contradictions_are_refused(void **state)
{
    static const struct {
        const char *options; /* "name=value name=value" */
        const char *says;
    } rows[] = {
        {"reorder=1 reorder-random=1", "options -C and -Z exclude each other"},
        {"random=1 reorder=1", "option -C: with -z on a shared file"},
        {"random=1 reorder-random=1", "option -Z: with -z on a shared file"},
        {"random=2 file-per-process=1", "there is only one"},
        {"random=2 check-write=1 segments=2", "option -W: with -z -z blocks are drawn"},
        {"random=2 write=1 check-read=1 segments=2", "option -R: with -z -z blocks are drawn"},
        {"wear-out=1", "option --wear-out goes on after a deadline"},
        {"time-create=1 file-per-process=1", "option --time-create is about a shared file"},
        {"compressible=94%", "more than 93 %"},
        {"allow-device=read", "say --allow-device=write"},
        {"allow-device=write multi-file=1", "option --multi-file is about files"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct settings s = plans_settings();
        char words[128], *rest = words;
        snprintf(words, sizeof words, "%s", rows[i].options);
        for (char *word; (word = strsep(&rest, " "));) {
            char *value = strchr(word, '=');
            *value++ = '\0';
            plans_set(&s, word, value);
        }
        plans_refused(&s, 2, rows[i].says);
        option_free(settings_table, &s);
    }
}

static void products_saturate(void **state)
{
    (void)state;
    assert_int_equal(plan_times(3, 5), 15);
    assert_int_equal(plan_times(0, UINT64_MAX), 0);
    assert_int_equal(plan_times(UINT64_C(1) << 32, UINT64_C(1) << 32), UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_from_the_settings),
        cmocka_unit_test(phases_are_those_asked_for),
        cmocka_unit_test(tasks_limit_the_ranks),
        cmocka_unit_test(a_shared_file_has_its_own_name),
        cmocka_unit_test(ranks_take_targets_in_turn),
        cmocka_unit_test(directories_of_ranks),
        cmocka_unit_test(devices_have_regions),
        cmocka_unit_test(disorder_stays_in_the_region),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(products_saturate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
