#include "base/argv.h"

#include <string.h>

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Copies one word without its quotes from *at; NULL: a quote is not closed. */
static char *take_word(const char **at, char *to)
{
    char quote = '\0';
    for (; **at && (quote || !is_blank(**at)); ++*at) {
        if (quote ? **at == quote : **at == '\'' || **at == '"') {
            quote = quote ? '\0' : **at;
            continue;
        }
        if (**at == '\\' && quote != '\'' && (*at)[1])
            ++*at;
        *to++ = **at;
    }
    *to++ = '\0';
    return quote ? NULL : to;
}

int argv_split(struct argv *a, const char *text, const char *option, struct error *e)
{
    size_t n = 0;
    char *to = a->text;
    if (strlen(text) >= sizeof a->text)
        return error_set(e, STATUS_USAGE, "usage", "%s: more than %d bytes", option,
                         ARGV_BYTES - 1);
    for (;;) {
        text += strspn(text, " \t\n");
        if (!*text)
            break;
        if (n == ARGV_WORDS)
            return error_set(e, STATUS_USAGE, "usage", "%s: more than %d words", option,
                             ARGV_WORDS);
        a->words[n++] = to;
        to = take_word(&text, to);
        if (!to)
            return error_set(e, STATUS_USAGE, "usage", "%s: a quote is not closed", option);
    }
    a->words[n] = NULL;
    if (n == 0 || !*a->words[0])
        return error_set(e, STATUS_USAGE, "usage", "%s: no program is named", option);
    return 0;
}
