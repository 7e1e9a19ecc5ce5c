/* Command lines for tests: words separated by '|', so that a word can be empty or hold
 * blanks. */
#ifndef PARIO_TESTS_UNIT_CLI_FIXTURE_H
#define PARIO_TESTS_UNIT_CLI_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tests/unit/cli/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parsed {
    struct command command;
    struct error error;
    int rc;
};

/* Without "pario", which is put in front. */
static inline struct parsed parse_words(char *words)
{
    struct parsed r = {.error = error_none()};
    char name[] = "pario";
    char *argv[256] = {name};
    int argc = 1;

    for (char *c = words; words && argc < 255; c++) {
        argv[argc++] = c;
        c = strchr(c, '|');
        if (!c)
            break;
        *c = '\0';
    }
    r.rc = cli_parse(&r.command, argc, argv, &fixture_parts, &r.error);
    return r;
}

static inline struct parsed parse(const char *line)
{
    char *words = line ? strdup(line) : NULL;
    struct parsed r = parse_words(words);

    free(words);
    return r;
}

/* Must be right. */
static inline struct parsed parse_right(const char *line)
{
    struct parsed r = parse(line);

    if (r.rc)
        print_error("%s: %s\n", line, r.error.text);
    assert_int_equal(r.rc, 0);
    assert_int_equal(r.error.status, STATUS_DONE);
    return r;
}

static inline void assert_settings_equal(const struct settings *a, const struct settings *b)
{
    char left[256], right[256];

    for (const struct option *o = settings_table; o->name; o++) {
        option_show(o, a, left, sizeof left);
        option_show(o, b, right, sizeof right);
        assert_string_equal(left, right);
    }
    assert_int_equal(a->workload, b->workload);
}

static inline bool has_note(const struct command *command, const char *part)
{
    for (size_t i = 0; i < command->note_count; i++) {
        if (strstr(command->notes[i], part))
            return true;
    }
    return false;
}

#endif
