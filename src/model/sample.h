/* What one rank measured in one phase. Histograms exist for the operations the phase uses. */
#ifndef PARIO_MODEL_SAMPLE_H
#define PARIO_MODEL_SAMPLE_H

#include "base/op.h"
#include "model/histogram.h"
#include "model/timeline.h"

enum counter {
#define COUNTER(NAME, RULE) COUNTER_##NAME,
#include "model/sample.def"
    COUNTERS
};

struct sample {
    uint64_t counters[COUNTERS];
    uint64_t stage_ns[STAGES];            /* sums to ELAPSED_NS */
    struct histogram *latency[OP_KINDS];  /* owned; NULL: not measured */
    struct timeline timeline;
};

#endif
