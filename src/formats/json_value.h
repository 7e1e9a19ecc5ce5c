/* Values of a JSON document. Memory failures are remembered in the text that is written, and asked
 * for once at its end. */
#ifndef PARIO_FORMATS_JSON_VALUE_H
#define PARIO_FORMATS_JSON_VALUE_H

#include "base/text.h"

#include <jansson.h>
#include <stdint.h>

/* null where not finite. */
json_t *json_number(double value);
/* A JSON integer up to 2^63 - 1, which is as far as readers of integers go; above, a real number,
 * exact to 53 bits: it never wraps. */
json_t *json_whole(uint64_t value);
/* null for NULL. Bytes that are no UTF-8 (paths may hold any) become "\xHH", spelled out. */
json_t *json_words(const char *text);

/* All take over value. A dot in the key leads into an object inside: "cpu.user_s". */
void json_put(struct text *out, json_t *object, const char *key, json_t *value);
/* Keys that come from outside: any bytes, dots as they are. */
void json_put_foreign(struct text *out, json_t *object, const char *key, json_t *value);
void json_push(struct text *out, json_t *array, json_t *value);

/* Appends value on one line, and frees it. */
void json_write(struct text *out, json_t *value);

#endif
