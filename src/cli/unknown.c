/* Names that were not found: what was perhaps meant, and why IOR's other options are not here. */
#include "cli/parser.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct refused {
    char letter;
    const char *name;
    const char *reason; /* NULL: it is meant to come */
};

#define LATER(LETTER, NAME) {.letter = LETTER, .name = NAME},
#define NEVER(LETTER, NAME, REASON) {.letter = LETTER, .name = NAME, .reason = REASON},
static const struct refused refused_table[] = {
#include "cli/refused.def"
    {.name = NULL}};

#define NEVER_MDTEST(LETTER, NAME, REASON) {.letter = LETTER, .name = NAME, .reason = REASON},
static const struct refused refused_mdtest[] = {
#include "cli/refused.def"
    {.name = NULL}};

static int refuse_mdtest(char letter, struct error *e)
{
    for (const struct refused *r = refused_mdtest; r->name; r++)
        if (r->letter == letter)
            return error_set(e, STATUS_USAGE, "usage", "option -%c (mdtest's: %s) is not taken: %s",
                             letter, r->name, r->reason);
    return 0;
}

static int refuse(const struct refused *r, const char *spelled, struct error *e)
{
    if (r->reason)
        return error_set(e, STATUS_USAGE, "usage", "option %s (IOR's %s) is not taken: %s", spelled,
                         r->name, r->reason);
    return error_set(e, STATUS_USAGE, "usage", "option %s (IOR's %s) is not there yet", spelled,
                     r->name);
}

/* Leaves out what is known all the same: a row that somebody forgot must not contradict the help.
 */
static const struct refused *refused_find(char letter, const char *name)
{
    for (const struct refused *r = refused_table; r->name; r++) {
        if ((letter && r->letter == letter) || (name && !strcasecmp(r->name, name)))
            return r;
    }
    return NULL;
}

/* In a table of its own, so that the distance is reckoned in one place of the program. */
const char *nearest_name(const char *const *names, const char *name)
{
    size_t n = 0, length = strlen(name);
    const char *nearest = NULL;

    while (names[n])
        n++;
    struct option *rows = calloc(n + 1, sizeof *rows);
    if (!rows)
        return NULL;
    for (size_t i = 0; i < n; i++)
        rows[i].name = names[i];
    nearest = option_nearest(rows, name);
    free(rows);
    for (size_t i = 0; !nearest && length >= 3 && i < n; i++) {
        if (!strncasecmp(names[i], name, length))
            nearest = names[i];
    }
    return nearest;
}

static size_t add_names(const char **names, size_t used, const struct option *table)
{
    for (; table && table->name; table++) {
        names[used++] = table->name;
        if (table->directive)
            names[used++] = table->directive;
    }
    return used;
}

/* Of pario's own options those that IOR has with a backend. */
static void add_aliases(const char **names, size_t used, const char *prefix)
{
    size_t length = strlen(prefix);

    for (const struct option *o = settings_table; o->name; o++) {
        if (o->alias && !strncasecmp(o->alias, prefix, length) && o->alias[length] == '.')
            names[used++] = o->alias + length + 1;
    }
}

/* Of pario's own names, or with a group of that backend's. */
static const char *suggest(const struct option_group *group, const char *name)
{
    size_t most = option_count(settings_table) + option_count(general_table);
    size_t used = 0;

    if (group && group->table)
        most += option_count(group->table);
    const char **names = calloc(2 * most + 1, sizeof *names);
    if (!names)
        return NULL;
    if (group) {
        used = add_names(names, 0, group->table);
        add_aliases(names, used, group->prefix);
    } else {
        used = add_names(names, 0, settings_table);
        add_names(names, used, general_table);
    }
    const char *nearest = nearest_name(names, name);
    free(names);
    return nearest;
}

int unknown_letter(const struct parser *p, char letter, const char *word, struct error *e)
{
    char spelled[3] = {'-', letter, '\0'};
    const char *in = word[1] && word[2] ? " in " : "";
    const struct refused *r = p->workload->mdtest ? NULL : refused_find(letter, NULL);

    if (r)
        return refuse(r, spelled, e);
    if (p->workload->mdtest && refuse_mdtest(letter, e))
        return -1;
    if (!isgraph((unsigned char)letter))
        return error_set(e, STATUS_USAGE, "usage",
                         "'%s' is not an option: letters and digits are expected after '-'",
                         shown_of(word).text);
    if (letter == '-')
        return error_set(e, STATUS_USAGE, "usage",
                         "'%s' has a '-' among its letters: options are separated by blanks, as in "
                         "-%c -%c",
                         shown_of(word).text, word[1], word[2] == '-' && word[3] ? word[3] : 'v');
    return error_set(e, STATUS_USAGE, "usage", "unknown option %s%s%s (pario --help lists all)",
                     spelled, in, *in ? shown_of(word).text : "");
}

