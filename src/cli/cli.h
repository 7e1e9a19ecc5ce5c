/* The command line: argv to typed settings, before MPI_Init and without touching the storage. It
 * knows the model alone: which workloads and backends exist is handed in, so everything here is
 * made from tables. */
#ifndef PARIO_CLI_CLI_H
#define PARIO_CLI_CLI_H

#include "base/error.h"
#include "base/text.h"
#include "model/option.h"
#include "model/settings.h"

#include <stdbool.h>
#include <stddef.h>

struct workload {
    const char *name; /* the first word of the command line; NULL ends a table */
    unsigned bit;     /* WORKLOAD_... */
    bool mdtest;      /* letters are mdtest's, else IOR's */
    const char *path; /* the option that takes the file or directory, as typed: "-o" */
    const char *sentence;
};

/* Built from workloads.def; the first row is the default. */
extern const struct workload workload_table[];

/* A backend, as far as the command line is concerned: --PREFIX.NAME are its options. */
struct option_group {
    const char *prefix; /* the backend's name, "posix" */
    const char *sentence;
    const struct option *table; /* ends with name NULL; NULL: it has none */
    size_t bytes;               /* of the struct that the rows fill */
    const char *unavailable;    /* NULL, or why this build has it not */
    bool direct;                /* it can bypass the page cache */
};

/* What there is to choose from. Everything must outlive the command. */
struct cli_parts {
    const char *version;
    const struct workload *workloads;  /* workload_table, but for tests */
    const struct option_group *groups; /* every backend, available or not */
    size_t group_count;                /* 0: backend names are not checked */
};

/* Options of one backend for one test. */
struct group_values {
    void *values;         /* the struct of group->table; NULL where it has no options */
    enum origin *origins; /* one per row */
};

/* One test to run. */
struct cli_test {
    struct settings settings;
    enum origin origins[SETTINGS];
    struct group_values *groups; /* one per group, in their order */
    bool posix_direct;           /* direct I/O was asked for as an option of IOR's POSIX */
};

enum action {
    ACTION_RUN,
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_LIST,
    ACTION_MAN,
    ACTION_COMPLETION,
    ACTION_METRICS
};

struct command {
    enum action action;
    bool plan; /* ACTION_RUN, but only to say what would be done */
    const struct cli_parts *parts;
    char *topic;            /* of --help; NULL: none given */
    struct cli_test *tests; /* one, or those of a script in their order. What holds for the whole
                             * run (threads, json, csv, clock) is the same in all of them */
    size_t test_count;
    char **notes; /* what the user should know although the run goes on; one sentence each */
    size_t note_count;
};

/* Whatever it returns, command_free is due. -1 with STATUS_USAGE: the message names the option as
 * it was spelled and what would be right. Reads the file of -f and touches nothing else. */
int cli_parse(struct command *command, int argc, char *const *argv, const struct cli_parts *parts,
              struct error *e);
void command_free(struct command *command);

/* The text of ACTION_HELP, ACTION_MAN and ACTION_COMPLETION. -1: out->failed. */
int cli_write(const struct command *command, struct text *out, struct error *e);

/* One line of --list, whose rows main collects from every table. */
struct list_row {
    const char *kind; /* "workload", "backend", "format"; rows of a kind stand together */
    const char *name;
    const char *sentence;
    const char *unavailable; /* NULL: it can be used */
};
void cli_list(struct text *out, const struct list_row *rows, size_t count);

#endif
