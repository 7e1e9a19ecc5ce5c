/* HDF5 over MPI-IO. A file that all ranks share is opened, flushed and closed by all of them
 * together, whether or not its transfers are collective; a file per process is opened by its rank
 * alone. Files hold their data as datasets of bytes, laid out as hdf5_layout.h says, and say
 * themselves how: what reads them needs no option. Calls on names are POSIX. */
#include "backends/hdf5_file.h"

#define ROW(NAME, KIND, MEMBER)                                                                    \
    .name = NAME, .kind = OPTION_##KIND, .field = offsetof(struct hdf5_options, MEMBER),           \
    .group = "Backend hdf5", .workloads = WORKLOAD_ANY

static const struct option hdf5_option_rows[] = {
    {ROW("hint", TEXT, hints), .argument = "KEY=VALUE",
     .help = "hints for the MPI-IO below HDF5, separated by semicolons",
     .text = "As --mpiio.hint; variables IOR_HINT__MPI__KEY=VALUE of the environment count here, "
             "too. What the library made of them is recorded in the result."},
    {ROW("hints-file", TEXT, hints_file), .directive = "hintsFileName", .argument = "FILE",
     .help = "file of hints, a KEY=VALUE per line"},
    {ROW("dataset-per-segment", FLAG, dataset_per_segment),
     .help = "a dataset for each segment, not one for the whole file"},
    {ROW("variables", COUNT, variables), .initial = "0", .least = 0, .most = 4096, .argument = "N",
     .help = "each segment is a group of N datasets, as simulations dump N variables per step; 0: "
             "no groups",
     .text = "A rank's block of a segment is cut into N slabs, one for each variable: -b is a "
             "multiple of N times -t."},
    {ROW("chunk", SIZE, chunk_bytes), .directive = "chunkSize", .initial = "0", .argument = "SIZE",
     .help = "datasets in chunks of this size; 0: contiguous"},
    {ROW("compress", COUNT, compress), .initial = "0", .least = 0, .most = 9, .argument = "LEVEL",
     .help = "deflate the chunks; 0: as they are",
     .text = "Needs --hdf5.chunk and collective transfers (-c). The data of a run is "
             "incompressible unless --compressible says otherwise, where it is known."},
    {ROW("no-fill", FLAG, no_fill), .directive = "noFill", .initial = "yes",
     .help = "no fill values are written into new datasets; no: they are, when space is allocated"},
    {ROW("create-together", FLAG, create_together),
     .help = "all ranks create the datasets of a shared file together, in the measured open",
     .text = "Otherwise rank 0 creates them with the file, before the phase. The measured time "
             "then includes creating them and flushing the file once."},
    {ROW("collective-metadata", FLAG, collective_metadata), .directive = "collectiveMetadata",
     .help = "metadata is read and written by collective calls"},
    {ROW("alignment", SIZE, alignment_bytes), .directive = "setAlignment", .initial = "0",
     .argument = "SIZE", .help = "objects begin at multiples of this; 0: anywhere",
     .text = "No effect together with --hdf5.page-size, which lays out the file by pages."},
    {ROW("alignment-threshold", SIZE, alignment_threshold_bytes), .initial = "0",
     .argument = "SIZE", .help = "only objects of this size and larger are aligned"},
    {ROW("libver", CHOICE, libver), .initial = "default",
     .choices = "default|earliest|v18|v110|v112|v114|latest", .argument = "NAME",
     .help = "oldest version of the library that has to read the file"},
    {ROW("page-size", SIZE, page_bytes), .initial = "0", .argument = "SIZE",
     .help = "space in the file is handed out in pages of this size; 0: not"},
    {ROW("metadata-block", SIZE, metadata_block_bytes), .initial = "0", .argument = "SIZE",
     .help = "metadata is gathered in blocks of this size; 0: the library's choice"},
    {ROW("metadata-cache", SIZE, metadata_cache_bytes), .initial = "0", .most = 134217728,
     .argument = "SIZE", .help = "fixed size of the metadata cache; 0: the library's choice",
     .text = "From 1k to 128m."},
    {ROW("defer-metadata", FLAG, defer_metadata),
     .help = "metadata stays in its cache until the file is flushed or closed"},
    {ROW("subfiling", FLAG, subfiling),
     .help = "the file is spread over subfiles, by the subfiling driver of HDF5 1.14",
     .text = "The library's variables of the environment (H5FD_SUBFILING_STRIPE_SIZE and others) "
             "set its stripes."},
    {.name = NULL},
};

#ifdef HAVE_HDF5

#include "backends/posix_file.h"

#include <inttypes.h>
#include <stdlib.h>

static void hdf5_close(void *io)
{
    struct hdf5 *h = io;
    /* A shared file still open was left by a failure that not every rank may have met: closing it
     * could wait for ever. */
    for (uint32_t i = 0; i < h->handles; i++) {
        struct hdf5_file *f = &h->file[i];
        if (f->file < 0 || f->shared)
            continue;
        hdf5_close_file(h, f);
    }
    hdf5_properties_free(h);
    posix_files_free(h->plain);
    mpiio_hints_free(&h->hints);
    MPI_Comm_free(&h->comm);
    free(h);
}

