/* Statistics over repetitions and over ranks. Pure; n may be anything from 0. */
#ifndef PARIO_MODEL_STATS_H
#define PARIO_MODEL_STATS_H

#include <stddef.h>

/* NAN where not defined (n = 0; sd and cv below 2; the interval below 6). */
struct stats {
    size_t n;
    double min, median, mean, max;
    double sd;                  /* n - 1 */
    double cv;                  /* sd / mean */
    double ci95_low, ci95_high; /* of the median, from exact order statistics (binomial, p = 1/2) */
};

/* Sorts values in place. */
struct stats stats_of(double *values, size_t n);
/* Median of sorted values; NAN for n = 0. */
double stats_median(const double *sorted, size_t n);

#endif
