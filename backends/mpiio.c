/* MPI-IO. A file that all ranks share is opened by all of them on their communicator, so its open,
 * sync and close are collective whether or not its transfers are; a file that one rank creates or
 * has for itself is opened by that rank alone. Calls on names are POSIX. */
#include "backends/mpiio_file.h"

static const struct option mpiio_option_rows[] = {
    {.name = "hint",
     .kind = OPTION_TEXT,
     .field = offsetof(struct mpiio_options, hints),
     .argument = "KEY=VALUE",
     .group = "Backend mpiio",
     .workloads = WORKLOAD_ANY,
     .help = "hints for MPI-IO, separated by semicolons",
     .text = "Hints come from variables IOR_HINT__MPI__KEY=VALUE of the environment, from "
             "--mpiio.hints-file and from here; the later wins. What the library made of them is "
             "read back and recorded in the result."},
    {.name = "hints-file",
     .directive = "hintsFileName",
     .kind = OPTION_TEXT,
     .field = offsetof(struct mpiio_options, hints_file),
     .argument = "FILE",
     .group = "Backend mpiio",
     .workloads = WORKLOAD_ANY,
     .help = "file of hints, a KEY=VALUE per line",
     .text = "Keys may begin with IOR_HINT__MPI__; # begins a comment. Rank 0 reads the file."},
    {.name = "preallocate",
     .directive = "preallocate",
     .kind = OPTION_FLAG,
     .field = offsetof(struct mpiio_options, preallocate),
     .group = "Backend mpiio",
     .workloads = WORKLOAD_ANY,
     .help = "MPI_File_preallocate to the file's final size when it is opened for writing",
     .text = "The time that it takes is part of the open."},
    {.name = "atomicity",
     .kind = OPTION_FLAG,
     .field = offsetof(struct mpiio_options, atomicity),
     .group = "Backend mpiio",
     .workloads = WORKLOAD_ANY,
     .help = "MPI_File_set_atomicity: transfers that overlap are seen whole or not at all"},
    {.name = "file-view",
     .directive = "useFileView",
     .kind = OPTION_FLAG,
     .field = offsetof(struct mpiio_options, file_view),
     .group = "Backend mpiio",
     .workloads = WORKLOAD_BULK,
     .help = "each rank sees its own blocks of the shared file alone, by MPI_File_set_view",
     .text = "The view, a strided datatype over all segments, is set when the file is opened, and "
             "its time counts to the open. Transfers are then made at offsets of the view."},
    {.name = NULL},
};

#ifdef HAVE_MPI

#include "backends/mpiio_name.h"
#include "backends/posix_file.h"

#include <errno.h>
#include <stdlib.h>

/* 0, or -1 with an error: the same on every rank. */
static int check(const struct backend_setup *setup, struct error *e)
{
    const struct mpiio_options *o = setup->options;
    if (o->preallocate && setup->expected_bytes == 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "--mpiio.preallocate: the final size of the file is not known");
    if (o->file_view && (setup->file_per_process || setup->block_bytes == 0))
        return error_set(e, STATUS_USAGE, "usage",
                         "--mpiio.file-view needs a shared file that is written in blocks");
    if (o->file_view && !setup->in_sequence)
        return error_set(e, STATUS_USAGE, "usage",
                         "--mpiio.file-view: transfers in random order leave a rank's own blocks");
    if (o->file_view && setup->transfer_bytes > LARGEST_CALL)
        return error_set(e, STATUS_USAGE, "usage",
                         "--mpiio.file-view: transfers of more than 1 GiB do not go with it");
    return 0;
}

static void *mpiio_open(const struct backend_setup *setup, struct error *e)
{
    const struct mpiio_options *options = setup->options;
    void *native = NULL;
    struct mpiio_hints hints;
    struct mpiio_hint_source source = {"--mpiio.hint", options->hints, "--mpiio.hints-file",
                                       options->hints_file};
    if (setup->comm->ops->native(setup->comm, &native) != NATIVE_MPI) {
        error_set(e, STATUS_USAGE, "usage",
                  "mpiio needs ranks that are MPI processes: start pario with mpirun or srun");
        return NULL;
    }
    if (check(setup, e) != 0)
        return NULL;
    if (mpiio_hints_make(&hints, &source, setup->comm, e) != 0)
        return NULL;
    struct mpiio *m = calloc(1, sizeof *m + setup->handles * sizeof m->file[0]);
    if (m == NULL) {
        error_set(e, STATUS_FAILED, "ENOMEM", "no memory for %u files", (unsigned)setup->handles);
        mpiio_hints_free(&hints);
        return NULL;
    }
    MPI_Comm_dup(*(MPI_Comm *)native, &m->comm);
    m->hints = hints;
    m->rounds = setup->transfer_bytes == 0 ? 1 : (setup->transfer_bytes - 1) / LARGEST_CALL + 1;
    m->expected_bytes = setup->expected_bytes;
    m->file_per_process = setup->file_per_process;
    m->preallocate = options->preallocate;
    m->atomicity = options->atomicity;
    m->view_block_bytes = options->file_view ? setup->block_bytes : 0;
    m->view_unit_bytes = setup->transfer_bytes;
    m->ranks = setup->comm->size;
    m->clock = setup->clock;
    m->names = setup->names;
    m->handles = setup->handles;
    for (uint32_t i = 0; i < m->handles; i++)
        m->file[i].handle = MPI_FILE_NULL;
    if (!m->file_per_process)
        mpiio_look(m->unopenable, m->comm, &m->names);
    return m;
}

