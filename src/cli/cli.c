/* Words in their order. One letter or name finds one row; the row says whether a value follows, and
 * the value goes into its field. A word is never read as two things: what could be meant otherwise
 * is refused. */
#include "cli/parser.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct words {
    int count;
    char *const *word;
    int next;
};

/* One mention of an option. */
struct mention {
    struct place place;
    const char *spelled;  /* as typed, "-b" or "--block" */
    const char *attached; /* the value in the same word; NULL: none */
    bool explicitly;      /* behind an '=' */
};

static bool takes_value(const struct option *option)
{
    return option->kind != OPTION_FLAG && option->kind != OPTION_COUNTER && !option->bare;
}

/* -5 may be a number, and is then refused for being negative; "-" alone is a name. */
static bool looks_like_option(const struct option *option, const char *word)
{
    if (word[0] != '-' || !word[1])
        return false;
    return option->kind == OPTION_TEXT || !(isdigit((unsigned char)word[1]) || word[1] == '.');
}

static int refuse_missing(const struct mention *m, const char *got, struct error *e)
{
    char needs[256];

    option_needs(m->place.option, needs, sizeof needs);
    if (!got)
        return error_set(e, STATUS_USAGE, "usage", "option %s needs %s, and nothing follows it",
                         m->spelled, needs);
    struct shown s = shown_of(got);
    if (m->place.option->kind == OPTION_TEXT)
        return error_set(e, STATUS_USAGE, "usage",
                         "option %s needs %s, got '%s' (if that is meant: %s=%s)", m->spelled,
                         needs, s.text, m->spelled, s.text);
    return error_set(e, STATUS_USAGE, "usage", "option %s needs %s, got '%s'", m->spelled, needs,
                     s.text);
}

/* The value of a mention, from its own word or the next; NULL for flags without one. */
static int find_value(const struct mention *m, struct words *w, const char **value, struct error *e)
{
    *value = m->attached;
    if (!takes_value(m->place.option))
        return 0;
    if (!m->attached) {
        if (w->next >= w->count)
            return refuse_missing(m, NULL, e);
        *value = w->word[w->next++];
    }
    if (!m->explicitly && looks_like_option(m->place.option, *value))
        return refuse_missing(m, *value, e);
    return 0;
}

static int set_topic(struct parser *p, const struct mention *m, struct words *w, struct error *e)
{
    const char *topic = m->attached;

    if (!topic && w->next < w->count && w->word[w->next][0] != '-' && w->word[w->next][0])
        topic = w->word[w->next++];
    else if (!topic && p->workload != p->command->parts->workloads)
        topic = p->workload->name;
    if (!topic)
        return 0;
    p->command->topic = strdup(topic);
    if (!p->command->topic)
        return error_set(e, STATUS_FAILED, "internal", "no memory left for %s", m->spelled);
    return 0;
}

static int general_value(struct parser *p, enum general g, const struct mention *m,
                         const char *value, struct error *e)
{
    struct target target = {p->command->tests, p->command->test_count, ORIGIN_COMMAND_LINE};

    if (g == GENERAL_DIRECTIVES) {
        if (directives_assign(p, &target, value, value + strlen(value), e))
            return error_wrap(e, "%s", m->spelled);
        return 0;
    }
    if (p->script)
        return error_set(e, STATUS_USAGE, "usage", "option %s is given twice: one script is run",
                         m->spelled);
    p->script = true;
    return script_read(p, value, e);
}

static int general_option(struct parser *p, const struct mention *m, struct words *w,
                          struct error *e)
{
    static const enum action actions[GENERALS] = {[GENERAL_HELP] = ACTION_HELP,
                                                  [GENERAL_LIST] = ACTION_LIST,
                                                  [GENERAL_VERSION] = ACTION_VERSION,
                                                  [GENERAL_MAN] = ACTION_MAN,
                                                  [GENERAL_COMPLETION] = ACTION_COMPLETION,
                                                  [GENERAL_METRICS] = ACTION_METRICS};
    enum general g = (enum general)(m->place.option - general_table);
    const char *value;

    if (takes_value(m->place.option)) {
        if (find_value(m, w, &value, e))
            return -1;
        if (!*value)
            return refuse_missing(m, value, e);
        return general_value(p, g, m, value, e);
    }
    p->command->action = actions[g];
    if (g == GENERAL_HELP)
        return set_topic(p, m, w, e);
    if (m->attached)
        return error_set(e, STATUS_USAGE, "usage", "option %s takes no value, got '%s'", m->spelled,
                         shown_of(m->attached).text);
    return 0;
}

static int do_mention(struct parser *p, const struct mention *m, struct words *w, struct error *e)
{
    struct target target = {p->command->tests, p->command->test_count, ORIGIN_COMMAND_LINE};
    const char *value;

    if (m->place.group == PLACE_GENERAL)
        return general_option(p, m, w, e);
    if (find_value(m, w, &value, e))
        return -1;
    return assign(p, &target, m->place, m->spelled, value, e);
}

/* --no-fsync: what is on by default or by a script is switched off. */
static int negated_word(struct parser *p, const char *word, struct place place, struct error *e)
{
    struct target target = {p->command->tests, p->command->test_count, ORIGIN_COMMAND_LINE};
    struct shown s = shown_of(word);

    if (place.group == PLACE_GENERAL || takes_value(place.option) || strchr(word, '='))
        return error_set(e, STATUS_USAGE, "usage",
                         "'%s': --no- switches flags off and takes no value; %s%s is not one of "
                         "them",
                         s.text, "--", place.option->name);
    return assign(p, &target, place, s.text, "0", e);
}

