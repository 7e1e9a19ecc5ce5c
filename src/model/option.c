#include "model/option.h"

#include "base/text.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

size_t option_count(const struct option *table)
{
    size_t n = 0;
    while (table[n].name)
        n++;
    return n;
}

const struct option *option_find(const struct option *table, const char *name)
{
    for (const struct option *o = table; o->name; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    for (const struct option *o = table; o->name; o++)
        if ((o->directive && strcasecmp(o->directive, name) == 0) ||
            (o->alias && strcasecmp(o->alias, name) == 0))
            return o;
    return NULL;
}

/* Where an option's value stands; its type follows from the kind. */
static void *field(const struct option *option, void *values)
{
    return (char *)values + option->field;
}

static const void *const_field(const struct option *option, const void *values)
{
    return (const char *)values + option->field;
}

/* --- limits ------------------------------------------------------------------------------------
 */

/* A limit as a user would write it. */
static char *show_limit(const struct option *option, double limit, char buf[UNITS_TEXT])
{
    switch (option->kind) {
    case OPTION_SIZE:
    case OPTION_SIZES:
        return units_size(buf, limit);
    case OPTION_TIME:
        return units_time(buf, limit * 1e9);
    case OPTION_PERCENT:
        snprintf(buf, UNITS_TEXT, "%.0f%%", limit);
        return buf;
    default:
        if (limit == floor(limit) && fabs(limit) < 1e15)
            snprintf(buf, UNITS_TEXT, "%.0f", limit);
        else
            units_number(buf, limit);
        return buf;
    }
}

/* value in the unit of the limits. */
static int check_limits(const struct option *option, double value, const char *text,
                        struct error *e)
{
    char limit[UNITS_TEXT];
    char shown[64];
    text_copy(shown, sizeof shown, text);
    if (value < 0 && option->least >= 0)
        return error_set(e, STATUS_USAGE, "usage", "'%s' is negative; write a value of at least %s",
                         shown, show_limit(option, option->least, limit));
    if (value < option->least)
        return error_set(e, STATUS_USAGE, "usage",
                         "'%s' is too small; write a value of at least %s", shown,
                         show_limit(option, option->least, limit));
    if (option->most != 0 && value > option->most)
        return error_set(e, STATUS_USAGE, "usage", "'%s' is too large; write a value of at most %s",
                         shown, show_limit(option, option->most, limit));
    return 0;
}

/* --- one value ---------------------------------------------------------------------------------
 */

static int set_flag(bool *to, const char *value, struct error *e)
{
    char shown[64];
    bool yes = !value || strcasecmp(value, "yes") == 0 || strcmp(value, "1") == 0;
    if (!yes && strcasecmp(value, "no") != 0 && strcmp(value, "0") != 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "'%s' is neither yes nor no; write yes, no, 1 or 0",
                         text_copy(shown, sizeof shown, value));
    *to = yes;
    return 0;
}

static int set_counter(const struct option *option, int64_t *to, const char *value, struct error *e)
{
    int64_t count = *to + 1;
    if (value &&
        (units_parse_count(value, &count, e) || check_limits(option, (double)count, value, e)))
        return -1;
    *to = count;
    return 0;
}

static int set_count(const struct option *option, int64_t *to, const char *value, struct error *e)
{
    int64_t count;
    if (units_parse_count(value, &count, e) || check_limits(option, (double)count, value, e))
        return -1;
    *to = count;
    return 0;
}

static int set_size(const struct option *option, uint64_t *to, const char *value, struct error *e)
{
    uint64_t bytes;
    if (units_parse_size(value, &bytes, NULL, e) || check_limits(option, (double)bytes, value, e))
        return -1;
    *to = bytes;
    return 0;
}

static int set_sizes(const struct option *option, struct sizes *to, const char *value,
                     struct error *e)
{
    struct sizes sizes;
    if (sizes_parse(value, &sizes, e))
        return -1;
    for (uint64_t i = 0; i < sizes.used; i++)
        if (check_limits(option, (double)sizes.each[i].bytes, value, e))
            return -1;
    if (check_limits(option, (double)sizes.bytes, value, e))
        return -1;
    *to = sizes;
    return 0;
}

static int set_time(const struct option *option, int64_t *to, const char *value, struct error *e)
{
    int64_t ns;
    if (units_parse_time(value, &ns, e) || check_limits(option, (double)ns / 1e9, value, e))
        return -1;
    *to = ns;
    return 0;
}

static int set_double(const struct option *option, double *to, const char *value, struct error *e)
{
    double number;
    if ((option->kind == OPTION_PERCENT ? units_parse_percent : units_parse_number)(value, &number,
                                                                                    e) ||
        check_limits(option, number, value, e))
        return -1;
    *to = number;
    return 0;
}

/* Length of the choice at c, which ends at | or at the end of the list. */
static size_t choice_length(const char *c)
{
    return strcspn(c, "|");
}

static const char *next_choice(const char *c)
{
    c += choice_length(c);
    return *c == '|' ? c + 1 : NULL;
}

/* The place of value among the choices: written out, or as the beginning of just one; else -1. */
static int64_t find_choice(const char *choices, const char *value)
{
    int64_t index = 0, found = -1;
    int beginnings = 0;
    size_t bytes = strlen(value);
    for (const char *c = choices; c; c = next_choice(c), index++) {
        if (bytes == 0 || bytes > choice_length(c) || strncasecmp(value, c, bytes) != 0)
            continue;
        if (bytes == choice_length(c))
            return index;
        found = index;
        beginnings++;
    }
    return beginnings == 1 ? found : -1;
}

static int set_choice(const struct option *option, int64_t *to, const char *value, struct error *e)
{
    int64_t index = find_choice(option->choices, value);
    if (index >= 0) {
        *to = index;
        return 0;
    }
    char shown[64];
    char list[512];
    size_t used = 0;
    list[0] = '\0';
    for (const char *c = option->choices; c && used < sizeof list; c = next_choice(c)) {
        const char *next = next_choice(c);
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%.*s%s", (int)choice_length(c), c,
                             !next               ? ""
                             : next_choice(next) ? ", "
                                                 : " or ");
    }
    return error_set(e, STATUS_USAGE, "usage", "'%s' is not one of its values; write %s",
                     text_copy(shown, sizeof shown, value), list);
}

