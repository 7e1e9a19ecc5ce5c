/* PnetCDF over MPI-IO. A file that all ranks share is opened, synced and closed by all of them
 * together, whether or not its transfers are collective; a file per process is opened by its rank
 * alone. A file (CDF-5) is one variable of bytes, "data", in which a byte stands at the offset that
 * it would have in a plain file. Calls on names are POSIX. */
#include "backends/pnetcdf_file.h"

#define ROW(NAME, KIND, MEMBER)                                                                    \
    .name = NAME, .kind = OPTION_##KIND, .field = offsetof(struct pnetcdf_options, MEMBER),        \
    .group = "Backend pnetcdf", .workloads = WORKLOAD_ANY

static const struct option pnetcdf_option_rows[] = {
    {ROW("hint", TEXT, hints), .argument = "KEY=VALUE",
     .help = "hints for PnetCDF and the MPI-IO below it, separated by semicolons",
     .text = "As --mpiio.hint; PnetCDF's own begin with nc_: nc_var_align_size=1048576 has the "
             "variable begin at a multiple of 1 MiB. Variables IOR_HINT__MPI__KEY=VALUE of the "
             "environment count here, too. What the library made of them is recorded in the "
             "result."},
    {ROW("hints-file", TEXT, hints_file), .directive = "hintsFileName", .argument = "FILE",
     .help = "file of hints, a KEY=VALUE per line"},
    {.name = NULL},
};

#ifdef HAVE_PNETCDF

#include "backends/posix_file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void pnetcdf_close(void *io)
{
    struct pnetcdf *p = io;
    /* A shared file still open was left by a failure that not every rank may have met: closing it
     * could wait for ever. */
    for (uint32_t i = 0; i < p->handles; i++)
        if (p->file[i].id >= 0 && !p->file[i].shared)
            pnetcdf_close_file(&p->file[i]);
    mpiio_hints_free(&p->hints);
    MPI_Comm_free(&p->comm);
    free(p);
}

static void *pnetcdf_open(const struct backend_setup *setup, struct error *e)
{
    const struct pnetcdf_options *o = setup->options;
    const struct mpiio_hint_source source = {"--pnetcdf.hint", o->hints, "--pnetcdf.hints-file",
                                             o->hints_file};
    void *native = NULL;
    if (setup->comm->ops->native(setup->comm, &native) != NATIVE_MPI) {
        error_set(e, STATUS_USAGE, "usage",
                  "pnetcdf needs ranks that are MPI processes: start pario with mpirun or srun");
        return NULL;
    }
    struct pnetcdf *p = calloc(1, sizeof *p + setup->handles * sizeof p->file[0]);
    if (p == NULL) {
        error_set(e, STATUS_FAILED, "ENOMEM", "no memory for %u files", (unsigned)setup->handles);
        return NULL;
    }
    if (mpiio_hints_make(&p->hints, &source, setup->comm, e) != 0) {
        free(p);
        return NULL;
    }
    MPI_Comm_dup(*(MPI_Comm *)native, &p->comm);
    p->ranks = (int)setup->comm->size;
    p->file_bytes = setup->expected_bytes;
    p->rounds = setup->transfer_bytes == 0 ? 1 : (setup->transfer_bytes - 1) / (1u << 30) + 1;
    p->file_per_process = setup->file_per_process;
    p->collective = setup->collective;
    p->clock = setup->clock;
    p->names = setup->names;
    p->handles = setup->handles;
    for (uint32_t i = 0; i < p->handles; i++)
        p->file[i] = (struct pnetcdf_file){.id = -1, .variable = -1};
    if (!p->file_per_process)
        mpiio_look(p->unopenable, p->comm, &p->names);
    return p;
}

static enum io_state perform_name(void *io, const struct op *op, uint32_t slot,
                                  struct outcome *outcome)
{
    (void)slot;
    struct pnetcdf *p = io;
    posix_name(&p->names, op, outcome);
    return IO_DONE;
}

static size_t pnetcdf_facts(void *io, struct fact *facts, size_t max)
{
    const struct pnetcdf *p = io;
    const char *version = ncmpi_inq_libvers();
    if (max < 1)
        return 0;
    facts[0] = (struct fact){0};
    text_copy(facts[0].key, sizeof facts[0].key, "pnetcdf_library");
    snprintf(facts[0].value, sizeof facts[0].value, "PnetCDF %.*s", (int)strcspn(version, " "),
             version);
    return 1 + mpiio_hints_facts(&p->hints, facts + 1, max - 1);
}

#endif

const struct backend backend_pnetcdf = {
    .name = "pnetcdf",
    .sentence = "PnetCDF: a variable in a shared file or a file per process (IOR's NCMPI)",
    .traits =
        BACKEND_PATHS | BACKEND_NEEDS_MPI | BACKEND_COLLECTIVE | BACKEND_STORES | BACKEND_TOGETHER,
    .options = pnetcdf_option_rows,
    .options_bytes = sizeof(struct pnetcdf_options),
    .max_depth = 1,
#ifndef HAVE_MPI
    .unavailable = "built without MPI",
#elif !defined HAVE_PNETCDF
    .unavailable = "built without PnetCDF",
#else
    .open = pnetcdf_open,
    .close = pnetcdf_close,
    .perform = {[OP_OPEN] = pnetcdf_perform_open,
                [OP_CREATE] = pnetcdf_perform_open,
                [OP_READ] = pnetcdf_transfer,
                [OP_WRITE] = pnetcdf_transfer,
                [OP_SYNC] = pnetcdf_perform_sync,
                [OP_CLOSE] = pnetcdf_perform_close,
                [OP_STAT] = perform_name,
                [OP_LIST] = perform_name,
                [OP_RENAME] = perform_name,
                [OP_LINK] = perform_name,
                [OP_CHMOD] = perform_name,
                [OP_XATTR] = perform_name,
                [OP_UNLINK] = perform_name,
                [OP_MKDIR] = perform_name,
                [OP_RMDIR] = perform_name},
    .explain = pnetcdf_explain,
    .facts = pnetcdf_facts,
#endif
};
