/* Whatever a run may have made of its items, under any name that it gave them; most of it is
 * usually not there. */
#include "phases/items.h"

struct clear {
    struct cursor base;
    uint64_t item, end;
    unsigned class; /* index into names */
};

static const struct {
    enum metadata_class class;
    enum op_kind kind;
} names[] = {{OBJECT_FILE, OP_UNLINK},
             {OBJECT_FILE_RENAMED, OP_UNLINK},
             {OBJECT_LINK, OP_UNLINK},
             {OBJECT_DIRECTORY, OP_RMDIR},
             {OBJECT_DIRECTORY_RENAMED, OP_RMDIR}};

static void begin(struct cursor *c)
{
    struct clear *t = (struct clear *)c;
    uint64_t planned = items_planned_once(c->plan, c->real_rank);
    t->item = c->first;
    t->end = c->plan->metadata.mixed || planned >= c->goal ? c->goal : planned;
}

static enum step next(struct cursor *c, struct op *op)
{
    struct clear *t = (struct clear *)c;
    if (t->item >= t->end)
        return STEP_END;
    enum op_kind kind = names[t->class].kind;
    *op = (struct op){
        .kind = (uint8_t)kind,
        .flags = kind == OP_RMDIR ? OP_FLAG_DIRECTORY : 0,
        .object = metadata_object(&c->plan->metadata, names[t->class].class, c->rank, t->item)};
    c->issued++;
    if (++t->class == sizeof names / sizeof *names) {
        t->class = 0;
        t->item++;
    }
    return STEP_OP;
}

const struct phase phase_clear_items = {
    .name = "clear-items",
    .sentence = "what is left of the items of a run is removed, outside the measured time",
    .about = OP_UNLINK,
    .needs = 1u << OP_UNLINK | 1u << OP_RMDIR,
    .cursor_bytes = sizeof(struct clear),
    .timed = false,
    .errors = ERRORS_IGNORE,
    .begin = begin,
    .next = next,
    .planned = items_planned_once,
};
