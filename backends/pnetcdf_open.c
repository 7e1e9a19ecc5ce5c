/* Opening, syncing and closing files. Where all ranks do it together, they agree on whether it went
 * well before the next call that they make together: the library waits in such a call for a rank
 * that failed and stayed away. */
#include "backends/pnetcdf_file.h"

#ifdef HAVE_PNETCDF

#include "backends/posix_file.h"

#include <errno.h>
#include <unistd.h>

static bool creates(const struct op *op)
{
    return op->flags & OP_FLAG_CREATE || op->kind == OP_CREATE;
}

static bool writes(const struct op *op)
{
    return creates(op) || op->flags & OP_FLAG_WRITE;
}

/* Creating what may be there: the same answer on every rank. */
static bool is_missing(const struct pnetcdf *p, const struct pnetcdf_file *f, const char *path)
{
    int missing = access(path, F_OK) != 0;
    if (f->shared)
        MPI_Bcast(&missing, 1, MPI_INT, 0, p->comm);
    return missing;
}

/* The variable of a new file; fill values are left out, as is the library's default. */
static int define(struct pnetcdf_file *f, uint64_t bytes)
{
    int dimension = -1, rc = NC_NOERR;
    if (bytes > 0)
        rc = ncmpi_def_dim(f->id, "byte", (MPI_Offset)bytes, &dimension);
    if (rc == NC_NOERR && bytes > 0)
        rc = ncmpi_def_var(f->id, "data", NC_UBYTE, 1, &dimension, &f->variable);
    if (rc == NC_NOERR)
        rc = ncmpi_enddef(f->id);
    f->bytes = bytes;
    return rc;
}

/* What an earlier run has made. */
static int find(struct pnetcdf_file *f)
{
    MPI_Offset bytes = 0;
    nc_type type = NC_NAT;
    int dimension = -1, dimensions = 0;
    if (ncmpi_inq_varid(f->id, "data", &f->variable) != NC_NOERR)
        return PNETCDF_NO_DATA;
    int rc = ncmpi_inq_vartype(f->id, f->variable, &type);
    if (rc == NC_NOERR)
        rc = ncmpi_inq_varndims(f->id, f->variable, &dimensions);
    if (rc != NC_NOERR)
        return rc;
    if (type != NC_UBYTE || dimensions != 1)
        return PNETCDF_NO_DATA;
    rc = ncmpi_inq_vardimid(f->id, f->variable, &dimension);
    if (rc == NC_NOERR)
        rc = ncmpi_inq_dimlen(f->id, dimension, &bytes);
    f->bytes = (uint64_t)bytes;
    return rc;
}

/* Some rank cannot open the file, as was seen before the phase. */
static bool refused(struct pnetcdf *p, const struct pnetcdf_file *f, const struct op *op)
{
    if (!f->shared || op->object != 0 || creates(op))
        return false;
    p->elsewhere = p->unopenable[op->flags & OP_FLAG_WRITE ? 1 : 0];
    return p->elsewhere.error != 0;
}

static int open_file(struct pnetcdf *p, struct pnetcdf_file *f, const struct op *op,
                     const char *path)
{
    MPI_Comm comm = f->shared ? p->comm : MPI_COMM_SELF;
    bool exclusive = op->flags & OP_FLAG_EXCLUSIVE;
    bool fresh =
        exclusive || op->flags & OP_FLAG_TRUNCATE || (creates(op) && is_missing(p, f, path));
    int mode = (exclusive ? NC_NOCLOBBER : NC_CLOBBER) | NC_64BIT_DATA;
    int id = -1;
    int rc = fresh
                 ? ncmpi_create(comm, path, mode, p->hints.asked, &id)
                 : ncmpi_open(comm, path, writes(op) ? NC_WRITE : NC_NOWRITE, p->hints.asked, &id);
    if (rc != NC_NOERR)
        return rc;
    f->id = id;
    rc = fresh ? define(f, p->file_bytes) : find(f);
    if (rc == NC_NOERR && writes(op) && p->file_bytes != 0 && f->bytes != p->file_bytes)
        rc = PNETCDF_SIZE;
    if (rc == NC_NOERR && !p->collective)
        rc = ncmpi_begin_indep_data(f->id);
    if (rc == NC_NOERR && p->hints.used == MPI_INFO_NULL)
        ncmpi_inq_file_info(f->id, &p->hints.used);
    return rc;
}

