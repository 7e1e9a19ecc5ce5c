#include "base/wrap.h"

#include <string.h>

size_t text_columns(const char *text, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

void text_wrap(struct text *out, const char *words, size_t at, size_t indent, size_t width)
{
    size_t column = at;
    bool fresh = true;
    for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
        size_t bytes = strcspn(words, " ");
        size_t columns = text_columns(words, bytes);
        if (!fresh && column + 1 + columns > width) {
            text_add(out, "\n%*s", (int)indent, "");
            column = indent;
            fresh = true;
        }
        if (!fresh) {
            text_append(out, " ", 1);
            column++;
        }
        text_append(out, words, bytes);
        column += columns;
        fresh = false;
        words += bytes;
    }
    text_append(out, "\n", 1);
}
