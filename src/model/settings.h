/* What the user asked for, typed: one member per row of settings.def. */
#ifndef PARIO_MODEL_SETTINGS_H
#define PARIO_MODEL_SETTINGS_H

#include "model/option.h"

#define OPTION_TYPE_FLAG bool
#define OPTION_TYPE_COUNTER int64_t
#define OPTION_TYPE_COUNT int64_t
#define OPTION_TYPE_SIZE uint64_t
#define OPTION_TYPE_SIZES struct sizes
#define OPTION_TYPE_TIME int64_t
#define OPTION_TYPE_PERCENT double
#define OPTION_TYPE_NUMBER double
#define OPTION_TYPE_CHOICE int64_t
#define OPTION_TYPE_TEXT char *

struct settings {
#define OPTION(KIND, member, ...) OPTION_TYPE_##KIND member;
#include "model/settings.def"
#undef OPTION
    unsigned workload; /* one bit of WORKLOAD_... */
};

enum setting {
#define OPTION(KIND, member, ...) SETTING_##member,
#include "model/settings.def"
#undef OPTION
    SETTINGS
};

enum clock_choice { CLOCK_AUTO, CLOCK_MONOTONIC_ONLY, CLOCK_VIRTUAL };

/* In the order of enum setting; ends with name NULL. */
extern const struct option settings_table[];

#endif
