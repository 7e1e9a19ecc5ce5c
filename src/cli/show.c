#include "cli/show.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS 100

const char *show_letters(const struct option *o, const struct workload *w, char buf[8])
{
    char first = o->ior, second = o->mdtest;

    if (w) {
        first = option_letter(o, w);
        second = 0;
    }
    if (!first || first == second) {
        first = first ? first : second;
        second = 0;
    }
    buf[0] = '\0';
    if (second)
        snprintf(buf, 8, "-%c|-%c", first, second);
    else if (first)
        snprintf(buf, 8, "-%c", first);
    return buf;
}

bool show_choices_fit(const struct option *o)
{
    return strlen(o->choices) < 24;
}

const char *show_argument(const struct option *o, char *buf, size_t bytes)
{
    buf[0] = '\0';
    if (o->bare)
        snprintf(buf, bytes, "[=%s]", o->argument);
    else if (o->kind == OPTION_CHOICE && o->choices && show_choices_fit(o))
        snprintf(buf, bytes, "%s", o->choices);
    else if (o->kind == OPTION_FLAG && o->argument)
        snprintf(buf, bytes, "[%s]", o->argument);
    else if (o->kind != OPTION_FLAG && o->kind != OPTION_COUNTER)
        snprintf(buf, bytes, "%s", o->argument ? o->argument : "VALUE");
    return buf;
}

void show_choices(struct text *out, const struct option *o)
{
    for (const char *c = o->choices; *c; c++) {
        if (*c == '|')
            text_add(out, ", ");
        else
            text_append(out, c, 1);
    }
}

void show_wrapped(struct text *out, size_t at, size_t column, const char *text)
{
    if (at + 2 > column)
        text_add(out, "\n%*s", (int)column, "");
    else
        text_add(out, "%*s", (int)(column - at), "");
    at = column;
    for (const char *c = text; *c;) {
        size_t bytes = strcspn(c, " ");
        if (at > column && at + 1 + bytes > COLUMNS) {
            text_add(out, "\n%*s", (int)column, "");
            at = column;
        } else if (at > column) {
            text_add(out, " ");
            at++;
        }
        text_append(out, c, bytes);
        at += bytes;
        c += bytes;
        c += strspn(c, " ");
    }
    text_add(out, "\n");
}

static const char *heading_of(const struct option *o)
{
    return o->group ? o->group : "General";
}

const char *show_heading(const struct option *table, size_t i)
{
    for (const struct option *o = table; o->name; o++) {
        const struct option *before = table;
        while (before < o && strcmp(heading_of(before), heading_of(o)) != 0)
            before++;
        if (before == o && i-- == 0)
            return heading_of(o);
    }
    return NULL;
}
