/* What a sidecar holds, says and recognises: pure. */
#include "probe/sidecar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                       \
    "pario-sidecar 1\nrun 5f0c\nprogram 0.1.0\nseed 42\ndata stamped\n"                            \
    "order sequence\nranks 4\nsegments 2\n"                                                        \
    "block 4096\ntransfer 1024\nfile-per-process 1\n"
#define WHOLE                                                                                      \
    HEAD "written 0 3 8\nwritten 3 1 5\nfile 0 11 65024 1700000000000000000 8192\n"                \
         "file 3 14 65024 0 5120\nend 15\n"

static void parse(const char *text, struct sidecar *s)
{
    struct error e = error_none();
    if (sidecar_parse(text, strlen(text), "F.pario", s, &e) != 0)
        fail_msg("%s", e.text);
}

static void a_whole_one_is_read(void **state)
{
    struct sidecar s;
    (void)state;
    parse(WHOLE, &s);
    assert_string_equal(s.run, "5f0c");
    assert_string_equal(s.program, "0.1.0");
    assert_string_equal(s.data, "stamped");
    assert_string_equal(s.order, "sequence");
    assert_int_equal(s.seed, 42);
    assert_int_equal(s.ranks, 4);
    assert_int_equal(s.segments, 2);
    assert_int_equal(s.block_bytes, 4096);
    assert_int_equal(s.transfer_bytes, 1024);
    assert_int_equal(s.file_per_process, 1);
    assert_int_equal(sidecar_written(&s, 0), 8);
    assert_int_equal(sidecar_written(&s, 2), 8);
    assert_int_equal(sidecar_written(&s, 3), 5);
    assert_int_equal(sidecar_written(&s, 4), 0);
    assert_int_equal(s.files_used, 2);
    assert_int_equal(sidecar_file(&s, 3)->inode, 14);
    assert_int_equal(sidecar_file(&s, 3)->size_bytes, 5120);
    assert_int_equal(sidecar_file(&s, 0)->born_ns, 1700000000000000000);
    assert_null(sidecar_file(&s, 1));
    sidecar_free(&s);
    assert_int_equal(s.files_used, 0);
}

static void what_is_written_is_read_again(void **state)
{
    struct sidecar s;
    struct text t = {0};
    (void)state;
    parse(WHOLE, &s);
    assert_int_equal(sidecar_format(&s, &t, NULL), 0);
    assert_string_equal(t.data, WHOLE);
    text_free(&t);
    sidecar_free(&s);
}

/* A million ranks that wrote equally much are one entry. */
static void equal_ranks_are_one_run(void **state)
{
    struct sidecar s = {0};
    (void)state;
    for (int i = 0; i < 1000000; i++)
        assert_int_equal(sidecar_add_written(&s, i < 600000 ? 32 : 31, NULL), 0);
    assert_int_equal(s.written_used, 2);
    assert_int_equal(sidecar_written(&s, 599999), 32);
    assert_int_equal(sidecar_written(&s, 600000), 31);
    assert_int_equal(sidecar_written(&s, 999999), 31);
    assert_int_equal(sidecar_written(&s, 1000000), 0);
    sidecar_free(&s);
}

static void files_come_in_order(void **state)
{
    struct sidecar s = {0};
    struct file_facts f = {.kind = FILE_REGULAR, .inode = 5};
    struct error e = error_none();
    (void)state;
    for (uint64_t i = 0; i < 100; i++)
        assert_int_equal(sidecar_add_file(&s, 3 * i, &f, NULL), 0);
    assert_int_equal(sidecar_add_file(&s, 297, &f, &e), -1);
    assert_string_equal(e.kind, "internal");
    assert_non_null(sidecar_file(&s, 150));
    assert_null(sidecar_file(&s, 151));
    sidecar_free(&s);
}

