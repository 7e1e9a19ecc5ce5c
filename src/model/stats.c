#include "model/stats.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_median(const double *sorted, size_t n)
{
    if (n == 0)
        return NAN;
    if (n % 2 == 1)
        return sorted[n / 2];
    return sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

/* How many values lie outside of the 95 % interval of the median on each side: the most for which
 * the chance that at least so few values of n fall below the true median, binomial with p = 1/2, is
 * at most 2.5 %. Returns 0 where no interval reaches 95 %. Terms more than ten standard deviations
 * below the middle are less than 1e-23 together, so the sum starts there and n may be large. */
static size_t values_outside(size_t n)
{
    int sign;
    double size = (double)n;
    double first = floor(size / 2 - 5 * sqrt(size));
    size_t i = first > 0 ? (size_t)first : 0;
    double at = (double)i;
    double term = exp(lgamma_r(size + 1, &sign) - lgamma_r(at + 1, &sign) -
                      lgamma_r(size - at + 1, &sign) - size * log(2));
    double sum = term;
    while (sum <= 0.025) {
        term *= (size - (double)i) / ((double)i + 1);
        sum += term;
        i++;
    }
    return i;
}

static double sd_of(const double *values, size_t n, double mean)
{
    double squares = 0;
    double drift = 0; /* of the mean by rounding; corrects the sum */
    for (size_t i = 0; i < n; i++) {
        double d = values[i] - mean;
        squares += d * d;
        drift += d;
    }
    double variance = (squares - drift * drift / (double)n) / (double)(n - 1);
    return variance > 0 ? sqrt(variance) : 0;
}

struct stats stats_of(double *values, size_t n)
{
    struct stats s = {n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (n == 0)
        return s;
    qsort(values, n, sizeof *values, ascending);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    s.min = values[0];
    s.max = values[n - 1];
    s.median = stats_median(values, n);
    s.mean = sum / (double)n;
    if (n < 2)
        return s;
    s.sd = sd_of(values, n, s.mean);
    s.cv = s.mean != 0 ? s.sd / s.mean : NAN;
    size_t outside = values_outside(n);
    if (outside > 0) {
        s.ci95_low = values[outside - 1];
        s.ci95_high = values[n - outside];
    }
    return s;
}
