#include "cli/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HELP_COLUMN 32

struct help {
    struct text *out;
    const struct workload *workload; /* whose options; NULL: those of all */
    const struct workload *all;      /* the table */
    bool full;                       /* with the longer texts and IOR's names */
};

/* Where options of all workloads stand together: whose one is that the first does not have. */
static void only_with(struct text *s, const struct workload *all, const struct option *o)
{
    const char *between = " (only with ";

    for (const struct workload *w = all; w->name && !(o->workloads & all->bit); w++) {
        if (!(o->workloads & w->bit))
            continue;
        text_add(s, "%s%s", between, w->name);
        between = ", ";
    }
    if (*between == ',')
        text_add(s, ")");
}

/* What it is, more of it, its values, IOR's name and the default, in one paragraph. */
static void option_sentence(struct text *s, const struct help *h, const struct option *o)
{
    bool more = h->full && o->text;

    text_add(s, "%s", o->help ? o->help : "");
    if (more)
        text_add(s, ". %s", o->text);
    if (o->kind == OPTION_CHOICE && o->choices && !show_choices_fit(o)) {
        text_add(s, "%s", more ? " One of: " : "; one of ");
        show_choices(s, o);
        text_add(s, "%s", more ? "." : "");
    }
    if (h->full && o->directive)
        text_add(s, " (-O %s)", o->directive);
    if (h->full && o->alias)
        text_add(s, " (also --%s)", o->alias);
    bool random = o->initial_random && h->workload && h->workload->bit == WORKLOAD_RANDOM;
    if (o->initial)
        text_add(s, " [%s]", random ? o->initial_random : o->initial);
    if (!h->workload)
        only_with(s, h->all, o);
}

static void option_line(const struct help *h, const char *prefix, const struct option *o)
{
    char letters[8], argument[64];
    struct text term = {0}, sentence = {0};

    show_letters(o, h->workload, letters);
    show_argument(o, argument, sizeof argument);
    text_add(&term, "  %s%s--%s%s%s%s%s", *letters ? letters : "  ", *letters ? ", " : "  ",
             prefix ? prefix : "", prefix ? "." : "", o->name, *argument && !o->bare ? " " : "",
             argument);
    option_sentence(&sentence, h, o);
    if (term.failed || sentence.failed) {
        h->out->failed = true;
    } else {
        text_append(h->out, term.data, term.used);
        show_wrapped(h->out, term.used, HELP_COLUMN, sentence.data);
    }
    text_free(&term);
    text_free(&sentence);
}

static bool honoured(const struct help *h, const struct option *o)
{
    return !h->workload || (o->workloads & h->workload->bit);
}

static void own_options(const struct help *h)
{
    const char *heading;

    for (size_t i = 0; (heading = show_heading(settings_table, i)); i++) {
        bool said = false;
        for (const struct option *o = settings_table; o->name; o++) {
            if (strcmp(o->group ? o->group : "General", heading) != 0 || !honoured(h, o))
                continue;
            if (!said)
                text_add(h->out, "\n%s:\n", heading);
            said = true;
            option_line(h, NULL, o);
        }
    }
    text_add(h->out, "\nThe program:\n");
    for (const struct option *o = general_table; o->name; o++)
        option_line(h, NULL, o);
}

static void group_options(const struct help *h, const struct option_group *group)
{
    text_add(h->out, "\nBackend %s: %s\n", group->prefix, group->sentence);
    if (group->unavailable)
        text_add(h->out, "  (cannot be used here: %s)\n", group->unavailable);
    for (const struct option *o = group->table; o && o->name; o++)
        option_line(h, group->prefix, o);
    if (!group->table || !group->table->name)
        text_add(h->out, "  no options of its own\n");
}

static void introduction(const struct help *h, const struct cli_parts *parts)
{
    if (h->workload && h->full) {
        text_add(h->out, "Usage: pario %s [OPTIONS]\n\nTo %s.\n", h->workload->name,
                 h->workload->sentence);
        return;
    }
    text_add(h->out, "Usage: pario [WORKLOAD] [OPTIONS]\n"
                     "       mpirun -np N pario [WORKLOAD] [OPTIONS]\n"
                     "       pario plan [WORKLOAD] [OPTIONS]\n\n"
                     "Measures how fast many processes write and read files together.\n\n"
                     "Examples:\n"
                     "    mpirun -np 4 pario -a posix -b 4m -t 128k -o /scratch/me/file\n"
                     "    pario --threads 4 -b 64m -t 1m -e -o /scratch/me/file\n\n"
                     "Workloads:\n");
    for (const struct workload *w = parts->workloads; w->name; w++) {
        text_add(h->out, "  %s", w->name);
        struct text sentence = {0};
        text_add(&sentence, "%s%s", w->sentence, w == parts->workloads ? " (the default)" : "");
        if (sentence.failed)
            h->out->failed = true;
        else
            show_wrapped(h->out, strlen(w->name) + 2, HELP_COLUMN, sentence.data);
        text_free(&sentence);
    }
}

