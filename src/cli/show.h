/* Inside src/cli: how an option looks in the texts. */
#ifndef PARIO_CLI_SHOW_H
#define PARIO_CLI_SHOW_H

#include "cli/parser.h"

/* "-b", or both letters where IOR's and mdtest's differ and no workload is given: "-b|-z"; "" if
 * none. */
const char *show_letters(const struct option *o, const struct workload *w, char buf[8]);
/* A CHOICE with few values shows them in the place of its argument. */
bool show_choices_fit(const struct option *o);
/* "SIZE", "auto|monotonic", "" for flags, "[TOPIC]" where it may be left out. */
const char *show_argument(const struct option *o, char *buf, size_t bytes);
/* "one, two, three" of a CHOICE. */
void show_choices(struct text *out, const struct option *o);
/* text in lines of at most 100 columns from column on; the first line starts where the caller is,
 * at column `at`. Ends with a newline. */
void show_wrapped(struct text *out, size_t at, size_t column, const char *text);
/* Headings of a table in the order of their first row: the i-th, NULL behind the last. */
const char *show_heading(const struct option *table, size_t i);

#endif