/* All ranks fail where one does. */
static int settle(struct pnetcdf *p, const struct pnetcdf_file *f, int error)
{
    if (!f->shared)
        return error;
    int value = pnetcdf_errno(error);
    p->elsewhere = mpiio_agree(p->comm, error == 0 ? 0 : value != 0 ? value : EIO);
    return error == 0 && p->elsewhere.error != 0 ? PNETCDF_ELSEWHERE : error;
}

enum io_state pnetcdf_perform_open(void *io, const struct op *op, uint32_t slot,
                                   struct outcome *outcome)
{
    (void)slot;
    struct pnetcdf *p = io;
    struct pnetcdf_file *f = &p->file[op->handle];
    char path[POSIX_PATH_BYTES];
    *outcome = (struct outcome){0};
    *f = (struct pnetcdf_file){.id = -1,
                               .variable = -1,
                               .object = op->object,
                               .shared = !p->file_per_process &&
                                         (op->kind == OP_OPEN || op->flags & OP_FLAG_COLLECTIVE)};
    if (p->names.path(p->names.plan, op->object, path, sizeof path) != 0) {
        outcome->error = PNETCDF_LONG_NAME; /* on every rank: the name is the same everywhere */
        return IO_DONE;
    }
    if (refused(p, f, op)) {
        outcome->error = PNETCDF_ELSEWHERE;
        return IO_DONE;
    }
    int error = open_file(p, f, op, path);
    outcome->error = settle(p, f, error);
    if (outcome->error != 0) { /* open on some ranks alone: closing it would be a call of all */
        if (f->id >= 0 && !f->shared)
            pnetcdf_close_file(f);
        f->id = -1;
    }
    return IO_DONE;
}

int pnetcdf_close_file(struct pnetcdf_file *f)
{
    int rc = ncmpi_close(f->id);
    f->id = -1;
    return rc;
}

/* After collective writes all ranks look whether their data is there. */
static bool lost(struct pnetcdf *p, struct pnetcdf_file *f)
{
    int missing = f->unchecked && (f->lost || pnetcdf_is_missing(p, f));
    if (f->shared)
        missing = mpiio_agree(p->comm, missing).error != 0;
    f->lost = f->lost || missing;
    f->unchecked = false;
    return f->lost;
}

enum io_state pnetcdf_perform_sync(void *io, const struct op *op, uint32_t slot,
                                   struct outcome *outcome)
{
    (void)slot;
    struct pnetcdf *p = io;
    struct pnetcdf_file *f = &p->file[op->handle];
    *outcome = (struct outcome){0};
    if (op->flags & OP_FLAG_DIRECTORY)
        posix_name(&p->names, op, outcome);
    else if (f->id < 0)
        outcome->error = PNETCDF_CLOSED;
    else if (f->shared && op->flags & OP_FLAG_IN_TRANSFER)
        outcome->error = PNETCDF_SYNC_EACH;
    else if (lost(p, f))
        outcome->error = PNETCDF_LOST;
    else
        outcome->error = ncmpi_sync(f->id);
    return IO_DONE;
}

enum io_state pnetcdf_perform_close(void *io, const struct op *op, uint32_t slot,
                                    struct outcome *outcome)
{
    (void)slot;
    struct pnetcdf *p = io;
    struct pnetcdf_file *f = &p->file[op->handle];
    *outcome = (struct outcome){0};
    if (f->id < 0) {
        outcome->error = PNETCDF_CLOSED;
        return IO_DONE;
    }
    bool missing = lost(p, f);
    outcome->error = pnetcdf_close_file(f);
    if (missing && outcome->error == 0)
        outcome->error = PNETCDF_LOST;
    return IO_DONE;
}

#endif
