#include "probe/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define READ_LIMIT ((size_t)16 << 20)

bool source_path(const char *root, const char *path, char *buf, size_t bytes)
{
    int n = snprintf(buf, bytes, "%s%s", root ? root : "", path);
    return n >= 0 && (size_t)n < bytes;
}

static int read_all(int fd, struct text *t)
{
    char chunk[8192];
    while (t->used < READ_LIMIT) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        text_append(t, chunk, (size_t)n);
    }
    if (t->failed)
        errno = ENOMEM;
    return t->failed ? -1 : 0;
}

int source_read(const char *root, const char *path, struct text *t, struct error *e)
{
    char full[PROBE_PATH_BYTES];
    text_clear(t);
    if (!source_path(root, path, full, sizeof full))
        return error_errno(e, ENAMETOOLONG, "cannot read %s", path);
    int fd = open(full, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno(e, errno, "cannot read %s", full);
    int status = read_all(fd, t);
    int cause = errno;
    close(fd);
    if (status != 0)
        return error_errno(e, cause, "cannot read %s", full);
    text_append(t, "", 0); /* an empty file is an empty string, too */
    return 0;
}

bool source_line(const char *root, const char *path, char *buf, size_t bytes)
{
    char full[PROBE_PATH_BYTES];
    char raw[1024];
    buf[0] = '\0';
    if (!source_path(root, path, full, sizeof full))
        return false;
    int fd = open(full, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, raw, sizeof raw - 1);
    close(fd);
    if (n <= 0)
        return false;
    raw[n] = '\0';
    raw[strcspn(raw, "\n")] = '\0';
    char *start = raw + strspn(raw, " \t");
    size_t length = strlen(start);
    while (length > 0 && (start[length - 1] == ' ' || start[length - 1] == '\t'))
        start[--length] = '\0';
    text_copy(buf, bytes, start);
    return buf[0] != '\0';
}

bool source_digits(const char *text, uint64_t *value)
{
    uint64_t n = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        if (__builtin_mul_overflow(n, UINT64_C(10), &n) ||
            __builtin_add_overflow(n, (uint64_t)(*text - '0'), &n))
            return false;
    }
    *value = n;
    return true;
}

bool source_number(const char *root, const char *path, uint64_t *value)
{
    char line[32];
    return source_line(root, path, line, sizeof line) && source_digits(line, value);
}

void source_chosen(const char *line, char *buf, size_t bytes)
{
    const char *open_bracket = strchr(line, '[');
    const char *close_bracket = open_bracket ? strchr(open_bracket, ']') : NULL;
    if (close_bracket == NULL)
        text_copy(buf, bytes, line);
    else
        snprintf(buf, bytes, "%.*s", (int)(close_bracket - open_bracket - 1), open_bracket + 1);
}

uint64_t source_difference(uint64_t a, uint64_t b)
{
    return a == PROBE_UNKNOWN || b == PROBE_UNKNOWN || a < b ? PROBE_UNKNOWN : a - b;
}

uint64_t source_product(uint64_t a, uint64_t b)
{
    uint64_t product;
    if (a == PROBE_UNKNOWN || b == PROBE_UNKNOWN)
        return PROBE_UNKNOWN;
    if (__builtin_mul_overflow(a, b, &product) || product == PROBE_UNKNOWN)
        return PROBE_UNKNOWN - 1;
    return product;
}
