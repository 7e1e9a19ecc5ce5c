/* Help, manual page, completions and lists: made from the tables, and all with the same options. */
#include "tests/unit/cli/fixture.h"

#include "cli/parser.h"

#include <ctype.h>
#include <strings.h>

static struct text write_action(const char *line)
{
    struct parsed r = parse_right(line);
    struct text out = {0};

    assert_int_equal(cli_write(&r.command, &out, &r.error), 0);
    assert_false(out.failed);
    assert_non_null(out.data);
    assert_int_equal(strlen(out.data), out.used);
    command_free(&r.command);
    return out;
}

/* Names of options, one a line, without order: "api" and "posix.bypass". */
struct names {
    char name[256][64];
    size_t used;
};

static void add(struct names *n, const char *name, size_t bytes)
{
    assert_true(n->used < 256 && bytes < 64);
    memcpy(n->name[n->used], name, bytes);
    n->name[n->used++][bytes] = '\0';
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void assert_same(struct names *a, struct names *b)
{
    qsort(a->name, a->used, sizeof a->name[0], compare);
    qsort(b->name, b->used, sizeof b->name[0], compare);
    for (size_t i = 0; i < a->used && i < b->used; i++)
        assert_string_equal(a->name[i], b->name[i]);
    assert_int_equal(a->used, b->used);
}

static size_t name_length(const char *c)
{
    size_t n = 0;

    while (islower((unsigned char)c[n]) || isdigit((unsigned char)c[n]) || c[n] == '-' ||
           c[n] == '.' || c[n] == '_')
        n++;
    return n;
}

static void names_of_tables(struct names *n)
{
    for (const struct option *o = settings_table; o->name; o++)
        add(n, o->name, strlen(o->name));
    for (const struct option *o = general_table; o->name; o++)
        add(n, o->name, strlen(o->name));
    for (size_t i = 0; i < GROUPS; i++) {
        for (const struct option *o = fixture_groups[i].table; o && o->name; o++) {
            char name[64];
            snprintf(name, sizeof name, "%s.%s", fixture_groups[i].prefix, o->name);
            add(n, name, strlen(name));
        }
    }
}

/* Lines that begin with at most ten columns of blanks and letters, then "--name". */
static void names_of_help(struct names *n, const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *dashes = strstr(line, "--");
        const char *end = strchr(line, '\n');
        if (!strncmp(line, "  ", 2) && dashes && dashes - line <= 9 && (!end || dashes < end))
            add(n, dashes + 2, name_length(dashes + 2));
    }
}

/* What stands in the line after each .TP and begins with dashes. */
static void names_of_man(struct names *n, const char *text)
{
    for (const char *c = text; (c = strstr(c, ".TP\n")); c++) {
        char line[256];
        size_t used = 0;
        for (c += 4; *c && *c != '\n' && used + 1 < sizeof line; c++) {
            if (*c != '\\' || c[1] != '-')
                line[used++] = *c;
        }
        line[used] = '\0';
        const char *dashes = strstr(line, "--");
        if (dashes && (!strncmp(line, "\\fB-", 4)))
            add(n, dashes + 2, name_length(dashes + 2));
    }
}

/* The list behind the last "compgen -W" with options. */
static void names_of_completion(struct names *n, const char *text)
{
    const char *c = strstr(text, "$cur == -*");

    assert_non_null(c);
    const char *end = strstr(c, "elif");
    for (c = strchr(c, '"') + 1; (c = strstr(c, "--")) && c < end; c++) {
        size_t bytes = name_length(c + 2);
        if (bytes)
            add(n, c + 2, bytes);
        c += 1 + bytes;
    }
}

/* A134: what one text has, all have. */
static void test_same_options(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        void (*names)(struct names *n, const char *text);
    } texts[] = {{"--help|all", names_of_help},
                 {"--help-man", names_of_man},
                 {"--help-completion", names_of_completion}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        static const struct names none;
        struct names expected = none, found = none;
        struct text out = write_action(texts[i].line);
        names_of_tables(&expected);
        texts[i].names(&found, out.data);
        assert_same(&expected, &found);
        text_free(&out);
    }
}

static void test_columns(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "-h",           "--help|all",  "--help|bulk",  "--help|metadata",
        "--help|posix", "--help|null", "--help|Absent"};

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct text out = write_action(lines[i]);
        const char *end;
        for (const char *line = out.data; (end = strchr(line, '\n')); line = end + 1) {
            assert_true(end - line <= 100);
            assert_true(end == line || end[-1] != ' ');
        }
        assert_int_equal(out.data[out.used - 1], '\n');
        text_free(&out);
    }
}

static void test_help_topics(void **state)
{
    (void)state;
    struct text out = write_action("-h");

    assert_non_null(strstr(out.data, "\n  -b, --block SIZE              contiguous"));
    assert_non_null(strstr(out.data, "[1m]\n"));
    assert_non_null(strstr(out.data, "\n  -h, --help [TOPIC]"));
    assert_non_null(strstr(out.data, "\n      --clock auto|monotonic"));
    assert_non_null(strstr(out.data, "(the default)"));
    assert_null(strstr(out.data, "--posix.bypass"));
    assert_null(strstr(out.data, "-O blockSize"));
    text_free(&out);
    out = write_action("--help|all");
    assert_non_null(strstr(out.data, "(-O blockSize)"));
    assert_non_null(strstr(out.data, "\n      --posix.retries N"));
    assert_non_null(strstr(out.data, "how it works; one of plain, with-a-long-name,"));
    assert_non_null(strstr(out.data, "Backend absent: needs a library\n  (cannot be used here: no "
                                     "libabsent)\n"));
    text_free(&out);
    out = write_action("--help|metadata");
    assert_null(strstr(out.data, "--block"));
    assert_non_null(strstr(out.data, "-i, --repetitions"));
    assert_null(strstr(out.data, "-f, --script"));
    assert_null(strstr(out.data, "--posix.retries"));
    text_free(&out);
    out = write_action("--help|POSIX");
    assert_null(strstr(out.data, "--block"));
    assert_non_null(strstr(out.data, "--posix.retries N"));
    text_free(&out);
}

