/* Wrong command lines: each is refused with STATUS_USAGE and one message that names what was typed
 * and what would be right. */
#include "tests/unit/cli/fixture.h"

struct wrong {
    const char *line;
    const char *part; /* of the message */
    const char *more; /* another part; NULL: none */
};

static const struct wrong table[] = {
    /* Values that are none */
    {"-b|10x", "option -b", "'10x' is not a size"}, /* A058 */
    {"-b|abc", "option -b", "'abc' is not a size"}, /* A058 */
    {"-b|-1", "option -b", "negative"},             /* A058 */
    {"-b|1.0000001", "option -b", "1.0000001"},     /* A058 */
    {"-b|0", "option -b", "at least 1"},
    {"-t=0", "option -t", "too small"},
    {"-b|99999999999999999999", "option -b", "99999999999999999999"},
    {"-b|16e", "option -b", "'16e'"},
    {"-b|0x1000", "option -b", "0x1000"},
    {"-b|4 z", "option -b", "'4 z'"},
    {"-b|nan", "option -b", "'nan'"},
    {"-b|inf", "option -b", "'inf'"},
    {"--block=4kk", "option --block", "'4kk'"},
    {"-s|-5", "option -s", "negative"}, /* A061 */
    {"-s|1.5", "option -s", "1.5"},
    {"-s|0", "option -s", "at least 1"},
    {"-i|x", "option -i", "whole number"},
    {"-i0", "option -i", "at least 1"},
    {"--depth|65537", "option --depth", "at most 65536"},
    {"--threads|-1", "option --threads", "negative"},
    {"-D|5y", "option -D", "'5y' is not a time"},
    {"-d|-3", "option -d", "negative"},
    {"--clock|sundial", "option --clock", "'sundial' is not one of its values"},
    {"-w=maybe", "option -w", "neither yes nor no"},
    {"--fsync=2", "option --fsync", "neither yes nor no"},
    {"-v=x", "option -v", "'x'"},
    {"-b|4m\x01", "option -b", "4m?"},
    /* Values that are missing or look like something else */
    {"-b|-e", "option -b needs a SIZE, got '-e'", NULL}, /* A115 */
    {"-b|--transfer", "option -b needs a SIZE, got '--transfer'", NULL},
    {"-b-w", "option -b needs a SIZE, got '-w'", NULL},
    {"-o|-w", "option -o needs a PATH, got '-w'", "-o=-w"},
    {"-o|--read", "option -o needs a PATH, got '--read'", NULL},
    {"--json|-5", "option --json needs a FILE, got '-5'", NULL},
    {"-w|-b", "option -b needs a SIZE, and nothing follows it", NULL},
    {"--repetitions", "option --repetitions needs a number, and nothing follows it", NULL},
    {"--clock", "option --clock needs one of auto, ", "nothing follows"},
    {"-b|", "option -b needs a SIZE, got an empty value", "shell variable"},
    {"-b=", "option -b needs a SIZE, got an empty value", NULL},
    {"-o|", "option -o needs a PATH, got an empty value", NULL},
    {"--file=", "option --file needs a PATH, got an empty value", NULL},
    {"-O|", "option -O needs a NAME=VALUE[,...], got ''", NULL},
    {"-o|a\nb", "option -o", "control character (0x0a) at place 2"},
    {"-o|a\x7f", "option -o", "control character (0x7f)"},
    /* Lists */
    {"-t|4k,128k", "option -t needs a SIZE, got '4k,128k'", "one value is expected"},
    {"--depth=1,2,4", "option --depth", "one value is expected"},
    {"-O|transferSize=4k,128k", "-O: '128k' is not of the form name=value", NULL},
    /* Names that are not known */
    {"--blok|4m", "unknown option --blok, did you mean --block?", NULL},
    {"--transfr=4m", "unknown option --transfr, did you mean --transfer?", NULL},
    {"--rep|4", "unknown option --rep, did you mean --repetitions?", NULL},
    {"--file-per-proces", "did you mean --file-per-process?", NULL},
    {"--no-fsnc", "unknown option --no-fsnc", NULL},
    {"--xyzzy-nothing-near", "unknown option --xyzzy-nothing-near", "--help"},
    {"--=4", "there is no name before the '='", NULL},
    {"-@", "unknown option -@", "--help"},
    {"-wrB", "unknown option -B in -wrB", NULL},
    {"-v3", "option -v takes a number behind an '='", "-v=3"},
    {"-w\xc3\xa9", "letters and digits are expected", NULL},
    {"--posix.bypas", "unknown option --posix.bypas, did you mean --posix.bypass?", NULL},
    {"--posix.odirct", "unknown option --posix.odirct, did you mean --posix.odirect?", NULL},
    {"--null.bypass", "the backend null has no options", NULL},
    {"--posix.nothing-like-it", "the backend posix has no such option", "--help posix"},
    {"--pox.bypass", "there is no backend 'pox'", "--list"},
    {"--posix.retries|x", "option --posix.retries", "whole number"},
    {"--posix.hints", "option --posix.hints needs a FILE", NULL},
    {"--posix.mode=other", "option --posix.mode", "with-a-long-name"},
    {"-a|psix", "there is no backend 'psix', did you mean 'posix'?", NULL},
    {"-a|DUMMY", "there is no backend 'DUMMY', did you mean 'null'?", NULL},
    {"-a|zzzzzzzz", "there is no backend 'zzzzzzzz'", "--list"},
    {"-a|absent", "the backend absent cannot be used: no libabsent", NULL},
    /* Words that belong nowhere */
    {"/tmp/x", "'/tmp/x' belongs to no option", "-o /tmp/x"}, /* A118 */
    {"-a|posix|-t|4m|-b|16g|-s|10|/tmp/x", "'/tmp/x' belongs to no option", "-o /tmp/x"},
    {"blk", "unknown workload 'blk', did you mean 'bulk'?", NULL},
    {"testfile", "'testfile' belongs to no option and is not a workload", "-o testfile"},
    {"-w|bulk", "the workload 'bulk' goes first", NULL},
    {"-w|yes", "'yes' belongs to no option", NULL},
    {"-", "'-' belongs to no option", NULL},
    {"--|x", "'--' belongs to no option", NULL},
    {"", "there is an empty word ''", "shell variable"},
    {"-w|", "there is an empty word ''", "shell variable"},
    {"-w| |-r", "there is an empty word ' '", "line's end"}, /* A116 */
    {"-w|blockSize=4m", "-O blockSize=4m", NULL},
    {"metadata|/tmp/x", "'/tmp/x' belongs to no option", "-d /tmp/x"},
    /* Spelling */
    {"-w-r", "'-w-r' has a '-' among its letters", "-w -r"}, /* A121 */
    {"-block|4m", "'-block': long names take two dashes, --block", NULL},
    {"-fsync", "'-fsync': long names take two dashes, --fsync", NULL},
    {"\xe2\x80\x93w", "en dash U+2013", "plain '-'"},          /* A119 */
    {"\xe2\x88\x92w|-t|4k", "minus sign U+2212", "plain '-'"}, /* A119 */
    {"\xe2\x80\x94read", "em dash U+2014", "plain '-'"},       /* A119 */
    {"-\xe2\x80\x93read", "en dash U+2013", "plain '-'"},      /* A119 */
    {"--no-block", "'--no-block'", "--no- switches flags off"},
    {"--no-write=1", "'--no-write=1'", "takes no value"},
    {"--no-help", "'--no-help'", "--no- switches flags off"},
    {"--list=all", "option --list takes no value, got 'all'", NULL},
    /* What IOR has and pario has not */
    {"-A|3", "option -A (IOR's refNum) is not taken", "--json"},
    {"-j|3", "option -j (IOR's outlierThreshold) is not taken", NULL},
    {"-y", "option -y (IOR's dualmount) is not taken", NULL},
    {"-H", "option -H (IOR's showHints) is not taken", "IOR refuses it"},
    {"-S", "option -S (IOR's useStridedDatatype) is not taken", "IOR refuses it"},
    {"--randomPrefill=1m", "option --randomPrefill (IOR's randomPrefill) is not taken: write",
     NULL},
    {"--ranks=5", "option --ranks belongs to pario plan", NULL},
    {"-O|summaryFormat=JSON", "option summaryFormat", "--json FILE"},
    {"-O|QuitOnError=1", "option QuitOnError", "not taken"},
    /* Directives */
    {"-O|segmentCount=2;keepFile=1", "separated by ';'", "write ','"}, /* A062 */
    {"-O|api=posix; segmentCount=2", "has a blank", NULL},             /* A062 */
    {"-O|segmentCont=2", "unknown directive segmentCont, did you mean segmentCount?", NULL},
    {"-O|blockSize", "'blockSize' is not of the form name=value", NULL},
    {"-O|blockSize=4m,,keepFile=1", "empty directive", NULL},
    {"-O|blockSize=4m,", "empty directive", NULL},
    {"-O|=4m", "there is no name before the '='", NULL},
    {"-O|blockSize=", "option blockSize needs a SIZE, got an empty value", NULL},
    {"-O|help=1", "help belongs on the command line: --help", NULL},
    {"-O|testFile=\"a b", "quotes of testFile=\"a b do not close", NULL},
    {"-O|testFile=a b", "testFile=a b has a blank", "double quotes"},
    /* The workload */
    {"metadata|-j|4m", "unknown option -j", NULL},
    {"metadata|--block|4m", "option --block cannot be used with the workload 'metadata'",
     "only with: bulk"},
    {"metadata|--directives|blockSize=4m", "option blockSize cannot be used with the workload",
     NULL},
    {"metadata|-f|x", "option -f (mdtest's: first number of tasks) is not taken", NULL},
    /* Scripts */
    {"-f|/nonexistent/script", "cannot open the script /nonexistent/script: No such file", NULL},
    {"-f|/", "the script / is not a regular file", NULL},
    {"-f|/dev/null", "the script /dev/null is not a regular file", NULL}};