static int long_word(struct parser *p, const char *word, struct words *w, struct error *e)
{
    const char *name = word + 2;
    const char *equals = strchr(name, '=');
    size_t bytes = equals ? (size_t)(equals - name) : strlen(name);
    struct shown spelled = shown_part(word, bytes + 2);
    struct mention m = {.place = lookup_name(p, name, bytes),
                        .spelled = spelled.text,
                        .attached = equals ? equals + 1 : NULL,
                        .explicitly = equals != NULL};

    if (m.place.option)
        return do_mention(p, &m, w, e);
    if (bytes > 3 && !strncasecmp(name, "no-", 3)) {
        struct place place = lookup_name(p, name + 3, bytes - 3);
        if (place.option)
            return negated_word(p, word, place, e);
    }
    return unknown_name(p, "--", name, bytes, e);
}

/* -block, -fsync: one dash too few. As letters it would mean something else altogether. */
static int refuse_single_dash(struct parser *p, const char *word, struct error *e)
{
    size_t bytes = strcspn(word + 1, "=");
    struct place place = {NULL, 0};

    if (bytes >= 3)
        place = lookup_name(p, word + 1, bytes);
    if (!place.option || strlen(place.option->name) != bytes ||
        strncmp(place.option->name, word + 1, bytes))
        return 0;
    return error_set(e, STATUS_USAGE, "usage", "'%s': long names take two dashes, -%s",
                     shown_of(word).text, shown_of(word).text);
}

/* Letters of one word: flags as they come, and the first option with a value takes the rest. */
static int letters_word(struct parser *p, const char *word, struct words *w, struct error *e)
{
    if (refuse_single_dash(p, word, e))
        return -1;
    for (const char *c = word + 1; *c; c++) {
        char spelled[3] = {'-', *c, '\0'};
        struct mention m = {.place = lookup_letter(p, *c), .spelled = spelled};

        if (!m.place.option)
            return unknown_letter(p, *c, word, e);
        m.explicitly = c[1] == '=';
        if (m.explicitly)
            m.attached = c + 2;
        else if (c[1] && takes_value(m.place.option))
            m.attached = c + 1;
        if (m.place.option->kind == OPTION_COUNTER && isdigit((unsigned char)c[1]))
            return error_set(e, STATUS_USAGE, "usage",
                             "'%s': option -%c takes a number behind an '=' only, as in -%c=%c",
                             shown_of(word).text, *c, *c, c[1]);
        if (do_mention(p, &m, w, e))
            return -1;
        if (m.attached || p->command->action != ACTION_RUN)
            return 0;
    }
    return 0;
}

static int do_word(struct parser *p, struct words *w, struct error *e)
{
    bool first = w->next == 1;
    const char *word = w->word[w->next++];

    if (refuse_foreign_dash(word, e))
        return -1;
    if (word[0] != '-' || !word[1] || !strcmp(word, "--"))
        return unknown_word(p, word, first, e);
    return word[1] == '-' ? long_word(p, word, w, e) : letters_word(p, word, w, e);
}

/* Options of the whole run must not change from one test of a script to the next. */
static int check_whole_run(const struct command *command, struct error *e)
{
    static const enum setting whole[] = {SETTING_threads, SETTING_json,    SETTING_csv,
                                         SETTING_clock,   SETTING_dry_run, SETTING_per_rank};
    char first[8192], other[8192];

    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const struct option *o = &settings_table[whole[i]];
        option_show(o, &command->tests[0].settings, first, sizeof first);
        for (size_t t = 1; t < command->test_count; t++) {
            option_show(o, &command->tests[t].settings, other, sizeof other);
            if (strcmp(first, other))
                return error_set(e, STATUS_USAGE, "usage",
                                 "%s holds for the whole run, but tests 1 and %zu of the script "
                                 "differ in it: set it before the first RUN",
                                 o->name, t + 1);
        }
    }
    return 0;
}

static int parse_words(struct parser *p, struct words *w, struct error *e)
{
    if (w->count > 1 && !strcmp(w->word[1], "plan")) {
        p->command->plan = true;
        w->next = 2;
    }
    for (const struct workload *o = p->workload; w->next < w->count && o->name; o++) {
        if (strcmp(o->name, w->word[w->next]))
            continue;
        p->workload = o;
        w->next++;
        break;
    }
    if (command_add_test(p->command, NULL, p->workload->bit, e))
        return -1;
    while (w->next < w->count) {
        if (do_word(p, w, e))
            return -1;
        if (p->command->action != ACTION_RUN)
            return 0;
    }
    for (size_t i = 0; i < p->command->test_count; i++) {
        if (check_backend(p, &p->command->tests[i], e))
            return -1;
    }
    return check_whole_run(p->command, e);
}

int cli_parse(struct command *command, int argc, char *const *argv, const struct cli_parts *parts,
              struct error *e)
{
    struct parser p = {.command = command, .workload = parts->workloads};
    struct words w = {.count = argc, .word = argv, .next = 1};

    *command = (struct command){.action = ACTION_RUN, .parts = parts};
    return parse_words(&p, &w, e);
}
