/* A string that grows. Formats write into one; whoever called them writes it out. */
#ifndef PARIO_BASE_TEXT_H
#define PARIO_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* NUL-terminated once anything was added; NULL before */
    size_t used;
    size_t capacity;
    bool failed; /* memory ran out: what follows is lost, and the caller asks once at the end */
};

/* Appends printf-formatted text. */
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends bytes as they are. */
void text_append(struct text *t, const char *bytes, size_t n);
/* Empties without freeing. */
void text_clear(struct text *t);
void text_free(struct text *t);

/* Copies src, cut to bytes-1 with a NUL; control characters become '?', so that a terminal stays
 * sane. Returns dst. */
char *text_copy(char *dst, size_t bytes, const char *src);

#endif
