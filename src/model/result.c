#include "model/result.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one more element, zeroed. Returns it, or NULL with nothing changed. */
static void *grow(void **array, size_t *used, size_t *capacity, size_t element_bytes,
                  struct error *e)
{
    if (*used == *capacity) {
        size_t more = *capacity ? 2 * *capacity : 4;
        void *moved = reallocarray(*array, more, element_bytes);
        if (!moved) {
            error_set(e, STATUS_FAILED, "ENOMEM",
                      "out of memory for the result: %zu elements of %zu bytes", more,
                      element_bytes);
            return NULL;
        }
        *array = moved;
        *capacity = more;
    }
    void *element = (char *)*array + *used * element_bytes;
    memset(element, 0, element_bytes);
    (*used)++;
    return element;
}

static void set_value(struct fact_text *fact, const char *value)
{
    size_t room = sizeof fact->value;
    text_copy(fact->value, room, value);
    if (strlen(value) >= room)
        memcpy(fact->value + room - 4, "...", 4);
}

static int set_fact(struct fact_text **facts, size_t *used, size_t *capacity, const char *key,
                    const char *value, struct error *e)
{
    for (size_t i = 0; i < *used; i++) {
        if (strcmp((*facts)[i].key, key) == 0) {
            set_value(&(*facts)[i], value);
            return 0;
        }
    }
    void *array = *facts;
    struct fact_text *fact = grow(&array, used, capacity, sizeof **facts, e);
    if (!fact)
        return -1;
    *facts = array;
    text_copy(fact->key, sizeof fact->key, key);
    set_value(fact, value);
    return 0;
}

int report_environment(struct report *r, const char *key, const char *value, struct error *e)
{
    return set_fact(&r->environment, &r->environment_used, &r->environment_capacity, key, value, e);
}

int test_fact(struct test_result *t, const char *key, const char *value, struct error *e)
{
    return set_fact(&t->facts, &t->facts_used, &t->facts_capacity, key, value, e);
}

int test_finding(struct test_result *t, const char *key, double value, struct error *e)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return set_fact(&t->findings, &t->findings_used, &t->findings_capacity, key, text, e);
}

const char *report_environment_get(const struct report *r, const char *key)
{
    for (size_t i = 0; i < r->environment_used; i++)
        if (strcmp(r->environment[i].key, key) == 0)
            return r->environment[i].value;
    return NULL;
}

struct test_result *report_test(struct report *r, struct error *e)
{
    void *array = r->tests;
    struct test_result *t = grow(&array, &r->tests_used, &r->tests_capacity, sizeof *t, e);
    if (t)
        r->tests = array;
    return t;
}

struct phase_result phase_result_blank(void)
{
    struct phase_result p = {0};
    p.cached_fraction = NAN;
    p.device_bytes = NAN;
    p.node_cpu = NAN;
    p.spread.cv = NAN;
    p.spread.modes.coefficient = NAN;
    return p;
}

void phase_result_free(struct phase_result *p)
{
    for (size_t k = 0; k < OP_KINDS; k++)
        free(p->latency[k]);
    free(p->intended);
    free(p->series);
    free(p->sized);
    free(p->timeline);
    free(p->rank_rates);
}

static struct phase_result view_of(const struct phase_result *p, const char *part)
{
    struct phase_result view = phase_result_blank();
    snprintf(view.phase, sizeof view.phase, "%.16s %s", p->phase, part);
    view.about = p->about;
    view.repetition = p->repetition;
    view.step = p->step;
    view.ranks = p->ranks;
    return view;
}

static struct phase_result direction(const struct phase_result *p, enum op_kind kind)
{
    struct phase_result view = view_of(p, op_name(kind));
    uint64_t bytes = p->counters[COUNTER_READ_BYTES], n = p->counters[COUNTER_READ_OPERATIONS];
    view.about = kind;
    view.elapsed_ns = p->elapsed_ns;
    view.latency[kind] = p->latency[kind];
    view.counters[COUNTER_BYTES] = kind == OP_READ ? bytes : p->counters[COUNTER_BYTES] - bytes;
    view.counters[COUNTER_OPERATIONS] = kind == OP_READ ? n : p->counters[COUNTER_OPERATIONS] - n;
    return view;
}

