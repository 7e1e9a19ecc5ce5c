/* The manual page, in roff. Options, workloads, backends and variables come from the tables; the
 * rest is written here. */
#include "cli/launcher.h"
#include "cli/show.h"

#include <stdio.h>
#include <string.h>

/* Text as it is, without letting roff see a command in it. */
static void plain(struct text *out, const char *s)
{
    bool line = true;

    for (; *s; s++) {
        if (line && (*s == '.' || *s == '\''))
            text_add(out, "\\&");
        line = *s == '\n';
        if (*s == '\\')
            text_add(out, "\\e");
        else if (*s == '-')
            text_add(out, "\\-");
        else
            text_append(out, s, 1);
    }
}

static void bold(struct text *out, const char *s)
{
    text_add(out, "\\fB");
    plain(out, s);
    text_add(out, "\\fR");
}

static void paragraph(struct text *out, const char *s)
{
    text_add(out, ".PP\n");
    plain(out, s);
    text_add(out, "\n");
}

static void section(struct text *out, const char *name)
{
    text_add(out, ".SH %s\n", name);
}

/* A sentence with a capital and a full stop, from the half sentence of a table. */
static void sentence(struct text *out, const char *s)
{
    size_t n = strlen(s);
    char first[2] = {s[0], '\0'};
    const char *stop = n && (s[n - 1] == '.' || s[n - 1] == '?') ? "" : ".";

    /* A name at the beginning ("fsync after ...", "auto: ...") stays as it is. */
    if (s[0] >= 'a' && s[0] <= 'z' && strncmp(s, "fsync", 5) != 0 && s[strcspn(s, " :")] == ' ')
        first[0] = (char)(s[0] - 'a' + 'A');
    if (!n)
        return;
    plain(out, first);
    plain(out, s + 1);
    text_add(out, "%s\n", stop);
}

static void option_term(struct text *out, const char *prefix, const struct option *o)
{
    char letters[8], argument[64], name[160];

    show_letters(o, NULL, letters);
    show_argument(o, argument, sizeof argument);
    snprintf(name, sizeof name, "--%s%s%s", prefix ? prefix : "", prefix ? "." : "", o->name);
    text_add(out, ".TP\n");
    if (*letters) {
        bold(out, letters);
        text_add(out, ", ");
    }
    bold(out, name);
    if (*argument) {
        text_add(out, "%s\\fI", o->bare ? "" : " ");
        plain(out, argument);
        text_add(out, "\\fR");
    }
    text_add(out, "\n");
}

/* A letter may mean one thing to one workload and another to the next: whose option this is. */
static void whose(struct text *out, const struct workload *all, const struct option *o)
{
    const char *between = "Taken by: ";
    bool everybody = true;

    for (const struct workload *w = all; w->name; w++)
        everybody = everybody && (o->workloads & w->bit);
    for (const struct workload *w = all; w->name && !everybody; w++) {
        if (!(o->workloads & w->bit))
            continue;
        text_add(out, "%s%s", between, w->name);
        between = ", ";
    }
    if (*between == ',')
        text_add(out, ".\n");
}

/* all: the workloads, for options that not every one of them takes; else NULL. */
static void option_entry(struct text *out, const char *prefix, const struct option *o,
                         const struct workload *all)
{
    option_term(out, prefix, o);
    sentence(out, o->help ? o->help : "");
    if (o->text)
        sentence(out, o->text);
    if (o->kind == OPTION_CHOICE && o->choices) {
        struct text choices = {0};
        show_choices(&choices, o);
        text_add(out, "One of: ");
        plain(out, choices.data ? choices.data : "");
        text_add(out, ".\n");
        out->failed = out->failed || choices.failed;
        text_free(&choices);
    }
    if (o->initial) {
        text_add(out, "Default: ");
        bold(out, o->initial);
        if (o->initial_random) {
            text_add(out, "; with the workload random: ");
            bold(out, o->initial_random);
        }
        text_add(out, ".\n");
    }
    if (o->directive) {
        text_add(out, "In\n\\fB\\-O\\fR\nand scripts: ");
        bold(out, o->directive);
        text_add(out, ".\n");
    }
    if (o->alias) {
        text_add(out, "Also:\n");
        bold(out, "--");
        bold(out, o->alias);
        text_add(out, ".\n");
    }
    if (all)
        whose(out, all, o);
}

static void head(struct text *out, const struct cli_parts *parts)
{
    text_add(out, ".TH PARIO 1 \"\" \"pario ");
    plain(out, parts->version ? parts->version : "");
    text_add(out, "\" \"User Commands\"\n");
    section(out, "NAME");
    text_add(out, "pario \\- measure parallel file input and output\n");
    section(out, "SYNOPSIS");
    text_add(out, ".B pario\n[\\fIWORKLOAD\\fR] [\\fIOPTIONS\\fR]\n.br\n"
                  ".B mpirun \\-np\n.I N\n.B pario\n[\\fIWORKLOAD\\fR] [\\fIOPTIONS\\fR]\n.br\n"
                  ".B pario plan\n[\\fIWORKLOAD\\fR] [\\fIOPTIONS\\fR]\n");
    section(out, "DESCRIPTION");
    plain(out, "pario measures how fast many processes read and write files together. Started by "
               "mpirun or srun, each process is a rank; started alone with --threads, threads of "
               "one process are. It takes IOR's letters with their meaning.\n");
    paragraph(out, "Letters without a value can share a dash (-wr). A value can follow as the next "
                   "word, behind an equals sign or glued to its letter (-b 4m, -b=4m, -b4m, "
                   "--block 4m, --block=4m). --no-NAME switches a flag off. Wrong use is told "
                   "before anything is touched.");
    paragraph(out,
              "A SIZE is in bytes or has a unit: 4k, 1.5m and 4MiB are powers of two, 4MB is a "
              "power of ten. A TIME is in seconds or has a unit: 30s, 5m, 1.5, 50us.");
    paragraph(out,
              "pario plan says what a run with the same options would do, for any number of "
              "ranks: files, bytes, operations of each phase, memory, room, time, and what it "
              "would be warned of. It needs no MPI and touches nothing. --json has its figures "
              "as a document of schema pario-plan/1.");
    text_add(out, ".SS Workloads\n");
    for (const struct workload *w = parts->workloads; w->name; w++) {
        text_add(out, ".TP\n");
        bold(out, w->name);
        text_add(out, "\n");
        sentence(out, w->sentence);
        if (w == parts->workloads)
            text_add(out, "This is the default.\n");
    }
}

