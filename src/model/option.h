/* Options are rows: from them come the typed struct, the parser, --help, the man page, completions
 * and the record in the result. settings.def holds pario's; backends bring rows of their own. */
#ifndef PARIO_MODEL_OPTION_H
#define PARIO_MODEL_OPTION_H

#include "base/error.h"
#include "model/sizes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
    OPTION_FLAG,    /* bool: --name, --name=yes|no|1|0 */
    OPTION_COUNTER, /* int64_t: each mention adds one: -v -v, -vv, --verbose=2 */
    OPTION_COUNT,   /* int64_t: a whole number */
    OPTION_SIZE,    /* uint64_t: bytes */
    OPTION_SIZES,   /* struct sizes: one size, or several with weights */
    OPTION_TIME,    /* int64_t: ns */
    OPTION_PERCENT, /* double: 0 to 100 */
    OPTION_NUMBER,  /* double */
    OPTION_CHOICE,  /* int64_t: index into choices, "a|b|c"; an unmistakable beginning will do */
    OPTION_TEXT     /* char *: owned by the struct; NULL where the default is NULL */
};

enum origin { ORIGIN_DEFAULT, ORIGIN_PRESET, ORIGIN_FILE, ORIGIN_COMMAND_LINE };

/* Workloads that honour an option; others refuse it. */
enum {
    WORKLOAD_BULK = 1 << 0,
    WORKLOAD_RANDOM = 1 << 1,
    WORKLOAD_CHECKPOINT = 1 << 2,
    WORKLOAD_METADATA = 1 << 3,
    WORKLOAD_FIND = 1 << 4,
    WORKLOAD_PLAN = 1 << 5,
    WORKLOAD_DATA = WORKLOAD_BULK | WORKLOAD_RANDOM,
    WORKLOAD_FILES = WORKLOAD_DATA | WORKLOAD_METADATA,
    WORKLOAD_TRANSFERS = WORKLOAD_DATA | WORKLOAD_CHECKPOINT,
    WORKLOAD_ANY = 0xffff
};

struct option {
    const char *name;      /* long name, without dashes; NULL ends a table */
    char ior;              /* its letter in the data workloads, 0: none */
    char mdtest;           /* its letter in the metadata ones, 0: none */
    const char *directive; /* IOR's name for it in -O and scripts, NULL: the long name only */
    const char *alias;     /* IOR's other long name, "posix.odirect"; NULL: none */
    enum option_kind kind;
    size_t field;               /* offsetof in the struct */
    const char *initial;        /* default, as a user would write it; NULL: unset text */
    const char *initial_random; /* of the workload random, where it is another; else NULL */
    double least,
        most; /* limits for COUNT, SIZE (bytes), TIME (s), NUMBER, PERCENT; most 0: none */
    const char *choices; /* CHOICE */
    const char *bare;    /* what the option means without a value, which then is given with =; NULL:
                            it needs one */
    const char *argument; /* "SIZE", "FILE", ...; NULL for flags */
    const char *group;    /* heading in --help */
    const char *help;     /* one sentence */
    const char *text;     /* more of it, for the manual; may be NULL */
    unsigned workloads;
};

/* Rows in a table that ends with name NULL. */
size_t option_count(const struct option *table);
/* By long name, alias or directive, case-insensitive for the latter two; NULL if there is none. */
const struct option *option_find(const struct option *table, const char *name);

/* Fills every field with its default. Texts are allocated. */
int option_defaults(const struct option *table, void *values, struct error *e);
/* Parses value into its field; NULL value: the option was given without one (flags, counters,
 * bare). The message names the option as spelled (e.g. "-b", "--block"), the value and what would
 * be right. */
int option_set(const struct option *option, void *values, const char *spelled, const char *value,
               struct error *e);
/* The value as a user would write it. Returns buf. */
char *option_show(const struct option *option, const void *values, char *buf, size_t bytes);
/* Frees the texts. */
void option_free(const struct option *table, void *values);
/* Copies all fields, texts duplicated, into an uninitialised struct. */
int option_copy(const struct option *table, void *to, const void *from, struct error *e);

/* The nearest name in the table by edit distance, if near enough to suggest; else NULL. */
const char *option_nearest(const struct option *table, const char *name);

#endif
