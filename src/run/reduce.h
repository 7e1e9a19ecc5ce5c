/* From one sample per rank to one result: sums, minima and maxima by reductions whose memory does
 * not depend on the number of ranks, and, up to a limit, a small row of each rank for spreads and
 * medians. */
#ifndef PARIO_RUN_REDUCE_H
#define PARIO_RUN_REDUCE_H

#include "comm/comm.h"
#include "model/result.h"
#include "model/sample.h"

/* Rows of single ranks are gathered up to this many ranks; beyond, spreads come from a histogram.
 */
#define REDUCE_ROWS 65536

/* Collective. sample is this rank's and is used up (its timeline is coarsened). result is filled on
 * rank 0 and may be NULL elsewhere; its phase, repetition and elapsed_ns are set before. */
int reduce_sample(struct phase_result *result, struct sample *sample, struct comm *comm,
                  struct error *e);

/* Collective: what went wrong where, put together. mine: this rank's error, set or not. *worst (on
 * all ranks) is the lowest failing rank's, with "rank R (host): " before it; its status DONE:
 * nobody failed. Tallies by kind go to the result on rank 0 (NULL elsewhere). */
void reduce_errors(struct phase_result *result, const struct error *mine, struct comm *comm,
                   struct error *worst);

/* Collective: failures of single items of every rank, by kind. *first: the lowest rank's first, and
 * how many failed in all; STATUS_DONE: none. phase: its name, for the message. */
struct tallies;
void reduce_tallies(struct phase_result *result, const struct tallies *mine, const char *phase,
                    struct comm *comm, struct error *first);

#endif