static void test_messages(void **state)
{
    (void)state;
    size_t failed = 0;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct wrong *w = &table[i];
        struct parsed r = parse(w->line);
        const char *text = r.error.text;

        if (r.rc != -1 || r.error.status != STATUS_USAGE || !strstr(text, w->part) ||
            (w->more && !strstr(text, w->more)) || strchr(text, '\n')) {
            print_error("'%s'\n  said (%d, %d): %s\n  not: %s%s%s\n", w->line, r.rc,
                        (int)r.error.status, text, w->part, w->more ? " ... " : "",
                        w->more ? w->more : "");
            failed++;
        }
        command_free(&r.command);
    }
    assert_true(sizeof table / sizeof *table >= 60);
    assert_int_equal(failed, 0);
}

/* Words of any length and content end in a message of a bounded length, cut between characters. */
static void test_long_words(void **state)
{
    (void)state;
    static const char *const before[] = {"",         "-b|", "-o|",           "--",
                                         "-O|",      "-",   "-O|blockSize=", "--posix.",
                                         "--block=", "-a|", "-f|",           "\xe2\x80\x93"};
    char *line = malloc(20000);

    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        size_t used = (size_t)snprintf(line, 20000, "%s", before[i]);
        while (used < 19990)
            used += (size_t)snprintf(line + used, 20000 - used, "%s", "x\xc3\xa9");
        struct parsed r = parse(line);
        assert_int_equal(r.rc, -1);
        assert_int_equal(r.error.status, STATUS_USAGE);
        assert_true(strlen(r.error.text) < 600);
        command_free(&r.command);
    }
    free(line);
}

static void test_path_length(void **state)
{
    (void)state;
    char *line = malloc(6000);

    memcpy(line, "-o|", 3);
    memset(line + 3, 'p', 5000);
    line[5003] = '\0';
    struct parsed r = parse(line);
    assert_int_equal(r.rc, -1);
    assert_non_null(strstr(r.error.text, "option -o: the path has 5000 bytes"));
    command_free(&r.command);
    line[4098] = '\0';
    r = parse_right(line);
    command_free(&r.command);
    free(line);
}

/* The first error wins: what follows it is not reported. */
static void test_first_error(void **state)
{
    (void)state;
    struct parsed r = parse("-b|1x|-t|2y|--nothing");

    assert_int_equal(r.rc, -1);
    assert_non_null(strstr(r.error.text, "'1x'"));
    assert_null(strstr(r.error.text, "2y"));
    command_free(&r.command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages), cmocka_unit_test(test_long_words),
        cmocka_unit_test(test_path_length), cmocka_unit_test(test_first_error)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
