#include "model/presets.h"

#include "model/option.h"

#include <stddef.h>
#include <string.h>

const struct preset preset_table[] = {
#define PRESET(NAME, BIT, OPTIONS, SENTENCE) {NAME, WORKLOAD_##BIT, OPTIONS, SENTENCE},
#include "model/presets.def"
    {.name = NULL},
};

const struct preset *preset_find(const char *name, unsigned workload)
{
    for (const struct preset *p = preset_table; p->name; p++)
        if (p->workload & workload && strcmp(p->name, name) == 0)
            return p;
    return NULL;
}
