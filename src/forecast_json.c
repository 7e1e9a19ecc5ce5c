/* A plan as a part of a document, schema pario-plan/1. What is not known is null. */
#include "forecast_parts.h"

#include "formats/json_parts.h"
#include "formats/json_value.h"

static json_t *whole(uint64_t value)
{
    return value == FORECAST_UNKNOWN ? json_null() : json_whole(value);
}

static json_t *seconds(double value)
{
    return value > 0 ? json_number(value) : json_null();
}

static json_t *phases(const struct forecast *f, struct text *out)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < f->phases_used; i++) {
        const struct forecast_phase *p = &f->phases[i];
        json_t *o = json_object();
        json_put(out, o, "phase", json_words(p->name));
        json_put(out, o, "operations", whole(p->operations));
        json_put(out, o, "bytes", whole(p->bytes));
        json_put(out, o, "estimated_s", seconds(p->seconds));
        json_push(out, list, o);
    }
    return list;
}

/* One of each code, as people are told, of all phases. */
static json_t *warnings(const struct test_result *t, struct text *out)
{
    json_t *list = json_array();
    for (size_t i = 0; i < t->phases_used; i++) {
        json_t *some = json_warnings(out, t->phases[i].warnings, t->phases[i].warnings_used);
        for (size_t k = 0; k < json_array_size(some); k++) {
            json_t *warning = json_incref(json_array_get(some, k));
            json_put(out, warning, "phase", json_words(t->phases[i].phase));
            json_push(out, list, warning);
        }
        json_decref(some);
    }
    return list;
}

static void put_node(const struct forecast *f, json_t *o, struct text *out)
{
    const struct settings *s = f->settings;
    uint64_t per_node = (uint64_t)s->plan_per_node, rank = forecast_buffers(f);
    double each = (double)f->phase_bytes / (double)f->plan.ranks;
    json_put(out, o, "buffer_bytes_per_rank", whole(rank));
    json_put(out, o, "other_bytes_per_rank_most", json_whole(FORECAST_RANK_BYTES));
    json_put(out, o, "nodes", per_node ? json_whole(f->report.tests[0].nodes) : json_null());
    json_put(out, o, "ranks_per_node", per_node ? json_whole(per_node) : json_null());
    json_put(out, o, "data_bytes_per_node",
             per_node ? json_number(each * (double)per_node) : json_null());
    json_put(out, o, "node_memory_bytes",
             s->plan_memory ? json_whole(s->plan_memory) : json_null());
}

json_t *forecast_json(const struct forecast *f, struct text *out)
{
    const struct test_result *t = &f->report.tests[0];
    const struct plan *p = &f->plan;
    bool data = p->workload & WORKLOAD_DATA;
    json_t *o = json_object();
    json_put(out, o, "name", json_words(t->name));
    json_put(out, o, "workload", json_words(t->workload));
    json_put(out, o, "backend", json_words(t->backend));
    json_put(out, o, "ranks", json_whole(p->ranks));
    json_put(out, o, "repetitions", json_whole(p->repetitions));
    json_put(out, o, "files", data ? json_whole(p->files) : json_null());
    json_put(out, o, "file_bytes", data ? json_whole(p->file_bytes) : json_null());
    json_put(out, o, "last_offset",
             data ? json_whole(p->file_bytes - p->transfer_bytes) : json_null());
    json_put(out, o, "room.bytes", whole(f->stored_bytes));
    json_put(out, o, "room.inodes", whole(f->inodes));
    json_put(out, o, "phases", phases(f, out));
    json_put(out, o, "assumed_per_s", seconds(f->rate));
    json_put(out, o, "estimated_s", seconds(forecast_seconds(f)));
    put_node(f, o, out);
    json_put(out, o, "warnings", warnings(t, out));
    return o;
}
