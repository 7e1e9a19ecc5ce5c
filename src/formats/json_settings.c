#include "formats/json_parts.h"

#include "formats/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *choice(const char *choices, int64_t index)
{
    for (; index > 0 && choices; index--) {
        choices = strchr(choices, '|');
        choices = choices ? choices + 1 : NULL;
    }
    return choices ? json_stringn(choices, strcspn(choices, "|")) : json_null();
}

/* A number, or of several sizes the words that say them. */
static json_t *sizes(const void *at)
{
    struct sizes mix;
    char words[SIZES_TEXT];
    memcpy(&mix, at, sizeof mix);
    return mix.used ? json_words(sizes_show(&mix, words, sizeof words)) : json_whole(mix.bytes);
}

/* The value in the unit of its kind, as a plain JSON value. */
static json_t *value(const struct option *o, const void *values)
{
    const char *at = (const char *)values + o->field;
    bool flag;
    int64_t count;
    uint64_t size;
    double number;
    char *words;
    switch (o->kind) {
    case OPTION_FLAG:
        memcpy(&flag, at, sizeof flag);
        return json_boolean(flag);
    case OPTION_SIZE:
        memcpy(&size, at, sizeof size);
        return json_whole(size);
    case OPTION_SIZES:
        return sizes(at);
    case OPTION_PERCENT:
    case OPTION_NUMBER:
        memcpy(&number, at, sizeof number);
        return json_number(number);
    case OPTION_TEXT:
        memcpy(&words, at, sizeof words);
        return json_words(words);
    case OPTION_COUNTER:
    case OPTION_COUNT:
    case OPTION_TIME:
    case OPTION_CHOICE:
        break;
    }
    memcpy(&count, at, sizeof count);
    if (o->kind == OPTION_CHOICE)
        return choice(o->choices, count);
    return o->kind == OPTION_TIME ? json_number((double)count / 1e9) : json_integer(count);
}

static void put_setting(struct text *out, json_t *all, const char *name, json_t *v,
                        const char *origin)
{
    json_t *setting = json_object();
    json_put(out, setting, "value", v);
    json_put(out, setting, "origin", json_words(origin));
    json_put_foreign(out, all, name, setting);
}

json_t *json_settings(struct text *out, const struct report *r)
{
    json_t *all = json_object();
    for (size_t i = 0; r->settings_table && r->settings_table[i].name; i++)
        put_setting(out, all, r->settings_table[i].name, value(&r->settings_table[i], r->settings),
                    r->origins ? words_origin(r->origins[i]) : NULL);
    for (size_t i = 0; r->backend_table && r->backend_table[i].name; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s.%s", r->backend_prefix, r->backend_table[i].name);
        put_setting(out, all, name, value(&r->backend_table[i], r->backend_options),
                    r->backend_origins ? words_origin(r->backend_origins[i]) : NULL);
    }
    return all;
}

json_t *json_facts(struct text *out, const struct fact_text *facts, size_t n)
{
    json_t *o = json_object();
    for (size_t i = 0; i < n; i++)
        json_put_foreign(out, o, facts[i].key, json_words(facts[i].value));
    return o;
}

json_t *json_findings(struct text *out, const struct test_result *t)
{
    json_t *o = json_object();
    for (size_t i = 0; i < t->findings_used; i++)
        json_put_foreign(out, o, t->findings[i].key, json_real(strtod(t->findings[i].value, NULL)));
    return o;
}