static void options(struct text *out, const struct cli_parts *parts)
{
    const char *heading;

    section(out, "OPTIONS");
    for (size_t i = 0; (heading = show_heading(settings_table, i)); i++) {
        text_add(out, ".SS %s\n", heading);
        for (const struct option *o = settings_table; o->name; o++) {
            if (!strcmp(o->group ? o->group : "General", heading))
                option_entry(out, NULL, o, parts->workloads);
        }
    }
    text_add(out, ".SS The program\n");
    for (const struct option *o = general_table; o->name; o++)
        option_entry(out, NULL, o, NULL);
    section(out, "BACKENDS");
    plain(out, "-a chooses one; the options of the others then have no effect.\n");
    for (size_t i = 0; i < parts->group_count; i++) {
        const struct option_group *group = &parts->groups[i];
        text_add(out, ".SS %s\n", group->prefix);
        sentence(out, group->sentence);
        if (group->unavailable) {
            text_add(out, "Not in this build: ");
            plain(out, group->unavailable);
            text_add(out, ".\n");
        }
        for (const struct option *o = group->table; o && o->name; o++)
            option_entry(out, group->prefix, o, NULL);
    }
}

static void term(struct text *out, const char *name, const char *text)
{
    text_add(out, ".TP\n");
    bold(out, name);
    text_add(out, "\n");
    plain(out, text);
    text_add(out, "\n");
}

static void scripts(struct text *out)
{
    section(out, "SCRIPTS");
    plain(out, "The file of -f has settings and the tests to run with them:\n");
    text_add(out,
             ".PP\n.nf\nIOR START\n    blockSize=4m, transferSize=1m   # a comment\n"
             "    testFile=\"/scratch/a name\"\nRUN\n    transferSize=64k\nRUN\nIOR STOP\n.fi\n");
    paragraph(out, "Names are those of -O or long names. What stands before IOR START and behind "
                   "IOR STOP is not read. A test keeps what the one before it had set; the line "
                   "RESET goes back to what held before IOR START. Options before -f are defaults "
                   "of the tests, options behind it hold for all of them.");
}

static void output(struct text *out)
{
    section(out, "OUTPUT");
    plain(out, "Standard output has the result and nothing else; messages go to standard error. "
               "--json and --csv write documents for programs.\n");
    section(out, "EXIT STATUS");
    term(out, "0", "The run is done, and every expectation was met.");
    term(out, "1", "It failed: an I/O error, wrong data, a full file system.");
    term(out, "2", "Wrong use or configuration; nothing was touched.");
    term(out, "3", "It ran well, but an expectation was not met.");
    term(out, "4", "It was cut short: a signal, a time limit, the end of the job.");
    paragraph(out, "The most serious counts, in the order 2, 1, 4, 3.");
}

static void environment(struct text *out)
{
    section(out, "ENVIRONMENT");
    plain(out, "Before MPI is started, the launcher is known by the first of these that is set; "
               "then only rank 0 tells of wrong use, and processes that do not find each other "
               "are refused.\n");
    for (const struct launcher_kind *k = launcher_table; k->rank; k++) {
        text_add(out, ".TP\n");
        bold(out, k->rank);
        if (k->size) {
            text_add(out, ", ");
            bold(out, k->size);
        }
        text_add(out, "\n");
        sentence(out, k->name);
    }
}

static void example(struct text *out, const char *what, const char *command)
{
    text_add(out, ".TP\n");
    plain(out, what);
    text_add(out, "\n.nf\n");
    bold(out, command);
    text_add(out, "\n.fi\n");
}

void man_write(const struct cli_parts *parts, struct text *out)
{
    head(out, parts);
    options(out, parts);
    scripts(out);
    output(out);
    environment(out);
    section(out, "EXAMPLES");
    example(out, "Four ranks write a shared file in turns of 4 MiB and read it:",
            "mpirun -np 4 pario -a posix -b 4m -t 128k");
    example(out, "A file for each of 8 threads, synced, without MPI:",
            "pario --threads 8 -F -b 64m -t 1m -e");
    example(out, "Write only, keep the file, result for a program:",
            "mpirun -np 4 pario -w -k -o /scratch/data -b 1g -t 4m --json result.json");
    section(out, "SEE ALSO");
    text_add(out, ".BR mpirun (1),\n.BR srun (1),\n.BR fio (1)\n");
}
