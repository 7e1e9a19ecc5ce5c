/* Columns: one row per number that a phase result has; every format shows them from this table. The
 * order is that of CSV columns: new rows stand at the end. */
#ifndef PARIO_MODEL_METRICS_H
#define PARIO_MODEL_METRICS_H

#include "base/text.h"
#include "model/result.h"

enum metric_unit {
    METRIC_COUNT,
    METRIC_BYTES,
    METRIC_SECONDS,
    METRIC_NS,
    METRIC_BYTES_PER_S,
    METRIC_PER_S,
    METRIC_SHARE /* 0 to 1 */
};

/* A row has either whole or amount; metric_value serves both. */
struct metric {
    const char *key; /* in CSV; ends in its unit where it has one. A dot: "object.key" in JSON */
    const char *heading; /* of the text table; NULL: not a text column */
    enum metric_unit unit;
    bool summary;    /* summarised over repetitions */
    bool json_apart; /* JSON has this number elsewhere (stages, latency_ns), not under key */
    uint64_t (*whole)(const struct phase_result *p); /* exact counts */
    double (*amount)(const struct phase_result *p);  /* NAN where meaningless */
    double (*seconds)(const struct phase_result *p); /* of a rate: amount / seconds; else NULL */
    const char *meaning;                             /* for --help-metrics and doc/metrics.md */
};

/* Ends with key NULL. */
extern const struct metric metric_table[];
const struct metric *metric_find(const char *key);

/* NAN where it means nothing: a rate of work that did not happen is none. */
double metric_value(const struct metric *m, const struct phase_result *p);

/* Over the repetitions of one phase name in a test, those without a value left out. The mean of a
 * rate is the total amount / the total time. n = 0 where no repetition has one (or memory ran out).
 */
struct stats metric_summary(const struct test_result *t, const char *phase, const struct metric *m);

/* "bytes", "s", ... ; "" for counts. */
const char *metric_unit_name(enum metric_unit unit);

/* Every row with its unit and meaning, as --help-metrics prints it. */
void metrics_help(struct text *out);

#endif