static void mpiio_close(void *io)
{
    struct mpiio *m = io;
    /* A shared file still open was left by a failure that not every rank may have met: closing it
     * could wait for ever. */
    for (uint32_t i = 0; i < m->handles; i++)
        if (m->file[i].handle != MPI_FILE_NULL && !m->file[i].shared)
            MPI_File_close(&m->file[i].handle);
    mpiio_hints_free(&m->hints);
    MPI_Comm_free(&m->comm);
    free(m);
}

static int mode_of(const struct op *op)
{
    bool writes = op->flags & OP_FLAG_WRITE || op->kind == OP_CREATE;
    bool reads = op->flags & OP_FLAG_READ || !writes;
    int mode = writes && reads ? MPI_MODE_RDWR : writes ? MPI_MODE_WRONLY : MPI_MODE_RDONLY;
    if (op->flags & OP_FLAG_CREATE || op->kind == OP_CREATE)
        mode |= MPI_MODE_CREATE;
    if (op->flags & OP_FLAG_EXCLUSIVE)
        mode |= MPI_MODE_EXCL;
    return mode;
}

/* What is asked for beside the open; collective where the file is shared. */
static int prepare(struct mpiio *m, struct mpiio_file *f, const struct op *op)
{
    int rc = MPI_SUCCESS;
    bool writes = op->flags & OP_FLAG_WRITE || op->kind == OP_CREATE;
    if (op->flags & OP_FLAG_TRUNCATE) {
        m->opening = "MPI_File_set_size";
        rc = MPI_File_set_size(f->handle, 0);
    }
    if (rc == MPI_SUCCESS && m->preallocate && writes && op->kind == OP_OPEN) {
        m->opening = "MPI_File_preallocate";
        rc = MPI_File_preallocate(f->handle, (MPI_Offset)m->expected_bytes);
    }
    if (rc == MPI_SUCCESS && m->view_block_bytes != 0 && f->shared) {
        m->opening = "MPI_File_set_view";
        rc = mpiio_view_blocks(m, f, op->offset_bytes);
    }
    if (rc == MPI_SUCCESS && m->atomicity) {
        m->opening = "MPI_File_set_atomicity";
        rc = MPI_File_set_atomicity(f->handle, 1);
    }
    if (rc == MPI_SUCCESS)
        mpiio_hints_read_back(&m->hints, f->handle);
    return rc;
}

/* Some rank cannot open the file, as was seen before the phase. */
static bool refused(struct mpiio *m, const struct op *op)
{
    if (op->flags & OP_FLAG_CREATE || op->kind == OP_CREATE)
        return false;
    m->elsewhere = m->unopenable[op->flags & OP_FLAG_WRITE ? 1 : 0];
    return m->elsewhere.error != 0;
}

/* A file that one rank could not open is open nowhere; the others leave their handles alone, as
 * closing them is a call of all ranks. */
static bool failed_anywhere(struct mpiio *m, struct mpiio_file *f, const struct op *op,
                            struct outcome *outcome)
{
    if (f->shared) {
        struct mpiio_cause cause = {0};
        char path[POSIX_PATH_BYTES];
        if (outcome->error != MPI_SUCCESS &&
            m->names.path(m->names.plan, op->object, path, sizeof path) == 0)
            cause = mpiio_find_cause(path, op, false);
        int error = cause.errno_value != 0 ? cause.errno_value : EIO;
        m->elsewhere = mpiio_agree(m->comm, outcome->error != MPI_SUCCESS ? error : 0);
        if (m->elsewhere.error != 0 && outcome->error == MPI_SUCCESS)
            outcome->error = MPIIO_ELSEWHERE;
    }
    if (outcome->error != MPI_SUCCESS)
        f->handle = MPI_FILE_NULL;
    return outcome->error != MPI_SUCCESS;
}