static struct phase_result size(const struct phase_result *p, struct sized *sized)
{
    char name[48], bytes[24];
    sizes_show_one(sized->bytes, bytes, sizeof bytes);
    snprintf(name, sizeof name, "%s%s%s", p->also ? op_name(sized->kind) : "", p->also ? " " : "",
             bytes);
    struct phase_result view = view_of(p, name);
    view.about = sized->kind;
    view.elapsed_ns = p->elapsed_ns;
    view.latency[sized->kind] = sized->latency.count ? &sized->latency : NULL;
    view.counters[COUNTER_BYTES] = sized->latency.count * sized->bytes;
    view.counters[COUNTER_OPERATIONS] = sized->latency.count;
    return view;
}

bool phase_result_part(const struct phase_result *p, size_t i, struct phase_result *view)
{
    size_t directions = p->also ? 2 : 0;
    if (i < directions) {
        *view = direction(p, i == 0 ? p->about : p->also);
        return true;
    }
    i -= directions;
    if (i < p->sized_used) {
        *view = size(p, &p->sized[i]);
        return true;
    }
    if (!p->intended || i != p->sized_used)
        return false;
    *view = view_of(p, "due");
    view->latency[view->about] = p->intended;
    return true;
}

struct phase_result *test_phase(struct test_result *t, struct error *e)
{
    void *array = t->phases;
    struct phase_result *p = grow(&array, &t->phases_used, &t->phases_capacity, sizeof *p, e);
    if (!p)
        return NULL;
    t->phases = array;
    *p = phase_result_blank();
    return p;
}

static void add_warning(struct warning *warnings, size_t *used, const char *code, double figure,
                        const char *format, va_list arguments)
{
    for (size_t i = 0; i < *used; i++)
        if (strcmp(warnings[i].code, code) == 0)
            return;
    if (*used == RESULT_WARNINGS)
        return;
    struct warning *w = &warnings[(*used)++];
    text_copy(w->code, sizeof w->code, code);
    w->figure = figure;
    char message[sizeof w->message];
    vsnprintf(message, sizeof message, format, arguments);
    text_copy(w->message, sizeof w->message, message);
}

void phase_warn(struct phase_result *p, const char *code, double figure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_warning(p->warnings, &p->warnings_used, code, figure, format, arguments);
    va_end(arguments);
}

void report_warn(struct report *r, const char *code, double figure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_warning(r->warnings, &r->warnings_used, code, figure, format, arguments);
    va_end(arguments);
}

static struct error_tally *find_tally(struct phase_result *p, const char *kind)
{
    for (size_t i = 0; i < p->errors_used; i++)
        if (strcmp(p->errors[i].kind, kind) == 0)
            return &p->errors[i];
    if (p->errors_used == RESULT_ERRORS)
        return &p->errors[RESULT_ERRORS - 1];
    struct error_tally *tally = &p->errors[p->errors_used++];
    *tally = (struct error_tally){.rank = UINT64_MAX};
    text_copy(tally->kind, sizeof tally->kind, kind);
    return tally;
}

void phase_error(struct phase_result *p, const struct error *e, uint64_t rank, const char *host,
                 uint64_t count)
{
    struct error_tally *tally = find_tally(p, e->kind);
    tally->count += count;
    if (rank >= tally->rank)
        return;
    tally->rank = rank;
    tally->offset = e->offset;
    text_copy(tally->host, sizeof tally->host, host ? host : "");
    text_copy(tally->path, sizeof tally->path, e->path);
    text_copy(tally->message, sizeof tally->message, e->text);
}

void report_free(struct report *r)
{
    for (size_t i = 0; i < r->tests_used; i++) {
        struct test_result *t = &r->tests[i];
        for (size_t j = 0; j < t->phases_used; j++)
            phase_result_free(&t->phases[j]);
        free(t->phases);
        free(t->facts);
        free(t->findings);
    }
    free(r->tests);
    free(r->environment);
    *r = (struct report){0};
}
