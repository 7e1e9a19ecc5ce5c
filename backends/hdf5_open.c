/* Opening, flushing and closing files. Where all ranks do it together, they agree on whether it
 * went well before the next call that they make together: HDF5 and MPI-IO wait in such a call for a
 * rank that failed and stayed away. */
#include "backends/hdf5_file.h"

#ifdef HAVE_HDF5

#include "backends/mpiio_name.h"
#include "backends/posix_file.h"

#include <errno.h>
#include <unistd.h>

#define ROOM_BYTES (1u << 16) /* for the blocks that metadata is written in */

static bool creates(const struct op *op)
{
    return op->flags & OP_FLAG_CREATE || op->kind == OP_CREATE;
}

/* Creating what may be there: the same answer on every rank. */
static bool is_missing(struct hdf5 *h, const struct hdf5_file *f, const char *path)
{
    int missing = access(path, F_OK) != 0;
    if (f->shared)
        MPI_Bcast(&missing, 1, MPI_INT, 0, h->comm);
    return missing;
}

/* What HDF5 leaves behind when it refuses to create a file is removed. */
static void create_file(struct hdf5 *h, struct hdf5_file *f, bool exclusive, const char *path,
                        hid_t how)
{
    bool missing = access(path, F_OK) != 0;
    f->file = H5Fcreate(path, exclusive ? H5F_ACC_EXCL : H5F_ACC_TRUNC, h->creation, how);
    if (f->file < 0) {
        hdf5_note(h);
        if (missing && !f->shared)
            unlink(path);
    }
}

static int open_file(struct hdf5 *h, struct hdf5_file *f, const struct op *op, const char *path)
{
    hid_t how = f->shared ? h->together : h->alone;
    bool exclusive = op->flags & OP_FLAG_EXCLUSIVE;
    bool writes = creates(op) || op->flags & OP_FLAG_WRITE;
    f->fresh = exclusive || op->flags & OP_FLAG_TRUNCATE || (creates(op) && is_missing(h, f, path));
    if (f->fresh) {
        create_file(h, f, exclusive, path, how);
        return f->file < 0 ? HDF5_CALL : 0;
    }
    f->file = H5Fopen(path, writes ? H5F_ACC_RDWR : H5F_ACC_RDONLY, how);
    return f->file < 0 ? hdf5_note(h) : 0;
}

static void read_back(struct hdf5 *h, const struct hdf5_file *f)
{
    void *handle = NULL;
    if (!h->options->subfiling && H5Fget_vfd_handle(f->file, H5P_DEFAULT, &handle) >= 0)
        mpiio_hints_read_back(&h->hints, *(MPI_File *)handle);
}

/* The datasets are made, or found and opened. */
static int open_datasets(struct hdf5 *h, struct hdf5_file *f, const struct op *op)
{
    bool writes = creates(op) || op->flags & OP_FLAG_WRITE;
    bool later = h->options->create_together && op->kind == OP_CREATE && !h->file_per_process;
    if (f->fresh && (later || h->layout.file_bytes == 0))
        return 0;
    int error = f->fresh ? HDF5_NO_DATA : hdf5_datasets_open(h, f);
    if (error == HDF5_NO_DATA && writes && h->layout.file_bytes != 0) {
        error = hdf5_datasets_make(h, f);
        /* Metadata that is still to be written when a disk is full makes ranks wait for ever. */
        if (error == 0 && f->shared && H5Fflush(f->file, H5F_SCOPE_LOCAL) < 0)
            error = hdf5_note(h);
        if (error == 0)
            error = hdf5_datasets_open(h, f);
    } else if (error == 0 && writes && h->layout.file_bytes != 0 &&
               !hdf5_layout_equal(&f->layout, &h->layout)) {
        error = HDF5_LAYOUT;
    }
    /* Of a size that nobody knows: files without data, to be created and opened. */
    return error == HDF5_NO_DATA && h->layout.file_bytes == 0 ? 0 : error;
}

/* The errno that this rank's failure is known by, for the others. */
static int errno_of(const struct hdf5 *h, int error)
{
    if (error == 0)
        return 0;
    return error == HDF5_CALL && h->said_errno != 0 ? h->said_errno : EIO;
}

/* All ranks fail where one does. */
static int settle(struct hdf5 *h, const struct hdf5_file *f, int error)
{
    if (!f->shared)
        return error;
    h->elsewhere = mpiio_agree(h->comm, errno_of(h, error));
    return error == 0 && h->elsewhere.error != 0 ? HDF5_ELSEWHERE : error;
}

/* Some rank cannot open the file, as was seen before the phase. */
static bool refused(struct hdf5 *h, const struct hdf5_file *f, const struct op *op)
{
    if (!f->shared || op->object != 0 || creates(op))
        return false;
    h->elsewhere = h->unopenable[op->flags & OP_FLAG_WRITE ? 1 : 0];
    return h->elsewhere.error != 0;
}