static void own_files_are_recognised(void **state)
{
    struct sidecar s;
    struct file_facts f = {.kind = FILE_REGULAR,
                           .inode = 11,
                           .device = 1,
                           .size_bytes = 7,
                           .born_ns = 1700000000000000000};
    (void)state;
    parse(WHOLE, &s);
    assert_int_equal(sidecar_owns(&s, 0, &f), OWNERSHIP_OWN); /* grown or cut since, but the same */
    assert_int_equal(sidecar_owns(&s, 3, &f), OWNERSHIP_FOREIGN);
    assert_int_equal(sidecar_owns(&s, 1, &f), OWNERSHIP_FOREIGN);
    assert_int_equal(sidecar_owns(NULL, 0, &f), OWNERSHIP_FOREIGN);
    f.born_ns++; /* the inode was given to another file */
    assert_int_equal(sidecar_owns(&s, 0, &f), OWNERSHIP_FOREIGN);
    f.born_ns = 0; /* not told here: then the size must be right */
    assert_int_equal(sidecar_owns(&s, 0, &f), OWNERSHIP_FOREIGN);
    f.size_bytes = 8192;
    assert_int_equal(sidecar_owns(&s, 0, &f), OWNERSHIP_OWN);
    f.kind = FILE_SYMLINK;
    assert_int_equal(sidecar_owns(&s, 0, &f), OWNERSHIP_FOREIGN);
    f.kind = FILE_MISSING;
    assert_int_equal(sidecar_owns(&s, 0, &f), OWNERSHIP_MISSING);
    assert_int_equal(sidecar_owns(NULL, 0, &f), OWNERSHIP_MISSING);
    f = (struct file_facts){.kind = FILE_REGULAR, .inode = 14, .size_bytes = 5120, .born_ns = 9};
    assert_int_equal(sidecar_owns(&s, 3, &f), OWNERSHIP_OWN); /* not told then */
    sidecar_free(&s);
}

