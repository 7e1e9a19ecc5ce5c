/* Sections of documents that are made from tables: between "<!-- begin NAME -->" and "<!-- end NAME
 * -->" stands what the table says. With PARIO_REGENERATE=1 it is written there, else compared. */
#ifndef PARIO_TESTS_SUPPORT_DOCUMENT_H
#define PARIO_TESTS_SUPPORT_DOCUMENT_H

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void document_read(struct text *into, const char *path)
{
    char buf[4096];
    size_t n;
    FILE *f = fopen(path, "r");
    while (f && (n = fread(buf, 1, sizeof buf, f)) > 0)
        text_append(into, buf, n);
    if (f)
        fclose(f);
    text_append(into, "", 0);
}

static inline int document_write(const struct text *from, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return -1;
    size_t n = fwrite(from->data, 1, from->used, f);
    return fclose(f) == 0 && n == from->used ? 0 : -1;
}

/* file: relative to the source tree. NULL when the section is as expected (or now is), else what is
 * wrong. */
static inline const char *document_section(const char *file, const char *name,
                                           const struct text *expected)
{
    char path[1024], begin[64], end[64];
    struct text whole = {0};
    const char *source = getenv("PARIO_SOURCE");
    const char *wrong = "no such section";
    snprintf(path, sizeof path, "%s/%s", source ? source : ".", file);
    snprintf(begin, sizeof begin, "<!-- begin %s -->\n", name);
    snprintf(end, sizeof end, "<!-- end %s -->", name);
    document_read(&whole, path);
    char *from = strstr(whole.data, begin);
    char *to = from ? strstr(from, end) : NULL;
    if (to) {
        from += strlen(begin);
        size_t n = (size_t)(to - from);
        wrong = n == expected->used && memcmp(from, expected->data, n) == 0
                    ? NULL
                    : "it differs from the table: run the test with PARIO_REGENERATE=1";
    }
    if (to && wrong && getenv("PARIO_REGENERATE")) {
        struct text renewed = {0};
        text_append(&renewed, whole.data, (size_t)(from - whole.data));
        text_append(&renewed, expected->data, expected->used);
        text_append(&renewed, to, strlen(to));
        wrong = document_write(&renewed, path) ? "it cannot be written" : NULL;
        text_free(&renewed);
    }
    text_free(&whole);
    return wrong;
}

#endif