static void closing(const struct help *h)
{
    text_add(
        h->out,
        "\nFlags can share one dash (-wr), values can be glued (-b4m, -t=4k), and --no-NAME "
        "switches a flag\noff. Defaults are in brackets. SIZE: 4k, 1.5m, 4MiB (powers of two), "
        "4MB (of ten); TIME: 30s, 5m,\n1.5 (seconds).\n");
    if (!h->full)
        text_add(h->out,
                 "\nThese are the options of %s. pario --help WORKLOAD shows those of "
                 "another workload,\n--help BACKEND those of a backend (--posix.NAME), "
                 "--help all everything, with the names for -O.\n",
                 h->workload->name);
}

static const struct option_group *find_group(const struct cli_parts *parts, const char *topic)
{
    for (size_t i = 0; i < parts->group_count; i++) {
        if (!strcasecmp(parts->groups[i].prefix, topic))
            return &parts->groups[i];
    }
    return NULL;
}

static int unknown_topic(const struct cli_parts *parts, const char *topic, struct error *e)
{
    size_t n = 0;
    const char *names[64];

    if (!strcmp(topic, "plan"))
        return error_set(e, STATUS_USAGE, "usage",
                         "pario plan takes the options of what it plans (pario --help, or --help "
                         "WORKLOAD), and --ranks, --ranks-per-node, --node-memory, --assume");
    names[n++] = "all";
    for (const struct workload *w = parts->workloads; w->name && n < 32; w++)
        names[n++] = w->name;
    for (size_t i = 0; i < parts->group_count && n < 63; i++)
        names[n++] = parts->groups[i].prefix;
    names[n] = NULL;
    const char *near = nearest_name(names, topic);
    if (near)
        return error_set(e, STATUS_USAGE, "usage", "there is no help on '%s', did you mean '%s'?",
                         shown_of(topic).text, near);
    return error_set(e, STATUS_USAGE, "usage",
                     "there is no help on '%s': a workload, a backend or 'all' is expected",
                     shown_of(topic).text);
}

int help_write(const struct cli_parts *parts, const char *topic, struct text *out, struct error *e)
{
    struct help h = {.out = out, .workload = parts->workloads, .all = parts->workloads};

    if (topic && !strcmp(topic, "all")) {
        h.full = true;
        h.workload = NULL;
    } else if (topic) {
        const struct workload *w = parts->workloads;
        while (w->name && strcmp(w->name, topic) != 0)
            w++;
        const struct option_group *group = w->name ? NULL : find_group(parts, topic);
        if (!w->name && !group)
            return unknown_topic(parts, topic, e);
        h.full = true;
        if (group) {
            group_options(&h, group);
            return 0;
        }
        h.workload = w;
    }
    introduction(&h, parts);
    own_options(&h);
    for (size_t i = 0; h.full && !h.workload && i < parts->group_count; i++)
        group_options(&h, &parts->groups[i]);
    closing(&h);
    return 0;
}

void cli_list(struct text *out, const struct list_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct list_row *r = &rows[i];
        if (!i || strcmp(r->kind, rows[i - 1].kind) != 0)
            text_add(out, "%s%ss:\n", i ? "\n" : "", r->kind);
        text_add(out, "  %s", r->name);
        struct text line = {0};
        text_add(&line, "%s%s%s%s", r->sentence, r->unavailable ? " (cannot be used here: " : "",
                 r->unavailable ? r->unavailable : "", r->unavailable ? ")" : "");
        if (line.failed)
            out->failed = true;
        else
            show_wrapped(out, strlen(r->name) + 2, 16, line.data);
        text_free(&line);
    }
}

int cli_write(const struct command *command, struct text *out, struct error *e)
{
    if (command->action == ACTION_MAN)
        man_write(command->parts, out);
    else if (command->action == ACTION_COMPLETION)
        completion_write(command->parts, out);
    else if (help_write(command->parts, command->topic, out, e))
        return -1;
    if (out->failed)
        return error_set(e, STATUS_FAILED, "internal", "no memory left for the text");
    return 0;
}
