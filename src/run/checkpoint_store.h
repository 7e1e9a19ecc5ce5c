/* What of checkpoints lies at -o: whose it is, which are whole, and its removal. Rank 0's alone,
 * outside of every measured time. A directory is pario's own if it has a marker of pario's; nothing
 * else in it is ever removed than what a checkpoint consists of. */
#ifndef PARIO_RUN_CHECKPOINT_STORE_H
#define PARIO_RUN_CHECKPOINT_STORE_H

#include "model/checkpoint.h"

#define CHECKPOINT_STEPS_SEEN 64

struct checkpoint_store {
    bool exists; /* the directory */
    bool marked; /* ... with a marker, which is: */
    struct checkpoint_marker marker;
    uint64_t unmarked; /* the newest step that is there without being whole; 0: none */
    uint64_t steps_used;
    uint64_t steps[CHECKPOINT_STEPS_SEEN]; /* that are there, whole or not, in no order; not all
                                              where they are many */
};

/* Looks, and refuses a directory that is not pario's, or one that cannot be written (write). 0, or
 * -1 with an error. */
int checkpoint_store_look(struct checkpoint_store *s, const struct checkpoint_plan *plan,
                          bool write, struct error *e);
/* Makes the directory where it is missing, and in it a marker that says that none is whole yet: so
 * it is known as pario's from then on. */
int checkpoint_store_make(const struct checkpoint_plan *plan, struct error *e);
/* Replaces the marker that is there by one that says that none is whole: from then on nothing can
 * be taken for whole, and what is left of it is known as pario's until it is gone. Where there is
 * no room for one, the marker is removed. */
int checkpoint_store_unmark(struct checkpoint_store *s, const struct checkpoint_plan *plan,
                            struct error *e);
/* Removes all checkpoints, whole or not, then the marker and the directory, unless others have put
 * something into it. */
int checkpoint_store_clear(const struct checkpoint_plan *plan, struct error *e);

#endif
