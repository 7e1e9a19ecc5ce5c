/* /proc/self/mountinfo as text: pure, nothing is read or copied here. A line is
 *     id parent major:minor root point options [optional fields] - type source super-options
 * where blank, tab, newline and backslash inside a field are written as \ooo. */
#ifndef PARIO_PROBE_MOUNTINFO_H
#define PARIO_PROBE_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slice { /* part of the text, still escaped; not NUL-terminated */
    const char *start;
    size_t length;
};

struct mount_line {
    uint32_t major, minor;
    struct slice root;    /* what of the file system is mounted */
    struct slice point;   /* where */
    struct slice options; /* of this mount */
    struct slice type;
    struct slice source;
    struct slice super; /* options of the file system; empty where none are given */
};

/* The next well-formed line at *cursor, which moves behind it; others are passed over. False at the
 * end of the text. */
bool mountinfo_next(const char **cursor, struct mount_line *line);

/* The mount that path (absolute, resolved) lies on: among the mounts at or above it those of the
 * device major:minor first (a mount may be hidden below a later one; btrfs shows another number
 * than stat does, so this is a preference), then the deepest, then the latest. False where none
 * fits. */
bool mountinfo_find(const char *text, const char *path, uint32_t major, uint32_t minor,
                    struct mount_line *found);

/* Unescapes; cut to fit. Returns buf. */
char *mountinfo_decode(struct slice raw, char *buf, size_t bytes);

/* Whether the field, unescaped, is this word. */
bool mountinfo_is(struct slice raw, const char *word);

/* "name" or "name=value" in a list separated by commas: true, and the value unescaped ("" where it
 * has none). A backslash keeps the comma behind it, as overlay writes it. buf may be NULL. */
bool mountinfo_option(struct slice options, const char *name, char *buf, size_t bytes);

#endif