static int open_all(struct hdf5 *h, struct hdf5_file *f, const struct op *op, const char *path)
{
    int error = settle(h, f, open_file(h, f, op, path));
    if (error != 0) { /* where it is open, closing it is a call of all ranks: left alone */
        f->file = H5I_INVALID_HID;
        return error;
    }
    read_back(h, f);
    error = settle(h, f, open_datasets(h, f, op));
    if (error != 0) {
        hdf5_close_file(h, f);
    }
    return error;
}

enum io_state hdf5_perform_plain(struct hdf5 *h, const struct op *op, struct outcome *outcome)
{
    *outcome = (struct outcome){0};
    if (op_is_transfer((enum op_kind)op->kind))
        posix_files_pieces(h->plain, op, outcome);
    else if (op->kind == OP_SYNC)
        posix_files_sync(h->plain, op, false, outcome);
    else if (op->kind == OP_CLOSE)
        posix_files_close(h->plain, op, outcome);
    else
        posix_files_open(h->plain, op, outcome);
    return IO_DONE;
}

enum io_state hdf5_perform_open(void *io, const struct op *op, uint32_t slot,
                                struct outcome *outcome)
{
    (void)slot;
    struct hdf5 *h = io;
    struct hdf5_file *f = &h->file[op->handle];
    char path[POSIX_PATH_BYTES];
    if (op->flags & OP_FLAG_MARKER)
        return hdf5_perform_plain(h, op, outcome);
    *outcome = (struct outcome){0};
    *f = (struct hdf5_file){.file = H5I_INVALID_HID,
                            .space = H5I_INVALID_HID,
                            .object = op->object,
                            .shared = !h->file_per_process &&
                                      (op->kind == OP_OPEN || op->flags & OP_FLAG_COLLECTIVE)};
    if (mpiio_name(&h->names, op->object, path, sizeof path) != 0)
        outcome->error = HDF5_LONG_NAME; /* on every rank: the name is the same everywhere */
    else if (refused(h, f, op))
        outcome->error = HDF5_ELSEWHERE;
    else
        outcome->error = open_all(h, f, op, path);
    return IO_DONE;
}

/* HDF5 does not survive the end of the program once H5Fclose has failed. So where there is no room
 * for what it has to write of a new file, that file is worthless: its data gives way, and HDF5
 * closes it when the program ends and the others write no more. */
static bool lacks_room(const struct hdf5 *h, const struct hdf5_file *f)
{
    char path[POSIX_PATH_BYTES];
    size_t cached = 0;
    if (!f->fresh || f->shared || h->names.path(h->names.plan, f->object, path, sizeof path) != 0)
        return false;
    H5Fget_mdc_size(f->file, NULL, NULL, &cached, NULL);
    return mpiio_free_bytes(path) < 2 * cached + ROOM_BYTES && truncate(path, 0) == 0;
}

int hdf5_close_file(struct hdf5 *h, struct hdf5_file *f)
{
    int error = 0;
    hdf5_datasets_close(f);
    if (lacks_room(h, f))
        error = HDF5_NO_ROOM;
    else if (H5Fclose(f->file) < 0)
        error = hdf5_note(h);
    f->file = H5I_INVALID_HID;
    return error;
}

/* After collective writes all ranks look whether their data is there. */
static bool lost(struct hdf5 *h, struct hdf5_file *f)
{
    if (f->unchecked && f->shared)
        f->lost = mpiio_agree(h->comm, f->lost || hdf5_is_missing(h, f) ? 1 : 0).error != 0;
    f->unchecked = false;
    return f->lost;
}

enum io_state hdf5_perform_sync(void *io, const struct op *op, uint32_t slot,
                                struct outcome *outcome)
{
    (void)slot;
    struct hdf5 *h = io;
    struct hdf5_file *f = &h->file[op->handle];
    if (op->flags & OP_FLAG_MARKER)
        return hdf5_perform_plain(h, op, outcome);
    *outcome = (struct outcome){0};
    if (op->flags & OP_FLAG_DIRECTORY)
        posix_name(&h->names, op, outcome);
    else if (f->file < 0)
        outcome->error = HDF5_CLOSED;
    else if (f->shared && op->flags & OP_FLAG_IN_TRANSFER)
        outcome->error = HDF5_SYNC_EACH;
    else if (lost(h, f)) /* Open MPI may hang in the flush of what it has lost */
        outcome->error = HDF5_LOST;
    else if (H5Fflush(f->file, H5F_SCOPE_LOCAL) < 0)
        outcome->error = hdf5_note(h);
    return IO_DONE;
}

enum io_state hdf5_perform_close(void *io, const struct op *op, uint32_t slot,
                                 struct outcome *outcome)
{
    (void)slot;
    struct hdf5 *h = io;
    struct hdf5_file *f = &h->file[op->handle];
    if (op->flags & OP_FLAG_MARKER)
        return hdf5_perform_plain(h, op, outcome);
    *outcome = (struct outcome){0};
    if (f->file < 0) {
        outcome->error = HDF5_CLOSED;
        return IO_DONE;
    }
    bool missing = lost(h, f);
    outcome->error = hdf5_close_file(h, f);
    if (missing && outcome->error == 0)
        outcome->error = HDF5_LOST;
    return IO_DONE;
}

#endif
