/* What a run found, reduced over ranks: rank 0's alone, const once made. Formats and the judge read
 * it. */
#ifndef PARIO_MODEL_RESULT_H
#define PARIO_MODEL_RESULT_H

#include "base/error.h"
#include "base/op.h"
#include "model/histogram.h"
#include "model/sample.h"
#include "model/settings.h"
#include "model/stats.h"
#include "model/timeline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stage_spread { /* over ranks */
    uint64_t max_ns;
    uint64_t median_ns;
    uint64_t min_ns;
    uint64_t sum_ns;       /* the stages' sums together are the sum of all own elapsed times */
    uint64_t slowest_rank; /* the lowest with max_ns; means nothing where that is 0 */
    char slowest_host[64]; /* "" where not known */
};

#define SPREAD_SLOWEST 5
#define SPREAD_MODES_FROM 16 /* ranks: with fewer nothing is said about two humps */

struct slow_rank {
    uint64_t rank;
    char host[64];
    double per_s; /* its own rate */
};

/* Two humps in the rates of ranks, and what tells them apart. */
struct modes {
    bool bimodal;          /* coefficient > 5/9, confirmed by the split */
    double coefficient;    /* Sarle's; NAN below SPREAD_MODES_FROM ranks or where all are equal */
    double split_explains; /* share of the variance that the best split in two explains */
    uint64_t slow_ranks, fast_ranks;
    double slow_mean_per_s, fast_mean_per_s;
    char by[12];        /* "host" "file" "parity" "order": the best explanation; "": none fits */
    double by_explains; /* 0 to 1: how much better than a guess it tells slow from fast */
    char detail[160];   /* "slow are the ranks on node3, node7" */
};

/* Rates of ranks against each other: own bytes (or operations) / own elapsed, of checkpoints / the
 * time spent on own files. */
struct spread {
    uint64_t ranks; /* 0: not measured, and nothing below means anything */
    bool bytes;     /* bytes per second; else operations per second */
    double min_per_s, median_per_s, max_per_s;
    double sum_per_s; /* rank_sum_bandwidth: an upper bound */
    double cv;
    size_t slowest_used;
    struct slow_rank slowest[SPREAD_SLOWEST]; /* the slowest first */
    struct modes modes;
};

struct error_tally { /* failures of one kind over all ranks */
    char kind[24];
    uint64_t count; /* ranks or operations that failed so */
    uint64_t rank;  /* the lowest rank's: */
    char host[64];
    char path[512];
    uint64_t offset; /* ERROR_NO_OFFSET: none */
    char message[1536];
};

struct warning {
    char code[24];     /* as metrics.md lists them */
    char message[512]; /* a sentence with the figure behind it and what to do */
    double figure;     /* NAN: none */
};

#define RESULT_ERRORS 16
#define RESULT_WARNINGS 24

/* Why a phase ended before its plan did. A deadline that the user set is a normal end: CUT_NONE. */
enum cut { CUT_NONE, CUT_SIGNAL, CUT_TIME_LIMIT, CUT_ERROR, CUT_FULL };

/* Unknown doubles are NAN; test_phase sets them so. */
struct phase_result {
    char phase[24];
    enum op_kind about;
    enum op_kind also;   /* mixed phases: OP_WRITE; else 0 */
    uint64_t repetition; /* from 0 */
    uint64_t step;       /* place in a list that a sweep goes through; 0 without one */
    uint64_t ranks;
    uint64_t counters[COUNTERS]; /* reduced by the rules of sample.def */
    uint64_t elapsed_ns;         /* rank 0's second stamp - its first: encloses everything */
    uint64_t stonewall_ns;       /* t*: least own elapsed over ranks */
    uint64_t stonewall_bytes;    /* moved by all ranks by their own t* */
    uint64_t stonewall_operations;
    bool synced;
    enum cut cut;
    struct stage_spread stages[STAGES];
    struct stage_spread own; /* of each rank, all it did for files of its own: without barriers,
                                the marker, making and removing directories, removing files */
    struct histogram *latency[OP_KINDS]; /* owned, merged over ranks; NULL: not measured */
    struct histogram *intended;          /* owned: from the time due, rated runs; else NULL */
    size_t sized_used;
    struct sized *sized; /* owned, merged over ranks: where sizes are mixed; NULL: only one */
    size_t rank_rates_used;
    double *rank_rates; /* owned: rate of each rank, bytes/s where bytes were moved, else
                           operations/s, NAN where it has none: what spread is made from;
                           NULL beyond 65,536 ranks */
    struct spread spread;
    struct timeline *timeline; /* owned, summed over ranks */
    int64_t series_interval_ns;
    size_t series_used;
    struct series_row *series; /* owned: latencies over time, over ranks; NULL: not measured */
    char cache_label[12];      /* "cold" "mixed" "warm" "unknown", "" for phases that do not read */
    double cached_fraction;    /* of the bytes to read: in the page cache before; NAN: not known */
    double device_bytes;       /* that came from the device, all nodes; NAN: not known */
    uint64_t clock_rank;       /* whose wall clock is farthest from rank 0's */
    char clock_host[64];       /* its host, "" where not known */
    double node_cpu; /* share of the busiest node's cores in use, 0 to 1; NAN: not known */
    size_t errors_used;
    struct error_tally errors[RESULT_ERRORS];
    size_t warnings_used;
    struct warning warnings[RESULT_WARNINGS];
};

