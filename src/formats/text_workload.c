/* What metadata runs and checkpoints consist of, for the head of a report. */
#include "formats/text_parts.h"

#include "base/units.h"
#include "model/plan.h"

#include <inttypes.h>

static void finish(struct text *out, const char *label, struct text *words)
{
    text_line(out, label, words->data ? words->data : "");
    out->failed |= words->failed;
    text_free(words);
}

void text_items(struct text *out, const struct plan *p)
{
    const struct metadata_plan *m = &p->metadata;
    const char *kinds = !m->directories ? "files"
                        : !m->files     ? "directories"
                                        : "files, and as many directories";
    struct text words = {0};
    text_add(&words, "%" PRIu64 " %s %s", m->items, kinds,
             m->shared ? "that all ranks share" : "of each rank");
    finish(out, "items", &words);
    words = (struct text){0};
    text_add(&words, "%s: %" PRIu64 " of %" PRIu64 " director%s, and %" PRIu64 " of all hold items",
             m->unique             ? "for each rank its own"
             : m->target_count > 1 ? "for each target its own"
                                   : "shared by all ranks",
             m->trees, m->tree.directories, m->tree.directories == 1 ? "y" : "ies", m->item_dirs);
    finish(out, "trees", &words);
}

void text_steps(struct text *out, const struct plan *p)
{
    const struct checkpoint_plan *c = &p->checkpoint;
    struct text words = {0};
    char size[UNITS_TEXT];
    text_add(&words, "%s (%" PRIu64 " bytes) in %" PRIu64 " file%s",
             units_size(size, (double)c->bytes), c->bytes, c->files, c->files == 1 ? "" : "s");
    finish(out, "checkpoint", &words);
    if (c->restart)
        return;
    words = (struct text){0};
    text_add(&words, "%" PRIu64 ", of which %" PRIu64 " stay", c->steps,
             c->steps < c->retain ? c->steps : c->retain);
    finish(out, "steps", &words);
}