static int check(const struct backend_setup *setup, struct hdf5_layout *layout, struct error *e)
{
    const struct hdf5_options *o = setup->options;
    if (o->compress > 0 && o->chunk_bytes == 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "--hdf5.compress: only chunks can be compressed: set --hdf5.chunk");
    if (o->compress > 0 && !setup->collective)
        return error_set(e, STATUS_USAGE, "usage",
                         "--hdf5.compress: parallel HDF5 writes compressed chunks by collective "
                         "calls alone: add -c");
    uint64_t in_segment = setup->file_per_process ? 1 : setup->comm->size;
    if (hdf5_layout_make(layout, setup->expected_bytes, setup->block_bytes * in_segment,
                         setup->block_bytes, setup->transfer_bytes, o->dataset_per_segment,
                         (uint64_t)o->variables, e) != 0)
        return -1;
    if (layout->per_segment && setup->collective && !setup->in_sequence)
        return error_set(e, STATUS_USAGE, "usage",
                         "collective transfers in random order would be in different datasets at "
                         "the same time: leave out -c, or keep to one dataset");
    uint64_t dataset = hdf5_layout_dataset_bytes(layout);
    if (o->chunk_bytes > dataset || o->chunk_bytes > UINT32_MAX)
        return error_set(e, STATUS_USAGE, "usage",
                         "--hdf5.chunk: %" PRIu64 " bytes are more than %s", o->chunk_bytes,
                         o->chunk_bytes > dataset ? "a dataset holds" : "HDF5's limit of 4 GiB");
    return 0;
}

static struct hdf5 *make(const struct backend_setup *setup, struct error *e)
{
    struct hdf5 *h = calloc(1, sizeof *h + setup->handles * sizeof h->file[0]);
    if (h == NULL) {
        error_set(e, STATUS_FAILED, "ENOMEM", "no memory for %u files", (unsigned)setup->handles);
        return NULL;
    }
    h->options = setup->options;
    h->ranks = (int)setup->comm->size;
    h->rounds = setup->transfer_bytes == 0 ? 1 : (setup->transfer_bytes - 1) / (1u << 30) + 1;
    h->file_per_process = setup->file_per_process;
    h->address_bytes = UINT64_MAX;
    h->clock = setup->clock;
    h->names = setup->names;
    h->handles = setup->handles;
    h->plain = posix_files_make(setup, 0, e);
    if (h->plain == NULL) {
        free(h);
        return NULL;
    }
    h->together = h->alone = h->creation = h->dataset_creation = H5I_INVALID_HID;
    h->collective = h->independent = h->memory = H5I_INVALID_HID;
    for (uint32_t i = 0; i < h->handles; i++)
        h->file[i] = (struct hdf5_file){.file = H5I_INVALID_HID, .space = H5I_INVALID_HID};
    return h;
}

static void *hdf5_open(const struct backend_setup *setup, struct error *e)
{
    const struct hdf5_options *o = setup->options;
    const struct mpiio_hint_source source = {"--hdf5.hint", o->hints, "--hdf5.hints-file",
                                             o->hints_file};
    struct hdf5_layout layout;
    void *native = NULL;
    if (setup->comm->ops->native(setup->comm, &native) != NATIVE_MPI) {
        error_set(e, STATUS_USAGE, "usage",
                  "hdf5 needs ranks that are MPI processes: start pario with mpirun or srun");
        return NULL;
    }
    if (check(setup, &layout, e) != 0)
        return NULL;
    struct hdf5 *h = make(setup, e);
    if (h == NULL)
        return NULL;
    if (mpiio_hints_make(&h->hints, &source, setup->comm, e) != 0) {
        posix_files_free(h->plain);
        free(h);
        return NULL;
    }
    h->layout = layout;
    MPI_Comm_dup(*(MPI_Comm *)native, &h->comm);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what fails is told by hdf5_explain alone */
    if (hdf5_properties_make(h, setup, e) != 0) {
        hdf5_close(h);
        return NULL;
    }
    if (!h->file_per_process)
        mpiio_look(h->unopenable, h->comm, &h->names);
    return h;
}

static enum io_state perform_name(void *io, const struct op *op, uint32_t slot,
                                  struct outcome *outcome)
{
    (void)slot;
    struct hdf5 *h = io;
    posix_name(&h->names, op, outcome);
    return IO_DONE;
}

#endif

const struct backend backend_hdf5 = {
    .name = "hdf5",
    .sentence = "parallel HDF5: datasets in a shared file or a file per process",
    .traits =
        BACKEND_PATHS | BACKEND_NEEDS_MPI | BACKEND_COLLECTIVE | BACKEND_STORES | BACKEND_TOGETHER,
    .options = hdf5_option_rows,
    .options_bytes = sizeof(struct hdf5_options),
    .max_depth = 1,
#ifndef HAVE_MPI
    .unavailable = "built without MPI",
#elif defined HDF5_SERIAL
    .unavailable = "built with HDF5 " HDF5_SERIAL ", which is serial and cannot share a file among "
                   "ranks: build with a parallel HDF5 of the MPI in use",
#elif !defined HAVE_HDF5
    .unavailable = "built without HDF5",
#else
    .open = hdf5_open,
    .close = hdf5_close,
    .perform = {[OP_OPEN] = hdf5_perform_open,
                [OP_CREATE] = hdf5_perform_open,
                [OP_READ] = hdf5_transfer,
                [OP_WRITE] = hdf5_transfer,
                [OP_SYNC] = hdf5_perform_sync,
                [OP_CLOSE] = hdf5_perform_close,
                [OP_STAT] = perform_name,
                [OP_LIST] = perform_name,
                [OP_RENAME] = perform_name,
                [OP_LINK] = perform_name,
                [OP_CHMOD] = perform_name,
                [OP_XATTR] = perform_name,
                [OP_UNLINK] = perform_name,
                [OP_MKDIR] = perform_name,
                [OP_RMDIR] = perform_name,
                [OP_SYNC_DIRECTORY] = perform_name},
    .explain = hdf5_explain,
    .facts = hdf5_facts,
#endif
};
