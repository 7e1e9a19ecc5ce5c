/* Port: how a report is written. A format knows no MPI and no clock; it turns const results into
 * text. A meaningless number is NAN inside: "-" in text, nothing in CSV, null in JSON. */
#ifndef PARIO_FORMATS_FORMAT_H
#define PARIO_FORMATS_FORMAT_H

#include "base/text.h"
#include "model/result.h"

struct format {
    const char *name; /* "text", "json", "csv" */
    const char *sentence;
    /* Called once, then once per finished phase (the last of test->phases), then once. A file is
     * written anew from the start after every phase; standard output is appended to. */
    void (*begin)(struct text *out, const struct report *report);
    /* A test starts: before its first row. */
    void (*test)(struct text *out, const struct report *report, const struct test_result *test);
    void (*row)(struct text *out, const struct report *report, const struct test_result *test,
                const struct phase_result *phase);
    void (*end)(struct text *out, const struct report *report);
};

extern const struct format *const format_table[];
const struct format *format_find(const char *name);
/* The whole document. */
void format_report(const struct format *format, struct text *out, const struct report *report);

#endif
