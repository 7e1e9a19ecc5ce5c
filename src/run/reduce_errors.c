#include "run/reduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct report_card { /* of one rank's failure, to all */
    struct error error;
    char host[64];
};

/* Each round, the lowest rank whose kind of failure is not yet told tells it, and all of that kind
 * count themselves: as many rounds as there are kinds, whatever the number of ranks. */
void reduce_errors(struct phase_result *result, const struct error *mine, struct comm *comm,
                   struct error *worst)
{
    bool told = mine->status == STATUS_DONE;
    uint64_t kinds = 0, others = 0;
    *worst = error_none();
    for (;;) {
        uint64_t lowest = told ? UINT64_MAX : comm->rank;
        comm_reduce_all(comm, REDUCE_MIN, &lowest, 1);
        if (lowest == UINT64_MAX || kinds == RESULT_ERRORS)
            break;
        struct report_card card = {.error = *mine};
        snprintf(card.host, sizeof card.host, "%s", comm->host);
        comm->ops->broadcast(comm, lowest, &card, sizeof card);
        bool same = !told && !strcmp(card.error.kind, mine->kind);
        uint64_t count = same ? 1 : 0;
        told |= same;
        comm_reduce_all(comm, REDUCE_SUM, &count, 1);
        if (result)
            phase_error(result, &card.error, lowest, card.host, count);
        if (kinds++ == 0) {
            *worst = card.error;
            others = count - 1;
            if (worst->status != STATUS_USAGE) /* that is the user's, not a rank's */
                error_wrap(worst, "rank %" PRIu64 " (%s)", lowest, card.host);
        } else {
            others += count;
            worst->status = status_worse(worst->status, card.error.status);
        }
    }
    if (worst->status != STATUS_DONE && others > 0) {
        size_t used = strlen(worst->text);
        snprintf(worst->text + used, sizeof worst->text - used,
                 " (and %" PRIu64 " other rank%s failed, %" PRIu64 " kind%s of failure in all)",
                 others, others == 1 ? "" : "s", kinds, kinds == 1 ? "" : "s");
    }
}
