/* Right command lines: every spelling, every row, and what comes with the settings. */
#include "tests/unit/cli/fixture.h"

#include <ctype.h>
#include <unistd.h>

static void test_nothing(void **state)
{
    (void)state;
    struct parsed r = parse_right(NULL);
    struct settings defaults;

    assert_int_equal(option_defaults(settings_table, &defaults, NULL), 0);
    defaults.workload = WORKLOAD_BULK;
    assert_int_equal(r.command.action, ACTION_RUN);
    assert_int_equal(r.command.test_count, 1);
    assert_int_equal(r.command.note_count, 0);
    assert_settings_equal(&r.command.tests[0].settings, &defaults);
    for (size_t i = 0; i < SETTINGS; i++)
        assert_int_equal(r.command.tests[0].origins[i], ORIGIN_DEFAULT);
    const struct fast_values *fast = r.command.tests[0].groups[GROUP_POSIX].values;
    assert_int_equal(fast->retries, 3);
    assert_null(r.command.tests[0].groups[GROUP_NULL].values);
    option_free(settings_table, &defaults);
    command_free(&r.command);
}

/* A121: glued, bundled and spaced forms mean the same. */
static void test_spellings(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "-w|-r|-b|4m|-t|4k|-i|5|-o|x",
        "bulk|-w|-r|-b|4m|-t|4k|-i|5|-o|x",
        "-wr|-b4m|-t4k|-i5|-ox",
        "-rw|-b=4m|-t=4096|-i=5|-o=x",
        "-wrb4m|-t|4096|-i|5|-o|x",
        "-wrb|4194304|-rt4K|-i5|-ox",
        "-wr|-b|4MiB|-t|4KiB|-i|5|-o|x",
        "--write|--read|--block|4m|--transfer|4k|--repetitions|5|--file|x",
        "--write=yes|--read=1|--block=4m|--transfer=4k|--repetitions=5|--file=x",
        "-w=1|-r=YES|-b4m|-t4k|-i5|-ox",
        "-F|--no-file-per-process|-wr|-b4m|-t4k|-i5|-ox",
        "-b|1|-b|4m|-wr|-t4k|-i5|-ox",
        "-O|writeFile=1,readFile=1,blockSize=4m|-O|transferSize=4k,repetitions=5,testFile=x",
        "-O=WRITEFILE=1, readfile = yes ,blocksize=\"4m\"|-Otransfersize=4k|-i5|--file|x",
        "--directives|write,read,block=4m,transfer=4k,repetitions=5,file=x",
        "--writeFile|--READFILE|--blockSize=4m|--transferSize|4k|-i5|-ox",
        "-O=--write,--read=1,--block=4m|-t4k|-i5|-ox"};
    struct parsed first = parse_right(lines[0]);

    assert_int_equal(first.command.tests[0].settings.block_bytes, 4 << 20);
    assert_int_equal(first.command.tests[0].settings.transfer.bytes, 4096);
    for (size_t i = 1; i < sizeof lines / sizeof *lines; i++) {
        struct parsed r = parse_right(lines[i]);
        assert_settings_equal(&first.command.tests[0].settings, &r.command.tests[0].settings);
        command_free(&r.command);
    }
    command_free(&first.command);
}

/* A value other than the default, as text. */
static const char *other_value(const struct option *o)
{
    switch (o->kind) {
    case OPTION_FLAG:
        return "yes";
    case OPTION_COUNTER:
    case OPTION_COUNT:
        return "7";
    case OPTION_SIZE:
        return "3m";
    case OPTION_SIZES:
        return "512k";
    case OPTION_TIME:
        return "11s";
    case OPTION_PERCENT:
        return "37%";
    case OPTION_NUMBER:
        return "0.5";
    case OPTION_CHOICE:
        return strrchr(o->choices, '|') + 1;
    case OPTION_TEXT:
        break;
    }
    return strcmp(o->name, "api") ? "some" : "slow";
}

/* o was set to its other value, from the command line, and nothing else was. */
static void assert_set(const char *line, const struct option *o, enum origin origin)
{
    struct parsed r = parse_right(line);
    struct settings expected;
    size_t row = (size_t)(o - settings_table);

    assert_int_equal(option_defaults(settings_table, &expected, NULL), 0);
    assert_int_equal(option_set(o, &expected, "test", other_value(o), NULL), 0);
    expected.workload = r.command.tests[0].settings.workload;
    assert_settings_equal(&r.command.tests[0].settings, &expected);
    for (size_t i = 0; i < SETTINGS; i++)
        assert_int_equal(r.command.tests[0].origins[i], i == row ? origin : ORIGIN_DEFAULT);
    option_free(settings_table, &expected);
    command_free(&r.command);
}

static void upper(char *text)
{
    for (; *text; text++)
        *text = (char)toupper((unsigned char)*text);
}

