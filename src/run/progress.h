/* A line on a terminal while a phase runs, rewritten in place: phase, share done, rate, time left.
 * It is an estimate from one rank's own counts; the result is not. */
#ifndef PARIO_RUN_PROGRESS_H
#define PARIO_RUN_PROGRESS_H

#include "model/sample.h"

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
};

/* At most twice a second. elapsed_ns: since the phase's start. */
void progress_show(struct progress *p, const struct sample *sample, int64_t elapsed_ns);
/* Wipes the line. */
void progress_clear(struct progress *p);

#endif
