/* Scripts of IOR: tests, what carries over, and what the lines may look like. */
#include "tests/unit/cli/fixture.h"

#include <unistd.h>

/* Parses "-f SCRIPT" between the words before and after (NULL: none). */
static struct parsed run_script(const char *before, const char *content, const char *after)
{
    char path[] = "/tmp/pario-test-script-XXXXXX", line[512];
    int fd = mkstemp(path);
    size_t bytes = strlen(content);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, content, bytes), bytes);
    close(fd);
    snprintf(line, sizeof line, "%s%s-f|%s%s%s", before ? before : "", before ? "|" : "", path,
             after ? "|" : "", after ? after : "");
    struct parsed r = parse(line);
    unlink(path);
    return r;
}

static struct parsed right_script(const char *before, const char *content, const char *after)
{
    struct parsed r = run_script(before, content, after);

    if (r.rc)
        print_error("%s\n%s\n", content, r.error.text);
    assert_int_equal(r.rc, 0);
    return r;
}

/* A064: the second test keeps what the first had set; RESET is how to be rid of it. */
static void test_carry_over(void **state)
{
    (void)state;
    struct parsed r = right_script(NULL,
                                   "IOR START\n"
                                   "  blockSize=256k, transferSize=64k\n"
                                   "  segmentCount=2\n"
                                   "RUN\n"
                                   "  blockSize=128k\n"
                                   "RUN\n"
                                   "RESET\n"
                                   "  blockSize=64k\n"
                                   "RUN\n"
                                   "RUN\n"
                                   "IOR STOP\n",
                                   NULL);
    static const uint64_t blocks[] = {256 << 10, 128 << 10, 64 << 10, 64 << 10};
    static const int64_t segments[] = {2, 2, 1, 1};

    assert_int_equal(r.command.test_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(r.command.tests[i].settings.block_bytes, blocks[i]);
        assert_int_equal(r.command.tests[i].settings.segments, segments[i]);
        assert_int_equal(r.command.tests[i].settings.workload, WORKLOAD_BULK);
    }
    assert_int_equal(r.command.tests[1].origins[SETTING_segments], ORIGIN_FILE);
    assert_int_equal(r.command.tests[2].origins[SETTING_segments], ORIGIN_DEFAULT);
    assert_int_equal(r.command.note_count, 0);
    command_free(&r.command);
}

/* A067: blank lines, blanks around '=', comments, any case, lines of other systems. */
static void test_forms(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "IOR START\nsegmentCount=5\nRUN\nIOR STOP\n",
        "IOR START\n\n  segmentCount = 5\n\nRUN\n\nIOR STOP\n\n",
        "IOR START\nsegmentCount=5# note\nRUN # now\nIOR STOP # end\n",
        "ior start\nSEGMENTCOUNT\t=\t5\nrun\nior  stop",
        "IOR START\r\nsegmentCount=5\r\nRUN\r\nIOR STOP\r\n",
        "words before\nsegmentCount=9\nIOR START\nsegments=5,\nRUN\nIOR STOP\nwords=after\n",
        "  Ior  Start  \n  --segments=5\nRun\nIOR STOP\n",
        "IOR START\nsegmentCount=\"5\"\nRUN\nIOR STOP\n",
        "IOR START\nsegmentCount=5\nIOR STOP\n"};

    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct parsed r = right_script(NULL, scripts[i], NULL);
        assert_int_equal(r.command.test_count, 1);
        assert_int_equal(r.command.tests[0].settings.segments, 5);
        assert_int_equal(r.command.note_count, 0);
        command_free(&r.command);
    }
}

static void test_quotes(void **state)
{
    (void)state;
    struct parsed r = right_script(NULL,
                                   "IOR START\n"
                                   "testFile = \"/a b/c,d#e\" , keepFile=1 # \"x\n"
                                   "RUN\nIOR STOP\n",
                                   NULL);

    assert_string_equal(r.command.tests[0].settings.file, "/a b/c,d#e");
    assert_true(r.command.tests[0].settings.keep);
    command_free(&r.command);
}

/* What stands before -f is a default of the tests, what stands behind it holds for each. */
static void test_options_around(void **state)
{
    (void)state;
    struct parsed r = right_script("-b|8m|-s|3|--posix.bypass|-k",
                                   "IOR START\nblockSize=1m\nRUN\nRESET\n"
                                   "posix.retries=8\n--posix.hints=x\nRUN\nIOR STOP\n",
                                   "-s|4|-t|2k|--posix.hints=y|-O|fastDirect=0");
    const struct cli_test *t = r.command.tests;
    const struct fast_values *first = t[0].groups[GROUP_POSIX].values;
    const struct fast_values *second = t[1].groups[GROUP_POSIX].values;

    assert_int_equal(r.command.test_count, 2);
    assert_int_equal(t[0].settings.block_bytes, 1 << 20);
    assert_int_equal(t[1].settings.block_bytes, 8 << 20);
    assert_int_equal(t[0].settings.segments, 4);
    assert_int_equal(t[1].settings.segments, 4);
    assert_int_equal(t[1].settings.transfer.bytes, 2048);
    assert_true(t[0].settings.keep && t[1].settings.keep);
    assert_int_equal(t[0].origins[SETTING_keep], ORIGIN_COMMAND_LINE);
    assert_int_equal(first->retries, 3);
    assert_int_equal(second->retries, 8);
    assert_string_equal(first->hints, "y");
    assert_string_equal(second->hints, "y");
    assert_false(first->direct || second->direct);
    command_free(&r.command);
}

