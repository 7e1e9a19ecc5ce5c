/* What the files of the pnetcdf backend share. */
#ifndef PARIO_BACKENDS_PNETCDF_FILE_H
#define PARIO_BACKENDS_PNETCDF_FILE_H

#include "backends/backend.h"

struct pnetcdf_options {
    char *hints;      /* key=value;key=value */
    char *hints_file; /* a key=value per line */
};

#ifdef HAVE_PNETCDF

/* mpi.h first: PnetCDF's header wants it. */
#include <mpi.h>

#include <pnetcdf.h>

#include "backends/mpiio_share.h"

/* Outcomes: 0; a code of the library, which is negative; or one of these, below all of its codes.
 * Operations on names carry an errno, which is positive. */
enum {
    PNETCDF_RANGE = -10001,     /* outside of the variable */
    PNETCDF_LOST = -10002,      /* success was reported, and the disk lacks what was written */
    PNETCDF_CLOSED = -10003,    /* the file is not open here */
    PNETCDF_ELSEWHERE = -10004, /* it failed on another rank: pnetcdf->elsewhere */
    PNETCDF_NO_DATA = -10005,   /* the file holds no variable of pario's */
    PNETCDF_SIZE = -10006,      /* the variable that is there has another size */
    PNETCDF_LONG_NAME = -10007,
    PNETCDF_SYNC_EACH = -10008, /* a sync after each write, of a file that others share */
    PNETCDF_PIECES = -10009     /* several pieces in one operation */
};

struct pnetcdf_file {
    int id;       /* -1: not open */
    int variable; /* -1: none */
    uint64_t bytes;
    uint64_t object;
    bool shared;    /* opened by all ranks: syncing and closing are collective */
    bool unchecked; /* writes since the disk was looked at */
    bool lost;
    uint64_t written_bytes; /* by this rank, since it was opened */
};

struct pnetcdf {
    MPI_Comm comm;
    int ranks;
    struct mpiio_hints hints;
    uint64_t file_bytes; /* that files are to be given */
    uint64_t rounds;     /* calls that a collective transfer is made of; 1 below 1 GiB */
    int64_t checked_ns;  /* when the disk was last looked at */
    bool file_per_process;
    bool collective; /* transfers are; else the data is in independent mode */
    struct mpiio_agreed elsewhere;
    struct mpiio_agreed unopenable[2]; /* by any rank: for reading, for writing */
    const struct clock *clock;
    struct object_names names;
    uint32_t handles;
    struct pnetcdf_file file[];
};

void pnetcdf_explain(void *io, const struct op *op, const struct outcome *outcome, struct error *e);
/* An errno for a code of the library; 0: it has none. */
int pnetcdf_errno(int code);
/* Some MPI libraries report success for writes that met a full disk. True: the file occupies less
 * than was written, and the file system is full. */
bool pnetcdf_is_missing(const struct pnetcdf *p, const struct pnetcdf_file *f);

/* Operations. */
enum io_state pnetcdf_perform_open(void *io, const struct op *op, uint32_t slot,
                                   struct outcome *outcome);
enum io_state pnetcdf_perform_sync(void *io, const struct op *op, uint32_t slot,
                                   struct outcome *outcome);
enum io_state pnetcdf_perform_close(void *io, const struct op *op, uint32_t slot,
                                    struct outcome *outcome);
enum io_state pnetcdf_transfer(void *io, const struct op *op, uint32_t slot,
                               struct outcome *outcome);
int pnetcdf_close_file(struct pnetcdf_file *f);

#endif
#endif
