/* What the files of the hdf5 backend share. */
#ifndef PARIO_BACKENDS_HDF5_FILE_H
#define PARIO_BACKENDS_HDF5_FILE_H

#include "backends/backend.h"
#include "backends/hdf5_layout.h"

struct hdf5_options {
    char *hints;      /* key=value;key=value */
    char *hints_file; /* a key=value per line */
    bool dataset_per_segment;
    int64_t variables;
    uint64_t chunk_bytes; /* 0: contiguous */
    int64_t compress;     /* deflate level, 0: none */
    bool no_fill;
    bool create_together;
    bool collective_metadata;
    uint64_t alignment_bytes;
    uint64_t alignment_threshold_bytes;
    int64_t libver; /* index into its choices */
    uint64_t page_bytes;
    uint64_t metadata_block_bytes;
    uint64_t metadata_cache_bytes;
    bool defer_metadata;
    bool subfiling;
};

#ifdef HAVE_HDF5

/* mpi.h first: HDF5's headers want it. */
#include <mpi.h>

#include <hdf5.h>

#include "backends/mpiio_share.h"

/* Outcomes: 0, or one of these; operations on names carry an errno, which is positive. */
enum {
    HDF5_CALL = -1,      /* a call of the library failed; what it said is in hdf5->said */
    HDF5_RANGE = -2,     /* outside of the datasets */
    HDF5_LOST = -3,      /* success was reported, and the disk lacks what was written */
    HDF5_CLOSED = -4,    /* the file is not open here */
    HDF5_TORN = -5,      /* a transfer does not lie in one dataset */
    HDF5_ELSEWHERE = -6, /* it failed on another rank: hdf5->elsewhere */
    HDF5_NO_DATA = -7,   /* the file holds no dataset of pario's */
    HDF5_LAYOUT = -8,    /* the datasets that are there are laid out differently */
    HDF5_LONG_NAME = -9,
    HDF5_NO_ROOM = -11,  /* for the metadata of a new file */
    HDF5_SYNC_EACH = -10 /* a flush after each write, of a file that others share */
};

struct hdf5_file {
    hid_t file;  /* H5I_INVALID_HID: not open */
    hid_t space; /* of each dataset in the file; the selection is the current transfer's */
    hid_t *datasets;
    uint64_t datasets_open;
    struct hdf5_layout layout;
    uint64_t object;
    bool shared;    /* opened by all ranks: syncing and closing are collective */
    bool fresh;     /* made by this open: its metadata is not on disk yet */
    bool unchecked; /* collective writes since the disk was looked at */
    bool lost;
    uint64_t written_bytes; /* by this rank, since it was opened */
};

struct hdf5 {
    const struct hdf5_options *options;
    MPI_Comm comm;
    int ranks;
    struct mpiio_hints hints;
    hid_t together, alone; /* access to files that are shared, that are not */
    hid_t creation;        /* of files */
    hid_t dataset_creation;
    hid_t collective, independent; /* of transfers */
    hid_t memory;                  /* dataspace of memory_bytes in one piece */
    uint64_t memory_bytes;
    struct hdf5_layout layout; /* that files are to be given */
    uint64_t rounds;           /* calls that a collective transfer is made of; 1 below 1 GiB */
    int64_t checked_ns;        /* when the disk was last looked at */
    bool file_per_process;
    unsigned modes;         /* bits 1 << H5D_mpio_actual_io_mode_t of collective transfers */
    uint32_t causes;        /* why some were not collective: H5D_MPIO_... of any rank */
    uint64_t address_bytes; /* of the first dataset in its file; UINT64_MAX: not known */
    char said[400];         /* innermost entry of the error stack of the last failure */
    int said_errno;         /* 0: none was in it */
    struct mpiio_agreed elsewhere;
    struct mpiio_agreed unopenable[2]; /* by any rank: for reading, for writing */
    const struct clock *clock;
    struct object_names names;
    struct posix_files *plain; /* markers: files that are no HDF5 files */
    uint32_t handles;
    struct hdf5_file file[];
};

/* Property lists, from the options. 0 or -1, the same on every rank. */
int hdf5_properties_make(struct hdf5 *h, const struct backend_setup *setup, struct error *e);
void hdf5_properties_free(struct hdf5 *h);

/* Keeps what the error stack says; answers HDF5_CALL. To be called before the next call. */
int hdf5_note(struct hdf5 *h);
void hdf5_explain(void *io, const struct op *op, const struct outcome *outcome, struct error *e);
/* Some MPI libraries report success for a collective write that met a full disk. True: the file
 * occupies less than was written, and the file system is full. */
bool hdf5_is_missing(struct hdf5 *h, struct hdf5_file *f);

/* Makes the datasets of f in its new file, and a record of their layout. 0 or an outcome's error.
 */
int hdf5_datasets_make(struct hdf5 *h, struct hdf5_file *f);
/* Finds the layout of what is there and opens the datasets. */
int hdf5_datasets_open(struct hdf5 *h, struct hdf5_file *f);
void hdf5_datasets_close(struct hdf5_file *f);

/* All but names, of what is part of a marker (OP_FLAG_MARKER). */
enum io_state hdf5_perform_plain(struct hdf5 *h, const struct op *op, struct outcome *outcome);

/* 0 or an outcome's error; the file is no longer open here in any case. */
int hdf5_close_file(struct hdf5 *h, struct hdf5_file *f);

/* Operations. */
enum io_state hdf5_perform_open(void *io, const struct op *op, uint32_t slot,
                                struct outcome *outcome);
enum io_state hdf5_perform_sync(void *io, const struct op *op, uint32_t slot,
                                struct outcome *outcome);
enum io_state hdf5_perform_close(void *io, const struct op *op, uint32_t slot,
                                 struct outcome *outcome);
enum io_state hdf5_transfer(void *io, const struct op *op, uint32_t slot, struct outcome *outcome);
size_t hdf5_facts(void *io, struct fact *facts, size_t max);

#endif
#endif
