/* The home of a metadata run, pario.<repetition> below each target directory: is it there, is it
 * pario's, what is in it. The first rank of each target looks after its home. */
#ifndef PARIO_RUN_HOME_H
#define PARIO_RUN_HOME_H

#include "comm/comm.h"
#include "model/plan.h"
#include "probe/treemark.h"

struct home {
    bool files;       /* the backend keeps files of a mounted file system: all below has sense */
    bool target;      /* the directory that -d names is there; the same on all ranks */
    bool there;       /* a marked home is there, at every target; the same on all ranks */
    bool taken;       /* something unmarked has its name; the same on all ranks */
    bool made_target; /* this rank's: made by pario, and gone with the home */
    struct treemark mark; /* where there */
    uint64_t tried[2];    /* items that this rank tried to create: files, directories */
};

/* Collective. plan.metadata.repetition says which. 0, or -1 with this rank's own error. */
int home_look(struct home *h, const struct plan *plan, struct comm *comm, struct error *e);
/* Makes the directory that -d names for this rank's target where it is missing. */
int home_make_target(struct home *h, const struct plan *plan, uint64_t rank, struct error *e);
/* Collective. Writes the marks; counts: with what each rank tried (home.tried), else as under way.
 */
int home_mark(struct home *h, const struct plan *plan, bool counts, struct comm *comm,
              struct error *e);
/* Removes this rank's share of all items in the trees of a layout, under any name that a run gives
 * them. 0, or -1 with an error. */
int home_clear(const struct home *h, const struct metadata_plan *layout, const struct comm *comm,
               struct error *e);
/* The mark goes, after all that it told of. */
int home_unmark(struct home *h, const struct plan *plan, uint64_t rank, struct error *e);
/* ... and the directory that -d names, if pario made it and it is empty. */
void home_remove_target(struct home *h, const struct plan *plan, uint64_t rank);
void home_free(struct home *h);

/* The plan that a mark tells of, as far as names depend on it. */
struct metadata_plan home_layout(const struct home *h, const struct metadata_plan *now);
/* Whether a run can go on with what is there. 0, or -1 with STATUS_USAGE and the first option that
 * differs. */
int home_check_layout(const struct home *h, const struct metadata_plan *now, struct error *e);

#endif