static enum io_state perform_open(void *io, const struct op *op, uint32_t slot,
                                  struct outcome *outcome)
{
    (void)slot;
    struct mpiio *m = io;
    struct mpiio_file *f = &m->file[op->handle];
    char path[POSIX_PATH_BYTES];
    bool shared = !m->file_per_process && (op->kind == OP_OPEN || op->flags & OP_FLAG_COLLECTIVE);
    *outcome = (struct outcome){0};
    if (mpiio_name(&m->names, op->object, path, sizeof path) != 0) {
        outcome->error = MPIIO_LONG_NAME; /* on every rank: the name is the same everywhere */
        return IO_DONE;
    }
    m->opening = "MPI_File_open";
    *f = (struct mpiio_file){.handle = MPI_FILE_NULL, .object = op->object, .shared = shared};
    if (shared && op->object == 0 && refused(m, op)) {
        outcome->error = MPIIO_ELSEWHERE;
        return IO_DONE;
    }
    outcome->error = MPI_File_open(shared ? m->comm : MPI_COMM_SELF, path, mode_of(op),
                                   m->hints.asked, &f->handle);
    if (outcome->error == MPI_SUCCESS)
        MPI_File_set_errhandler(f->handle, MPI_ERRORS_RETURN);
    if (failed_anywhere(m, f, op, outcome))
        return IO_DONE;
    outcome->error = prepare(m, f, op);
    return IO_DONE;
}

/* After collective writes all ranks look whether their data is there, and agree on it before the
 * next collective call on the file: a library that has lost some may hang in that call. */
static bool lost(struct mpiio *m, struct mpiio_file *f)
{
    if (f->unchecked && f->shared) {
        int missing = mpiio_end_is_missing(m, f);
        MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, m->comm);
        f->lost = f->lost || missing;
    }
    f->unchecked = false;
    return f->lost;
}

static enum io_state perform_name(void *io, const struct op *op, uint32_t slot,
                                  struct outcome *outcome)
{
    (void)slot;
    struct mpiio *m = io;
    posix_name(&m->names, op, outcome);
    return IO_DONE;
}

static enum io_state perform_sync(void *io, const struct op *op, uint32_t slot,
                                  struct outcome *outcome)
{
    struct mpiio *m = io;
    struct mpiio_file *f = &m->file[op->handle];
    if (op->flags & OP_FLAG_DIRECTORY)
        return perform_name(io, op, slot, outcome);
    *outcome = (struct outcome){.error = MPIIO_CLOSED};
    if (f->handle != MPI_FILE_NULL && f->shared && op->flags & OP_FLAG_IN_TRANSFER)
        outcome->error = MPIIO_SYNC_EACH;
    else if (f->handle != MPI_FILE_NULL)
        outcome->error = lost(m, f) ? MPIIO_LOST : MPI_File_sync(f->handle);
    return IO_DONE;
}

static enum io_state perform_close(void *io, const struct op *op, uint32_t slot,
                                   struct outcome *outcome)
{
    (void)slot;
    struct mpiio *m = io;
    struct mpiio_file *f = &m->file[op->handle];
    *outcome = (struct outcome){.error = MPIIO_CLOSED};
    if (f->handle == MPI_FILE_NULL)
        return IO_DONE;
    if (lost(m, f))
        outcome->error = MPIIO_LOST; /* left open for good */
    else
        outcome->error = MPI_File_close(&f->handle);
    f->handle = MPI_FILE_NULL;
    return IO_DONE;
}

static enum io_state perform_unlink(void *io, const struct op *op, uint32_t slot,
                                    struct outcome *outcome)
{
    (void)slot;
    struct mpiio *m = io;
    char path[POSIX_PATH_BYTES];
    *outcome = (struct outcome){.error = MPIIO_LONG_NAME};
    if (mpiio_name(&m->names, op->object, path, sizeof path) == 0)
        outcome->error = MPI_File_delete(path, m->hints.asked);
    return IO_DONE;
}

static size_t mpiio_facts(void *io, struct fact *facts, size_t max)
{
    const struct mpiio *m = io;
    return mpiio_hints_facts(&m->hints, facts, max);
}

#endif

const struct backend backend_mpiio = {
    .name = "mpiio",
    .sentence = "MPI-IO: independent or collective calls of the MPI library",
    .traits =
        BACKEND_PATHS | BACKEND_NEEDS_MPI | BACKEND_COLLECTIVE | BACKEND_STORES | BACKEND_TOGETHER,
    .options = mpiio_option_rows,
    .options_bytes = sizeof(struct mpiio_options),
    .max_depth = 1,
#ifndef HAVE_MPI
    .unavailable = "built without MPI",
#else
    .open = mpiio_open,
    .close = mpiio_close,
    .perform = {[OP_OPEN] = perform_open,
                [OP_CREATE] = perform_open,
                [OP_READ] = mpiio_transfer,
                [OP_WRITE] = mpiio_transfer,
                [OP_SYNC] = perform_sync,
                [OP_CLOSE] = perform_close,
                [OP_STAT] = perform_name,
                [OP_LIST] = perform_name,
                [OP_RENAME] = perform_name,
                [OP_LINK] = perform_name,
                [OP_CHMOD] = perform_name,
                [OP_XATTR] = perform_name,
                [OP_UNLINK] = perform_unlink,
                [OP_MKDIR] = perform_name,
                [OP_RMDIR] = perform_name,
                [OP_SYNC_DIRECTORY] = perform_name},
    .explain = mpiio_explain,
    .facts = mpiio_facts,
#endif
};
