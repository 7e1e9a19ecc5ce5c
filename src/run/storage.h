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
    bool directory_made;  /* with unique_dir: this run made the rank's directory */
    bool hollow;          /* on all ranks: some file that is only read is mostly holes */
    bool direct_buffered; /* rank 0: O_DIRECT is taken, and the page cache is used all the same */
    uint64_t size_bytes;  /* of the file, before the run */
    uint64_t written; /* transfers (of this plan) that this rank's blocks hold; STORAGE_ALL: all */
};

/* Collective, before anything is touched: names, what is there, whose it is, room. files: the
 * backend has BACKEND_PATHS. Where the plan only reads, data and order of what is there enter the
 * plan; data.seed stays 0 where it is not known. 0, or -1 with this rank's own error; the caller
 * agrees on it with the others. */
int storage_look(struct storage *s, struct plan *plan, bool files, struct comm *comm,
                 struct error *e);

/* A part of that, for a rank whose target is a block device: is it one, do the rank's blocks fit,
 * and is it free to be written? 0, or -1 with an error. */
int storage_look_device(struct storage *s, const struct plan *plan, uint64_t rank, struct error *e);

/* Rank 0, as a part of that: can what the plan wants be done with O_DIRECT where it asks for it? 0,
 * or -1 with STATUS_USAGE where not: sizes that do not fit, a file system that cannot. */
int storage_look_direct(struct storage *s, const struct plan *plan, struct error *e);

/* After ranks created a shared file together: it is there now, and pario's, if it is. */
void storage_see(struct storage *s, const struct plan *plan, uint64_t rank);

/* With unique_dir: makes this rank's directory where it is missing. 0, or -1 with an error. */
int storage_make_directory(struct storage *s, const struct plan *plan, uint64_t rank,
                           struct error *e);
/* Removes it again if this run made it. */
void storage_remove_directory(struct storage *s, const struct plan *plan, uint64_t rank);

struct kept { /* of one rank, for the sidecar */
    uint64_t done;
    uint64_t there;
    struct file_facts facts;
};

/* Rank 0, before files are made: a sidecar that lists none of them yet, so that what a run leaves
 * which is killed is known. 0, or -1 with an error where the files are to be kept and none can be
 * written. */
int storage_begin(struct storage *s, const struct plan *plan, struct comm *comm, struct error *e);
/* Whether the sidecar is such a one, and what is at path of that run: it begins with data of the
 * sidecar's seed, or holds nothing. */
bool storage_unfinished(const struct sidecar *sidecar, const char *path);

/* After a run that failed: whether what it was about to make at this rank's path is there all the
 * same, as some libraries leave it. */
void storage_see_left(struct storage *s, const struct plan *plan, uint64_t rank);

/* Writes the sidecar of so many ranks; all NULL: that of storage_begin. 0, or -1 with an error. */
int storage_record(const struct plan *plan, const struct kept *all, uint64_t ranks,
                   struct error *e);
/* Whether its name, and that of each file, is one that the file system takes. 0, or -1 with
 * STATUS_USAGE. */
int storage_check_names(const struct plan *plan, uint64_t name_max, struct error *e);

/* Collective, after a write whose files are kept: the sidecar. done: transfers that this rank
 * wrote. */
int storage_keep(struct storage *s, const struct plan *plan, uint64_t done, struct comm *comm,
                 struct error *e);

/* Rank 0, after the files are gone: so is their sidecar. */
void storage_forget(struct storage *s, const struct plan *plan);

/* Collective. Rank 0's sidecar on every rank; *there false: there is none. */
int storage_recall(struct sidecar *sidecar, bool *there, const struct plan *plan, struct comm *comm,
                   struct error *e);
/* The plan reads what was written in sequence and cut short: each rank so many transfers. 0, or -1
 * with STATUS_USAGE where its way to read would meet holes. */
int storage_cut(struct storage *s, struct plan *plan, uint64_t transfers, struct error *e);
/* The plan reads what the sidecar tells of: its data, its order where a deadline cut it short, and
 * how many of the plan's transfers the blocks of this rank hold. 0, or -1 with STATUS_USAGE where
 * what is there cannot be read in this way. */
int storage_adopt(struct storage *s, struct plan *plan, const struct sidecar *sidecar,
                  uint64_t rank, struct error *e);

#endif
