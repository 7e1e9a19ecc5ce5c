/* Whole runs inside a test: a command line goes through the parser, the plan, ranks as threads and
 * the engine to a result, as in the program, without a process around it. With "--clock virtual"
 * every figure is exact. */
#ifndef PARIO_TESTS_FLOW_FLOW_H
#define PARIO_TESTS_FLOW_FLOW_H

#include "backends/backend.h"
#include "cli/cli.h"
#include "model/fill.h"
#include "model/metrics.h"
#include "phases/phase.h"
#include "run/engine.h"

#include <stdbool.h>
#include <stdint.h>

#define MS INT64_C(1000000)
#define MIB (UINT64_C(1) << 20)

#define FLOW_GROUPS 32

struct flow {
    struct option_group groups[FLOW_GROUPS];
    struct cli_parts parts;
    struct command command;
    struct report report;
    enum status status;  /* of the run */
    struct error worst;  /* what the program would say of it */
    unsigned wrong_rows; /* results that came from a rank other than 0, or out of order */
};

/* The folder of a test, empty; flow_clean removes it. Returns buf of 128 bytes. */
char *flow_folder(char *buf);
void flow_clean(const char *folder);

/* Runs words (separated by blanks, without "pario"), which give the ranks by --threads. Fails the
 * test where the command line is wrong. flow_free is due. */
void flow_run(struct flow *f, const char *words);
/* Same; "%" in words stands for the folder. */
void flow_run_in(struct flow *f, const char *folder, const char *words);
void flow_free(struct flow *f);

/* The result of a phase; fails the test where there is none. */
const struct phase_result *flow_phase(const struct flow *f, const char *name, uint64_t repetition);
/* A column of it. */
double flow_value(const struct phase_result *p, const char *key);
/* Fails the test, naming the column, unless it is expected to the last digit. */
void flow_is(const struct phase_result *p, const char *key, double expected);
/* Whether value lies as near to expected as a histogram knows it: within 1/128. */
bool flow_near(double value, double expected);

/* A phase of a test's own on ranks as threads, through the engine alone. */
struct stream {
    const struct phase *phase;
    const struct backend *backend;
    const char *options; /* "service=1ms open=2ms" of the backend; NULL: its defaults */
    const char *folder;  /* where object N is the file N; NULL: objects are no files */
    uint64_t ranks;
    uint32_t depth;
    uint32_t handles;
    uint64_t transfer_bytes;
    bool virtual_clock;
    void *context; /* the phase finds it by stream_of */
};

struct stream_end { /* of one rank */
    struct sample sample;
    struct error error;
    enum stop_reason stopped;
    uint64_t created;
};

/* The cursor of a phase that runs in a stream begins with this. */
struct stream_cursor {
    struct cursor base;
    struct stream *stream;
};
const struct stream *stream_of(const struct cursor *c);
/* ends: one per rank, to be freed by stream_free. */
void stream_run(struct stream *s, struct stream_end *ends);
void stream_free(struct stream_end *ends, uint64_t ranks);

#endif
