/* What one rank measured in one phase. Histograms exist for the operations the phase uses. */
#ifndef PARIO_MODEL_SAMPLE_H
#define PARIO_MODEL_SAMPLE_H

#include "base/error.h"
#include "base/op.h"
#include "model/histogram.h"
#include "model/series.h"
#include "model/sizes.h"
#include "model/timeline.h"

enum counter {
#define COUNTER(NAME, RULE) COUNTER_##NAME,
#include "model/sample.def"
    COUNTERS
};

/* Latencies of one direction in one size, where several are mixed. */
struct sized {
    uint64_t bytes; /* of an operation */
    enum op_kind kind;
    struct histogram latency;
};

struct sample {
    uint64_t counters[COUNTERS];
    uint64_t stage_ns[STAGES];           /* sums to ELAPSED_NS */
    struct histogram *latency[OP_KINDS]; /* owned; NULL: not measured */
    struct histogram *intended;          /* owned: from the time due; NULL: nothing is due */
    struct timeline timeline;
    struct series *series; /* owned: latencies over time; NULL: not wanted */
    size_t sized_used;
    struct sized *sized; /* owned: by size; NULL: there is only one */
};

/* Fills an uninitialised sample: counters and stages 0, a histogram for each operation in kinds
 * (bits 1u << OP_...), a timeline that begins with cells of interval_ns. 0, or -1 with nothing left
 * behind. */
int sample_start(struct sample *s, uint32_t kinds, int64_t interval_ns, struct error *e);
/* Adds the histogram from the time due. */
int sample_add_intended(struct sample *s, struct error *e);
/* Adds latencies over time, in intervals of interval_ns to begin with. */
int sample_add_series(struct sample *s, int64_t interval_ns, struct error *e);
/* Adds a row for each size, of the kinds about and, where it is not 0, also. */
int sample_add_sizes(struct sample *s, const struct sizes *sizes, enum op_kind about,
                     enum op_kind also, struct error *e);
/* One operation of a size and kind that has a row. */
void sample_sized(struct sample *s, enum op_kind kind, uint64_t bytes, uint64_t latency_ns);
/* Empties it again: what a ramp leaves out. */
void sample_restart(struct sample *s);
void sample_free(struct sample *s);

#endif
