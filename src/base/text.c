#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for n more bytes and a NUL. */
static bool text_reserve(struct text *t, size_t n)
{
    if (t->failed)
        return false;
    if (n >= SIZE_MAX / 2 - t->used) {
        t->failed = true;
        return false;
    }
    size_t needed = t->used + n + 1;
    if (needed <= t->capacity)
        return true;
    size_t capacity = t->capacity ? t->capacity : 256;
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(t->data, capacity);
    if (!data) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->capacity = capacity;
    return true;
}

void text_add(struct text *t, const char *format, ...)
{
    if (!text_reserve(t, 0))
        return;
    va_list arguments;
    va_list again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t room = t->capacity - t->used;
    int n = vsnprintf(t->data + t->used, room, format, arguments);
    if (n < 0) {
        t->failed = true;
    } else if ((size_t)n < room) {
        t->used += (size_t)n;
    } else {
        t->data[t->used] = '\0';
        if (text_reserve(t, (size_t)n)) {
            vsnprintf(t->data + t->used, (size_t)n + 1, format, again);
            t->used += (size_t)n;
        }
    }
    va_end(again);
    va_end(arguments);
}

void text_append(struct text *t, const char *bytes, size_t n)
{
    if (!text_reserve(t, n))
        return;
    if (n > 0)
        memcpy(t->data + t->used, bytes, n);
    t->used += n;
    t->data[t->used] = '\0';
}

void text_clear(struct text *t)
{
    t->used = 0;
    t->failed = false;
    if (t->data)
        t->data[0] = '\0';
}

void text_free(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}

char *text_copy(char *dst, size_t bytes, const char *src)
{
    if (bytes == 0)
        return dst;
    size_t n = strnlen(src, bytes - 1);
    if (src[n] != '\0')
        while (n > 0 && ((unsigned char)src[n] & 0xc0) == 0x80)
            n--; /* never half a UTF-8 character */
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)src[i];
        dst[i] = c < 0x20 || c == 0x7f ? '?' : src[i];
        if (i > 0 && (unsigned char)src[i - 1] == 0xc2 && c >= 0x80 && c < 0xa0)
            dst[i - 1] = dst[i] = '?'; /* C1 controls, two bytes in UTF-8 */
    }
    dst[n] = '\0';
    return dst;
}
