/* One JSON document, schema pario/1, written piece by piece: what is known before the first phase
 * stands at its head, what is known at the end (status, warnings of the run) at its tail. */
#include "formats/format.h"

#include "formats/json_parts.h"
#include "formats/words.h"
#include "model/metrics.h"

static void member(struct text *out, const char *key, json_t *value)
{
    text_add(out, "\"%s\": ", key);
    json_write(out, value);
}

static json_t *program(struct text *out, const struct program *p)
{
    json_t *o = json_object();
    json_put(out, o, "name", json_string("pario"));
    json_put(out, o, "version", json_words(p->version));
    json_put(out, o, "git", json_words(p->git));
    json_put(out, o, "compiler", json_words(p->compiler));
    json_put(out, o, "features", json_words(p->features));
    return o;
}

static json_t *command(struct text *out, const struct report *r)
{
    json_t *list = json_array();
    for (int i = 0; i < r->argc; i++)
        json_push(out, list, json_words(r->argv[i]));
    return list;
}

static json_t *when(int64_t unix_s)
{
    char buf[WORDS_TIME];
    return unix_s ? json_string(words_time(buf, unix_s)) : json_null();
}

static void begin(struct text *out, const struct report *r)
{
    text_add(out, "{\n\"schema\": \"pario/1\",\n");
    member(out, "started", when(r->started_s));
    text_add(out, ",\n");
    member(out, "program", program(out, &r->program));
    text_add(out, ",\n");
    member(out, "command", command(out, r));
    text_add(out, ",\n");
    member(out, "environment", json_facts(out, r->environment, r->environment_used));
    text_add(out, ",\n");
    member(out, "settings", json_settings(out, r));
    text_add(out, ",\n\"tests\": [");
}

static json_t *summary_row(struct text *out, const char *phase, const char *metric,
                           const struct stats *s)
{
    json_t *o = json_object();
    json_put(out, o, "phase", json_words(phase));
    json_put(out, o, "metric", json_string(metric));
    json_put(out, o, "n", json_whole(s->n));
    json_put(out, o, "min", json_number(s->min));
    json_put(out, o, "median", json_number(s->median));
    json_put(out, o, "mean", json_number(s->mean));
    json_put(out, o, "max", json_number(s->max));
    json_put(out, o, "sd", json_number(s->sd));
    json_put(out, o, "cv", json_number(s->cv));
    json_put(out, o, "ci95_low", json_number(s->ci95_low));
    json_put(out, o, "ci95_high", json_number(s->ci95_high));
    return o;
}

static json_t *summary(struct text *out, const struct test_result *t)
{
    json_t *list = json_array();
    for (size_t i = 0; i < t->phases_used; i++) {
        const char *phase = t->phases[i].phase;
        if (!words_first_of_name(t, i))
            continue;
        for (const struct metric *m = metric_table; m->key; m++) {
            struct stats s = m->summary ? metric_summary(t, phase, m) : (struct stats){0};
            if (s.n > 0)
                json_push(out, list, summary_row(out, phase, m->key, &s));
        }
    }
    return list;
}

static void close_test(struct text *out, const struct test_result *t)
{
    text_add(out, "],\n");
    member(out, "backend_facts", json_facts(out, t->facts, t->facts_used));
    text_add(out, ",\n");
    if (t->findings_used > 0) {
        member(out, "findings", json_findings(out, t));
        text_add(out, ",\n");
    }
    member(out, "summary", summary(out, t));
    text_add(out, "}");
}

static void test(struct text *out, const struct report *r, const struct test_result *t)
{
    if (t != r->tests) {
        close_test(out, t - 1);
        text_add(out, ",");
    }
    text_add(out, "\n{");
    member(out, "name", json_words(t->name));
    text_add(out, ", ");
    member(out, "workload", json_words(t->workload));
    text_add(out, ", ");
    member(out, "backend", json_words(t->backend));
    text_add(out, ", ");
    member(out, "ranks", json_whole(t->ranks));
    text_add(out, ", ");
    member(out, "nodes", json_whole(t->nodes));
    text_add(out, ",\n\"settings\": {},\n\"phases\": [");
}

static void row(struct text *out, const struct report *r, const struct test_result *t,
                const struct phase_result *p)
{
    (void)r;
    text_add(out, p == t->phases ? "\n" : ",\n");
    json_write(out, json_phase(out, p));
}

/* A document without an end was saved on the way; should it be the last, the run was cut short. */
static void end(struct text *out, const struct report *r)
{
    enum status status = r->ended_s == 0 && r->status == STATUS_DONE ? STATUS_CUT : r->status;
    if (r->tests_used > 0)
        close_test(out, &r->tests[r->tests_used - 1]);
    text_add(out, "],\n");
    member(out, "ended", when(r->ended_s));
    text_add(out, ",\n");
    member(out, "status", json_string(words_status(status)));
    text_add(out, ",\n");
    member(out, "exit_status", r->ended_s ? json_integer(status) : json_null());
    text_add(out, ",\n\"expectations\": [],\n");
    member(out, "warnings", json_warnings(out, r->warnings, r->warnings_used));
    text_add(out, "\n}\n");
}

const struct format format_json = {
    .name = "json",
    .sentence = "one JSON document, schema pario/1: every number, histograms, timelines, settings",
    .begin = begin,
    .test = test,
    .row = row,
    .end = end,
};
