/* What a failure of MPI-IO means. Its libraries often give neither a class nor an errno for a full
 * disk, so the cause is looked for beside them, in the file system, and called probable. */
#include "backends/mpiio_file.h"

#ifdef HAVE_MPI

#include "backends/posix_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The library's own words on one line, or ours for what it does not know to be wrong. */
static void words(int code, int64_t moved, char *text, size_t bytes)
{
    char said[MPI_MAX_ERROR_STRING] = "";
    int n = 0;
    switch (code) {
    case MPIIO_SHORT:
        snprintf(text, bytes, "MPI reported success, but moved %" PRId64 " bytes", moved);
        return;
    case MPIIO_LOST:
        snprintf(text, bytes, "MPI reported success, but the file ends before what was written");
        return;
    case MPIIO_CLOSED:
        snprintf(text, bytes, "the file is not open on this rank");
        return;
    case MPIIO_MISPLACED:
        snprintf(text, bytes, "it does not lie in the view that is set");
        return;
    case MPIIO_SYNC_EACH:
        snprintf(text, bytes,
                 "syncing a shared file is a call of all ranks, and cannot follow each write of "
                 "one: use a file per process (-F), or sync at the end (-e)");
        return;
    default:
        if (MPI_Error_string(code, said, &n) != MPI_SUCCESS)
            snprintf(said, sizeof said, "MPI error %d", code);
        for (char *c = said; *c != '\0'; c++)
            if (*c == '\n' || *c == '\t')
                *c = ' ';
        snprintf(text, bytes, "%s", said);
    }
}

static const char *call_name(const struct mpiio *m, const struct op *op)
{
    bool together = op->flags & OP_FLAG_COLLECTIVE;
    switch ((enum op_kind)op->kind) {
    case OP_READ:
        return together ? "MPI_File_read_at_all" : "MPI_File_read_at";
    case OP_WRITE:
        return together ? "MPI_File_write_at_all" : "MPI_File_write_at";
    case OP_SYNC:
        return "MPI_File_sync";
    case OP_CLOSE:
        return "MPI_File_close";
    case OP_UNLINK:
        return "MPI_File_delete";
    default:
        return m->opening;
    }
}

static void explain_elsewhere(const struct mpiio_agreed *agreed, struct error *e)
{
    char name[16];
    error_set(e, STATUS_FAILED, error_errno_name(agreed->error, name, sizeof name),
              "MPI_File_open by all ranks: rank %d cannot open it: %s", agreed->rank,
              strerror(agreed->error));
    if (e != NULL && e->errno_value == 0)
        e->errno_value = agreed->error;
}

static void explain_call(const struct mpiio *m, const char *path, const struct op *op,
                         const struct outcome *outcome, struct error *e)
{
    char said[MPI_MAX_ERROR_STRING + 100], size[32] = "", name[16];
    int code = outcome->error;
    if (code == MPIIO_ELSEWHERE) {
        explain_elsewhere(&m->elsewhere, e);
        return;
    }
    struct mpiio_cause cause = {.errno_value = mpiio_class_errno(code)};
    bool certain = cause.errno_value != 0 || code == MPIIO_CLOSED || code == MPIIO_MISPLACED ||
                   code == MPIIO_SYNC_EACH;
    if (code == MPIIO_LOST) /* see mpiio_end_is_missing; by now some room may be free again */
        cause.errno_value = ENOSPC;
    else if (!certain && op->kind == OP_OPEN && m->preallocate &&
             mpiio_free_bytes(path) < m->expected_bytes)
        cause.errno_value = ENOSPC;
    else if (!certain)
        cause = mpiio_find_cause(path, op, true);
    words(outcome->error, outcome->value, said, sizeof said);
    if (op_is_transfer(op->kind))
        snprintf(size, sizeof size, " of %" PRIu64 " bytes", op->length_bytes);
    const char *kind =
        cause.errno_value != 0 ? error_errno_name(cause.errno_value, name, sizeof name) : "EIO";
    if (cause.file_ends)
        error_set(e, STATUS_FAILED, "end-of-file", "%s%s: %s; the file ends at byte %" PRIu64,
                  call_name(m, op), size, said, cause.size);
    else if (cause.errno_value != 0 && !certain)
        error_set(e, STATUS_FAILED, kind, "%s%s: %s; probable cause: %s", call_name(m, op), size,
                  said, strerror(cause.errno_value));
    else
        error_set(e, STATUS_FAILED, kind, "%s%s: %s", call_name(m, op), size, said);
    if (e != NULL && e->errno_value == 0)
        e->errno_value = cause.errno_value;
}

void mpiio_explain(void *io, const struct op *op, const struct outcome *outcome, struct error *e)
{
    const struct mpiio *m = io;
    char path[POSIX_PATH_BYTES];
    bool by_handle = op->kind == OP_OPEN || op->kind == OP_CREATE || op_is_transfer(op->kind) ||
                     op->kind == OP_SYNC || op->kind == OP_CLOSE;
    if (!by_handle && op->kind != OP_UNLINK) {
        posix_explain(op, outcome, false, e);
        return;
    }
    if (outcome->error == MPIIO_LONG_NAME ||
        m->names.path(m->names.plan, op->object, path, sizeof path) != 0)
        error_errno(e, ENAMETOOLONG, "%s", call_name(m, op));
    else
        explain_call(m, path, op, outcome, e);
}

bool mpiio_end_is_missing(struct mpiio *m, struct mpiio_file *f)
{
    MPI_Offset size;
    char path[POSIX_PATH_BYTES];
    if (MPI_File_get_size(f->handle, &size) != MPI_SUCCESS || (uint64_t)size >= f->end_bytes)
        return false;
    /* Another node may have written it and not told this one yet; so a full disk must agree. */
    if (m->names.path(m->names.plan, f->object, path, sizeof path) != 0)
        return false;
    return mpiio_free_bytes(path) < f->end_bytes - (uint64_t)size;
}

#endif
