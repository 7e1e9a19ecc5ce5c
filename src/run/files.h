/* What the scenarios of data workloads do with their files between phases. */
#ifndef PARIO_RUN_FILES_H
#define PARIO_RUN_FILES_H

#include "run/phase_run.h"

/* The backend keeps files of a mounted file system. */
bool files_real(const struct rank_run *r);
/* They stay after the run: asked for, or for the sake of an error. */
bool files_kept(const struct rank_run *r, const struct phase_end *end);
/* Collective: removes what every rank may remove of what is there. */
void files_clear(struct rank_run *r, struct phase_end *end);
/* Collective: the sidecar. done: transfers that this rank wrote. */
void files_record(struct rank_run *r, uint64_t done, struct phase_end *end);
/* Collective: whether every rank that looks after a file says yes. */
bool files_all(const struct rank_run *r, bool mine);
/* Asks this node to forget the pages of the rank's file, as far as it may. */
void files_drop_cache(const struct rank_run *r);

#endif
