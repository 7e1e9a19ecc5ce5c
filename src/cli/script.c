/* Scripts as IOR has them:
 *     IOR START
 *         blockSize=4m            # settings, several with commas between
 *     RUN                         # a test of all that was set so far
 *         transferSize=1m
 *     RUN                         # another, which keeps the block size
 *     IOR STOP
 * RESET is pario's own: back to what held before IOR START. */
#include "cli/parser.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPT_BYTES (1 << 20)
#define SCRIPT_TESTS 10000

enum line { LINE_OTHER, LINE_START, LINE_RUN, LINE_RESET, LINE_STOP };

static const struct {
    const char *words;
    enum line line;
} keywords[] = {
    {"ior start", LINE_START}, {"run", LINE_RUN}, {"reset", LINE_RESET}, {"ior stop", LINE_STOP}};

struct script {
    struct parser *parser;
    const char *path;
    const char *at, *end;    /* what is not read yet */
    const char *line, *stop; /* the current line, without comment and blanks around it */
    size_t number;           /* of the line, from 1 */
    struct cli_test current;
    bool started, stopped;
    bool pending; /* something was set since the last RUN */
};

/* In any case, with any blanks between the words. */
static bool line_is(const char *c, const char *end, const char *words)
{
    for (; *words; words++) {
        if (*words == ' ') {
            if (c == end || !isspace((unsigned char)*c))
                return false;
            while (c < end && isspace((unsigned char)*c))
                c++;
        } else if (c == end || tolower((unsigned char)*c++) != *words) {
            return false;
        }
    }
    return c == end;
}

static enum line line_kind(const struct script *s)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (line_is(s->line, s->stop, keywords[i].words))
            return keywords[i].line;
    }
    return LINE_OTHER;
}

static bool next_line(struct script *s)
{
    if (s->at == s->end)
        return false;
    const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
    const char *end = newline ? newline : s->end;
    s->line = s->at;
    s->stop = directive_stop(s->line, end, "#");
    while (s->line < s->stop && isspace((unsigned char)*s->line))
        s->line++;
    while (s->stop > s->line && isspace((unsigned char)s->stop[-1]))
        s->stop--;
    s->at = newline ? newline + 1 : s->end;
    s->number++;
    return true;
}

static int run_test(struct script *s, struct error *e)
{
    struct command *command = s->parser->command;

    if (command->test_count > SCRIPT_TESTS)
        return error_set(e, STATUS_USAGE, "usage", "there are more than %d tests", SCRIPT_TESTS);
    s->pending = false;
    return command_add_test(command, &s->current, 0, e);
}

static int set_line(struct script *s, struct error *e)
{
    struct target target = {&s->current, 1, ORIGIN_FILE};
    const char *end = s->stop;

    /* IOR puts up with a comma at the end of a line. */
    if (end - s->line > 1 && end[-1] == ',')
        end--;
    s->pending = true;
    return directives_assign(s->parser, &target, s->line, end, e);
}

static int do_line(struct script *s, struct error *e)
{
    const struct command *command = s->parser->command;
    enum line kind = line_kind(s);

    if (!s->started) { /* what stands before is a comment, as for IOR */
        s->started = kind == LINE_START;
        return 0;
    }
    switch (kind) {
    case LINE_START:
        return error_set(e, STATUS_USAGE, "usage", "a second IOR START");
    case LINE_RUN:
        return run_test(s, e);
    case LINE_RESET:
        s->pending = false;
        cli_test_free(command->parts, &s->current);
        return cli_test_copy(command->parts, &s->current, &command->tests[0], e);
    case LINE_STOP:
        s->stopped = true;
        return s->pending ? run_test(s, e) : 0;
    case LINE_OTHER:
        break;
    }
    return s->line == s->stop ? 0 : set_line(s, e);
}

static int do_lines(struct script *s, struct error *e)
{
    struct command *command = s->parser->command;

    while (!s->stopped && next_line(s)) {
        if (do_line(s, e))
            return error_wrap(e, "%s, line %zu", shown_of(s->path).text, s->number);
    }
    if (!s->started)
        return error_set(e, STATUS_USAGE, "usage", "%s is not a script: it has no line 'IOR START'",
                         shown_of(s->path).text);
    if (!s->stopped) {
        if (command_note(command, e, "%s ends without 'IOR STOP'", shown_of(s->path).text))
            return -1;
        if (s->pending && run_test(s, e))
            return -1;
    }
    if (command->test_count == 1)
        return error_set(e, STATUS_USAGE, "usage", "%s has nothing to run: no line 'RUN'",
                         shown_of(s->path).text);
    return 0;
}

int script_parse(struct parser *p, const char *path, const char *bytes, size_t count,
                 struct error *e)
{
    struct command *command = p->command;
    struct script s = {.parser = p, .path = path, .at = bytes, .end = bytes + count};

    if (memchr(bytes, '\0', count))
        return error_set(e, STATUS_USAGE, "usage", "%s is not a script: it is not text",
                         shown_of(path).text);
    if (cli_test_copy(command->parts, &s.current, &command->tests[0], e))
        return -1;
    int rc = do_lines(&s, e);
    cli_test_free(command->parts, &s.current);
    if (rc)
        return -1;
    cli_test_free(command->parts, &command->tests[0]);
    command->test_count--;
    memmove(command->tests, command->tests + 1, command->test_count * sizeof *command->tests);
    return 0;
}

/* Everything that can be read of the open file; the caller frees. NULL with an error. */
static char *read_all(int fd, const char *path, size_t *count, struct error *e)
{
    char *bytes = malloc(SCRIPT_BYTES + 1);
    ssize_t n = 0;

    *count = 0;
    if (!bytes) {
        error_set(e, STATUS_FAILED, "internal", "no memory left for %s", shown_of(path).text);
        return NULL;
    }
    do {
        n = read(fd, bytes + *count, SCRIPT_BYTES + 1 - *count);
        if (n > 0)
            *count += (size_t)n;
    } while ((n > 0 && *count <= SCRIPT_BYTES) || (n < 0 && errno == EINTR));
    if (n >= 0 && *count <= SCRIPT_BYTES)
        return bytes;
    if (n < 0)
        error_set(e, STATUS_USAGE, "usage", "cannot read the script %s: %s", shown_of(path).text,
                  strerror(errno));
    else
        error_set(e, STATUS_USAGE, "usage", "%s is too long for a script: more than %d bytes",
                  shown_of(path).text, SCRIPT_BYTES);
    free(bytes);
    return NULL;
}

int script_read(struct parser *p, const char *path, struct error *e)
{
    struct stat st;
    size_t count;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return error_set(e, STATUS_USAGE, "usage", "cannot open the script %s: %s",
                         shown_of(path).text, strerror(errno));
    if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
        close(fd);
        return error_set(e, STATUS_USAGE, "usage",
                         "the script %s is not a regular file, which every rank can read",
                         shown_of(path).text);
    }
    char *bytes = read_all(fd, path, &count, e);
    close(fd);
    if (!bytes)
        return -1;
    int rc = script_parse(p, path, bytes, count, e);
    free(bytes);
    return rc;
}
