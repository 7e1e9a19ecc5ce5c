#include "cli/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int out_of_memory(struct error *e)
{
    return error_set(e, STATUS_FAILED, "internal", "no memory left while reading the command line");
}

static const struct option *group_table(const struct option_group *group)
{
    static const struct option none[] = {{.name = NULL}};

    return group->table ? group->table : none;
}

static void group_free(const struct option_group *group, struct group_values *g)
{
    if (g->values)
        option_free(group_table(group), g->values);
    free(g->values);
    free(g->origins);
    *g = (struct group_values){NULL, NULL};
}

/* from NULL: defaults. */
static int group_fill(const struct option_group *group, struct group_values *to,
                      const struct group_values *from, struct error *e)
{
    const struct option *table = group_table(group);
    size_t rows = option_count(table);

    *to = (struct group_values){NULL, NULL};
    if (!rows)
        return 0;
    void *values = calloc(1, group->bytes);
    to->origins = calloc(rows, sizeof *to->origins);
    if (!values || !to->origins) {
        free(values);
        return out_of_memory(e);
    }
    int rc = from ? option_copy(table, values, from->values, e) : option_defaults(table, values, e);
    if (rc) {
        free(values);
        return -1;
    }
    to->values = values;
    if (from)
        memcpy(to->origins, from->origins, rows * sizeof *to->origins);
    return 0;
}

static int cli_test_fill(const struct cli_parts *parts, struct cli_test *to,
                         const struct cli_test *from, struct error *e)
{
    *to = (struct cli_test){.groups = NULL};
    if (from ? option_copy(settings_table, &to->settings, &from->settings, e)
             : option_defaults(settings_table, &to->settings, e)) {
        *to = (struct cli_test){.groups = NULL};
        return -1;
    }
    if (from) {
        to->settings.workload = from->settings.workload;
        memcpy(to->origins, from->origins, sizeof to->origins);
        to->posix_direct = from->posix_direct;
    }
    if (parts->group_count) {
        to->groups = calloc(parts->group_count, sizeof *to->groups);
        if (!to->groups) {
            cli_test_free(parts, to);
            return out_of_memory(e);
        }
    }
    for (size_t i = 0; i < parts->group_count; i++) {
        if (group_fill(&parts->groups[i], &to->groups[i], from ? &from->groups[i] : NULL, e)) {
            cli_test_free(parts, to);
            return -1;
        }
    }
    return 0;
}

int cli_test_defaults(const struct cli_parts *parts, struct cli_test *t, unsigned workload,
                      struct error *e)
{
    if (cli_test_fill(parts, t, NULL, e))
        return -1;
    for (const struct option *o = settings_table; o->name; o++) {
        if (!(workload & WORKLOAD_RANDOM) || !o->initial_random)
            continue;
        if (option_set(o, &t->settings, o->name, o->initial_random, e)) {
            cli_test_free(parts, t);
            return -1;
        }
    }
    t->settings.workload = workload;
    return 0;
}

int cli_test_copy(const struct cli_parts *parts, struct cli_test *to, const struct cli_test *from,
                  struct error *e)
{
    return cli_test_fill(parts, to, from, e);
}

void cli_test_free(const struct cli_parts *parts, struct cli_test *t)
{
    for (size_t i = 0; t->groups && i < parts->group_count; i++)
        group_free(&parts->groups[i], &t->groups[i]);
    free(t->groups);
    option_free(settings_table, &t->settings);
    *t = (struct cli_test){.groups = NULL};
}

int command_add_test(struct command *command, const struct cli_test *like, unsigned workload,
                     struct error *e)
{
    struct cli_test *more =
        realloc(command->tests, (command->test_count + 1) * sizeof *command->tests);

    if (!more)
        return out_of_memory(e);
    command->tests = more;
    struct cli_test *t = &more[command->test_count];
    int rc = like ? cli_test_copy(command->parts, t, like, e)
                  : cli_test_defaults(command->parts, t, workload, e);
    if (rc)
        return -1;
    command->test_count++;
    return 0;
}

int command_note(struct command *command, struct error *e, const char *format, ...)
{
    char note[512];
    va_list list;

    va_start(list, format);
    vsnprintf(note, sizeof note, format, list);
    va_end(list);
    for (size_t i = 0; i < command->note_count; i++) {
        if (!strcmp(command->notes[i], note))
            return 0;
    }
    char **more = realloc(command->notes, (command->note_count + 1) * sizeof *more);
    if (!more)
        return out_of_memory(e);
    command->notes = more;
    more[command->note_count] = strdup(note);
    if (!more[command->note_count])
        return out_of_memory(e);
    command->note_count++;
    return 0;
}

void command_free(struct command *command)
{
    for (size_t i = 0; i < command->test_count; i++)
        cli_test_free(command->parts, &command->tests[i]);
    free(command->tests);
    for (size_t i = 0; i < command->note_count; i++)
        free(command->notes[i]);
    free(command->notes);
    free(command->topic);
    *command = (struct command){.action = ACTION_RUN};
}
