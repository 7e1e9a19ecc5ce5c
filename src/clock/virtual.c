/* A clock that stands still except for sleep_until, so that tests of whole runs give exact figures.
 */
#include "clock/clock.h"

#include <stdbool.h>
#include <stdint.h>

static int64_t virtual_now(const struct clock *clock)
{
    return *clock->virtual_ns;
}

static void virtual_sleep_until(const struct clock *clock, int64_t until_ns)
{
    if (until_ns > *clock->virtual_ns)
        *clock->virtual_ns = until_ns;
}

struct clock clock_virtual(int64_t *now_ns)
{
    return (struct clock){
        .name = "virtual",
        .now_ns = virtual_now,
        .sleep_until = virtual_sleep_until,
        .is_virtual = true,
        .virtual_ns = now_ns,
    };
}
