/* Errors and warnings. The same warning of several rows is told once, with the rows it is about. */
#include "formats/text_parts.h"

#include <inttypes.h>
#include <string.h>

static const struct warning *warning_of(const struct phase_result *p, const char *code)
{
    for (size_t i = 0; i < p->warnings_used; i++)
        if (strcmp(p->warnings[i].code, code) == 0)
            return &p->warnings[i];
    return NULL;
}

/* Did a row before phases[i] carry it? */
static bool told(const struct test_result *t, size_t i, const char *code)
{
    for (size_t j = 0; j < i; j++)
        if (warning_of(&t->phases[j], code))
            return true;
    return false;
}

/* "write 0 (and read 0, write 1): ": figures are those of the first. */
static void rows_with(struct text *words, const struct test_result *t, size_t from,
                      const char *code)
{
    enum { SHOWN = 3 };
    size_t n = 0;
    text_add(words, "%s %" PRIu64, t->phases[from].phase, t->phases[from].repetition);
    for (size_t i = from + 1; i < t->phases_used; i++) {
        if (!warning_of(&t->phases[i], code))
            continue;
        if (n < SHOWN)
            text_add(words, "%s%s %" PRIu64, n ? ", " : " (and ", t->phases[i].phase,
                     t->phases[i].repetition);
        n++;
    }
    if (n > SHOWN)
        text_add(words, " and %zu more", n - SHOWN);
    text_add(words, "%s: ", n ? ")" : "");
}

static void tell(struct text *out, bool *headed, const char *label, const struct text *words)
{
    if (!*headed)
        text_add(out, "\nWarnings: is the number to be trusted?\n");
    *headed = true;
    text_line(out, label, words->data ? words->data : "");
    out->failed |= words->failed;
}

void text_warnings(struct text *out, const struct test_result *t)
{
    struct text words = {0};
    bool headed = false;
    for (size_t i = 0; i < t->phases_used; i++) {
        const struct phase_result *p = &t->phases[i];
        for (size_t k = 0; k < p->warnings_used; k++) {
            const struct warning *w = &p->warnings[k];
            if (told(t, i, w->code))
                continue;
            text_clear(&words);
            rows_with(&words, t, i, w->code);
            text_add(&words, "%s", w->message);
            tell(out, &headed, w->code, &words);
        }
    }
    text_free(&words);
}

void text_run_warnings(struct text *out, const struct report *r)
{
    for (size_t i = 0; i < r->warnings_used; i++) {
        if (i == 0)
            text_add(out, "\nOf the whole run\n");
        text_line(out, r->warnings[i].code, r->warnings[i].message);
    }
}

static void error_row(struct text *out, const struct phase_result *p, const struct error_tally *e)
{
    struct text words = {0};
    text_add(&words, "%s %" PRIu64 ": %" PRIu64 " failed so; rank %" PRIu64, p->phase,
             p->repetition, e->count, e->rank);
    if (e->host[0])
        text_add(&words, " on %s", e->host);
    text_add(&words, ": %s", e->message);
    text_line(out, e->kind, words.data ? words.data : "");
    out->failed |= words.failed;
    text_free(&words);
}

void text_errors(struct text *out, const struct test_result *t)
{
    bool headed = false;
    for (size_t i = 0; i < t->phases_used; i++) {
        for (size_t k = 0; k < t->phases[i].errors_used; k++) {
            if (!headed)
                text_add(out, "\nErrors\n");
            headed = true;
            error_row(out, &t->phases[i], &t->phases[i].errors[k]);
        }
    }
}
