/* Sentences broken into lines. */
#ifndef PARIO_BASE_WRAP_H
#define PARIO_BASE_WRAP_H

#include "base/text.h"

/* Appends words so that no line passes column width, a word longer than a line apart. The first
 * line begins at column `at`, where the cursor is; later ones are indented by `indent`. Ends with a
 * newline. Columns are characters of UTF-8. */
void text_wrap(struct text *out, const char *words, size_t at, size_t indent, size_t width);

/* Characters of UTF-8 in the text: what a terminal shows for it, wide ones apart. */
size_t text_columns(const char *text, size_t bytes);

#endif
