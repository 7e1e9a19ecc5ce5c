#include "judge/steady.h"

#include "model/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define RANGE_MOST 0.20
#define SLOPE_MOST 0.10

struct steady steady_of(const double *rates, size_t n)
{
    struct steady s = {.known = n >= STEADY_ROUNDS};
    if (!s.known)
        return s;
    const double *last = rates + n - STEADY_ROUNDS;
    double min = last[0], max = last[0], sum = 0, rise = 0, squares = 0;
    for (int i = 0; i < STEADY_ROUNDS; i++) {
        double x = i - (STEADY_ROUNDS - 1) / 2.0;
        min = fmin(min, last[i]);
        max = fmax(max, last[i]);
        sum += last[i];
        rise += x * last[i];
        squares += x * x;
    }
    double mean = sum / STEADY_ROUNDS;
    s.range = (max - min) / mean;
    s.slope = fabs(rise / squares * (STEADY_ROUNDS - 1)) / mean;
    s.steady = s.range <= RANGE_MOST && s.slope <= SLOPE_MOST;
    return s;
}

struct steady steady_phase(const struct test_result *t, const char *phase)
{
    double rates[STEADY_ROUNDS];
    size_t n = 0;
    for (size_t i = t->phases_used; i-- > 0 && n < STEADY_ROUNDS;) {
        const struct phase_result *p = &t->phases[i];
        if (strcmp(p->phase, phase) != 0)
            continue;
        const char *key = p->counters[COUNTER_BYTES] ? "bandwidth_bytes_per_s" : "operations_per_s";
        n++;
        rates[STEADY_ROUNDS - n] = metric_value(metric_find(key), p);
    }
    return steady_of(rates, n);
}

bool steady_test(const struct test_result *t)
{
    for (size_t i = 0; i < t->phases_used; i++)
        if (!steady_phase(t, t->phases[i].phase).steady)
            return false;
    return t->phases_used > 0;
}

void steady_judge(const struct test_result *test, struct phase_result *phase,
                  const struct plan *plan)
{
    struct steady s = steady_phase(test, phase->phase);
    if (!plan->until_steady || phase->repetition + 1 < plan->repetitions || s.steady)
        return;
    if (s.known)
        phase_warn(
            phase, "not-steady", s.range,
            "the last %d rounds range over %.0f %% of their mean (20 %% are allowed), and rise or "
            "fall by %.0f %% (10 %%): the storage has not come to rest. Allow more rounds (-i), or "
            "longer ones (-D).",
            STEADY_ROUNDS, 100 * s.range, 100 * s.slope);
    else
        phase_warn(phase, "not-steady", (double)plan->repetitions,
                   "%d rounds are needed to know a steady state. Allow more (-i).", STEADY_ROUNDS);
}
