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

/* Bytes of the UTF-8 character at s, or 0 if what stands there is none. Jansson judges: it refuses
 * what RFC 3629 forbids. */
static size_t utf8_bytes(const char *s)
{
    size_t n = 1;
    while (n < 4 && ((unsigned char)s[n] & 0xc0) == 0x80)
        n++;
    json_t *tried = json_stringn(s, n);
    json_decref(tried);
    return tried ? n : 0;
}

static json_t *escape_bytes(const char *text)
{
    struct text clean = {0};
    while (*text) {
        size_t n = utf8_bytes(text);
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
    json_t *value = json_string(text);
    return value ? value : escape_bytes(text);
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
