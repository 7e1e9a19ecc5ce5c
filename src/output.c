#include "output.h"

#include "formats/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Standard output has names of its own, which are links: they are not files to be replaced. */
static bool to_stdout(const char *file)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; file && i < sizeof names / sizeof *names; i++)
        if (!strcmp(file, names[i]))
            return true;
    return false;
}

static bool is_stderr(const struct stat *st)
{
    struct stat messages;
    return fstat(STDERR_FILENO, &messages) == 0 && messages.st_dev == st->st_dev &&
           messages.st_ino == st->st_ino;
}

/* A pipe, a device and what messages go to are written to once, at the end; a file is replaced
 * after every phase. */
static bool replaceable(const char *file)
{
    struct stat st;
    return stat(file, &st) != 0 || (S_ISREG(st.st_mode) && !is_stderr(&st));
}

static bool is_directory(const char *file)
{
    struct stat st;
    return stat(file, &st) == 0 && S_ISDIR(st.st_mode);
}

static int write_all(int fd, const struct text *text)
{
    for (size_t done = 0; done < text->used;) {
        ssize_t n = write(fd, text->data + done, text->used - done);
        if (n < 0 && errno != EINTR)
            return -1;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* Where a symbolic link leads, so that the file is replaced and the link stays. make: a file that
 * does not exist is made, for else nobody knows where a link to it leads. */
static char *followed(const char *file, bool make)
{
    int fd = make ? open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (fd >= 0)
        close(fd);
    char *path = realpath(file, NULL);
    return path ? path : strdup(file);
}

static char *beside(const char *file)
{
    char *path = NULL;
    return file && asprintf(&path, "%s.new-%ld", file, (long)getpid()) >= 0 ? path : NULL;
}

static int write_file(const char *path, const struct text *text, int flags)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0666);
    if (fd < 0)
        return -1;
    int failed = write_all(fd, text);
    int saved = errno;
    if (close(fd) && !failed) {
        failed = -1;
        saved = errno;
    }
    errno = saved;
    return failed;
}

static int replace(const char *file, const struct text *text, struct error *e)
{
    char *target = followed(file, true);
    char *path = beside(target);
    int failed = -1;
    if (!path) {
        error_errno(e, ENOMEM, "writing %s", file);
    } else {
        failed = write_file(path, text, O_CREAT | O_TRUNC) || rename(path, target);
        if (failed) {
            error_errno(e, errno, "writing the result to %s", file);
            unlink(path);
        }
    }
    free(path);
    free(target);
    return failed ? -1 : 0;
}

int output_check_file(const char *option, const char *file, struct error *e)
{
    if (!file || to_stdout(file))
        return 0;
    struct error why = error_none();
    if (is_directory(file)) {
        error_errno(&why, EISDIR, "writing the result to %s", file);
    } else if (!replaceable(file)) {
        if (access(file, W_OK))
            error_errno(&why, errno, "writing the result to %s", file);
    } else {
        char *target = followed(file, false);
        char *path = beside(target);
        struct text nothing = {0};
        if (!path || write_file(path, &nothing, O_CREAT | O_EXCL))
            error_errno(&why, errno, "writing the result to %s", file);
        else
            unlink(path);
        free(path);
        free(target);
    }
    if (why.status == STATUS_DONE)
        return 0;
    return error_set(e, STATUS_USAGE, why.kind, "option --%s: %s", option, why.text);
}

int output_write_file(const char *file, const struct text *text, struct error *e)
{
    if (text->failed)
        return error_errno(e, ENOMEM, "making the document for %s", file);
    if (to_stdout(file))
        return write_all(STDOUT_FILENO, text)
                   ? error_errno(e, errno, "writing the result to standard output")
                   : 0;
    if (replaceable(file))
        return replace(file, text, e);
    if (write_file(file, text, O_APPEND))
        return error_errno(e, errno, "writing the result to %s", file);
    return 0;
}

int output_answer(const struct text *text, struct error *e)
{
    if (text->failed)
        return error_errno(e, ENOMEM, "making the text");
    if (write_all(STDOUT_FILENO, text) == 0 || errno == EPIPE)
        return 0;
    return error_errno(e, errno, "writing to standard output");
}

int output_open(struct output *o, const struct report *report, struct error *e)
{
    const char *owner = NULL;
    o->report = report;
    for (size_t i = 0; i < OUTPUT_DOCUMENTS; i++) {
        const struct output_document *d = &o->documents[i];
        if (output_check_file(d->option, d->file, e))
            return -1;
        if (!to_stdout(d->file))
            continue;
        if (owner)
            return error_set(e, STATUS_USAGE, "usage",
                             "--%s - and --%s - both want standard output: give one of them a file",
                             owner, d->option);
        owner = d->option;
    }
    o->text = !owner;
    return 0;
}

static void say(struct output *o, struct text *text)
{
    if (text->used && !o->text_failed && write_all(STDOUT_FILENO, text)) {
        o->text_failed = true;
        o->text_errno = errno;
    }
    text_free(text);
}

void output_test(struct output *o, const struct test_result *test)
{
    struct text text = {0};
    if (o->text && !o->begun)
        format_find("text")->begin(&text, o->report);
    if (o->text)
        format_find("text")->test(&text, o->report, test);
    o->begun = true;
    say(o, &text);
}

/* One document; last: nothing more will come. */
static int document(struct output *o, const char *format, const char *file, bool last,
                    struct error *e)
{
    if (!file || (!last && (to_stdout(file) || !replaceable(file))))
        return 0;
    struct text text = {0};
    int failed = 0;
    format_report(format_find(format), &text, o->report);
    if (text.failed) {
        failed = error_errno(e, ENOMEM, "making the %s document", format);
        text_free(&text);
    } else if (to_stdout(file)) {
        say(o, &text);
    } else {
        failed = output_write_file(file, &text, e);
        text_free(&text);
    }
    return failed;
}

static int all_documents(struct output *o, bool last, struct error *e)
{
    int failed = 0;
    for (size_t i = 0; i < OUTPUT_DOCUMENTS; i++)
        failed |= document(o, o->documents[i].format, o->documents[i].file, last, e);
    return failed ? -1 : 0;
}

int output_phase(struct output *o, const struct test_result *test, const struct phase_result *phase,
                 struct error *e)
{
    struct text text = {0};
    if (o->text)
        format_find("text")->row(&text, o->report, test, phase);
    say(o, &text);
    return all_documents(o, false, e);
}

int output_end(struct output *o, struct error *e)
{
    struct text text = {0};
    if (o->text && o->begun)
        format_find("text")->end(&text, o->report);
    say(o, &text);
    int failed = all_documents(o, true, e);
    if (o->text_failed)
        failed = error_errno(e, o->text_errno, "writing the result to standard output");
    return failed ? -1 : 0;
}

void output_last(struct output *o)
{
    struct error ignored = error_none();
    if (!o->report) /* another rank's, or MPI is still starting */
        return;
    all_documents(o, true, &ignored);
}
