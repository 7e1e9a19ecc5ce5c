/* Reading a sidecar's text. Whoever wrote it wrote all of it in one order, so anything else is a
 * sign of damage or of another hand, and is refused with its line. */
#include "probe/sidecar.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LINE_BYTES 160
#define MOST_FIELDS 6

struct reader {
    const char *at, *end;
    const char *name;      /* of the file, for messages */
    uint64_t line;         /* number of the one in hand, from 1 */
    char text[LINE_BYTES]; /* the line, cut into fields */
    const char *fields[MOST_FIELDS];
    int count;
    struct error *e;
};

static int complain(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int complain(struct reader *r, const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return error_set(r->e, STATUS_USAGE, "sidecar",
                     "%.512s: line %llu: %s; it cannot tell which files are pario's: remove it if "
                     "they are not needed any more",
                     r->name, (unsigned long long)r->line, reason);
}

/* Cuts the line in hand at single blanks. */
static int split(struct reader *r)
{
    char *at = r->text;
    r->count = 0;
    for (;;) {
        size_t n = strcspn(at, " ");
        if (n == 0)
            return complain(r, "a blank at the wrong place, or an empty line");
        if (r->count == MOST_FIELDS)
            return complain(r, "more than %d words", MOST_FIELDS);
        r->fields[r->count++] = at;
        if (at[n] == '\0')
            return 0;
        at[n] = '\0';
        at += n + 1;
    }
}

static int next_line(struct reader *r)
{
    r->line++;
    if (r->at == r->end)
        return complain(r, "the file ends here, but an \"end\" line is still to come");
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    if (newline == NULL)
        return complain(r, "the last line is cut short");
    size_t n = (size_t)(newline - r->at);
    if (n >= sizeof r->text)
        return complain(r, "%zu characters long; at most %d are possible", n, LINE_BYTES - 1);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)r->at[i] < ' ' || r->at[i] == 0x7f)
            return complain(r, "a control character (0x%02x)", (unsigned char)r->at[i]);
    memcpy(r->text, r->at, n);
    r->text[n] = '\0';
    r->at = newline + 1;
    return split(r);
}

static int number_at(struct reader *r, int field, uint64_t *value)
{
    if (!source_digits(r->fields[field], value))
        return complain(r, "\"%s\" wants a whole number, not \"%s\"", r->fields[0],
                        r->fields[field]);
    return 0;
}

static int expect(struct reader *r, const char *key, int values)
{
    if (strcmp(r->fields[0], key) != 0)
        return complain(r, "\"%s\" expected, not \"%s\"", key, r->fields[0]);
    if (r->count != values + 1)
        return complain(r, "\"%s\" wants %d value%s, not %d", key, values, values == 1 ? "" : "s",
                        r->count - 1);
    return 0;
}

static int read_version(struct reader *r)
{
    uint64_t version;
    if (next_line(r) != 0 || expect(r, "pario-sidecar", 1) != 0 || number_at(r, 1, &version) != 0)
        return -1;
    if (version != SIDECAR_VERSION)
        return complain(r, "format %llu; this version of pario reads format %d",
                        (unsigned long long)version, SIDECAR_VERSION);
    return 0;
}