static void test_notes(void **state)
{
    (void)state;
    struct parsed r = right_script(NULL,
                                   "IOR START\napi=slow,blockSize=1MB\nRUN\n"
                                   "api=posix, posix.retries=4\nRUN\napi=slow\nRUN\n",
                                   NULL);

    assert_int_equal(r.command.test_count, 3);
    assert_int_equal(r.command.note_count, 3);
    assert_true(has_note(&r.command, "ends without 'IOR STOP'"));
    assert_true(has_note(&r.command, "blockSize 1MB"));
    assert_true(has_note(&r.command, "--posix.retries has no effect: the backend is slow"));
    command_free(&r.command);
}

static void test_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *content, *after, *part;
    } rows[] = {
        {"blockSize=4m\nRUN\n", NULL, "it has no line 'IOR START'"},
        {"", NULL, "it has no line 'IOR START'"},
        {"IOR START\nIOR STOP\n", NULL, "nothing to run"},
        {"IOR START\n", NULL, "nothing to run"},
        {"IOR START\nblockSize=4x\nRUN\nIOR STOP\n", NULL, "line 2: option blockSize: '4x'"},
        {"IOR START\n\n# c\nblokSize=4\nRUN\n", NULL,
         "line 4: unknown directive blokSize, did you "
         "mean blockSize?"},
        {"IOR START\nRUNN\nIOR STOP\n", NULL, "line 2: 'RUNN' is not of the form name=value"},
        {"IOR START\nIOR START\n", NULL, "line 2: a second IOR START"},
        {"IOR START\n=4\nRUN\n", NULL, "line 2: there is no name before the '='"},
        {"IOR START\nblockSize=4m,,segmentCount=2\nRUN\n", NULL, "line 2: there is an empty"},
        {"IOR START\n,\nRUN\n", NULL, "line 2: there is an empty"},
        {"IOR START\ntestFile=/a b\nRUN\n", NULL, "line 2: testFile=/a b has a blank"},
        {"IOR START\ntestFile=\"/a b\nRUN\n", NULL, "line 2: the quotes of testFile="},
        {"IOR START\napi=psix\nRUN\nIOR STOP\n", NULL, "did you mean 'posix'?"},
        {"IOR START\nscript=x\nRUN\nIOR STOP\n", NULL, "script belongs on the command line"},
        {"IOR START\nhintsFileName=x\nRUN\nIOR STOP\n", NULL, "line 2: option hintsFileName"},
        {"IOR START\nRUN\njson=x\nRUN\nIOR STOP\n", NULL, "json holds for the whole run"},
        {"IOR START\nthreads=2\nRUN\nthreads=4\nRUN\nIOR STOP\n", NULL,
         "tests 1 and 2 of the script differ"},
        {"IOR START\nRUN\nIOR STOP\n", "-f|/dev/null", "option -f is given twice"},
        {"IOR START\nRUN\nIOR STOP\n", "-b|4x", "option -b: '4x'"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parsed r = run_script(NULL, rows[i].content, rows[i].after);
        if (r.rc != -1 || !strstr(r.error.text, rows[i].part))
            print_error("%s\nsaid: %s\nnot: %s\n", rows[i].content, r.error.text, rows[i].part);
        assert_int_equal(r.rc, -1);
        assert_int_equal(r.error.status, STATUS_USAGE);
        assert_non_null(strstr(r.error.text, rows[i].part));
        command_free(&r.command);
    }
}

static void test_json_for_all(void **state)
{
    (void)state;
    struct parsed r = right_script(NULL, "IOR START\nRUN\nblockSize=2m\nRUN\nIOR STOP\n",
                                   "--json|out.json|--threads=2");

    assert_string_equal(r.command.tests[0].settings.json, "out.json");
    assert_string_equal(r.command.tests[1].settings.json, "out.json");
    command_free(&r.command);
}

/* Not text, too long, too many: refused whole. */
static void test_bounds(void **state)
{
    (void)state;
    char path[] = "/tmp/pario-test-script-XXXXXX", line[64];
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");

    assert_non_null(file);
    snprintf(line, sizeof line, "-f|%s", path);
    fwrite("IOR START\nRUN\0\nIOR STOP\n", 1, 24, file);
    fflush(file);
    struct parsed r = parse(line);
    assert_non_null(strstr(r.error.text, "it is not text"));
    command_free(&r.command);
    rewind(file);
    fprintf(file, "IOR START\n");
    for (int i = 0; i < 10001; i++)
        fprintf(file, "RUN\n");
    fflush(file);
    r = parse(line);
    assert_non_null(strstr(r.error.text, "line 10002: there are more than 10000 tests"));
    command_free(&r.command);
    for (int i = 0; i < 20000; i++)
        fprintf(file, "# a comment to make it long, longer, and longer than any script\n");
    fflush(file);
    r = parse(line);
    assert_non_null(strstr(r.error.text, "too long for a script"));
    command_free(&r.command);
    fclose(file);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_carry_over),   cmocka_unit_test(test_forms),
        cmocka_unit_test(test_quotes),       cmocka_unit_test(test_options_around),
        cmocka_unit_test(test_notes),        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_json_for_all), cmocka_unit_test(test_bounds)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
