/* IOR's other spelling of an option: name=value, in -O and in scripts. A value in double
 * quotes can hold blanks, commas and #. */
#include "cli/parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "2;keepFile=1": what IOR's manual once said. */
static bool has_semicolon_directive(const char *value)
{
    const char *c = strchr(value, ';');

    if (!c)
        return false;
    for (c++; *c == ' '; c++)
        ;
    if (!isalpha((unsigned char)*c))
        return false;
    while (isalnum((unsigned char)*c) || *c == '_' || *c == '-' || *c == '.')
        c++;
    return *c == '=';
}

static const char *skip_blanks(const char *c, const char *end)
{
    while (c < end && isspace((unsigned char)*c))
        c++;
    return c;
}

static const char *drop_blanks(const char *begin, const char *end)
{
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

/* name: as typed, for messages. */
static int set_named(struct parser *p, const struct target *target, struct place place,
                     const char *name, const char *value, struct error *e)
{
    if (place.group == PLACE_GENERAL)
        return error_set(e, STATUS_USAGE, "usage", "%s belongs on the command line: --%s", name,
                         place.option->name);
    if (value && has_semicolon_directive(value))
        return error_set(e, STATUS_USAGE, "usage",
                         "in '%s=%s' the directives are separated by ';': write ','", name,
                         shown_of(value).text);
    return assign(p, target, place, name, value, e);
}

/* The value of bytes characters without its quotes, as a text of its own. */
static char *copy_value(const char *name, const char *value, size_t bytes, struct error *e)
{
    bool quoted = bytes && value[0] == '"';

    if (quoted && (bytes < 2 || memchr(value + 1, '"', bytes - 1) != value + bytes - 1)) {
        error_set(e, STATUS_USAGE, "usage", "the quotes of %s=%s do not close at the value's end",
                  name, shown_part(value, bytes).text);
        return NULL;
    }
    for (size_t i = 0; !quoted && i < bytes; i++) {
        if (!isspace((unsigned char)value[i]))
            continue;
        error_set(e, STATUS_USAGE, "usage",
                  "%s=%s has a blank: put the value in double quotes, or a ',' between directives",
                  name, shown_part(value, bytes).text);
        return NULL;
    }
    char *copy = quoted ? strndup(value + 1, bytes - 2) : strndup(value, bytes);
    if (!copy)
        error_set(e, STATUS_FAILED, "internal", "no memory left for the value of %s", name);
    return copy;
}

static int directive_assign(struct parser *p, const struct target *target, const char *directive,
                            size_t bytes, struct error *e)
{
    const char *end = directive + bytes;
    const char *begin = skip_blanks(directive, end);

    end = drop_blanks(begin, end);
    if (begin == end)
        return error_set(e, STATUS_USAGE, "usage",
                         "there is an empty directive: name=value is expected");
    if (end - begin > 2 && begin[0] == '-' && begin[1] == '-')
        begin += 2;
    const char *equals = memchr(begin, '=', (size_t)(end - begin));
    size_t length = (size_t)((equals ? drop_blanks(begin, equals) : end) - begin);
    struct place place = lookup_name(p, begin, length);
    struct shown name = shown_part(begin, length);
    if (!place.option && equals)
        return unknown_name(p, "", begin, length, e);
    if (!equals && (!place.option || place.option->kind != OPTION_FLAG))
        return error_set(e, STATUS_USAGE, "usage",
                         "'%s' is not of the form name=value; a ',' separates directives, and a "
                         "value that has one goes in double quotes",
                         name.text);
    if (!equals)
        return set_named(p, target, place, name.text, NULL, e);
    const char *value = skip_blanks(equals + 1, end);
    char *copy = copy_value(name.text, value, (size_t)(end - value), e);
    int rc = copy ? set_named(p, target, place, name.text, copy, e) : -1;
    free(copy);
    return rc;
}

const char *directive_stop(const char *c, const char *end, const char *stops)
{
    bool quoted = false;
    char last = '\0';

    for (; c < end; c++) {
        if (quoted)
            quoted = *c != '"';
        else if (*c == '"' && last == '=')
            quoted = true;
        else if (*c && strchr(stops, *c))
            return c;
        if (!isspace((unsigned char)*c))
            last = *c;
    }
    return end;
}

int directives_assign(struct parser *p, const struct target *target, const char *list,
                      const char *end, struct error *e)
{
    for (const char *c = list;; c++) {
        const char *stop = directive_stop(c, end, ",");
        if (directive_assign(p, target, c, (size_t)(stop - c), e))
            return -1;
        if (stop == end)
            return 0;
        c = stop;
    }
}