static int read_head(struct reader *r, struct sidecar *s)
{
    const struct {
        const char *key;
        char *word;
        uint64_t *number;
        uint64_t least, most;
    } rows[] = {
        {"run", s->run, NULL, 0, 0},
        {"program", s->program, NULL, 0, 0},
        {"seed", NULL, &s->seed, 0, UINT64_MAX},
        {"data", s->data, NULL, 0, 0},
        {"order", s->order, NULL, 0, 0},
        {"ranks", NULL, &s->ranks, 1, SIDECAR_MOST_RANKS},
        {"segments", NULL, &s->segments, 1, INT64_MAX},
        {"block", NULL, &s->block_bytes, 1, INT64_MAX},
        {"transfer", NULL, &s->transfer_bytes, 1, INT64_MAX},
        {"file-per-process", NULL, &s->file_per_process, 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (next_line(r) != 0 || expect(r, rows[i].key, 1) != 0)
            return -1;
        if (rows[i].word != NULL) {
            int n = snprintf(rows[i].word, SIDECAR_WORD, "%s", r->fields[1]);
            if (n >= SIDECAR_WORD)
                return complain(r, "\"%s\" is %d characters long; at most %d are possible",
                                rows[i].key, n, SIDECAR_WORD - 1);
            continue;
        }
        if (number_at(r, 1, rows[i].number) != 0)
            return -1;
        if (*rows[i].number < rows[i].least || *rows[i].number > rows[i].most)
            return complain(r, "\"%s\" is %s, out of its range", rows[i].key, r->fields[1]);
    }
    if (s->block_bytes % s->transfer_bytes != 0)
        return complain(r, "the block is not a multiple of the transfer");
    return 0;
}

/* A run may be split where neighbours wrote equally much; in memory it is one. */
static int read_written(struct reader *r, struct sidecar *s, uint64_t *covered)
{
    uint64_t first, ranks, transfers;
    if (expect(r, "written", 3) != 0 || number_at(r, 1, &first) != 0 ||
        number_at(r, 2, &ranks) != 0 || number_at(r, 3, &transfers) != 0)
        return -1;
    if (first != *covered)
        return complain(r, "rank %llu expected, not %llu", (unsigned long long)*covered,
                        (unsigned long long)first);
    if (ranks == 0 || ranks > s->ranks - *covered)
        return complain(r, "%llu ranks from rank %llu on, but there are %llu",
                        (unsigned long long)ranks, (unsigned long long)first,
                        (unsigned long long)s->ranks);
    if (sidecar_add_written(s, transfers, r->e) != 0)
        return -1;
    s->written[s->written_used - 1].ranks += ranks - 1;
    *covered += ranks;
    return 0;
}

static int read_file(struct reader *r, struct sidecar *s)
{
    uint64_t object, born;
    struct file_facts facts = {.kind = FILE_REGULAR};
    if (expect(r, "file", 5) != 0 || number_at(r, 1, &object) != 0 ||
        number_at(r, 2, &facts.inode) != 0 || number_at(r, 3, &facts.device) != 0 ||
        number_at(r, 4, &born) != 0 || number_at(r, 5, &facts.size_bytes) != 0)
        return -1;
    if (born > INT64_MAX)
        return complain(r, "no time can be as late as %s ns", r->fields[4]);
    if (s->files_used > 0 && s->files[s->files_used - 1].object >= object)
        return complain(r, "file %llu does not come after %llu", (unsigned long long)object,
                        (unsigned long long)s->files[s->files_used - 1].object);
    facts.born_ns = (int64_t)born;
    return sidecar_add_file(s, object, &facts, r->e);
}

static int read_end(struct reader *r)
{
    uint64_t lines;
    if (expect(r, "end", 1) != 0 || number_at(r, 1, &lines) != 0)
        return -1;
    if (lines != r->line - 1)
        return complain(r, "%llu lines should stand before it, not %llu", (unsigned long long)lines,
                        (unsigned long long)r->line - 1);
    r->line++;
    if (r->at != r->end)
        return complain(r, "something follows the \"end\" line");
    return 0;
}

static int read_all(struct reader *r, struct sidecar *s)
{
    uint64_t covered = 0;
    if (read_version(r) != 0 || read_head(r, s) != 0 || next_line(r) != 0)
        return -1;
    while (covered < s->ranks)
        if (read_written(r, s, &covered) != 0 || next_line(r) != 0)
            return -1;
    while (strcmp(r->fields[0], "file") == 0)
        if (read_file(r, s) != 0 || next_line(r) != 0)
            return -1;
    return read_end(r);
}

int sidecar_parse(const char *text, size_t bytes, const char *name, struct sidecar *s,
                  struct error *e)
{
    struct reader r = {.at = text, .end = text + bytes, .name = name, .e = e};
    *s = (struct sidecar){0};
    if (read_all(&r, s) == 0)
        return 0;
    sidecar_free(s);
    return -1;
}
