/* Has a repeated phase come to rest? The test of SNIA's Performance Test Specification: of five
 * rounds in a row, the range of the rates is at most 20 % of their mean, and the straight line
 * fitted to them rises or falls by at most 10 % of it from the first to the last. */
#ifndef PARIO_JUDGE_STEADY_H
#define PARIO_JUDGE_STEADY_H

#include "model/plan.h"
#include "model/result.h"

#define STEADY_ROUNDS 5

struct steady {
    bool known; /* there are five rounds */
    bool steady;
    double range; /* share of the mean */
    double slope; /* of the fitted line over the rounds, share of the mean; without a sign */
};

/* The last five of n rates. Pure. */
struct steady steady_of(const double *rates, size_t n);
/* The last five repetitions of a phase of the test: bandwidth where bytes were moved, else
 * operations per second. */
struct steady steady_phase(const struct test_result *t, const char *phase);
/* Whether all phases of the test are steady. */
bool steady_test(const struct test_result *t);
/* Warns (not-steady) where the last repetition that was allowed is done, and the phase is not at
 * rest. */
void steady_judge(const struct test_result *t, struct phase_result *phase, const struct plan *plan);

#endif
