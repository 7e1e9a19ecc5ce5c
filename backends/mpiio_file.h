/* What the files of the mpiio backend share. */
#ifndef PARIO_BACKENDS_MPIIO_FILE_H
#define PARIO_BACKENDS_MPIIO_FILE_H

#include "backends/mpiio_share.h"

struct mpiio_options {
    char *hints;      /* key=value;key=value */
    char *hints_file; /* a key=value per line */
    bool preallocate;
    bool atomicity;
    bool file_view;
};

#ifdef HAVE_MPI

#include <mpi.h>

#define LARGEST_CALL (UINT64_C(1) << 30) /* bytes; MPI counts them in an int */

/* Outcomes carry the library's own code, which is positive, or one of these. Operations on names
 * carry an errno. */
enum {
    MPIIO_SHORT = -1,     /* the library reported success and moved less than asked */
    MPIIO_LOST = -2,      /* it reported success, and the file lacks what was written */
    MPIIO_CLOSED = -3,    /* the file is not open here */
    MPIIO_MISPLACED = -4, /* the pieces do not fit the file's view */
    MPIIO_LONG_NAME = -5,
    MPIIO_ELSEWHERE = -6, /* it failed on another rank */
    MPIIO_SYNC_EACH = -7  /* a sync after each write, of a file that others share */
};

struct mpiio_file {
    MPI_File handle; /* MPI_FILE_NULL: not open */
    uint64_t object;
    bool shared;    /* opened by all ranks: syncing and closing are collective */
    bool unchecked; /* collective writes since the file's end was looked at */
    bool lost;
    uint64_t end_bytes;  /* of what this rank has written */
    uint64_t size_bytes; /* of the file when last asked */
    /* The view, once an operation had several pieces: tiles of count * stride bytes from
     * begin_bytes, of which count * length are this rank's. tile_bytes 0: no view was set. */
    uint64_t begin_bytes;
    uint64_t tile_bytes;
    uint64_t tile_data_bytes;
    bool viewed;
    uint64_t view_block; /* file-view: which block of each segment this rank sees */
};

struct mpiio {
    MPI_Comm comm;
    struct mpiio_hints hints;
    struct mpiio_agreed unopenable[2]; /* by any rank: for reading, for writing */
    struct mpiio_agreed elsewhere;     /* what made an operation fail that went well here */
    uint64_t rounds;    /* calls that a collective transfer is made of; 1 below 1 GiB */
    int64_t checked_ns; /* when a file's end was last looked at */
    uint64_t expected_bytes;
    bool file_per_process;
    bool preallocate;
    bool atomicity;
    const char *opening;       /* the call that an open has come to */
    uint64_t view_block_bytes; /* file-view; 0: files are seen as they are */
    uint64_t view_unit_bytes;  /* divides the block */
    uint64_t ranks;
    const struct clock *clock;
    struct object_names names;
    uint32_t handles;
    struct mpiio_file file[];
};

void mpiio_explain(void *io, const struct op *op, const struct outcome *outcome, struct error *e);
/* Some libraries report success for a collective write that met a full disk. True: the file ends
 * before this rank's data does, and the file system is full. */
bool mpiio_end_is_missing(struct mpiio *m, struct mpiio_file *f);

/* Collective: the file is seen as the blocks that begin where this one does, of all segments. */
int mpiio_view_blocks(struct mpiio *m, struct mpiio_file *f, uint64_t offset_bytes);

/* READ and WRITE. */
enum io_state mpiio_transfer(void *io, const struct op *op, uint32_t slot, struct outcome *outcome);

#endif
#endif
