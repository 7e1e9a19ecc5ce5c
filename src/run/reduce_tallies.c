#include "run/reduce.h"

#include "run/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct report_card { /* of one rank's first failure of a kind, to all */
    struct error error;
    char host[64];
};

static size_t next_untold(const struct tallies *mine, const bool *told)
{
    size_t i = 0;
    while (i < mine->used && told[i])
        i++;
    return i;
}

/* As many rounds as there are kinds: each time the lowest rank with one that is not told tells it,
 * and all add what they have of it. */
void reduce_tallies(struct phase_result *result, const struct tallies *mine, const char *phase,
                    struct comm *comm, struct error *first)
{
    bool told[RESULT_ERRORS] = {false};
    uint64_t all = 0, kinds = 0;
    *first = error_none();
    for (;;) {
        size_t i = next_untold(mine, told);
        uint64_t lowest = i < mine->used ? comm->rank : UINT64_MAX;
        comm_reduce_all(comm, REDUCE_MIN, &lowest, 1);
        if (lowest == UINT64_MAX || kinds == RESULT_ERRORS)
            break;
        struct report_card card = {0};
        if (comm->rank == lowest)
            card.error = mine->rows[i].error;
        snprintf(card.host, sizeof card.host, "%s", comm->host);
        comm->ops->broadcast(comm, lowest, &card, sizeof card);
        uint64_t count = 0;
        for (i = 0; i < mine->used; i++) {
            if (strcmp(mine->rows[i].error.kind, card.error.kind) != 0)
                continue;
            told[i] = true;
            count += mine->rows[i].count;
        }
        comm_reduce_all(comm, REDUCE_SUM, &count, 1);
        if (count == 0) /* what stopped the phase is reported as such */
            continue;
        if (result)
            phase_error(result, &card.error, lowest, card.host, count);
        if (kinds++ == 0) {
            *first = card.error;
            error_wrap(first, "the first: rank %" PRIu64 " (%s)", lowest, card.host);
        }
        all += count;
    }
    error_wrap(first, "%s: %" PRIu64 " failure%s of %" PRIu64 " kind%s", phase, all,
               all == 1 ? "" : "s", kinds, kinds == 1 ? "" : "s");
}
