/* Failures of single items. A phase on a million files goes on when one of them is missing, and
 * says at its end how many failed and of what, with one example of each kind. */
#include "run/engine_parts.h"

#include <errno.h>

/* What would strike every operation from now on. */
static bool lasts(int error)
{
    static const int lasting[] = {ENOSPC, EDQUOT,   EROFS,  EIO,        EMFILE,   ENFILE,
                                  ENOMEM, ENOTCONN, ENOSYS, EOPNOTSUPP, ECANCELED};
    for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++)
        if (lasting[i] == error)
            return true;
    return false;
}

static struct tally *tally_of(struct engine *e, const struct op *op, const struct outcome *outcome)
{
    struct tallies *t = e->tallies;
    for (size_t i = 0; i < t->used; i++)
        if (t->rows[i].code == outcome->error)
            return &t->rows[i];
    if (t->used == RESULT_ERRORS)
        return &t->rows[RESULT_ERRORS - 1];
    struct tally *row = &t->rows[t->used++];
    *row = (struct tally){.code = outcome->error, .error = error_none()};
    engine_explain(e, op, outcome, &row->error);
    return row;
}

/* The item was counted as done when its first operation was. */
static void take_back(struct engine *e, struct slot *s)
{
    uint64_t *counters = e->sample->counters;
    const struct phase *phase = e->job.phase;
    bool about = s->op.kind == phase->about || phase->items >> s->op.kind & 1;
    bool of_item = about || (e->job.phase->own_handles && !(s->op.flags & OP_FLAG_DIRECTORY));
    if (s->failed || !of_item)
        return;
    s->failed = true;
    counters[COUNTER_FAILED]++;
    if (!about)
        counters[COUNTER_OPERATIONS]--;
}

bool engine_pass(struct engine *e, struct slot *s, const struct outcome *outcome)
{
    if (e->job.phase->errors == ERRORS_IGNORE)
        return true;
    struct tally *row = tally_of(e, &s->op, outcome);
    if (lasts(row->error.errno_value))
        return false;
    row->count++;
    take_back(e, s);
    return true;
}
