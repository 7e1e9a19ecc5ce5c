#include "run/engine_parts.h"

#include <inttypes.h>
#include <stdio.h>

/* Wrong data does not stop a phase: the first bad place is told, all are counted. */
void engine_check(struct engine *e, const struct slot *s)
{
    const struct op *op = &s->op;
    uint64_t *counters = e->sample->counters;
    struct mismatch m;
    uint64_t bad =
        fill_check(e->job.fill, op->data, op->object, op->offset_bytes, op->length_bytes, &m);
    if (bad == 0) {
        counters[COUNTER_VERIFIED_BYTES] += op->length_bytes;
    } else {
        counters[COUNTER_VERIFIED_BYTES] += op->length_bytes - m.bad_bytes;
        counters[COUNTER_BAD_TRANSFERS]++;
    }
    if (bad && e->error->status == STATUS_DONE) {
        char path[512], text[320];
        if (e->job.names.path(e->job.names.plan, op->object, path, sizeof path))
            snprintf(path, sizeof path, "object %" PRIu64, op->object);
        error_set(e->error, STATUS_FAILED, "verify", "%s, offset %" PRIu64 ": %s", path, m.offset,
                  mismatch_text(&m, text, sizeof text));
        error_place(e->error, path, m.offset);
    }
    int64_t now_ns = e->job.clock->now_ns(e->job.clock);
    enum stage stage = e->in_flight ? engine_oldest(e) : STAGE_CHECK;
    e->sample->stage_ns[stage] += (uint64_t)(now_ns - e->last_ns);
    e->last_ns = now_ns;
}
