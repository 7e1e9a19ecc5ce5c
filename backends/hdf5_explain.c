/* What a failure means: the innermost entry of HDF5's error stack, with the errno that it names;
 * where it names none, the cause is looked for beside the library, as for MPI-IO, and called
 * probable. */
#include "backends/hdf5_file.h"

#ifdef HAVE_HDF5

#include "backends/posix_file.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* MPI-IO below HDF5 hands on the text of an errno, but not its number. */
static int errno_named(const char *text)
{
    static const int known[] = {ENOSPC, EDQUOT, EACCES, EPERM,  EROFS, ENOENT,
                                EEXIST, EFBIG,  EMFILE, ESTALE, EIO};
    const char *number = strstr(text, "errno = ");
    if (number != NULL)
        return (int)strtol(number + strlen("errno = "), NULL, 10);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(text, strerror(known[i])) != NULL)
            return known[i];
    return 0;
}

static herr_t keep_innermost(unsigned n, const H5E_error2_t *entry, void *context)
{
    struct hdf5 *h = context;
    if (entry->desc == NULL)
        return 0;
    if (h->said_errno == 0)
        h->said_errno = errno_named(entry->desc);
    if (n != 0)
        return 0;
    snprintf(h->said, sizeof h->said, "%s", entry->desc);
    for (char *c = h->said; *c != '\0'; c++)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    for (size_t end = strlen(h->said); end > 0 && h->said[end - 1] == ' ';)
        h->said[--end] = '\0';
    return 0;
}

int hdf5_note(struct hdf5 *h)
{
    h->said_errno = 0;
    text_copy(h->said, sizeof h->said, "no reason is given");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, h);
    return HDF5_CALL;
}

bool hdf5_is_missing(struct hdf5 *h, struct hdf5_file *f)
{
    struct stat s;
    char path[POSIX_PATH_BYTES];
    /* Collective calls keep the ranks in step, so what this one wrote tells of all; compressed, it
     * tells nothing. */
    uint64_t all = f->written_bytes * (f->shared ? (uint64_t)h->ranks : 1);
    if (all > f->layout.file_bytes)
        all = f->layout.file_bytes;
    if (h->options->compress > 0 ||
        h->names.path(h->names.plan, f->object, path, sizeof path) != 0 || stat(path, &s) != 0)
        return false;
    uint64_t there = (uint64_t)s.st_blocks * 512;
    return there < all && mpiio_free_bytes(path) < all - there;
}

static const char *call_name(const struct op *op)
{
    switch ((enum op_kind)op->kind) {
    case OP_READ:
        return "H5Dread";
    case OP_WRITE:
        return "H5Dwrite";
    case OP_SYNC:
        return "H5Fflush";
    case OP_CLOSE:
        return "H5Fclose";
    case OP_OPEN:
        return op->flags & OP_FLAG_EXCLUSIVE ? "H5Fcreate" : "H5Fopen";
    default:
        return "H5Fcreate";
    }
}

/* Failures that are found here, not in the library. */
static const char *found_here(int error)
{
    switch (error) {
    case HDF5_CLOSED:
        return "the file is not open on this rank";
    case HDF5_TORN:
        return "it does not lie in one dataset";
    case HDF5_NO_DATA:
        return "the file holds no datasets that pario made";
    case HDF5_LAYOUT:
        return "the datasets in the file are not laid out as this run's: remove it first (leave "
               "out -E), or use the options that it was written with";
    case HDF5_SYNC_EACH:
        return "flushing a shared file is a call of all ranks, and cannot follow each write of "
               "one: use a file per process (-F), or flush at the end (-e)";
    default:
        return NULL;
    }
}

static void explain_call(const struct hdf5 *h, const struct op *op, const char *path, int error,
                         struct error *e)
{
    char size[32] = "", name[16];
    const char *said = h->said;
    struct mpiio_cause cause = {.errno_value = error == HDF5_CALL ? h->said_errno : ENOSPC};
    bool certain = cause.errno_value != 0 && error != HDF5_LOST;
    if (error == HDF5_LOST)
        said = "success was reported, but the file occupies less than was written";
    else if (error == HDF5_NO_ROOM)
        said = "No space left on device for the metadata of the new file";
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

static void explain_range(const struct hdf5 *h, const struct op *op, struct error *e)
{
    error_set(e, STATUS_FAILED, "end-of-file",
              "%s of %" PRIu64 " bytes: the datasets end at byte %" PRIu64, call_name(op),
              op->length_bytes, h->file[op->handle].layout.file_bytes);
}

void hdf5_explain(void *io, const struct op *op, const struct outcome *outcome, struct error *e)
{
    const struct hdf5 *h = io;
    char path[POSIX_PATH_BYTES];
    const char *own = found_here(outcome->error);
    if (outcome->error > 0)
        posix_explain(op, outcome, false, e);
    else if (own != NULL)
        error_set(e, STATUS_FAILED, "EIO", "%s: %s", call_name(op), own);
    else if (outcome->error == HDF5_ELSEWHERE)
        explain_elsewhere(&h->elsewhere, op, e);
    else if (outcome->error == HDF5_RANGE)
        explain_range(h, op, e);
    else if (outcome->error == HDF5_LONG_NAME ||
             h->names.path(h->names.plan, op->object, path, sizeof path) != 0)
        error_errno(e, ENAMETOOLONG, "%s", call_name(op));
    else
        explain_call(h, op, path, outcome->error, e);
}

#endif
