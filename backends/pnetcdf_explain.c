/* What a failure means: the library's own words; where its code names no errno, the cause is looked
 * for beside it, as for MPI-IO, and called probable. */
#include "backends/pnetcdf_file.h"

#ifdef HAVE_PNETCDF

#include "backends/posix_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int pnetcdf_errno(int code)
{
    static const struct {
        int code, value;
    } known[] = {{NC_ENOENT, ENOENT},   {NC_EACCESS, EACCES}, {NC_EPERM, EACCES},
                 {NC_EEXIST, EEXIST},   {NC_EQUOTA, EDQUOT},  {NC_ENO_SPACE, ENOSPC},
                 {PNETCDF_LOST, ENOSPC}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code)
            return known[i].value;
    return 0;
}

static const char *call_name(const struct op *op)
{
    bool together = op->flags & OP_FLAG_COLLECTIVE;
    switch ((enum op_kind)op->kind) {
    case OP_READ:
        return together ? "ncmpi_get_vara_all" : "ncmpi_get_vara";
    case OP_WRITE:
        return together ? "ncmpi_put_vara_all" : "ncmpi_put_vara";
    case OP_SYNC:
        return "ncmpi_sync";
    case OP_CLOSE:
        return "ncmpi_close";
    case OP_OPEN:
        return op->flags & OP_FLAG_EXCLUSIVE ? "ncmpi_create" : "ncmpi_open";
    default:
        return "ncmpi_create";
    }
}

/* Failures that are found here, not in the library. */
static const char *found_here(int error)
{
    switch (error) {
    case PNETCDF_CLOSED:
        return "the file is not open on this rank";
    case PNETCDF_NO_DATA:
        return "the file holds no variable that pario made";
    case PNETCDF_SIZE:
        return "the variable in the file has not the size of this run's: remove the file first "
               "(leave out -E), or use the options that it was written with";
    case PNETCDF_SYNC_EACH:
        return "syncing a shared file is a call of all ranks, and cannot follow each write of "
               "one: use a file per process (-F), or sync at the end (-e)";
    case PNETCDF_PIECES:
        return "a transfer in several pieces is not for pnetcdf";
    default:
        return NULL;
    }
}

static void explain_call(const struct op *op, const char *path, int error, struct error *e)
{
    char size[32] = "", name[16];
    struct mpiio_cause cause = {.errno_value = pnetcdf_errno(error)};
    bool certain = cause.errno_value != 0 && error != PNETCDF_LOST;
    const char *said = error == PNETCDF_LOST
                           ? "success was reported, but the file occupies less than was written"
                           : ncmpi_strerror(error);
    if (cause.errno_value == 0)
        cause = mpiio_find_cause(path, op, false);
    if (op_is_transfer((enum op_kind)op->kind))
        snprintf(size, sizeof size, " of %" PRIu64 " bytes", op->length_bytes);
    const char *kind =
        cause.errno_value != 0 ? error_errno_name(cause.errno_value, name, sizeof name) : "EIO";
    if (cause.errno_value != 0 && !certain)
        error_set(e, STATUS_FAILED, kind, "%s%s: %s; probable cause: %s", call_name(op), size, said,
                  strerror(cause.errno_value));
    else
        error_set(e, STATUS_FAILED, kind, "%s%s: %s", call_name(op), size, said);
    if (e != NULL && e->errno_value == 0)
        e->errno_value = cause.errno_value;
}

static void explain_elsewhere(const struct mpiio_agreed *agreed, const struct op *op,
                              struct error *e)
{
    char name[16];
    error_set(e, STATUS_FAILED, error_errno_name(agreed->error, name, sizeof name),
              "%s by all ranks: it failed on rank %d: %s", call_name(op), agreed->rank,
              strerror(agreed->error));
    if (e != NULL && e->errno_value == 0)
        e->errno_value = agreed->error;
}

void pnetcdf_explain(void *io, const struct op *op, const struct outcome *outcome, struct error *e)
{
    const struct pnetcdf *p = io;
    char path[POSIX_PATH_BYTES];
    const char *own = found_here(outcome->error);
    if (outcome->error > 0)
        posix_explain(op, outcome, false, e);
    else if (own != NULL)
        error_set(e, STATUS_FAILED, "EIO", "%s: %s", call_name(op), own);
    else if (outcome->error == PNETCDF_ELSEWHERE)
        explain_elsewhere(&p->elsewhere, op, e);
    else if (outcome->error == PNETCDF_RANGE)
        error_set(e, STATUS_FAILED, "end-of-file",
                  "%s of %" PRIu64 " bytes: the variable ends at byte %" PRIu64, call_name(op),
                  op->length_bytes, p->file[op->handle].bytes);
    else if (outcome->error == PNETCDF_LONG_NAME ||
             p->names.path(p->names.plan, op->object, path, sizeof path) != 0)
        error_errno(e, ENAMETOOLONG, "%s", call_name(op));
    else
        explain_call(op, path, outcome->error, e);
}

#endif
