/* Inside src/cli: the state of one parse and the steps that it is made of. Each step returns 0, or
 * -1 with the message that the user gets. */
#ifndef PARIO_CLI_PARSER_H
#define PARIO_CLI_PARSER_H

#include "cli/cli.h"

#include <stdint.h>

enum general {
#define GENERAL(NAME, KIND, ...) GENERAL_##NAME,
#include "cli/general.def"
    GENERALS
};

/* In the order of enum general; ends with name NULL. */
extern const struct option general_table[];

/* Where assignments go: one test, or all tests of a script for the options after it. */
struct target {
    struct cli_test *tests;
    size_t count;
    enum origin origin;
};

struct parser {
    struct command *command;
    const struct workload *workload;
    bool script; /* -f was given */
};

/* Whose row it is: an index into the groups, or one of these. */
#define PLACE_SETTING SIZE_MAX
#define PLACE_GENERAL (SIZE_MAX - 1)

struct place {
    const struct option *option; /* NULL: not found */
    size_t group;
};

/* A word of the user's as messages show it: without control characters, not too long. */
struct shown {
    char text[96];
};
struct shown shown_of(const char *word);
struct shown shown_part(const char *word, size_t bytes);

/* command.c: tests and notes. */
int command_add_test(struct command *command, const struct cli_test *like, unsigned workload,
                     struct error *e);
/* to need not be initialised; on failure nothing is left in it. */
int cli_test_copy(const struct cli_parts *parts, struct cli_test *to, const struct cli_test *from,
                  struct error *e);
int cli_test_defaults(const struct cli_parts *parts, struct cli_test *t, unsigned workload,
                      struct error *e);
void cli_test_free(const struct cli_parts *parts, struct cli_test *t);
int command_note(struct command *command, struct error *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* lookup.c: rows by what the user typed. Letters are of the workload's family. */
char option_letter(const struct option *option, const struct workload *workload);
struct place lookup_letter(const struct parser *p, char letter);
/* name of bytes characters: "block", "posix.odirect", a directive in any case. */
struct place lookup_name(const struct parser *p, const char *name, size_t bytes);

/* unknown.c: what to say of names that were not found. Always -1. */
int unknown_letter(const struct parser *p, char letter, const char *word, struct error *e);
/* dashes: "--" on the command line, "" in directives. */
int unknown_name(const struct parser *p, const char *dashes, const char *name, size_t bytes,
                 struct error *e);
int unknown_word(const struct parser *p, const char *word, bool first, struct error *e);
/* Refuses a word with a dash that is none: an en dash from a document. 0 if it has not. */
int refuse_foreign_dash(const char *word, struct error *e);
/* The nearest of names by option_nearest or as the beginning of one; NULL if none is near. names
 * ends with NULL. The answer is one of names. */
const char *nearest_name(const char *const *names, const char *name);
/* Checks the backend of a test and notes the options of others. */
int check_backend(struct parser *p, struct cli_test *t, struct error *e);

/* assign.c: a value into its field, for every test of the target; value NULL: none was given. */
int assign(struct parser *p, const struct target *target, struct place place, const char *spelled,
           const char *value, struct error *e);
/* "a SIZE", "a number", "one of auto, monotonic": what an option needs. */
const char *option_needs(const struct option *option, char *buf, size_t bytes);

/* preset.c: the options of a named workload, where nothing else was said. */
int preset_assign(struct parser *p, const struct target *target, const char *name, struct error *e);

/* directives.c: "name=value" and more of them after commas, from list to end. */
int directives_assign(struct parser *p, const struct target *target, const char *list,
                      const char *end, struct error *e);
/* The first of stops between c and end that is not in quotes; end if there is none. */
const char *directive_stop(const char *c, const char *end, const char *stops);

/* script.c: the tests of an IOR script replace the one test of the command. */
int script_read(struct parser *p, const char *path, struct error *e);
/* The same from memory; path is for messages. */
int script_parse(struct parser *p, const char *path, const char *bytes, size_t count,
                 struct error *e);

/* help.c, man.c, completion.c: the texts. */
int help_write(const struct cli_parts *parts, const char *topic, struct text *out, struct error *e);
void man_write(const struct cli_parts *parts, struct text *out);
void completion_write(const struct cli_parts *parts, struct text *out);

#endif
