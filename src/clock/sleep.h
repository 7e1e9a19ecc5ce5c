/* Waiting that tsc and monotonic share: the bulk asleep, the end by spinning. */
#ifndef PARIO_CLOCK_SLEEP_H
#define PARIO_CLOCK_SLEEP_H

#include "clock/clock.h"

#include <stdint.h>

/* Fills clock->sleep_until for any clock that advances by itself. Signals do not shorten it. */
void clock_sleep_until(const struct clock *clock, int64_t until_ns);

#endif
