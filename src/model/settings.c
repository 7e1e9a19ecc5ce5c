#include "model/settings.h"

const struct option settings_table[] = {
#define OPTION(KIND, member, ...)                                                                  \
    {.kind = OPTION_##KIND, .field = offsetof(struct settings, member), __VA_ARGS__},
#include "model/settings.def"
#undef OPTION
    {.name = NULL},
};
