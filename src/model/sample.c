#include "model/sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int sample_start(struct sample *s, uint32_t kinds, int64_t interval_ns, struct error *e)
{
    memset(s->counters, 0, sizeof s->counters);
    memset(s->stage_ns, 0, sizeof s->stage_ns);
    memset(s->latency, 0, sizeof s->latency);
    timeline_start(&s->timeline, interval_ns);
    for (unsigned kind = 0; kind < OP_KINDS; kind++) {
        if (!(kinds & 1u << kind))
            continue;
        s->latency[kind] = malloc(sizeof *s->latency[kind]);
        if (!s->latency[kind]) {
            sample_free(s);
            return error_errno(e, ENOMEM, "latency histogram of %s", op_name(kind));
        }
        histogram_clear(s->latency[kind]);
    }
    return 0;
}

void sample_free(struct sample *s)
{
    for (unsigned kind = 0; kind < OP_KINDS; kind++) {
        free(s->latency[kind]);
        s->latency[kind] = NULL;
    }
}
