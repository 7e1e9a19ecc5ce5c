/* Columns: one row per number that a phase result has; every format shows them from this table. */
#ifndef PARIO_MODEL_METRICS_H
#define PARIO_MODEL_METRICS_H

#include "model/result.h"

enum metric_unit { METRIC_COUNT, METRIC_BYTES, METRIC_SECONDS, METRIC_BYTES_PER_S, METRIC_PER_S };

struct metric {
    const char *key;      /* in JSON and CSV; ends in its unit */
    const char *heading;  /* of the text table; NULL: not a text column */
    enum metric_unit unit;
    bool summary;         /* summarised over repetitions */
    double (*value)(const struct phase_result *p); /* NAN where meaningless */
    const char *meaning;  /* for --help-metrics and doc/metrics.md */
};

/* Ends with key NULL. */
extern const struct metric metric_table[];
const struct metric *metric_find(const char *key);

/* Over the repetitions of one phase name in a test. */
struct stats metric_summary(const struct test_result *t, const char *phase, const struct metric *m);

#endif
