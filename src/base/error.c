/* Texts never outgrow their arrays: what is too long loses its middle, because the head says where
 * and the tail says why. */
#include "base/error.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct error error_none(void)
{
    return (struct error){.status = STATUS_DONE, .offset = ERROR_NO_OFFSET};
}

/* Puts head and tail together in dst (bytes >= 16); where they do not fit, "..." stands for what is
 * missing out of the middle of tail. Nothing overlaps. */
static void join(char *dst, size_t bytes, const char *head, const char *tail)
{
    size_t head_bytes = strnlen(head, bytes - 1);
    if (head_bytes > bytes / 2)
        head_bytes = bytes / 2; /* an absurdly long context must not push out the cause */
    memcpy(dst, head, head_bytes);
    char *out = dst + head_bytes;
    size_t room = bytes - head_bytes - 1;
    size_t tail_bytes = strlen(tail);
    if (tail_bytes <= room) {
        memcpy(out, tail, tail_bytes + 1);
        return;
    }
    size_t front = (room - 3) / 2;
    size_t back = room - 3 - front;
    const char *end = tail + tail_bytes - back;
    while (front > 0 && ((unsigned char)tail[front] & 0xc0) == 0x80)
        front--; /* whole UTF-8 characters on both sides */
    while (((unsigned char)*end & 0xc0) == 0x80)
        end++;
    memcpy(out, tail, front);
    memcpy(out + front, "...", 3);
    memcpy(out + front + 3, end, strlen(end) + 1);
}

static void set_text(struct error *e, enum status status, const char *kind, const char *text)
{
    e->status = status == STATUS_DONE ? STATUS_FAILED : status;
    e->errno_value = 0;
    e->path[0] = '\0';
    e->offset = ERROR_NO_OFFSET;
    text_copy(e->kind, sizeof e->kind, kind);
    char sane[2 * sizeof e->text];
    text_copy(sane, sizeof sane, text);
    join(e->text, sizeof e->text, "", sane);
}

int error_set(struct error *e, enum status status, const char *kind, const char *format, ...)
{
    if (!e || e->status != STATUS_DONE)
        return -1;
    int saved = errno;
    char text[2 * sizeof e->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    set_text(e, status, kind, text);
    errno = saved;
    return -1;
}

int error_errno(struct error *e, int errno_value, const char *format, ...)
{
    if (!e || e->status != STATUS_DONE)
        return -1;
    int saved = errno;
    char text[2 * sizeof e->text];
    char cause[256];
    char name[24];
    va_list arguments;
    va_start(arguments, format);
    int used = vsnprintf(text, sizeof text - sizeof cause, format, arguments);
    va_end(arguments);
    size_t end = used < 0 ? 0 : strlen(text);
    snprintf(text + end, sizeof text - end, ": %s", strerror_r(errno_value, cause, sizeof cause));
    set_text(e, STATUS_FAILED, error_errno_name(errno_value, name, sizeof name), text);
    e->errno_value = errno_value;
    errno = saved;
    return -1;
}

int error_wrap(struct error *e, const char *format, ...)
{
    if (!e || e->status == STATUS_DONE)
        return -1;
    int saved = errno;
    char context[sizeof e->text];
    char sane[sizeof e->text];
    char whole[sizeof e->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context, sizeof context - 2, format, arguments);
    va_end(arguments);
    memcpy(context + strlen(context), ": ", 3);
    text_copy(sane, sizeof sane, context);
    join(whole, sizeof whole, sane, e->text);
    memcpy(e->text, whole, strlen(whole) + 1);
    errno = saved;
    return -1;
}

void error_place(struct error *e, const char *path, uint64_t offset)
{
    if (!e || e->status == STATUS_DONE)
        return;
    if (path && e->path[0] == '\0')
        join(e->path, sizeof e->path, "", path);
    if (e->offset == ERROR_NO_OFFSET)
        e->offset = offset;
}

const char *error_errno_name(int errno_value, char *buf, uint64_t bytes)
{
    switch (errno_value) {
#define ERRNO_NAME(name)                                                                           \
    case name:                                                                                     \
        return #name;
#include "base/errno.def"
    default:
        snprintf(buf, bytes, "E%d", errno_value);
        return buf;
    }
}

/* How serious, the worst highest. */
static int seriousness(enum status status)
{
    switch (status) {
    case STATUS_USAGE:
        return 4;
    case STATUS_FAILED:
        return 3;
    case STATUS_CUT:
        return 2;
    case STATUS_UNMET:
        return 1;
    case STATUS_DONE:
        break;
    }
    return 0;
}

enum status status_worse(enum status a, enum status b)
{
    return seriousness(a) >= seriousness(b) ? a : b;
}
