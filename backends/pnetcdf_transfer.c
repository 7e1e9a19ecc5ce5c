/* Transfers by PnetCDF: parts of a variable of bytes.
 *
 * An independent one is one call of at most 1 GiB; the engine goes on with the rest. A collective
 * one is the same number of calls on every rank, whatever its length there, because a call that one
 * rank leaves out hangs the others; a rank that has nothing to move asks for nothing. */
#include "backends/pnetcdf_file.h"

#ifdef HAVE_PNETCDF

#include "backends/posix_file.h"

#include <sys/stat.h>

#define LARGEST_CALL_BYTES (UINT64_C(1) << 30)
#define CHECK_EVERY_NS 100000000

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* One call; the outcome's value is what it moved. */
static void call(const struct pnetcdf_file *f, const struct op *op, bool together, uint64_t offset,
                 void *data, uint64_t bytes, struct outcome *outcome)
{
    MPI_Offset start = (MPI_Offset)offset, count = (MPI_Offset)bytes;
    int rc;
    if (op->kind == OP_READ)
        rc = together ? ncmpi_get_vara_uchar_all(f->id, f->variable, &start, &count, data)
                      : ncmpi_get_vara_uchar(f->id, f->variable, &start, &count, data);
    else
        rc = together ? ncmpi_put_vara_uchar_all(f->id, f->variable, &start, &count, data)
                      : ncmpi_put_vara_uchar(f->id, f->variable, &start, &count, data);
    *outcome = (struct outcome){.error = rc, .value = rc == NC_NOERR ? (int64_t)bytes : 0};
}

static int check(const struct pnetcdf_file *f, const struct op *op)
{
    uint64_t end;
    if (op->count > 1)
        return PNETCDF_PIECES;
    if (__builtin_add_overflow(op->offset_bytes, op->length_bytes, &end) || end > f->bytes)
        return PNETCDF_RANGE;
    return 0;
}

static void collective(const struct pnetcdf *p, const struct pnetcdf_file *f, const struct op *op,
                       struct outcome *outcome)
{
    struct outcome sum = {.error = check(f, op)};
    uint64_t left = sum.error == 0 ? op->length_bytes : 0;
    uint64_t offset = left > 0 ? op->offset_bytes : 0;
    char *data = op->data;
    for (uint64_t round = 0; round < p->rounds; round++) {
        struct outcome one;
        uint64_t bytes = least(left, LARGEST_CALL_BYTES);
        call(f, op, true, bytes > 0 ? offset : 0, data, bytes, &one);
        sum.value += one.value;
        if (sum.error == 0)
            sum.error = one.error;
        left -= bytes;
        offset += bytes;
        data += bytes;
    }
    *outcome = sum;
}

bool pnetcdf_is_missing(const struct pnetcdf *p, const struct pnetcdf_file *f)
{
    struct stat s;
    char path[POSIX_PATH_BYTES];
    if (p->names.path(p->names.plan, f->object, path, sizeof path) != 0 || stat(path, &s) != 0)
        return false;
    /* Collective calls keep the ranks in step, so what this one wrote tells of all. */
    uint64_t all = f->written_bytes * (p->collective && f->shared ? (uint64_t)p->ranks : 1);
    uint64_t there = (uint64_t)s.st_blocks * 512;
    all = least(all, f->bytes);
    return there < all && mpiio_free_bytes(path) < all - there;
}

static void note_write(struct pnetcdf *p, struct pnetcdf_file *f, struct outcome *outcome)
{
    f->written_bytes += (uint64_t)outcome->value;
    f->unchecked = true;
    int64_t now_ns = p->clock->now_ns(p->clock);
    if (outcome->error != 0 || now_ns - p->checked_ns < CHECK_EVERY_NS)
        return;
    p->checked_ns = now_ns;
    if (pnetcdf_is_missing(p, f)) {
        f->lost = true;
        outcome->error = PNETCDF_LOST;
    }
}

enum io_state pnetcdf_transfer(void *io, const struct op *op, uint32_t slot,
                               struct outcome *outcome)
{
    (void)slot;
    struct pnetcdf *p = io;
    struct pnetcdf_file *f = &p->file[op->handle];
    *outcome = (struct outcome){0};
    if (f->id < 0)
        outcome->error = PNETCDF_CLOSED;
    else if (f->variable < 0)
        outcome->error = PNETCDF_NO_DATA;
    else if (op->flags & OP_FLAG_COLLECTIVE)
        collective(p, f, op, outcome);
    else if ((outcome->error = check(f, op)) == 0 && op->length_bytes > 0)
        call(f, op, false, op->offset_bytes, op->data, least(op->length_bytes, LARGEST_CALL_BYTES),
             outcome);
    if (op->kind == OP_WRITE && f->id >= 0)
        note_write(p, f, outcome);
    return IO_DONE;
}

#endif
