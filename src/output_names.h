/* Results are not written over each other, nor over the data that is measured. */
#ifndef PARIO_OUTPUT_NAMES_H
#define PARIO_OUTPUT_NAMES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct output_name {
    const char *option; /* without dashes */
    const char *file;   /* NULL: not wanted; "-": standard output */
};

/* No two of them are one file. STATUS_USAGE naming both options. */
int output_names_differ(const struct output_name *names, size_t n, struct error *e);
/* None of them is a file of the test: one of the targets (-o, separated by @), its record beside it
 * (.pario), or where the targets are numbered one with a number behind. */
int output_names_spare(const struct output_name *names, size_t n, const char *targets,
                       bool numbered, struct error *e);

#endif
