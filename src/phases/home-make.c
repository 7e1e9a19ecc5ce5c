/* pario.<repetition>, by the first rank of each target; that it does not exist yet is part of it.
 */
#include "phases/phase.h"

struct home {
    struct cursor base;
    bool done;
};

static uint64_t planned(const struct plan *plan, uint64_t rank)
{
    return rank < plan->metadata.target_count ? 1 : 0;
}

static void begin(struct cursor *c)
{
    (void)c;
}

static enum step next(struct cursor *c, struct op *op)
{
    struct home *h = (struct home *)c;
    if (h->done || !planned(c->plan, c->rank))
        return STEP_END;
    h->done = true;
    *op = (struct op){.kind = OP_MKDIR,
                      .order = ORDER_DRAIN,
                      .flags = OP_FLAG_DIRECTORY,
                      .object = metadata_object(&c->plan->metadata, OBJECT_HOME, c->rank, 0)};
    c->issued++;
    return STEP_OP;
}

const struct phase phase_home_make = {
    .name = "home-make",
    .sentence = "the directory that holds the trees is made, outside the measured time",
    .about = OP_MKDIR,
    .needs = 1u << OP_MKDIR,
    .cursor_bytes = sizeof(struct home),
    .timed = false,
    .begin = begin,
    .next = next,
    .planned = planned,
};
