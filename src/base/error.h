/* Errors are values: the caller's frame holds a struct error, the first one set wins, and each
 * level on the way up may prefix what it knew (rank, host, path). Only main ends the process. */
#ifndef PARIO_BASE_ERROR_H
#define PARIO_BASE_ERROR_H

#include <stdint.h>

/* Exit statuses of the program; the most serious of several wins in the order 2, 1, 4, 3. */
enum status {
    STATUS_DONE = 0,   /* finished, and every expectation met */
    STATUS_FAILED = 1, /* I/O error, failed verification, full file system */
    STATUS_USAGE = 2,  /* wrong use or configuration */
    STATUS_UNMET = 3,  /* ran well, but an expectation was not met */
    STATUS_CUT = 4     /* cut short: signal, time limit, end of the job */
};

#define ERROR_NO_OFFSET UINT64_MAX

struct error {
    enum status status; /* STATUS_DONE: nothing is set */
    int errno_value;    /* 0 where the cause has no errno */
    char kind[24];      /* "ENOSPC", "EIO", "end-of-file", "verify", "usage", "internal", ... */
    uint64_t offset;    /* byte offset in the file, or ERROR_NO_OFFSET */
    char path[512];     /* what was touched ("" where nothing was), cut in the middle if longer */
    char text[1536];    /* the whole message, without a newline */
};

/* Nothing wrong yet. */
struct error error_none(void);

/* Sets a printf-formatted message if none is set yet; control characters in it become '?'. Always
 * returns -1, so that a failing function ends in `return error_set(...)`. e may be NULL. */
int error_set(struct error *e, enum status status, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* As error_set with STATUS_FAILED, the errno's name as kind, and ": " + its text appended. */
int error_errno(struct error *e, int errno_value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prefixes "context: " to a set error; a no-op on one that is not set. Always returns -1. */
int error_wrap(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes where a set error happened; the first to know wins. path may be NULL. Changes no text. */
void error_place(struct error *e, const char *path, uint64_t offset);

/* "ENOSPC" for ENOSPC; "E<number>" for one without a name. Points to static storage or into buf. */
const char *error_errno_name(int errno_value, char *buf, uint64_t bytes);

/* The more serious of two statuses, in the order 2, 1, 4, 3, 0. */
enum status status_worse(enum status a, enum status b);

#endif