/* A065: what one place knows, all know: long name, letter, directive, script. */
static void test_every_row(void **state)
{
    (void)state;
    char line[256], script[] = "/tmp/pario-test-cli-XXXXXX";
    int fd = mkstemp(script);
    FILE *file = fdopen(fd, "w");

    assert_non_null(file);
    for (const struct option *o = settings_table; o->name; o++) {
        const char *value = other_value(o);
        const char *names[] = {o->name, o->directive};

        if (!(o->workloads & WORKLOAD_BULK))
            continue;
        snprintf(line, sizeof line, "--%s=%s", o->name, value);
        assert_set(line, o, ORIGIN_COMMAND_LINE);
        if (o->ior) {
            snprintf(line, sizeof line, "-%c=%s", o->ior, value);
            assert_set(line, o, ORIGIN_COMMAND_LINE);
        }
        for (size_t i = 0; i < 2 && names[i]; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s", names[i]);
            if (i)
                upper(name);
            snprintf(line, sizeof line, "-O|%s=%s", name, value);
            assert_set(line, o, ORIGIN_COMMAND_LINE);
            rewind(file);
            fprintf(file, "IOR START\n  %s = %s # set\nRUN\nIOR STOP\n", names[i], value);
            fflush(file);
            assert_int_equal(ftruncate(fd, ftell(file)), 0);
            snprintf(line, sizeof line, "-f|%s", script);
            assert_set(line, o, ORIGIN_FILE);
        }
    }
    fclose(file);
    unlink(script);
}

static void test_mdtest_letters(void **state)
{
    (void)state;

    for (const struct option *o = settings_table; o->name; o++) {
        char line[128];
        if (!o->mdtest || !(o->workloads & WORKLOAD_METADATA))
            continue;
        snprintf(line, sizeof line, "metadata|-%c=%s", o->mdtest, other_value(o));
        struct parsed r = parse_right(line);
        assert_int_equal(r.command.tests[0].settings.workload, WORKLOAD_METADATA);
        assert_int_equal(r.command.tests[0].origins[o - settings_table], ORIGIN_COMMAND_LINE);
        command_free(&r.command);
    }
}

/* No letter and no name means two things. */
static void test_unique(void **state)
{
    (void)state;

    for (const struct option *o = settings_table; o->name; o++) {
        for (const struct option *other = o + 1; other->name; other++) {
            assert_string_not_equal(o->name, other->name);
            assert_true(!o->ior || o->ior != other->ior);
            assert_true(!o->mdtest || o->mdtest != other->mdtest);
        }
        assert_non_null(o->help);
        assert_true(o->argument || o->kind == OPTION_FLAG || o->kind == OPTION_COUNTER);
    }
}

static void test_counters(void **state)
{
    (void)state;
    static const char *const lines[] = {"-vvv",        "-v|-v|-v", "-wvrvv|--no-write|--no-read",
                                        "--verbose=3", "-v=2|-v",  "-O|verbose=3"};

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct parsed r = parse_right(lines[i]);
        assert_int_equal(r.command.tests[0].settings.verbose, 3);
        command_free(&r.command);
    }
    struct parsed r = parse_right("-vvv|--no-verbose");
    assert_int_equal(r.command.tests[0].settings.verbose, 0);
    command_free(&r.command);
}

/* "-" is a name, "=" takes any value, and a negated flag is set by the user all the same. */
static void test_odd_values(void **state)
{
    (void)state;
    struct parsed r = parse_right("--json|-|-o=-w|--csv=--x|--no-keep");
    const struct settings *s = &r.command.tests[0].settings;

    assert_string_equal(s->json, "-");
    assert_string_equal(s->file, "-w");
    assert_string_equal(s->csv, "--x");
    assert_false(s->keep);
    assert_int_equal(r.command.tests[0].origins[SETTING_keep], ORIGIN_COMMAND_LINE);
    command_free(&r.command);
    r = parse_right("-o|a,b c=d@e");
    assert_string_equal(r.command.tests[0].settings.file, "a,b c=d@e");
    command_free(&r.command);
}

static void test_groups(void **state)
{
    (void)state;
    struct parsed r = parse_right("-aPOSIX|--posix.bypass|--Posix.retries|9|--posix.hints=h|"
                                  "--posix.mode|with-a-long-name");
    const struct cli_test *t = &r.command.tests[0];
    const struct fast_values *fast = t->groups[GROUP_POSIX].values;

    assert_true(fast->direct);
    assert_int_equal(fast->retries, 9);
    assert_string_equal(fast->hints, "h");
    assert_int_equal(fast->mode, 1);
    assert_int_equal(t->groups[GROUP_POSIX].origins[0], ORIGIN_COMMAND_LINE);
    assert_int_equal(t->groups[GROUP_SLOW].origins[0], ORIGIN_DEFAULT);
    assert_int_equal(((const struct slow_values *)t->groups[GROUP_SLOW].values)->pause, 1000000);
    assert_int_equal(r.command.note_count, 0);
    command_free(&r.command);
    static const char *const direct[] = {"-O|fastDirect=1",   "-O|FASTdirect=yes,keepFile=1",
                                         "-O|posix.bypass=1", "-O=--posix.bypass",
                                         "--fastDirect",      "--posix.bypass|-a|posix"};
    for (size_t i = 0; i < sizeof direct / sizeof *direct; i++) {
        r = parse_right(direct[i]);
        fast = r.command.tests[0].groups[GROUP_POSIX].values;
        assert_true(fast->direct);
        command_free(&r.command);
    }
    r = parse_right("--posix.bypass|--no-posix.bypass");
    fast = r.command.tests[0].groups[GROUP_POSIX].values;
    assert_false(fast->direct);
    command_free(&r.command);
}

