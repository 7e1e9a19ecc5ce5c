#include "run/engine_parts.h"

#include <inttypes.h>
#include <stdio.h>

static void tell(struct engine *e, const struct op *op, uint64_t offset, const char *what)
{
    char path[512];
    if (e->error->status != STATUS_DONE)
        return;
    if (e->job.names.path(e->job.names.plan, op->object, path, sizeof path))
        snprintf(path, sizeof path, "object %" PRIu64, op->object);
    error_set(e->error, STATUS_FAILED, "verify", "%s, offset %" PRIu64 ": %s", path, offset, what);
    error_place(e->error, path, offset);
}

/* Compares with what the phase supplies, a window at a time. The first bad byte, or length. */
static uint64_t first_difference(const struct engine *e, const struct op *op)
{
    unsigned char expected[512];
    const unsigned char *found = op->data;
    for (uint64_t at = 0; at < op->length_bytes; at += sizeof expected) {
        struct op window = *op;
        uint64_t left = op->length_bytes - at;
        window.offset_bytes += at;
        window.length_bytes = left < sizeof expected ? left : sizeof expected;
        e->job.phase->supply(e->job.cursor, &window, expected);
        for (uint64_t i = 0; i < window.length_bytes; i++)
            if (expected[i] != found[at + i])
                return at + i;
    }
    return op->length_bytes;
}

/* Data that the phase supplied when it was written: a header. */
static void check_supplied(struct engine *e, const struct op *op)
{
    uint64_t at = first_difference(e, op);
    e->sample->counters[COUNTER_VERIFIED_BYTES] += at;
    if (at == op->length_bytes)
        return;
    e->sample->counters[COUNTER_BAD_TRANSFERS]++;
    tell(e, op, op->offset_bytes + at, "the header is not what was written");
}

/* Wrong data does not stop a phase: the first bad place is told, all are counted. */
static void check_filled(struct engine *e, const struct op *op)
{
    uint64_t *counters = e->sample->counters;
    struct mismatch m;
    uint64_t bad =
        fill_check(e->job.fill, op->data, op->object, op->offset_bytes, op->length_bytes, &m);
    if (bad == 0) {
        counters[COUNTER_VERIFIED_BYTES] += op->length_bytes;
        return;
    }
    counters[COUNTER_VERIFIED_BYTES] += op->length_bytes - m.bad_bytes;
    counters[COUNTER_BAD_TRANSFERS]++;
    char text[320];
    tell(e, op, m.offset, mismatch_text(&m, text, sizeof text));
}

void engine_check(struct engine *e, const struct slot *s)
{
    const struct op *op = &s->op;
    if (op->flags & OP_FLAG_SUPPLIED)
        check_supplied(e, op);
    else
        check_filled(e, op);
    int64_t now_ns = e->job.clock->now_ns(e->job.clock);
    enum stage stage = e->in_flight ? engine_oldest(e) : STAGE_CHECK;
    e->sample->stage_ns[stage] += (uint64_t)(now_ns - e->last_ns);
    e->last_ns = now_ns;
}