static void test_unknown_topic(void **state)
{
    (void)state;
    struct parsed r = parse_right("--help|metadta");
    struct text out = {0};

    assert_int_equal(cli_write(&r.command, &out, &r.error), -1);
    assert_int_equal(r.error.status, STATUS_USAGE);
    assert_non_null(strstr(r.error.text, "did you mean 'metadata'?"));
    assert_int_equal(out.used, 0);
    command_free(&r.command);
    r = parse_right("-h|qqqqqqqqqqqq");
    assert_int_equal(cli_write(&r.command, &out, &r.error), -1);
    assert_non_null(strstr(r.error.text, "no help on 'qqqqqqqqqqqq'"));
    command_free(&r.command);
    text_free(&out);
}

/* Feeds text to a program; its exit status, or 127 where it is not there. */
static int feed(const char *program, const char *text, const char *more)
{
    FILE *pipe = popen(program, "w");

    assert_non_null(pipe);
    fputs(text, pipe);
    fputs(more, pipe);
    int status = pclose(pipe);
    return (status >> 8) & 255;
}

static void test_man(void **state)
{
    (void)state;
    static const char *const sections[] = {"NAME",        "SYNOPSIS", "DESCRIPTION", "OPTIONS",
                                           "BACKENDS",    "SCRIPTS",  "OUTPUT",      "EXIT STATUS",
                                           "ENVIRONMENT", "EXAMPLES", "SEE ALSO"};
    struct text out = write_action("--help-man");
    const char *at = out.data;

    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        char line[64];
        snprintf(line, sizeof line, "\n.SH %s\n", sections[i]);
        at = strstr(at, line);
        assert_non_null(at);
    }
    assert_non_null(strstr(out.data, "\"pario 1.2.3\""));
    assert_non_null(strstr(out.data, "OMPI_COMM_WORLD_RANK"));
    text_free(&out);
}

/* groff must have nothing to warn of. */
static void test_man_is_roff(void **state)
{
    (void)state;
    if (feed("command -v groff >/dev/null && test \"$(command -v grep)\"", "", "") != 0)
        skip();
    struct text out = write_action("--help-man");
    int status = feed("groff -man -ww -Tascii 2>&1 >/dev/null | { ! grep . >&2; }", out.data, "");
    text_free(&out);
    assert_int_equal(status, 0);
}

static void test_completion(void **state)
{
    (void)state;
    static const struct {
        const char *words, *answer;
    } rows[] = {{"pario --clo", "--clock"},
                {"pario --clock mono", "monotonic"},
                {"pario --clock = m", "monotonic"},
                {"pario -a sl", "slow"},
                {"pario --api = ''", "posix slow null absent"},
                {"pario --help me", "metadata"},
                {"pario -b ''", ""},
                {"pario ''", "bulk metadata plan"},
                {"pario bulk --file-p", "--file-per-process"},
                {"pario --posix.mode with-an", "with-another-long-name"},
                {"pario -o /dev/nul", "/dev/null"},
                {"pario --posix.by", "--posix.bypass"}};

    if (feed("command -v bash >/dev/null", "", "") != 0)
        skip();
    struct text out = write_action("--help-completion");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[512];
        snprintf(
            line, sizeof line,
            "COMP_WORDS=(%s)\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_pario\n"
            "[ \"${COMPREPLY[*]}\" = '%s' ] || { echo \"%s: ${COMPREPLY[*]}\" >&2; exit 1; }\n",
            rows[i].words, rows[i].answer, rows[i].words);
        assert_int_equal(feed("bash -u", out.data, line), 0);
    }
    text_free(&out);
}

static void test_list(void **state)
{
    (void)state;
    const struct list_row rows[] = {{"workload", "bulk", "large files", NULL},
                                    {"backend", "posix", "pread", NULL},
                                    {"backend", "a-very-long-backend-name", "x", "no library"}};
    struct text out = {0};

    cli_list(&out, rows, 3);
    assert_string_equal(out.data, "workloads:\n  bulk          large files\n"
                                  "\nbackends:\n  posix         pread\n"
                                  "  a-very-long-backend-name\n                x (cannot be used "
                                  "here: no library)\n");
    text_free(&out);
}

/* What IOR has and pario has not: not what pario has, and no letter twice. */
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        char letter;
        const char *name;
    } refused[] = {
#define LATER(LETTER, NAME) {LETTER, NAME},
#define NEVER(LETTER, NAME, REASON) {LETTER, NAME},
#include "cli/refused.def"
    };
    size_t n = sizeof refused / sizeof *refused;

    for (size_t i = 0; i < n; i++) {
        assert_null(option_find(settings_table, refused[i].name));
        for (const struct option *o = settings_table; o->name; o++) {
            assert_true(!refused[i].letter || o->ior != refused[i].letter);
            assert_true(!o->directive || strcasecmp(o->directive, refused[i].name));
        }
        for (size_t k = i + 1; k < n; k++) {
            assert_true(!refused[i].letter || refused[i].letter != refused[k].letter);
            assert_true(strcasecmp(refused[i].name, refused[k].name));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_options), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_help_topics),  cmocka_unit_test(test_unknown_topic),
        cmocka_unit_test(test_man),          cmocka_unit_test(test_man_is_roff),
        cmocka_unit_test(test_completion),   cmocka_unit_test(test_list),
        cmocka_unit_test(test_refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
