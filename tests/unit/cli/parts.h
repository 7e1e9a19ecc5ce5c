/* Backends and workloads for tests of the command line, which do not depend on the build. */
#ifndef PARIO_TESTS_UNIT_CLI_PARTS_H
#define PARIO_TESTS_UNIT_CLI_PARTS_H

#include "cli/cli.h"

#include <stddef.h>

struct fast_values {
    bool direct;
    int64_t retries;
    char *hints;
    int64_t mode;
};

static const struct option fast_table[] = {
    {.name = "bypass",
     .directive = "fastDirect",
     .kind = OPTION_FLAG,
     .field = offsetof(struct fast_values, direct),
     .help = "past the page cache"},
    {.name = "retries",
     .kind = OPTION_COUNT,
     .field = offsetof(struct fast_values, retries),
     .initial = "3",
     .argument = "N",
     .help = "how often a call is made again"},
    {.name = "hints",
     .directive = "hintsFile",
     .kind = OPTION_TEXT,
     .field = offsetof(struct fast_values, hints),
     .argument = "FILE",
     .help = "hints are read from FILE"},
    {.name = "mode",
     .kind = OPTION_CHOICE,
     .field = offsetof(struct fast_values, mode),
     .initial = "plain",
     .choices = "plain|with-a-long-name|with-another-long-name",
     .argument = "MODE",
     .help = "how it works"},
    {.name = NULL}};

struct slow_values {
    int64_t pause;
};

static const struct option slow_table[] = {{.name = "pause",
                                            .kind = OPTION_TIME,
                                            .field = offsetof(struct slow_values, pause),
                                            .initial = "1ms",
                                            .argument = "TIME",
                                            .help = "before each call"},
                                           {.name = NULL}};

static const struct option_group fixture_groups[] = {
    {"posix", "pread and pwrite", fast_table, sizeof(struct fast_values), NULL, true},
    {"slow", "with pauses", slow_table, sizeof(struct slow_values), NULL, true},
    {"null", "does nothing", NULL, 0, NULL, false},
    {"absent", "needs a library", slow_table, sizeof(struct slow_values), "no libabsent", false}};

enum { GROUP_POSIX, GROUP_SLOW, GROUP_NULL, GROUP_ABSENT, GROUPS };

static const struct workload fixture_workloads[] = {
    {"bulk", WORKLOAD_BULK, false, "-o", "write and read large files"},
    {"metadata", WORKLOAD_METADATA, true, "-d", "make and remove many files"},
    {.name = NULL}};

static const struct cli_parts fixture_parts = {.version = "1.2.3",
                                               .workloads = fixture_workloads,
                                               .groups = fixture_groups,
                                               .group_count = GROUPS};

#endif