static int set_text(const struct option *option, char **to, const char *value, struct error *e)
{
    if (value[0] == '\0')
        return error_set(e, STATUS_USAGE, "usage", "the value is empty; write a %s",
                         option->argument ? option->argument : "text");
    char *copy = strdup(value);
    if (!copy)
        return error_errno(e, ENOMEM, "value of %zu bytes", strlen(value));
    free(*to);
    *to = copy;
    return 0;
}

static int set_value(const struct option *option, void *values, const char *value, struct error *e)
{
    void *to = field(option, values);
    if (!value)
        value = option->bare;
    if (!value && option->kind != OPTION_FLAG && option->kind != OPTION_COUNTER)
        return error_set(e, STATUS_USAGE, "usage", "a value is missing; write %s",
                         option->argument ? option->argument : "one");
    switch (option->kind) {
    case OPTION_FLAG:
        return set_flag(to, value, e);
    case OPTION_COUNTER:
        return set_counter(option, to, value, e);
    case OPTION_COUNT:
        return set_count(option, to, value, e);
    case OPTION_SIZE:
        return set_size(option, to, value, e);
    case OPTION_SIZES:
        return set_sizes(option, to, value, e);
    case OPTION_TIME:
        return set_time(option, to, value, e);
    case OPTION_PERCENT:
    case OPTION_NUMBER:
        return set_double(option, to, value, e);
    case OPTION_CHOICE:
        return set_choice(option, to, value, e);
    case OPTION_TEXT:
        return set_text(option, to, value, e);
    }
    return error_set(e, STATUS_FAILED, "internal", "option of unknown kind %d", (int)option->kind);
}

int option_set(const struct option *option, void *values, const char *spelled, const char *value,
               struct error *e)
{
    struct error mine = error_none();
    if (set_value(option, values, value, &mine) == 0)
        return 0;
    error_wrap(&mine, "option %s", spelled);
    if (e && e->status == STATUS_DONE)
        *e = mine;
    return -1;
}

/* --- all values --------------------------------------------------------------------------------
 */

static void clear_field(const struct option *option, void *values)
{
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)field(option, values) = false;
        break;
    case OPTION_COUNTER:
    case OPTION_COUNT:
    case OPTION_TIME:
    case OPTION_CHOICE:
        *(int64_t *)field(option, values) = 0;
        break;
    case OPTION_SIZE:
        *(uint64_t *)field(option, values) = 0;
        break;
    case OPTION_SIZES:
        *(struct sizes *)field(option, values) = (struct sizes){0};
        break;
    case OPTION_PERCENT:
    case OPTION_NUMBER:
        *(double *)field(option, values) = 0;
        break;
    case OPTION_TEXT:
        *(char **)field(option, values) = NULL;
        break;
    }
}

int option_defaults(const struct option *table, void *values, struct error *e)
{
    for (const struct option *o = table; o->name; o++)
        clear_field(o, values);
    for (const struct option *o = table; o->name; o++) {
        if (o->initial && option_set(o, values, o->name, o->initial, e)) {
            error_wrap(e, "default");
            option_free(table, values);
            return -1;
        }
    }
    return 0;
}

void option_free(const struct option *table, void *values)
{
    for (const struct option *o = table; o->name; o++) {
        if (o->kind != OPTION_TEXT)
            continue;
        char **text = field(o, values);
        free(*text);
        *text = NULL;
    }
}

static void copy_field(const struct option *o, void *to, const void *from)
{
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)field(o, to) = *(const bool *)const_field(o, from);
        break;
    case OPTION_PERCENT:
    case OPTION_NUMBER:
        *(double *)field(o, to) = *(const double *)const_field(o, from);
        break;
    case OPTION_SIZES:
        *(struct sizes *)field(o, to) = *(const struct sizes *)const_field(o, from);
        break;
    case OPTION_TEXT:
        break;
    default: /* whole numbers of 64 bits */
        memcpy(field(o, to), const_field(o, from), sizeof(int64_t));
        break;
    }
}

int option_copy(const struct option *table, void *to, const void *from, struct error *e)
{
    for (const struct option *o = table; o->name; o++) {
        clear_field(o, to);
        copy_field(o, to, from);
    }
    for (const struct option *o = table; o->name; o++) {
        if (o->kind != OPTION_TEXT)
            continue;
        const char *text = *(char *const *)const_field(o, from);
        char **copy = field(o, to);
        *copy = text ? strdup(text) : NULL;
        if (text && !*copy) {
            option_free(table, to);
            return error_errno(e, ENOMEM, "copy of option --%s", o->name);
        }
    }
    return 0;
}
