/* A script for bash: words after an option that has a closed set of values, files after those that
 * take one, and else the names of options. */
#include "cli/show.h"

#include <string.h>

static bool takes_path(const struct option *o)
{
    return o->argument && (!strcmp(o->argument, "PATH") || !strcmp(o->argument, "FILE"));
}

/* "-a|--api)" as a pattern of case. */
static void pattern(struct text *out, const char *prefix, const struct option *o)
{
    char letters[8];

    show_letters(o, NULL, letters);
    text_add(out, "    %s%s--%s%s%s)\n", letters, *letters ? "|" : "", prefix ? prefix : "",
             prefix ? "." : "", o->name);
}

static void words_after(struct text *out, const char *prefix, const struct option *o,
                        const char *words)
{
    pattern(out, prefix, o);
    text_add(out,
             "        mapfile -t COMPREPLY < <(compgen -W \"%s\" -- \"$cur\")\n        return ;;\n",
             words);
}

/* Choices are separated by '|' in tables. */
static void choices_after(struct text *out, const char *prefix, const struct option *o)
{
    struct text words = {0};

    text_add(&words, "%s", o->choices);
    for (char *c = words.data; c && *c; c++) {
        if (*c == '|')
            *c = ' ';
    }
    if (words.failed)
        out->failed = true;
    else
        words_after(out, prefix, o, words.data);
    text_free(&words);
}

static void option_case(struct text *out, const char *prefix, const struct option *o)
{
    if (o->kind == OPTION_CHOICE) {
        choices_after(out, prefix, o);
    } else if (takes_path(o)) {
        pattern(out, prefix, o);
        text_add(out,
                 "        compopt -o filenames 2>/dev/null\n"
                 "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n        return ;;\n");
    } else if (o->kind != OPTION_FLAG && o->kind != OPTION_COUNTER && !o->bare) {
        pattern(out, prefix, o);
        text_add(out, "        return ;;\n");
    }
}

static void backends(struct text *out, const struct cli_parts *parts)
{
    for (size_t i = 0; i < parts->group_count; i++)
        text_add(out, "%s%s", i ? " " : "", parts->groups[i].prefix);
}

static void workloads(struct text *out, const struct cli_parts *parts)
{
    for (const struct workload *w = parts->workloads; w->name; w++)
        text_add(out, "%s%s", w == parts->workloads ? "" : " ", w->name);
}

static void cases(struct text *out, const struct cli_parts *parts)
{
    struct text words = {0};

    for (const struct option *o = settings_table; o->name; o++) {
        if (!strcmp(o->name, "api")) {
            backends(&words, parts);
            words_after(out, NULL, o, words.data ? words.data : "");
        } else {
            option_case(out, NULL, o);
        }
    }
    text_clear(&words);
    text_add(&words, "all ");
    workloads(&words, parts);
    text_add(&words, " ");
    backends(&words, parts);
    for (const struct option *o = general_table; o->name; o++) {
        if (o == &general_table[GENERAL_HELP])
            words_after(out, NULL, o, words.failed ? "" : words.data);
        else
            option_case(out, NULL, o);
    }
    out->failed = out->failed || words.failed;
    text_free(&words);
    for (size_t i = 0; i < parts->group_count; i++) {
        for (const struct option *o = parts->groups[i].table; o && o->name; o++)
            option_case(out, parts->groups[i].prefix, o);
    }
}

static void names(struct text *out, const char *prefix, const struct option *table)
{
    char letters[8];

    for (const struct option *o = table; o && o->name; o++) {
        show_letters(o, NULL, letters);
        for (char *c = letters; *c; c++) {
            if (*c == '|')
                *c = ' ';
        }
        text_add(out, "            %s%s--%s%s%s\n", letters, *letters ? " " : "",
                 prefix ? prefix : "", prefix ? "." : "", o->name);
    }
}

void completion_write(const struct cli_parts *parts, struct text *out)
{
    text_add(out, "# Completions of pario for bash, printed by pario --help-completion.\n"
                  "_pario()\n{\n"
                  "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                  "    # bash makes a word of its own of the '=' in --name=value\n"
                  "    if [[ $cur == \"=\" ]]; then\n"
                  "        cur=\n"
                  "    elif [[ $prev == \"=\" ]]; then\n"
                  "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                  "    fi\n"
                  "    COMPREPLY=()\n"
                  "    case $prev in\n");
    cases(out, parts);
    text_add(out, "    esac\n"
                  "    if [[ $cur == -* ]]; then\n"
                  "        mapfile -t COMPREPLY < <(compgen -W \"\n");
    names(out, NULL, settings_table);
    names(out, NULL, general_table);
    for (size_t i = 0; i < parts->group_count; i++)
        names(out, parts->groups[i].prefix, parts->groups[i].table);
    text_add(out, "            \" -- \"$cur\")\n"
                  "    elif ((COMP_CWORD == 1)); then\n"
                  "        mapfile -t COMPREPLY < <(compgen -W \"");
    workloads(out, parts);
    text_add(out, " plan\" -- \"$cur\")\n"
                  "    elif ((COMP_CWORD == 2)) && [[ $prev == plan ]]; then\n"
                  "        mapfile -t COMPREPLY < <(compgen -W \"");
    workloads(out, parts);
    text_add(out, "\" -- \"$cur\")\n"
                  "    fi\n"
                  "}\n"
                  "complete -F _pario pario\n");
}
