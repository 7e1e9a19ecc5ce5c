/* Where results go: the text to standard output as it comes, documents to their files after every
 * phase, each replaced whole, so that whatever ends the run leaves what was found so far. */
#ifndef PARIO_OUTPUT_H
#define PARIO_OUTPUT_H

#include "base/error.h"
#include "base/text.h"
#include "model/result.h"

#define OUTPUT_DOCUMENTS 3

struct output_document {
    const char *option; /* that asks for it */
    const char *format;
    const char *file; /* "-" for standard output; NULL: not wanted */
};

struct output {
    const struct report *report;
    struct output_document documents[OUTPUT_DOCUMENTS];
    bool begun;       /* the text has a heading */
    bool text;        /* standard output is free for it */
    bool text_failed; /* standard output went away: said once, at the end */
    int text_errno;
};

/* Checks that the documents can be written, before anything runs. STATUS_USAGE with the file's
 * name. */
int output_open(struct output *o, const struct report *report, struct error *e);
/* A test begins. The first one begins the text; a run that is refused before has none. */
void output_test(struct output *o, const struct test_result *test);
/* -1: a document could not be written. */
int output_phase(struct output *o, const struct test_result *test, const struct phase_result *phase,
                 struct error *e);
int output_end(struct output *o, struct error *e);
/* The documents alone, from the watch's thread, when the run does not come to its own end. */
void output_last(struct output *o);

/* For documents that are none of a run: can the file that --option names be written? And: writes
 * it, "-" to standard output. 0, or -1 with an error. */
int output_check_file(const char *option, const char *file, struct error *e);
int output_write_file(const char *file, const struct text *text, struct error *e);
/* Writes what was asked for (help, lists) to standard output. A reader that has seen enough and
 * goes away is no error. 0, or -1 with an error. */
int output_answer(const struct text *text, struct error *e);

#endif
