/* Inside of forecast: the figures of a plan, which are worked out once and then written, as text
 * for people or as a document for programs. */
#ifndef PARIO_FORECAST_PARTS_H
#define PARIO_FORECAST_PARTS_H

#include "base/text.h"
#include "cli/cli.h"
#include "model/plan.h"
#include "model/result.h"
#include "phases/phase.h"
#include "run/tensor_list.h"

#include <jansson.h>

/* Of a rank, beside its transfer buffers: pool, histograms, timeline. */
#define FORECAST_RANK_BYTES (UINT64_C(4) << 20)
#define FORECAST_UNKNOWN UINT64_MAX

struct forecast_phase { /* all ranks, one repetition */
    const struct phase *phase;
    const char *name;
    uint64_t operations; /* at most; FORECAST_UNKNOWN: as many as the deadline lets through */
    uint64_t bytes;      /* likewise */
    double seconds;      /* by --assume or the deadline; 0: not known */
};

struct forecast {
    const struct settings *settings;
    struct plan plan;
    struct report report;
    struct tensor_list tensors;
    double rate;           /* assumed, per s: bytes, or operations of a metadata run; 0: none */
    uint64_t phase_bytes;  /* of the largest phase */
    uint64_t stored_bytes; /* that lie on the storage at the most */
    uint64_t inodes;       /* likewise: files and directories */
    unsigned phases_used;
    struct forecast_phase phases[METADATA_STEPS];
};

/* Which phases there are, and what each does. */
void forecast_count(struct forecast *f);
/* Of all phases and repetitions; 0: not known. */
double forecast_seconds(const struct forecast *f);
uint64_t forecast_buffers(const struct forecast *f);

void forecast_text(const struct forecast *f, struct text *out);
json_t *forecast_json(const struct forecast *f, struct text *out);

#endif
