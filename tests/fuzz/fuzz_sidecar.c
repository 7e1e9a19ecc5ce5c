/* Any bytes as a sidecar. What is accepted says the same when it is written and read again; what is
 * not leaves one line of text and no memory behind. */
#include "probe/sidecar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

static void check_again(const struct sidecar *s)
{
    struct sidecar again;
    struct text first = {0}, second = {0};
    struct error e = error_none();
    must(sidecar_format(s, &first, &e) == 0, "what was read can be written");
    must(sidecar_parse(first.data, first.used, "again", &again, &e) == 0, "... and read again");
    must(sidecar_format(&again, &second, &e) == 0, "... and written again");
    must(strcmp(first.data, second.data) == 0, "... and says the same");
    for (uint64_t rank = 0; rank < s->ranks && rank < 100; rank++)
        must(sidecar_written(s, rank) == sidecar_written(&again, rank), "ranks wrote as much");
    for (size_t i = 0; i < s->files_used; i++)
        must(sidecar_file(s, s->files[i].object) == &s->files[i], "files are found");
    sidecar_free(&again);
    text_free(&first);
    text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sidecar s;
    struct error e = error_none();
    /* A copy without room behind it, so that reading too far is seen. */
    char *text = malloc(size ? size : 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    if (sidecar_parse(text, size, "F", &s, &e) == 0) {
        check_again(&s);
    } else {
        must(e.status == STATUS_USAGE && e.text[0] != '\0', "a refusal says why");
        for (const char *c = e.text; *c != '\0'; c++)
            must((unsigned char)*c >= ' ' && *c != 0x7f, "a message is one line");
        must(s.files == NULL && s.written == NULL, "a refusal leaves nothing");
    }
    sidecar_free(&s);
    free(text);
    return 0;
}
