/* A value that comes from the command line, -O or a script goes into its field here. What
 * option_set cannot know is refused before it is asked: another workload's option, a list, an odd
 * path. */
#include "cli/parser.h"
#include "base/units.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct shown shown_part(const char *word, size_t bytes)
{
    struct shown s;
    size_t room = sizeof s.text - 4;
    char part[sizeof s.text];
    size_t n = strnlen(word, bytes);
    bool cut = n > room;

    if (cut) {
        n = room;
        while (n > 0 && ((unsigned char)word[n] & 0xc0) == 0x80)
            n--; /* not in the middle of a character */
    }
    memcpy(part, word, n);
    part[n] = '\0';
    text_copy(s.text, sizeof s.text, part);
    if (cut)
        memcpy(s.text + n, "...", 4);
    return s;
}

struct shown shown_of(const char *word)
{
    return shown_part(word, SIZE_MAX);
}

const char *option_needs(const struct option *option, char *buf, size_t bytes)
{
    const char *argument = option->argument ? option->argument : "value";

    if (option->kind == OPTION_CHOICE) {
        size_t used = (size_t)snprintf(buf, bytes, "one of ");
        for (const char *c = option->choices; *c && used + 3 < bytes; c++) {
            if (*c == '|')
                buf[used++] = ',';
            buf[used++] = *c == '|' ? ' ' : *c;
            buf[used] = '\0';
        }
    } else if (!strcmp(argument, "N")) {
        snprintf(buf, bytes, "a number");
    } else {
        snprintf(buf, bytes, "%s %s", strchr("AEIO", argument[0]) ? "an" : "a", argument);
    }
    return buf;
}

static bool takes_text(const struct option *option)
{
    return option->kind == OPTION_TEXT;
}

static int refuse_workload(const struct parser *p, const struct option *option, const char *spelled,
                           struct error *e)
{
    char others[256] = "";
    size_t used = 0;

    for (const struct workload *w = p->command->parts->workloads; w->name; w++) {
        if (!(option->workloads & w->bit) || used >= sizeof others)
            continue;
        used += (size_t)snprintf(others + used, sizeof others - used, "%s%s", used ? ", " : "",
                                 w->name);
    }
    if (option->workloads == WORKLOAD_PLAN)
        return error_set(e, STATUS_USAGE, "usage", "option %s belongs to pario plan", spelled);
    return error_set(e, STATUS_USAGE, "usage",
                     "option %s cannot be used with the workload '%s', only with: %s", spelled,
                     p->workload->name, used ? others : "none of this build");
}

static int refuse_odd_text(const struct option *option, const char *spelled, const char *value,
                           struct error *e)
{
    const char *argument = option->argument ? option->argument : "";
    bool path = !strcmp(argument, "PATH") || !strcmp(argument, "FILE");

    for (const char *c = value; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return error_set(e, STATUS_USAGE, "usage",
                             "option %s: '%s' has a control character (0x%02x) at place %zu: is "
                             "that a name pasted with its line end?",
                             spelled, shown_of(value).text, (unsigned)(unsigned char)*c,
                             (size_t)(c - value) + 1);
    }
    if (path && strlen(value) >= PATH_MAX)
        return error_set(e, STATUS_USAGE, "usage",
                         "option %s: the path has %zu bytes, and this system takes at most %d",
                         spelled, strlen(value), PATH_MAX - 1);
    return 0;
}

static int refuse_value(const struct option *option, const char *spelled, const char *value,
                        struct error *e)
{
    char needs[256];

    option_needs(option, needs, sizeof needs);
    if (!*value)
        return error_set(e, STATUS_USAGE, "usage", "option %s needs %s, got an empty value%s",
                         spelled, needs, " (a shell variable that is not set?)");
    if (takes_text(option))
        return refuse_odd_text(option, spelled, value, e);
    if (strchr(value, ',') && !(option->kind == OPTION_SIZES && strchr(value, ':')))
        return error_set(
            e, STATUS_USAGE, "usage",
            "option %s needs %s, got '%s': one value is expected, with a decimal point", spelled,
            needs, shown_of(value).text);
    return 0;
}

/* IOR reads 4MB as 4 MiB: whoever moves over should hear that pario does not. */
static int note_decimal(struct parser *p, const char *spelled, const char *value, struct error *e)
{
    uint64_t bytes;
    int decimal = 0;

    if (units_parse_size(value, &bytes, &decimal, NULL) || !decimal)
        return 0;
    return command_note(p->command, e,
                        "%s %s is taken in powers of ten, %llu bytes; for powers of two, as IOR "
                        "reads it, leave out the B",
                        spelled, shown_of(value).text, (unsigned long long)bytes);
}

int assign(struct parser *p, const struct target *target, struct place place, const char *spelled,
           const char *value, struct error *e)
{
    const struct option *option = place.option;
    const struct cli_parts *parts = p->command->parts;
    bool own = place.group == PLACE_SETTING;
    const struct option *table = own ? settings_table : parts->groups[place.group].table;

    unsigned taken = p->workload->bit | (p->command->plan ? WORKLOAD_PLAN : 0);
    if ((own || option->workloads) && !(option->workloads & taken))
        return refuse_workload(p, option, spelled, e);
    if (value && refuse_value(option, spelled, value, e))
        return -1;
    for (size_t i = 0; i < target->count; i++) {
        struct cli_test *t = &target->tests[i];
        void *values = own ? &t->settings : t->groups[place.group].values;

        if (option_set(option, values, spelled, value, e))
            return -1;
        if (own && option->alias)
            t->posix_direct = strcasestr(spelled, option->alias);
        if (own)
            t->origins[option - table] = target->origin;
        else
            t->groups[place.group].origins[option - table] = target->origin;
    }
    if (own && option == &settings_table[SETTING_preset])
        return preset_assign(p, target, value, e);
    if (value && (option->kind == OPTION_SIZE || option->kind == OPTION_SIZES))
        return note_decimal(p, spelled, value, e);
    return 0;
}