static void broken_ones_are_refused(void **state)
{
    static const struct {
        const char *text;
        const char *reason;
    } rows[] = {
        {"", "line 1: the file ends here"},
        {"pario-sidecar 1", "line 1: the last line is cut short"},
        {"{\"a\": 1}\n", "line 1: \"pario-sidecar\" expected, not \"{\"a\":\""},
        {"pario-sidecar 2\n", "line 1: format 2; this version of pario reads format 1"},
        {"pario-sidecar\n", "line 1: \"pario-sidecar\" wants 1 value, not 0"},
        {"pario-sidecar 1 \n", "line 1: a blank at the wrong place"},
        {"pario-sidecar 1\n\n", "line 2: a blank at the wrong place, or an empty line"},
        {"pario-sidecar 1\nseed 1\n", "line 2: \"run\" expected, not \"seed\""},
        {"pario-sidecar 1\nrun a\tb\n", "line 2: a control character (0x09)"},
        {"pario-sidecar 1\nrun a\r\n", "line 2: a control character (0x0d)"},
        {"pario-sidecar 1\nrun 1234567890123456789012345678901234567890\n",
         "line 2: \"run\" is 40 characters long; at most 39"},
        {"pario-sidecar 1\nrun a\nprogram b\nseed -1\n",
         "line 4: \"seed\" wants a whole number, not \"-1\""},
        {"pario-sidecar 1\nrun a\nprogram b\nseed 18446744073709551616\n",
         "line 4: \"seed\" wants a whole number"},
        {"pario-sidecar 1\nrun a\nprogram b\nseed 1\ndata c\norder d\nranks 0\n",
         "line 7: \"ranks\" is 0, out of its range"},
        {"pario-sidecar 1\nrun a\nprogram b\nseed 1\ndata c\norder d\nranks 1\nsegments 1\nblock "
         "10\n"
         "transfer 3\nfile-per-process 0\n",
         "line 11: the block is not a multiple of the transfer"},
        {HEAD "end 11\n", "line 12: \"written\" expected, not \"end\""},
        {HEAD "written 1 4 8\n", "line 12: rank 0 expected, not 1"},
        {HEAD "written 0 5 8\n", "line 12: 5 ranks from rank 0 on, but there are 4"},
        {HEAD "written 0 0 8\n", "line 12: 0 ranks from rank 0 on"},
        {HEAD "written 0 4\n", "line 12: \"written\" wants 3 values, not 2"},
        {HEAD "written 0 4 8\nwritten 4 1 8\n", "line 13: \"end\" expected, not \"written\""},
        {HEAD "written 0 4 8\nfile 0 1 2 3\n", "line 13: \"file\" wants 5 values, not 4"},
        {HEAD "written 0 4 8\nfile 0 1 2 3 4 5\n", "line 13: more than 6 words"},
        {HEAD "written 0 4 8\nfile 0 1 2 9999999999999999999 4\n",
         "line 13: no time can be as late"},
        {HEAD "written 0 4 8\nfile 1 1 2 3 4\nfile 1 1 2 3 4\n",
         "line 14: file 1 does not come after 1"},
        {HEAD "written 0 4 8\n", "line 13: the file ends here"},
        {HEAD "written 0 4 8\nend 13\n", "line 13: 13 lines should stand before it, not 12"},
        {HEAD "written 0 4 8\nend 12\nmore\n", "line 14: something follows"},
        {HEAD "written 0 4 8\nend 12", "line 13: the last line is cut short"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sidecar s;
        struct error e = error_none();
        if (sidecar_parse(rows[i].text, strlen(rows[i].text), "F.pario", &s, &e) != -1)
            fail_msg("accepted: %s", rows[i].text);
        assert_int_equal(e.status, STATUS_USAGE);
        assert_non_null(strstr(e.text, "F.pario: line "));
        if (strstr(e.text, rows[i].reason) == NULL)
            fail_msg("\"%s\" is not in: %s", rows[i].reason, e.text);
        assert_null(s.files);
        assert_null(s.written);
    }
}

/* Every text that is cut short anywhere is found out. */
static void a_cut_is_found_out(void **state)
{
    (void)state;
    for (size_t n = 0; n < strlen(WHOLE); n++) {
        struct sidecar s;
        assert_int_equal(sidecar_parse(WHOLE, n, "F.pario", &s, NULL), -1);
    }
}

static void long_lines_and_nuls_are_refused(void **state)
{
    char text[400];
    struct sidecar s;
    struct error e = error_none();
    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\n';
    assert_int_equal(sidecar_parse(text, sizeof text, "F", &s, &e), -1);
    assert_non_null(strstr(e.text, "line 1: 399 characters long"));
    e = error_none();
    memcpy(text, "pario-sidecar 1\0\n", 17);
    assert_int_equal(sidecar_parse(text, 17, "F", &s, &e), -1);
    assert_non_null(strstr(e.text, "control character (0x00)"));
}

static void nonsense_is_not_written(void **state)
{
    struct sidecar s;
    struct text t = {0};
    struct error e = error_none();
    (void)state;
    parse(WHOLE, &s);
    snprintf(s.data, sizeof s.data, "two words");
    assert_int_equal(sidecar_format(&s, &t, &e), -1);
    assert_string_equal(e.kind, "internal");
    snprintf(s.data, sizeof s.data, "stamped");
    s.ranks = 5;
    assert_int_equal(sidecar_format(&s, &t, NULL), -1);
    s.ranks = 4;
    s.block_bytes = 4097;
    assert_int_equal(sidecar_format(&s, &t, NULL), -1);
    s.block_bytes = UINT64_C(1) << 63;
    assert_int_equal(sidecar_format(&s, &t, NULL), -1);
    s.block_bytes = 4096;
    assert_int_equal(sidecar_format(&s, &t, NULL), 0);
    text_free(&t);
    sidecar_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_one_is_read),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(equal_ranks_are_one_run),
        cmocka_unit_test(files_come_in_order),
        cmocka_unit_test(own_files_are_recognised),
        cmocka_unit_test(broken_ones_are_refused),
        cmocka_unit_test(a_cut_is_found_out),
        cmocka_unit_test(long_lines_and_nuls_are_refused),
        cmocka_unit_test(nonsense_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
