/* Property lists of HDF5, made from the options. */
#include "backends/hdf5_file.h"

#ifdef HAVE_HDF5

#if defined H5_HAVE_SUBFILING_VFD
#include <H5FDsubfiling.h>
#endif

#include <stdio.h>

/* A call refused what an option asks for: the library says why. */
static int refuse(struct hdf5 *h, const char *option, struct error *e)
{
    hdf5_note(h);
    return error_set(e, STATUS_USAGE, "usage", "%s: HDF5 refuses it: %s", option, h->said);
}

/* In the order of the choices of --hdf5.libver; -1: this library does not know it. */
static const int formats[] = {
    -1,
    H5F_LIBVER_EARLIEST,
#if H5_VERSION_GE(1, 10, 2)
    H5F_LIBVER_V18,
    H5F_LIBVER_V110,
#else
    -1,
    -1,
#endif
#if H5_VERSION_GE(1, 12, 0)
    H5F_LIBVER_V112,
#else
    -1,
#endif
#if H5_VERSION_GE(1, 14, 0)
    H5F_LIBVER_V114,
#else
    -1,
#endif
    H5F_LIBVER_LATEST,
};

static int set_format(struct hdf5 *h, hid_t access, struct error *e)
{
    if (h->options->libver == 0)
        return 0;
    int low = formats[h->options->libver];
    if (low < 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "--hdf5.libver: HDF5 %d.%d.%d does not know this version", H5_VERS_MAJOR,
                         H5_VERS_MINOR, H5_VERS_RELEASE);
    if (H5Pset_libver_bounds(access, (H5F_libver_t)low, H5F_LIBVER_LATEST) < 0)
        return refuse(h, "--hdf5.libver", e);
    return 0;
}

/* A cache of fixed size; and nothing leaves it before a flush, where that is asked for. */
static int set_cache(struct hdf5 *h, hid_t access, struct error *e)
{
    const struct hdf5_options *o = h->options;
    H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (o->metadata_cache_bytes == 0 && !o->defer_metadata)
        return 0;
    H5Pget_mdc_config(access, &config);
    config.incr_mode = H5C_incr__off;
    config.flash_incr_mode = H5C_flash_incr__off;
    config.decr_mode = H5C_decr__off;
    config.evictions_enabled = !o->defer_metadata;
    if (o->metadata_cache_bytes != 0) {
        config.set_initial_size = 1;
        config.initial_size = config.min_size = config.max_size = o->metadata_cache_bytes;
        if (config.dirty_bytes_threshold > o->metadata_cache_bytes / 4)
            config.dirty_bytes_threshold = o->metadata_cache_bytes / 4;
    }
    if (H5Pset_mdc_config(access, &config) < 0)
        return refuse(h, "--hdf5.metadata-cache", e);
    return 0;
}

static int set_subfiling(struct hdf5 *h, hid_t access, MPI_Comm comm, struct error *e)
{
#if defined H5_HAVE_SUBFILING_VFD
    if (H5Pset_mpi_params(access, comm, h->hints.asked) < 0 ||
        H5Pset_fapl_subfiling(access, NULL) < 0)
        return refuse(h, "--hdf5.subfiling", e);
    return 0;
#else
    (void)h, (void)access, (void)comm;
    return error_set(e, STATUS_USAGE, "usage",
                     "--hdf5.subfiling: HDF5 %d.%d.%d of this build has no subfiling driver "
                     "(1.14 and newer can be built with it)",
                     H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
#endif
}

/* How files are opened by the ranks of comm. */
static int make_access(struct hdf5 *h, hid_t *access, MPI_Comm comm, struct error *e)
{
    const struct hdf5_options *o = h->options;
    *access = H5Pcreate(H5P_FILE_ACCESS);
    if (o->subfiling && set_subfiling(h, *access, comm, e) != 0)
        return -1;
    if (!o->subfiling && H5Pset_fapl_mpio(*access, comm, h->hints.asked) < 0)
        return refuse(h, "hdf5", e);
    /* Without it a file with a dataset still open cannot be closed. */
    H5Pset_fclose_degree(*access, H5F_CLOSE_STRONG);
    if (o->collective_metadata && (H5Pset_coll_metadata_write(*access, 1) < 0 ||
                                   H5Pset_all_coll_metadata_ops(*access, 1) < 0))
        return refuse(h, "--hdf5.collective-metadata", e);
    if (o->alignment_bytes > 1 &&
        H5Pset_alignment(*access, o->alignment_threshold_bytes, o->alignment_bytes) < 0)
        return refuse(h, "--hdf5.alignment", e);
    if (o->metadata_block_bytes != 0 &&
        H5Pset_meta_block_size(*access, o->metadata_block_bytes) < 0)
        return refuse(h, "--hdf5.metadata-block", e);
    return set_format(h, *access, e) != 0 || set_cache(h, *access, e) != 0 ? -1 : 0;
}

static int make_dataset_creation(struct hdf5 *h, struct error *e)
{
    const struct hdf5_options *o = h->options;
    hsize_t chunk = o->chunk_bytes;
    h->dataset_creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_time(h->dataset_creation, o->no_fill ? H5D_FILL_TIME_NEVER : H5D_FILL_TIME_ALLOC);
    /* Sizes of compressed chunks are known when they are written, not before. */
    H5Pset_alloc_time(h->dataset_creation,
                      o->compress > 0 ? H5D_ALLOC_TIME_DEFAULT : H5D_ALLOC_TIME_EARLY);
    H5Pset_obj_track_times(h->dataset_creation, 0);
    if (chunk != 0 && H5Pset_chunk(h->dataset_creation, 1, &chunk) < 0)
        return refuse(h, "--hdf5.chunk", e);
    if (o->compress > 0 && H5Pset_deflate(h->dataset_creation, (unsigned)o->compress) < 0)
        return refuse(h, "--hdf5.compress", e);
    return 0;
}

int hdf5_properties_make(struct hdf5 *h, const struct backend_setup *setup, struct error *e)
{
    const struct hdf5_options *o = h->options;
    (void)setup;
    if (make_access(h, &h->together, h->comm, e) != 0 ||
        make_access(h, &h->alone, MPI_COMM_SELF, e) != 0 || make_dataset_creation(h, e) != 0)
        return -1;
    h->creation = H5Pcreate(H5P_FILE_CREATE);
    if (o->page_bytes != 0 &&
        (H5Pset_file_space_strategy(h->creation, H5F_FSPACE_STRATEGY_PAGE, 0, 1) < 0 ||
         H5Pset_file_space_page_size(h->creation, o->page_bytes) < 0))
        return refuse(h, "--hdf5.page-size", e);
    h->collective = H5Pcreate(H5P_DATASET_XFER);
    h->independent = H5Pcreate(H5P_DATASET_XFER);
    if (H5Pset_dxpl_mpio(h->collective, H5FD_MPIO_COLLECTIVE) < 0 ||
        H5Pset_dxpl_mpio(h->independent, H5FD_MPIO_INDEPENDENT) < 0)
        return refuse(h, "hdf5", e);
    return 0;
}

void hdf5_properties_free(struct hdf5 *h)
{
    hid_t lists[] = {h->together,         h->alone,      h->creation,
                     h->dataset_creation, h->collective, h->independent};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (lists[i] >= 0)
            H5Pclose(lists[i]);
    if (h->memory >= 0)
        H5Sclose(h->memory);
}

#endif
