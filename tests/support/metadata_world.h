/* Metadata plans from a few settings, for tests. */
#ifndef PARIO_TESTS_METADATA_WORLD_H
#define PARIO_TESTS_METADATA_WORLD_H

#include "model/plan.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* "-n 10 -z 2 --phases a,b": options by mdtest's letters or long names, parted by single blanks. */
static inline int metadata_settings(struct settings *s, const char *line, struct error *e)
{
    char copy[512];
    snprintf(copy, sizeof copy, "%s", line);
    memset(s, 0, sizeof *s);
    if (option_defaults(settings_table, s, e))
        return -1;
    s->workload = WORKLOAD_METADATA;
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        const struct option *o = settings_table;
        while (o->name && !(word[1] == '-' ? (o->workloads & WORKLOAD_METADATA) &&
                                                 strcmp(o->name, word + 2) == 0
                                           : o->mdtest && o->mdtest == word[1]))
            o++;
        if (!o->name)
            return error_set(e, STATUS_FAILED, "internal", "test: no option %s", word);
        const char *value = o->kind == OPTION_FLAG ? NULL : strtok(NULL, " ");
        if (option_set(o, s, word, value, e))
            return -1;
    }
    return 0;
}

static inline int metadata_from(struct metadata_plan *m, struct settings *s, const char *line,
                                uint64_t ranks, struct error *e)
{
    return metadata_settings(s, line, e) || metadata_plan_make(m, s, ranks, e) ? -1 : 0;
}

#endif