/* An option that IOR has with a backend is pario's own, by whatever name. */
static void test_alias(void **state)
{
    (void)state;
    static const char *const direct[] = {
        "--direct",         "--posix.odirect",    "-a|slow|--POSIX.oDirect=1",
        "-O|useO_DIRECT=1", "-O|posix.odirect=1", "-O=--posix.odirect=1"};
    struct parsed r;

    for (size_t i = 0; i < sizeof direct / sizeof *direct; i++) {
        r = parse_right(direct[i]);
        assert_true(r.command.tests[0].settings.direct);
        assert_int_equal(r.command.note_count, 0);
        command_free(&r.command);
    }
    r = parse_right("--direct|--no-posix.odirect");
    assert_false(r.command.tests[0].settings.direct);
    command_free(&r.command);
    r = parse_right("-a|null|--posix.odirect"); /* B16: as IOR's scripts have it for other APIs */
    assert_false(r.command.tests[0].settings.direct);
    assert_string_equal(r.command.notes[0], "--posix.odirect has no effect: the backend is null");
    command_free(&r.command);
    r = parse_right("-a|null|--direct"); /* refused where it is known what null can do */
    assert_true(r.command.tests[0].settings.direct);
    command_free(&r.command);
}

/* Once for each option, also where it was given twice. */
static void test_other_backend(void **state)
{
    (void)state;
    struct parsed r = parse_right("--posix.bypass|-a|Slow|--posix.bypass|--posix.retries=4");

    assert_int_equal(r.command.note_count, 2);
    assert_true(has_note(&r.command, "--posix.bypass has no effect: the backend is slow"));
    assert_true(has_note(&r.command, "--posix.retries has no effect"));
    command_free(&r.command);
}

static void test_decimal_sizes(void **state)
{
    (void)state;
    struct parsed r = parse_right("-b|4MB|-t|1k");

    assert_int_equal(r.command.tests[0].settings.block_bytes, 4000000);
    assert_int_equal(r.command.note_count, 1);
    assert_true(has_note(&r.command, "-b 4MB"));
    assert_true(has_note(&r.command, "4000000 bytes"));
    command_free(&r.command);
    r = parse_right("-b|4MiB|-t|512B|-s|2k");
    assert_int_equal(r.command.note_count, 0);
    command_free(&r.command);
}

static void test_actions(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        enum action action;
        const char *topic;
    } rows[] = {{"-h", ACTION_HELP, NULL},
                {"--help", ACTION_HELP, NULL},
                {"-wrh", ACTION_HELP, NULL},
                {"-h|--nothing", ACTION_HELP, NULL},
                {"--help|all", ACTION_HELP, "all"},
                {"--help=posix", ACTION_HELP, "posix"},
                {"-h|metadata|-x", ACTION_HELP, "metadata"},
                {"metadata|-h", ACTION_HELP, "metadata"},
                {"--help|nonsense", ACTION_HELP, "nonsense"},
                {"--list", ACTION_LIST, NULL},
                {"-w|--version|-q", ACTION_VERSION, NULL},
                {"--help-man", ACTION_MAN, NULL},
                {"--help-completion", ACTION_COMPLETION, NULL}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parsed r = parse_right(rows[i].line);
        assert_int_equal(r.command.action, rows[i].action);
        assert_string_equal(r.command.topic ? r.command.topic : "",
                            rows[i].topic ? rows[i].topic : "");
        command_free(&r.command);
    }
}

/* With no backends handed in, names are left to the caller. */
static void test_without_groups(void **state)
{
    (void)state;
    struct cli_parts parts = {.workloads = workload_table};
    char name[] = "pario", option[] = "-a", value[] = "anything";
    char *argv[] = {name, option, value};
    struct command command;
    struct error e = error_none();

    assert_int_equal(cli_parse(&command, 3, argv, &parts, &e), 0);
    assert_string_equal(command.tests[0].settings.api, "anything");
    command_free(&command);
    assert_int_equal(cli_parse(&command, 0, NULL, &parts, &e), 0);
    assert_int_equal(command.tests[0].settings.workload, WORKLOAD_BULK);
    command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),       cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_every_row),     cmocka_unit_test(test_mdtest_letters),
        cmocka_unit_test(test_unique),        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_odd_values),    cmocka_unit_test(test_groups),
        cmocka_unit_test(test_alias),         cmocka_unit_test(test_other_backend),
        cmocka_unit_test(test_decimal_sizes), cmocka_unit_test(test_actions),
        cmocka_unit_test(test_without_groups)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
