/* A command in one text, as the words a program is started with: split at blanks, without a shell.
 */
#ifndef PARIO_BASE_ARGV_H
#define PARIO_BASE_ARGV_H

#include "base/error.h"

#define ARGV_WORDS 64
#define ARGV_BYTES 4096

struct argv {
    char *words[ARGV_WORDS + 1]; /* point into text; NULL ends them */
    char text[ARGV_BYTES];
};

/* '...' and "..." keep their blanks, a backslash (outside of '...') the character after it; nothing
 * else is special. At least one word. 0, or -1 with STATUS_USAGE, the text begun by option, as in
 * "--between: ...". A struct argv that was copied points into the one it is a copy of. */
int argv_split(struct argv *a, const char *text, const char *option, struct error *e);

#endif
