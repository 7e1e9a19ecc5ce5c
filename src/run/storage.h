/* What a run may touch. A file is its own if this run made it or a sidecar FILE.pario lists it;
 * anything else is foreign: read freely, but never written or removed unless the user says so. Each
 * file is looked after by one rank: a shared one by rank 0, a file per process by its own. */
#ifndef PARIO_RUN_STORAGE_H
#define PARIO_RUN_STORAGE_H

#include "comm/comm.h"
#include "model/plan.h"
#include "probe/sidecar.h"

#define STORAGE_ALL UINT64_MAX

struct storage {
    bool files;    /* the backend keeps files of a mounted file system: the rest has a meaning */
    bool mine;     /* this rank looks after the file */
    bool exists;   /* the file that this rank writes is there now */
    bool owned;    /* ... and is pario's */
    bool recorded; /* a sidecar is there */
    uint64_t size_bytes; /* of the file, before the run */
    uint64_t written; /* transfers (of this plan) that this rank's blocks hold; STORAGE_ALL: all */
    uint64_t seed;    /* of the data that is there, by the sidecar; 0: not known */
};

/* Collective, before anything is touched: names, what is there, whose it is, room. files: the
 * backend has BACKEND_PATHS. 0, or -1 with this rank's own error; the caller agrees on it with the
 * others. */
int storage_look(struct storage *s, const struct plan *plan, bool files, struct comm *comm,
                 struct error *e);

/* Collective, after a write whose files are kept: the sidecar. done: transfers that this rank
 * wrote. */
int storage_keep(struct storage *s, const struct plan *plan, uint64_t done, struct comm *comm,
                 struct error *e);

/* Rank 0, after the files are gone: so is their sidecar. */
void storage_forget(struct storage *s, const struct plan *plan);

#endif
