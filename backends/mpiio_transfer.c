/* Transfers by MPI-IO.
 *
 * An independent one is one call of at most 1 GiB; the engine goes on with the rest. A collective
 * one is the same number of calls on every rank, whatever its length there, because a call that one
 * rank leaves out hangs the others. Several pieces are a file view where the call is collective,
 * and a call each where it is not. */
#include "backends/mpiio_file.h"

#ifdef HAVE_MPI

#include <limits.h>

#define CHECK_EVERY_NS 100000000

/* One call; the outcome's value is what it moved. */
static void call(struct mpiio_file *f, const struct op *op, uint64_t offset, void *data,
                 uint64_t bytes, struct outcome *outcome)
{
    MPI_Status status;
    MPI_Offset at = (MPI_Offset)offset;
    int count = (int)bytes, moved = 0, rc;
    if (op->flags & OP_FLAG_COLLECTIVE)
        rc = op->kind == OP_READ
                 ? MPI_File_read_at_all(f->handle, at, data, count, MPI_BYTE, &status)
                 : MPI_File_write_at_all(f->handle, at, data, count, MPI_BYTE, &status);
    else
        rc = op->kind == OP_READ ? MPI_File_read_at(f->handle, at, data, count, MPI_BYTE, &status)
                                 : MPI_File_write_at(f->handle, at, data, count, MPI_BYTE, &status);
    *outcome = (struct outcome){.error = rc};
    if (rc != MPI_SUCCESS || count == 0)
        return;
    MPI_Get_count(&status, MPI_BYTE, &moved);
    if (moved != count)
        outcome->error = MPIIO_SHORT;
    outcome->value = moved == MPI_UNDEFINED ? 0 : moved;
}

int mpiio_view_blocks(struct mpiio *m, struct mpiio_file *f, uint64_t offset_bytes)
{
    uint64_t segment = m->ranks * m->view_block_bytes;
    MPI_Datatype unit, block, tile;
    f->view_block = offset_bytes % segment / m->view_block_bytes;
    MPI_Type_contiguous((int)m->view_unit_bytes, MPI_BYTE, &unit);
    MPI_Type_contiguous((int)(m->view_block_bytes / m->view_unit_bytes), unit, &block);
    MPI_Type_create_resized(block, 0, (MPI_Aint)segment, &tile);
    MPI_Type_commit(&tile);
    int rc = MPI_File_set_view(f->handle, (MPI_Offset)(f->view_block * m->view_block_bytes),
                               MPI_BYTE, tile, "native", MPI_INFO_NULL);
    MPI_Type_free(&tile);
    MPI_Type_free(&block);
    MPI_Type_free(&unit);
    return rc;
}

/* An offset of the file in the view of blocks; UINT64_MAX: it is not to be seen there. */
static uint64_t in_view(const struct mpiio *m, const struct mpiio_file *f, uint64_t offset_bytes)
{
    uint64_t segment = m->ranks * m->view_block_bytes;
    uint64_t in_segment = offset_bytes % segment;
    if (in_segment / m->view_block_bytes != f->view_block)
        return UINT64_MAX;
    return offset_bytes / segment * m->view_block_bytes + in_segment % m->view_block_bytes;
}

/* A transfer through the view: one call, also of a rank that has nothing to move. */
static void through_view(struct mpiio *m, struct mpiio_file *f, const struct op *op,
                         struct outcome *outcome)
{
    uint64_t offset = op->count > 1 ? UINT64_MAX : in_view(m, f, op->offset_bytes);
    bool seen = offset != UINT64_MAX;
    call(f, op, seen ? offset : 0, op->data, seen ? op->length_bytes : 0, outcome);
    if (!seen && op->length_bytes != 0)
        outcome->error = MPIIO_MISPLACED;
}

/* ROMIO answers a collective read past the end with the full count. */
static bool past_end(struct mpiio_file *f, const struct op *op)
{
    MPI_Offset size;
    uint64_t end = op->offset_bytes + op->length_bytes;
    if (op->length_bytes == 0 || end <= f->size_bytes)
        return false;
    if (MPI_File_get_size(f->handle, &size) == MPI_SUCCESS)
        f->size_bytes = (uint64_t)size;
    return end > f->size_bytes;
}

static void collective(struct mpiio *m, struct mpiio_file *f, const struct op *op,
                       struct outcome *outcome)
{
    struct outcome sum = {0};
    char *data = op->data;
    uint64_t left = op->length_bytes, offset = op->offset_bytes;
    for (uint64_t round = 0; round < m->rounds; round++) {
        struct outcome one;
        uint64_t bytes = left < LARGEST_CALL ? left : LARGEST_CALL;
        call(f, op, offset, data, bytes, &one);
        sum.value += one.value;
        if (sum.error == 0)
            sum.error = one.error;
        left -= bytes;
        offset += bytes;
        data += bytes;
    }
    if (op->kind == OP_READ && sum.error == 0 && past_end(f, op))
        sum.error = MPIIO_SHORT;
    *outcome = sum;
}

