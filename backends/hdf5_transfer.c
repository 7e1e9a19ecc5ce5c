/* Transfers by HDF5: hyperslabs of datasets of bytes.
 *
 * An independent one is one call of at most 1 GiB; the engine goes on with the rest. A collective
 * one is the same number of calls on every rank, whatever its length there, because a call that one
 * rank leaves out hangs the others; a rank that has nothing to move selects nothing. Several pieces
 * are one hyperslab. */
#include "backends/hdf5_file.h"

#ifdef HAVE_HDF5

#include <string.h>

#define LARGEST_CALL_BYTES (UINT64_C(1) << 30)
#define CHECK_EVERY_NS 100000000

static bool fits(const struct hdf5_file *f, const struct op *op, int *error)
{
    uint64_t count = op->count > 1 ? op->count : 1;
    uint64_t gaps = (count - 1) * op->stride_bytes;
    uint64_t end;
    if (__builtin_add_overflow(op->offset_bytes, gaps + op->length_bytes, &end) ||
        end > f->layout.file_bytes) {
        *error = HDF5_RANGE;
        return false;
    }
    if (op->length_bytes == 0)
        return true;
    if (gaps + op->length_bytes > hdf5_layout_place(&f->layout, op->offset_bytes).left_bytes) {
        *error = HDF5_TORN;
        return false;
    }
    return true;
}

/* The selection in memory: bytes in one piece, or nothing. */
static int select_memory(struct hdf5 *h, uint64_t bytes)
{
    hsize_t extent = bytes;
    if (bytes == 0)
        return h->memory < 0 || H5Sselect_none(h->memory) < 0 ? -1 : 0;
    if (h->memory >= 0 && h->memory_bytes == bytes)
        return H5Sselect_all(h->memory) < 0 ? -1 : 0;
    if (h->memory >= 0)
        H5Sclose(h->memory);
    h->memory = H5Screate_simple(1, &extent, NULL);
    h->memory_bytes = bytes;
    return h->memory < 0 ? -1 : 0;
}

static int select_file(const struct hdf5_file *f, const struct op *op, uint64_t at, uint64_t bytes)
{
    hsize_t start = at, block = bytes, count = op->count > 1 ? op->count : 1;
    hsize_t stride = op->count > 1 ? op->stride_bytes : bytes;
    if (bytes == 0)
        return H5Sselect_none(f->space) < 0 ? -1 : 0;
    return H5Sselect_hyperslab(f->space, H5S_SELECT_SET, &start, &stride, &count, &block) < 0 ? -1
                                                                                              : 0;
}

/* A rank whose part of a collective call failed leaves HDF5 before the call that sets the file's
 * view back, in which the others wait: it is made here instead. */
static void rejoin(const struct hdf5 *h, const struct hdf5_file *f)
{
    void *handle = NULL;
    if (strstr(h->said, "_at_all failed") != NULL &&
        H5Fget_vfd_handle(f->file, H5P_DEFAULT, &handle) >= 0)
        MPI_File_set_view(*(MPI_File *)handle, 0, MPI_BYTE, MPI_BYTE, "native", h->hints.asked);
}

static void note_mode(struct hdf5 *h)
{
    H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
    uint32_t mine = 0, any = 0;
    H5Pget_mpio_actual_io_mode(h->collective, &mode);
    H5Pget_mpio_no_collective_cause(h->collective, &mine, &any);
    h->modes |= 1u << mode;
    h->causes |= any;
}

/* One call; the outcome's value is what it moved. */
static void call(struct hdf5 *h, struct hdf5_file *f, const struct op *op, uint64_t offset,
                 void *data, uint64_t bytes, struct outcome *outcome)
{
    struct hdf5_place place = hdf5_layout_place(&f->layout, offset);
    bool together = op->flags & OP_FLAG_COLLECTIVE;
    hid_t how = together ? h->collective : h->independent;
    hid_t dataset = f->datasets[place.dataset];
    uint64_t all = bytes * (op->count > 1 ? op->count : 1);
    *outcome = (struct outcome){0};
    /* A rank of which nothing was asked yet has no dataspace to select nothing of. */
    if (bytes == 0 && h->memory < 0)
        select_memory(h, 1);
    if (select_memory(h, all) != 0 || select_file(f, op, place.at_bytes, bytes) != 0) {
        outcome->error = hdf5_note(h);
        return;
    }
    herr_t rc = op->kind == OP_READ
                    ? H5Dread(dataset, H5T_STD_U8LE, h->memory, f->space, how, data)
                    : H5Dwrite(dataset, H5T_STD_U8LE, h->memory, f->space, how, data);
    if (rc < 0) {
        outcome->error = hdf5_note(h);
        if (together)
            rejoin(h, f);
        return;
    }
    outcome->value = (int64_t)all;
    if (together && bytes != 0)
        note_mode(h);
}

static void collective(struct hdf5 *h, struct hdf5_file *f, const struct op *op,
                       struct outcome *outcome)
{
    struct outcome sum = {0};
    bool fine = fits(f, op, &sum.error);
    uint64_t offset = op->offset_bytes < f->layout.file_bytes ? op->offset_bytes : 0;
    uint64_t left = fine ? op->length_bytes : 0;
    char *data = op->data;
    for (uint64_t round = 0; round < h->rounds; round++) {
        struct outcome one;
        uint64_t bytes = left < LARGEST_CALL_BYTES ? left : LARGEST_CALL_BYTES;
        call(h, f, op, offset, data, bytes, &one);
        sum.value += one.value;
        if (sum.error == 0)
            sum.error = one.error;
        left -= bytes;
        offset += left > 0 ? bytes : 0;
        data += bytes;
    }
    *outcome = sum;
}

static void independent(struct hdf5 *h, struct hdf5_file *f, const struct op *op,
                        struct outcome *outcome)
{
    uint64_t bytes = op->length_bytes < LARGEST_CALL_BYTES ? op->length_bytes : LARGEST_CALL_BYTES;
    if (fits(f, op, &outcome->error) && bytes != 0)
        call(h, f, op, op->offset_bytes, op->data, bytes, outcome);
}

static void note_write(struct hdf5 *h, struct hdf5_file *f, struct outcome *outcome)
{
    f->written_bytes += (uint64_t)outcome->value;
    f->unchecked = true;
    if (outcome->error != 0)
        return;
    int64_t now_ns = h->clock->now_ns(h->clock);
    if (now_ns - h->checked_ns < CHECK_EVERY_NS)
        return;
    h->checked_ns = now_ns;
    if (hdf5_is_missing(h, f)) {
        f->lost = true;
        outcome->error = HDF5_LOST;
    }
}

enum io_state hdf5_transfer(void *io, const struct op *op, uint32_t slot, struct outcome *outcome)
{
    (void)slot;
    struct hdf5 *h = io;
    struct hdf5_file *f = &h->file[op->handle];
    bool together = op->flags & OP_FLAG_COLLECTIVE;
    if (op->flags & OP_FLAG_MARKER)
        return hdf5_perform_plain(h, op, outcome);
    *outcome = (struct outcome){0};
    if (f->file < 0)
        outcome->error = HDF5_CLOSED;
    else if (f->datasets_open == 0)
        outcome->error = HDF5_NO_DATA;
    else if (together)
        collective(h, f, op, outcome);
    else
        independent(h, f, op, outcome);
    if (together && op->kind == OP_WRITE && f->file >= 0)
        note_write(h, f, outcome);
    return IO_DONE;
}

#endif
