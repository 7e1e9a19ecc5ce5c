/* The backend that a test names, against those that this build has. */
#include "cli/parser.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct foreign {
    const char *api;
    const char *name;
};

#define FOREIGN(API, NAME) {API, NAME},
static const struct foreign foreign_apis[] = {
#include "cli/refused.def"
    {NULL, NULL}};

static const struct option_group *find(const struct cli_parts *parts, const char *api)
{
    for (size_t i = 0; i < parts->group_count; i++) {
        if (!strcasecmp(parts->groups[i].prefix, api))
            return &parts->groups[i];
    }
    return NULL;
}

static const char *nearest(const struct cli_parts *parts, const char *api)
{
    for (const struct foreign *f = foreign_apis; f->api; f++) {
        if (!strcasecmp(f->api, api) && find(parts, f->name))
            return f->name;
    }
    const char **names = calloc(parts->group_count + 1, sizeof *names);
    if (!names)
        return NULL;
    for (size_t i = 0; i < parts->group_count; i++)
        names[i] = parts->groups[i].prefix;
    const char *near = nearest_name(names, api);
    free(names);
    return near;
}

static int refuse(const struct cli_parts *parts, const char *api, struct error *e)
{
    const char *near = nearest(parts, api);

    if (near)
        return error_set(e, STATUS_USAGE, "usage", "there is no backend '%s', did you mean '%s'?",
                         shown_of(api).text, near);
    return error_set(e, STATUS_USAGE, "usage", "there is no backend '%s' (pario --list shows all)",
                     shown_of(api).text);
}

/* Options of backends that are not used: right in a script for several, but they change nothing. */
static int note_others(struct parser *p, const struct cli_test *t,
                       const struct option_group *chosen, struct error *e)
{
    const struct cli_parts *parts = p->command->parts;

    for (size_t i = 0; i < parts->group_count; i++) {
        const struct option_group *group = &parts->groups[i];
        if (group == chosen || !group->table)
            continue;
        for (size_t row = 0; group->table[row].name; row++) {
            if (t->groups[i].origins[row] == ORIGIN_DEFAULT)
                continue;
            if (command_note(p->command, e, "--%s.%s has no effect: the backend is %s",
                             group->prefix, group->table[row].name, chosen->prefix))
                return -1;
        }
    }
    return 0;
}

/* --posix.odirect with an API that has no such thing, as job scripts have it. */
static int note_direct(struct parser *p, struct cli_test *t, const struct option_group *chosen,
                       struct error *e)
{
    if (!t->settings.direct || !t->posix_direct || chosen->direct)
        return 0;
    t->settings.direct = false;
    t->origins[SETTING_direct] = ORIGIN_DEFAULT;
    return command_note(p->command, e, "--%s has no effect: the backend is %s",
                        settings_table[SETTING_direct].alias, chosen->prefix);
}

int check_backend(struct parser *p, struct cli_test *t, struct error *e)
{
    const struct cli_parts *parts = p->command->parts;

    if (!parts->group_count || !t->settings.api)
        return 0;
    const struct option_group *chosen = find(parts, t->settings.api);
    if (!chosen)
        return refuse(parts, t->settings.api, e);
    if (chosen->unavailable)
        return error_set(e, STATUS_USAGE, "usage", "the backend %s cannot be used: %s",
                         chosen->prefix, chosen->unavailable);
    return note_direct(p, t, chosen, e) || note_others(p, t, chosen, e) ? -1 : 0;
}
