/* The file of --per-rank: a row for each rank, phase and repetition, written as they come. */
#ifndef PARIO_OUTPUT_ROWS_H
#define PARIO_OUTPUT_ROWS_H

#include "model/result.h"
#include "model/topology.h"
#include "run/rows.h"

#include <stdio.h>

struct output_rows {
    const char *path; /* NULL: not wanted */
    FILE *file;
    int failed_errno; /* of the first row that could not be written; 0: none */
    const struct topology *topology;
    const char *const *hosts; /* name of each node, or NULL */
};

/* Makes the file, with its heading. STATUS_USAGE where that cannot be. */
int output_rows_open(struct output_rows *o, struct error *e);
void output_rows_add(struct output_rows *o, const struct test_result *test,
                     const struct phase_result *phase, uint64_t first, uint64_t n,
                     const struct rank_row *rows);
/* -1 with an error where something could not be written. */
int output_rows_close(struct output_rows *o, struct error *e);

#endif