/* The same call on every rank, also on one that failed and has nothing to move. */
static int set_view(struct mpiio_file *f, const struct op *op)
{
    MPI_Datatype tile = MPI_BYTE, pieces = MPI_BYTE;
    MPI_Offset begin = (MPI_Offset)op->offset_bytes;
    bool nothing = op->length_bytes == 0 || op->length_bytes > INT_MAX;
    f->viewed = true;
    f->begin_bytes = op->offset_bytes;
    f->tile_bytes = nothing ? 0 : op->count * op->stride_bytes;
    f->tile_data_bytes = nothing ? 0 : op->count * op->length_bytes;
    if (!nothing) {
        MPI_Type_create_hvector((int)op->count, (int)op->length_bytes, (MPI_Aint)op->stride_bytes,
                                MPI_BYTE, &pieces);
        MPI_Type_create_resized(pieces, 0, (MPI_Aint)f->tile_bytes, &tile);
        MPI_Type_free(&pieces);
        MPI_Type_commit(&tile);
    }
    int rc = MPI_File_set_view(f->handle, begin, MPI_BYTE, tile, "native", MPI_INFO_NULL);
    if (!nothing)
        MPI_Type_free(&tile);
    return rc;
}

/* All pieces by one call through the view that the first such operation sets. */
static void collective_pieces(struct mpiio_file *f, const struct op *op, struct outcome *outcome)
{
    int rc = f->viewed ? MPI_SUCCESS : set_view(f, op);
    uint64_t bytes = op->count * op->length_bytes;
    uint64_t from_begin = op->offset_bytes - f->begin_bytes;
    bool fits = f->tile_bytes != 0 && f->tile_bytes == op->count * op->stride_bytes &&
                f->tile_data_bytes == bytes && op->offset_bytes >= f->begin_bytes &&
                from_begin % f->tile_bytes == 0 && bytes <= INT_MAX;
    uint64_t offset = fits ? from_begin / f->tile_bytes * f->tile_data_bytes : 0;
    call(f, op, offset, op->data, fits ? bytes : 0, outcome);
    if (rc != MPI_SUCCESS)
        outcome->error = rc;
    else if (!fits && op->length_bytes != 0)
        outcome->error = MPIIO_MISPLACED;
}

static void independent_pieces(struct mpiio_file *f, const struct op *op, struct outcome *outcome)
{
    struct outcome sum = {0};
    char *data = op->data;
    for (uint32_t i = 0; i < op->count; i++) {
        struct outcome one;
        call(f, op, op->offset_bytes + i * op->stride_bytes, data, op->length_bytes, &one);
        sum.value += one.value;
        sum.error = one.error;
        if (one.error != 0)
            break;
        data += op->length_bytes;
    }
    *outcome = sum;
}

static void note_write(struct mpiio *m, struct mpiio_file *f, const struct op *op,
                       struct outcome *outcome)
{
    uint64_t last = op->count > 1 ? (op->count - 1) * op->stride_bytes : 0;
    uint64_t end = op->offset_bytes + last + op->length_bytes;
    f->unchecked = true;
    if (outcome->error != 0 || op->length_bytes == 0)
        return;
    if (end > f->end_bytes)
        f->end_bytes = end;
    int64_t now_ns = m->clock->now_ns(m->clock);
    if (now_ns - m->checked_ns < CHECK_EVERY_NS)
        return;
    m->checked_ns = now_ns;
    if (mpiio_end_is_missing(m, f))
        outcome->error = MPIIO_LOST;
}

enum io_state mpiio_transfer(void *io, const struct op *op, uint32_t slot, struct outcome *outcome)
{
    (void)slot;
    struct mpiio *m = io;
    struct mpiio_file *f = &m->file[op->handle];
    bool together = op->flags & OP_FLAG_COLLECTIVE;
    if (f->handle == MPI_FILE_NULL) {
        *outcome = (struct outcome){.error = MPIIO_CLOSED};
        return IO_DONE;
    }
    if (m->view_block_bytes != 0 && f->shared)
        through_view(m, f, op, outcome);
    else if (op->count > 1 && together)
        collective_pieces(f, op, outcome);
    else if (op->count > 1)
        independent_pieces(f, op, outcome);
    else if (together)
        collective(m, f, op, outcome);
    else
        call(f, op, op->offset_bytes, op->data,
             op->length_bytes < LARGEST_CALL ? op->length_bytes : LARGEST_CALL, outcome);
    if (together && op->kind == OP_WRITE)
        note_write(m, f, op, outcome);
    return IO_DONE;
}

#endif
