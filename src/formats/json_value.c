#include "formats/json_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_whole(uint64_t value)
{
    return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

/* Bytes of the UTF-8 character at s (RFC 3629), or 0 if what stands there is none. */
static size_t utf8_bytes(const unsigned char *s)
{
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    unsigned char least = s[0] == 0xe0   ? 0xa0
                          : s[0] == 0xf0 ? 0x90
                                         : 0x80; /* no longer than needed */
    unsigned char most = s[0] == 0xed   ? 0x9f
                         : s[0] == 0xf4 ? 0x8f
                                        : 0xbf; /* no surrogates, 2^20 + */
    if ((s[0] >= 0x80 && s[0] < 0xc2) || s[0] > 0xf4)
        return 0;
    if (n > 1 && (s[1] < least || s[1] > most))
        return 0;
    for (size_t i = 2; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

static json_t *escape_bytes(const char *text)
{
    struct text clean = {0};
    while (*text) {
        size_t n = utf8_bytes((const unsigned char *)text);
        if (n > 0)
            text_append(&clean, text, n);
        else
            text_add(&clean, "\\x%02x", (unsigned char)*text);
        text += n > 0 ? n : 1;
    }
    json_t *value = clean.failed ? NULL : json_string(clean.data);
    text_free(&clean);
    return value;
}

json_t *json_words(const char *text)
{
    if (!text)
        return json_null();
    for (const char *c = text; *c;) {
        size_t n = utf8_bytes((const unsigned char *)c);
        if (n == 0)
            return escape_bytes(text);
        c += n;
    }
    return json_string(text);
}

static json_t *inner_object(json_t *object, const char *key)
{
    json_t *inner = json_object_get(object, key);
    if (!inner) {
        inner = json_object();
        if (json_object_set_new(object, key, inner))
            return NULL;
    }
    return inner;
}

void json_put(struct text *out, json_t *object, const char *key, json_t *value)
{
    char outer[64];
    const char *dot = strchr(key, '.');
    if (dot && (size_t)(dot - key) < sizeof outer) {
        memcpy(outer, key, (size_t)(dot - key));
        outer[dot - key] = '\0';
        object = inner_object(object, outer);
        key = dot + 1;
    }
    if (json_object_set_new(object, key, value))
        out->failed = true;
}

void json_put_foreign(struct text *out, json_t *object, const char *key, json_t *value)
{
    json_t *clean = json_words(key);
    if (json_object_set_new(object, json_string_value(clean), value))
        out->failed = true;
    json_decref(clean);
}

void json_push(struct text *out, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value))
        out->failed = true;
}

static int append(const char *buffer, size_t size, void *data)
{
    text_append(data, buffer, size);
    return 0;
}

void json_write(struct text *out, json_t *value)
{
    if (!value || json_dump_callback(value, append, out, JSON_ENCODE_ANY))
        out->failed = true;
    json_decref(value);
}
