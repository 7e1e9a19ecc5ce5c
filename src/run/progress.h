/* A line on a terminal while a phase runs, rewritten in place: phase, share done, rate, time left.
 * It is an estimate from one rank's own counts; the result is not. */
#ifndef PARIO_RUN_PROGRESS_H
#define PARIO_RUN_PROGRESS_H

#include "model/sample.h"
#include "probe/counters.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
    FILE *terminal;
    const char *phase;
    uint64_t repetition, repetitions;
    uint64_t ranks;
    uint64_t planned;    /* operations of this rank */
    int64_t deadline_ns; /* 0: none */
    int64_t shown_ns;    /* when it was last written, after the phase's start */
    bool on_screen;
    int64_t interval_ns; /* of lines that stay; 0: none */
    int64_t line_ns;     /* when the last one was written, and what had been done then */
    uint64_t line_operations, line_bytes;
    uint32_t kinds;           /* whose latencies they tell: bits 1u << OP_... */
    struct histogram *before; /* owned: those latencies when the last one was written; NULL: the
                                 lines have none */
    struct counters cpu;      /* of the node, then */
};

/* For lines that stay. Where memory is short they do without latencies. */
void progress_open(struct progress *p);
void progress_close(struct progress *p);

/* The line at most twice a second (terminal is not NULL), lines that stay each interval.
 * elapsed_ns: since the phase's start. */
void progress_show(struct progress *p, const struct sample *sample, int64_t elapsed_ns);
/* When progress_show should be called next at the latest, after the phase's start; INT64_MAX:
 * never. */
int64_t progress_next(const struct progress *p);
/* Wipes the line. */
void progress_clear(struct progress *p);

#endif
