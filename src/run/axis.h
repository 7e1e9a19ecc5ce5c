/* One axis of time for the clocks of all ranks: rank 0's own. It serves to put starts and ends side
 * by side and to say how far wall clocks are apart; no rate is made from it. */
#ifndef PARIO_RUN_AXIS_H
#define PARIO_RUN_AXIS_H

#include "comm/comm.h"

#include <stdbool.h>
#include <stdint.h>

/* How a rank's clocks stood to the axis at one instant. */
struct axis_point {
    int64_t own_ns;   /* the instant, by the rank's own clock */
    int64_t ahead_ns; /* the axis - the own clock */
    int64_t error_ns; /* the axis is this far from the truth at most */
    int64_t wall_ns;  /* the rank's wall clock - rank 0's */
};

struct axis { /* all zero: nothing measured yet */
    bool known;
    int64_t cost_ns; /* of the last measurement, on rank 0 */
    struct axis_point last;
};

/* From just before the first to just after the last of something, by both clocks of a rank. */
struct stretch {
    int64_t own_start_ns, own_end_ns;
    int64_t wall_start_ns, wall_end_ns; /* Unix time */
};

/* Collective. Measures unless it has; outside of measured times. */
void axis_begin(struct axis *axis, struct comm *comm);

/* Collective, after a phase that took elapsed_ns on rank 0. Measures anew where that is cheap
 * beside the phase, or the last time is long ago, and fills the counters of START, END, WALL and
 * CLOCK with this rank's part. */
void axis_end(struct axis *axis, struct comm *comm, const struct stretch *stretch,
              uint64_t elapsed_ns, uint64_t *counters);

/* Wall clock and own clock at the beginning and at the end. */
void stretch_begin(struct stretch *s, const struct clock *clock);
void stretch_end(struct stretch *s, const struct clock *clock);

/* Collective: ping-pong along a tree, first of nodes, then of the ranks of each, the shortest of
 * several round trips each time. */
void axis_measure(struct comm *comm, struct axis_point *point);

/* own_ns on the axis, by two measurements; before and after may be the same one. *error_ns: bound
 * of the error, which grows with the distance from a single measurement. */
int64_t axis_place(const struct axis_point *before, const struct axis_point *after, int64_t own_ns,
                   int64_t *error_ns);

#endif
