/* The kernel's text files, read from the real /proc and /sys or from a tree of fixtures: every path
 * is root + path, and root "" (or NULL) is the machine itself. A fact that a kernel does not offer
 * is unknown, not an error. */
#ifndef PARIO_PROBE_SOURCE_H
#define PARIO_PROBE_SOURCE_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a number is when nobody tells. */
#define PROBE_UNKNOWN UINT64_MAX

/* Longest path that is handled, with its NUL. */
#define PROBE_PATH_BYTES 4096

enum answer { ANSWER_UNKNOWN, ANSWER_NO, ANSWER_YES };

/* root + path into buf; false where it does not fit. */
bool source_path(const char *root, const char *path, char *buf, size_t bytes);

/* Reads the whole file into *t, which is emptied first; what lies behind the first 16 MiB is left
 * out. 0, or -1 with an errno's error. The caller frees *t either way. */
int source_read(const char *root, const char *path, struct text *t, struct error *e);

/* The first line without its newline and without blanks around it, cut to fit. False, and "", where
 * the file cannot be read or the line is empty. */
bool source_line(const char *root, const char *path, char *buf, size_t bytes);

/* The first line as a decimal number. False, and *value unchanged, where it is anything else. */
bool source_number(const char *root, const char *path, uint64_t *value);

/* The word in brackets of "none [mq-deadline] kyber", the whole line where there are none; cut to
 * fit. */
void source_chosen(const char *line, char *buf, size_t bytes);

/* Strict: decimal digits alone, the whole of text, no overflow. */
bool source_digits(const char *text, uint64_t *value);

/* a - b, or PROBE_UNKNOWN where one is unknown or a counter went backwards. */
uint64_t source_difference(uint64_t a, uint64_t b);

/* a * b, held at the largest number that is not PROBE_UNKNOWN; unknown stays unknown. */
uint64_t source_product(uint64_t a, uint64_t b);

#endif