struct fact_text { /* key and value of something recorded of the world or read back */
    char key[40];
    char value[512]; /* longer ones are cut, and end in "..." */
};

struct program { /* which pario; each NULL where not known */
    const char *version, *git, *compiler, *features;
};

struct test_result {
    char name[64];
    char workload[24];
    char backend[24];
    uint64_t ranks;
    uint32_t nodes;
    uint64_t most_per_node;
    bool hollow;          /* of a file that is read, less than half lies on the storage */
    bool direct_buffered; /* direct I/O was asked for, and found not to be in effect */
    size_t facts_used, facts_capacity;
    struct fact_text *facts; /* owned: what the backend read back */
    size_t findings_used, findings_capacity;
    struct fact_text *findings; /* owned: numbers over several phases, as text */
    size_t phases_used, phases_capacity;
    struct phase_result *phases; /* owned */
};

struct report {
    struct program program;
    const struct settings *settings;
    const struct option *settings_table;
    const enum origin *origins; /* one per row of the table */
    const struct option *backend_table;
    const void *backend_options;
    const enum origin *backend_origins; /* one per row of its table; NULL: not known */
    const char *backend_prefix;
    int argc;
    char *const *argv;
    int64_t started_s, ended_s; /* Unix time; ended 0 while running */
    enum status status;
    size_t environment_used, environment_capacity;
    struct fact_text *environment; /* owned: hosts, kernel, file system, versions, SLURM_... */
    size_t tests_used, tests_capacity;
    struct test_result *tests; /* owned */
    size_t warnings_used;      /* about the run as a whole */
    struct warning warnings[RESULT_WARNINGS];
};

/* Adds copies; a key that is there already gets the new value. 0, or -1 with an error when memory
 * runs out, and then nothing has changed. */
int report_environment(struct report *r, const char *key, const char *value, struct error *e);
int test_fact(struct test_result *t, const char *key, const char *value, struct error *e);
int test_finding(struct test_result *t, const char *key, double value, struct error *e);
/* The value, or NULL. */
const char *report_environment_get(const struct report *r, const char *key);
/* The next test or phase result, zeroed, unknown numbers NAN; NULL with an error when memory runs
 * out. The next such call may move the earlier ones: keep no pointer over it. */
struct test_result *report_test(struct report *r, struct error *e);
struct phase_result *test_phase(struct test_result *t, struct error *e);
/* The same outside of any test; what it owns is freed by phase_result_free. */
struct phase_result phase_result_blank(void);
/* Whether ranks are compared by bytes; else by operations. */
static inline bool phase_counts_bytes(const struct phase_result *p)
{
    return op_is_transfer(p->about) && p->counters[COUNTER_BYTES] > 0;
}
void phase_result_free(struct phase_result *p);

/* Parts of a phase that rows of their own show: the directions of a mixed phase ("mixed read",
 * "mixed write"), each of several sizes ("read 4k", "mixed write 64k"), and operations from the
 * time they were due ("read due", latencies alone). Part i of p into *view, which borrows from p
 * and is not freed; false: there are no more. */
bool phase_result_part(const struct phase_result *p, size_t i, struct phase_result *view);
/* Sets a warning once per code; figure may be NAN. Beyond RESULT_WARNINGS codes it is dropped. */
void phase_warn(struct phase_result *p, const char *code, double figure, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void report_warn(struct report *r, const char *code, double figure, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Counts one more failure of e's kind; of several of one kind the lowest rank's is told. Kinds
 * beyond RESULT_ERRORS are counted with the last one. */
void phase_error(struct phase_result *p, const struct error *e, uint64_t rank, const char *host,
                 uint64_t count);
/* Frees what the report owns and leaves it empty. */
void report_free(struct report *r);

#endif
