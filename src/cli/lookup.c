#include "cli/parser.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define GENERAL(NAME, KIND, ...) {.kind = OPTION_##KIND, .workloads = WORKLOAD_ANY, __VA_ARGS__},
const struct option general_table[] = {
#include "cli/general.def"
    {.name = NULL}};

#define WORKLOAD(BIT, NAME, MDTEST, PATH, SENTENCE)                                                \
    {.name = NAME, .bit = WORKLOAD_##BIT, .mdtest = MDTEST, .path = PATH, .sentence = SENTENCE},
const struct workload workload_table[] = {
#include "cli/workloads.def"
    {.name = NULL}};

char option_letter(const struct option *option, const struct workload *workload)
{
    return workload->mdtest ? option->mdtest : option->ior;
}

struct place lookup_letter(const struct parser *p, char letter)
{
    for (const struct option *o = settings_table; letter && o->name; o++) {
        if (option_letter(o, p->workload) == letter)
            return (struct place){o, PLACE_SETTING};
    }
    for (const struct option *o = general_table; letter && o->name; o++) {
        if (option_letter(o, p->workload) == letter)
            return (struct place){o, PLACE_GENERAL};
    }
    return (struct place){NULL, 0};
}

/* "posix.odirect": the part before the dot in any case, the rest as in the backend's table. */
static struct place lookup_grouped(const struct cli_parts *parts, const char *name, const char *dot)
{
    for (size_t i = 0; i < parts->group_count; i++) {
        const struct option_group *group = &parts->groups[i];
        size_t length = strlen(group->prefix);

        if (length != (size_t)(dot - name) || strncasecmp(group->prefix, name, length))
            continue;
        return (struct place){group->table ? option_find(group->table, dot + 1) : NULL, i};
    }
    return (struct place){NULL, 0};
}

/* An IOR directive that belongs to a backend here: useO_DIRECT. */
static struct place lookup_directive(const struct cli_parts *parts, const char *name)
{
    for (size_t i = 0; i < parts->group_count; i++) {
        const struct option *o = parts->groups[i].table;

        for (; o && o->name; o++) {
            if (o->directive && !strcasecmp(o->directive, name))
                return (struct place){o, i};
        }
    }
    return (struct place){NULL, 0};
}

struct place lookup_name(const struct parser *p, const char *name, size_t bytes)
{
    char whole[128];
    const struct option *option;

    if (!bytes || bytes >= sizeof whole || memchr(name, '\0', bytes))
        return (struct place){NULL, 0};
    memcpy(whole, name, bytes);
    whole[bytes] = '\0';
    option = option_find(settings_table, whole); /* first: an alias may look like a backend's */
    if (option)
        return (struct place){option, PLACE_SETTING};
    const char *dot = strchr(whole, '.');
    if (dot)
        return lookup_grouped(p->command->parts, whole, dot);
    option = option_find(general_table, whole);
    if (option)
        return (struct place){option, PLACE_GENERAL};
    return lookup_directive(p->command->parts, whole);
}
