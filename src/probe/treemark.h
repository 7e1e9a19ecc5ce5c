/* The mark of a metadata run, HOME/.pario: text that says which run made the directory and what it
 * put there. A home without it is foreign, and nothing in it is ever removed. */
#ifndef PARIO_PROBE_TREEMARK_H
#define PARIO_PROBE_TREEMARK_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ranks in a row that created equally many items. */
struct treemark_run {
    uint64_t ranks;
    uint64_t files, directories; /* of each: items 0 .. n-1 were tried */
};

struct treemark {
    uint64_t ranks, targets;
    uint64_t items, per_dir, branch, depth;        /* as -n (or what -I made of it), -I, -b, -z */
    uint64_t leaves, unique, shared, rename_other; /* 0 or 1 */
    uint64_t write_bytes;
    uint64_t seed;        /* of the data */
    uint64_t made_target; /* 1: the run made the directory that holds the home */
    size_t runs_used, runs_capacity;
    struct treemark_run *runs; /* owned; empty while the run goes on: anything may be there */
};

int treemark_add(struct treemark *m, uint64_t files, uint64_t directories, struct error *e);
/* How many items a rank tried to create: all of them where the mark does not say. */
void treemark_created(const struct treemark *m, uint64_t rank, uint64_t *files,
                      uint64_t *directories);
bool treemark_has_files(const struct treemark *m);
bool treemark_has_directories(const struct treemark *m);
void treemark_free(struct treemark *m);

int treemark_format(const struct treemark *m, struct text *t, struct error *e);
/* Strict: 0; or -1 with STATUS_USAGE, name and what is wrong, and *m empty. */
int treemark_parse(const char *text, size_t bytes, const char *name, struct treemark *m,
                   struct error *e);

/* The mark in directory home. *there false: the home or the mark in it is missing. */
int treemark_read(const char *home, struct text *text, bool *there, struct error *e);
/* Replaces it in one step. */
int treemark_write(const char *home, const struct text *text, struct error *e);
/* Removes it; that it is missing is no error. */
int treemark_remove(const char *home, struct error *e);

#endif
