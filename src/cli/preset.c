/* --preset NAME: a line of options, which give way to those of the command line, wherever they
 * stand. */
#include "cli/parser.h"
#include "model/presets.h"

#include <stdio.h>
#include <string.h>

static int unknown(const struct parser *p, const char *name, struct error *e)
{
    char all[512] = "";
    size_t used = 0;
    for (const struct preset *o = preset_table; o->name && used < sizeof all; o++)
        if (o->workload & p->workload->bit)
            used +=
                (size_t)snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", o->name);
    return error_set(e, STATUS_USAGE, "usage", "option --preset: there is no '%s', only: %s",
                     shown_of(name).text, all);
}

/* One "name=value" of the line, for the tests where nobody has said it yet. */
static int apply(struct parser *p, const struct target *target, const char *word, struct error *e)
{
    char name[64];
    const char *equals = strchr(word, '=');
    size_t n = equals ? (size_t)(equals - word) : strlen(word);
    struct place place = lookup_name(p, word, n);
    snprintf(name, sizeof name, "--%.*s", (int)n, word);
    if (!place.option || place.group != PLACE_SETTING)
        return error_set(e, STATUS_USAGE, "internal", "a preset has an unknown option %s", name);
    for (size_t i = 0; i < target->count; i++) {
        struct target one = {&target->tests[i], 1, ORIGIN_PRESET};
        enum origin said = one.tests->origins[place.option - settings_table];
        if (said == ORIGIN_DEFAULT && assign(p, &one, place, name, equals ? equals + 1 : NULL, e))
            return -1;
    }
    return 0;
}

int preset_assign(struct parser *p, const struct target *target, const char *name, struct error *e)
{
    const struct preset *preset = preset_find(name, p->workload->bit);
    char line[512];
    char *rest = line;
    if (!preset)
        return unknown(p, name, e);
    snprintf(line, sizeof line, "%s", preset->options);
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
        if (apply(p, target, word, e))
            return -1;
    return 0;
}
