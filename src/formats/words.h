/* Words that several formats share. */
#ifndef PARIO_FORMATS_WORDS_H
#define PARIO_FORMATS_WORDS_H

#include "base/text.h"
#include "model/result.h"

#define WORDS_TIME 24

/* "2025-01-31T12:00:00Z" for Unix time. Returns buf of WORDS_TIME bytes. */
char *words_time(char *buf, int64_t unix_s);
/* "default", "preset", "file", "command-line". */
const char *words_origin(enum origin origin);
/* "ok", "failed", "usage", "expectations-not-met", "cut-short". */
const char *words_status(enum status status);
/* Is phases[i] the first of its name in the test? For what goes over all repetitions of a phase. */
bool words_first_of_name(const struct test_result *t, size_t i);

/* A field of CSV: control characters replaced, quoted as RFC 4180 says where needed. */
void words_csv(struct text *out, const char *text);
/* Digits enough to read the same double back, with a point in any locale; nothing for NAN. */
void words_csv_number(struct text *out, double value);

#endif