static int unknown_grouped(const struct parser *p, const char *dashes, const char *name,
                           const char *dot, struct error *e)
{
    const struct cli_parts *parts = p->command->parts;
    size_t length = (size_t)(dot - name);
    struct shown whole = shown_of(name), prefix = shown_part(name, length);

    for (size_t i = 0; i < parts->group_count; i++) {
        const struct option_group *group = &parts->groups[i];
        if (strlen(group->prefix) != length || strncasecmp(group->prefix, name, length))
            continue;
        const char *nearest = suggest(group, dot + 1);
        if (nearest)
            return error_set(e, STATUS_USAGE, "usage", "unknown option %s%s, did you mean %s%s.%s?",
                             dashes, whole.text, dashes, group->prefix, nearest);
        return error_set(
            e, STATUS_USAGE, "usage", "unknown option %s%s: the backend %s %s (pario --help %s)",
            dashes, whole.text, group->prefix,
            group->table && group->table->name ? "has no such option" : "has no options",
            group->prefix);
    }
    return error_set(e, STATUS_USAGE, "usage",
                     "unknown option %s%s: there is no backend '%s' (pario --list shows all)",
                     dashes, whole.text, prefix.text);
}

int unknown_name(const struct parser *p, const char *dashes, const char *name, size_t bytes,
                 struct error *e)
{
    char whole[128], spelled[160];
    struct shown s = shown_part(name, bytes);
    const char *what = *dashes ? "option" : "directive";

    if (!bytes)
        return error_set(e, STATUS_USAGE, "usage", "there is no name before the '='");
    if (bytes >= sizeof whole)
        return error_set(e, STATUS_USAGE, "usage", "unknown %s %s%s", what, dashes, s.text);
    memcpy(whole, name, bytes);
    whole[bytes] = '\0';
    const char *dot = strchr(whole, '.');
    const struct refused *r = refused_find('\0', whole);
    if (r) {
        snprintf(spelled, sizeof spelled, "%s%s", dashes, s.text);
        return refuse(r, spelled, e);
    }
    if (dot)
        return unknown_grouped(p, dashes, whole, dot, e);
    const char *nearest = suggest(NULL, whole);
    if (nearest)
        return error_set(e, STATUS_USAGE, "usage", "unknown %s %s%s, did you mean %s%s?", what,
                         dashes, s.text, dashes, nearest);
    return error_set(e, STATUS_USAGE, "usage", "unknown %s %s%s (pario --help all lists all)", what,
                     dashes, s.text);
}

/* A word that belongs to no option. */
int unknown_word(const struct parser *p, const char *word, bool first, struct error *e)
{
    const struct workload *workloads = p->command->parts->workloads;
    struct shown s = shown_of(word);
    const char *names[32];
    size_t n = 0;

    if (!word[strspn(word, " \t\r\n")])
        return error_set(e, STATUS_USAGE, "usage",
                         "there is an empty word '%s' among the arguments: a shell variable that "
                         "is not set, or blanks behind a '\\' at a line's end?",
                         s.text);
    for (; workloads[n].name && n + 1 < sizeof names / sizeof *names; n++)
        names[n] = workloads[n].name;
    names[n] = NULL;
    const char *nearest = nearest_name(names, word);
    if (nearest && first && !strchr(word, '/'))
        return error_set(e, STATUS_USAGE, "usage", "unknown workload '%s', did you mean '%s'?",
                         s.text, nearest);
    if (nearest && !strcmp(nearest, word))
        return error_set(e, STATUS_USAGE, "usage",
                         "the workload '%s' goes first: pario %s [OPTIONS]", word, word);
    const char *equals = strchr(word, '=');
    struct place place = {NULL, 0};
    if (equals)
        place = lookup_name(p, word, (size_t)(equals - word));
    if (place.option)
        return error_set(e, STATUS_USAGE, "usage",
                         "'%s' belongs to no option: settings by name need -O %s", s.text, s.text);
    return error_set(e, STATUS_USAGE, "usage",
                     "'%s' belongs to no option%s: a file is named with %s %s", s.text,
                     first ? " and is not a workload" : "", p->workload->path, s.text);
}

struct dash {
    const char *bytes;
    const char *name;
};

static const struct dash foreign_dashes[] = {
    {"\xe2\x80\x90", "hyphen U+2010"},
    {"\xe2\x80\x91", "non-breaking hyphen U+2011"},
    {"\xe2\x80\x92", "figure dash U+2012"},
    {"\xe2\x80\x93", "en dash U+2013"},
    {"\xe2\x80\x94", "em dash U+2014"},
    {"\xe2\x80\x95", "horizontal bar U+2015"},
    {"\xe2\x88\x92", "minus sign U+2212"},
    {"\xef\xb9\x98", "small em dash U+FE58"},
    {"\xef\xb9\xa3", "small hyphen-minus U+FE63"},
    {"\xef\xbc\x8d", "fullwidth hyphen-minus U+FF0D"},
};

int refuse_foreign_dash(const char *word, struct error *e)
{
    const char *at = word + (*word == '-');

    for (size_t i = 0; i < sizeof foreign_dashes / sizeof *foreign_dashes; i++) {
        const struct dash *d = &foreign_dashes[i];
        if (!strncmp(at, d->bytes, strlen(d->bytes)))
            return error_set(e, STATUS_USAGE, "usage",
                             "'%s' begins with a dash that is not '-' (%s), as documents print it: "
                             "type a plain '-'",
                             shown_of(word).text, d->name);
    }
    return 0;
}
