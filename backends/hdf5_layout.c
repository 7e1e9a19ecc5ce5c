#include "backends/hdf5_layout.h"

#include <inttypes.h>
#include <stdio.h>

static int check_variables(const struct hdf5_layout *l, uint64_t transfer_bytes, struct error *e)
{
    uint64_t slab = l->block_bytes / l->variables;
    if (l->block_bytes % l->variables != 0 || slab == 0 || slab % transfer_bytes != 0)
        return error_set(
            e, STATUS_USAGE, "usage",
            "--hdf5.variables %" PRIu64 ": the block -b %" PRIu64 " does not consist of %" PRIu64
            " equal parts that are multiples of the transfer size -t %" PRIu64 ": use -b %" PRIu64,
            l->variables, l->block_bytes, l->variables, transfer_bytes,
            (slab / transfer_bytes + 1) * transfer_bytes * l->variables);
    return 0;
}

int hdf5_layout_make(struct hdf5_layout *layout, uint64_t file_bytes, uint64_t segment_bytes,
                     uint64_t block_bytes, uint64_t transfer_bytes, bool per_segment,
                     uint64_t variables, struct error *e)
{
    bool parts = per_segment || variables > 0;
    *layout = (struct hdf5_layout){.file_bytes = file_bytes,
                                   .segment_bytes = parts ? segment_bytes : file_bytes,
                                   .block_bytes = parts ? block_bytes : file_bytes,
                                   .variables = variables,
                                   .per_segment = parts};
    if (!parts)
        return 0;
    if (block_bytes == 0 || file_bytes % segment_bytes != 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "%s: this workload does not write in segments of blocks",
                         variables > 0 ? "--hdf5.variables" : "--hdf5.dataset-per-segment");
    if (variables > 0 && check_variables(layout, transfer_bytes, e) != 0)
        return -1;
    if (hdf5_layout_datasets(layout) > HDF5_DATASETS_MOST)
        return error_set(e, STATUS_USAGE, "usage",
                         "%" PRIu64 " datasets in a file are more than the %d that can be open: "
                         "use a smaller -s, or one dataset for all",
                         hdf5_layout_datasets(layout), HDF5_DATASETS_MOST);
    return 0;
}

uint64_t hdf5_layout_datasets(const struct hdf5_layout *l)
{
    if (l->file_bytes == 0)
        return 0;
    return l->file_bytes / l->segment_bytes * (l->variables > 0 ? l->variables : 1);
}

uint64_t hdf5_layout_dataset_bytes(const struct hdf5_layout *l)
{
    return l->variables > 0 ? l->segment_bytes / l->variables : l->segment_bytes;
}

struct hdf5_place hdf5_layout_place(const struct hdf5_layout *l, uint64_t offset_bytes)
{
    uint64_t segment = offset_bytes / l->segment_bytes;
    uint64_t at = offset_bytes % l->segment_bytes;
    if (l->variables == 0)
        return (struct hdf5_place){segment, at, l->segment_bytes - at};
    uint64_t slab = l->block_bytes / l->variables;
    uint64_t block = at / l->block_bytes;
    uint64_t in_block = at % l->block_bytes;
    uint64_t in_slab = in_block % slab;
    return (struct hdf5_place){segment * l->variables + in_block / slab, block * slab + in_slab,
                               slab - in_slab};
}

char *hdf5_layout_name(const struct hdf5_layout *l, uint64_t dataset, char *buf, size_t bytes)
{
    if (l->variables > 0)
        snprintf(buf, bytes, "/step.%08" PRIu64 "/variable.%" PRIu64, dataset / l->variables,
                 dataset % l->variables);
    else if (l->per_segment)
        snprintf(buf, bytes, "/segment.%08" PRIu64, dataset);
    else
        snprintf(buf, bytes, "/data");
    return buf;
}

char *hdf5_layout_group(const struct hdf5_layout *l, uint64_t dataset, char *buf, size_t bytes)
{
    if (l->variables > 0)
        snprintf(buf, bytes, "/step.%08" PRIu64, dataset / l->variables);
    else
        snprintf(buf, bytes, "%s", "");
    return buf;
}

bool hdf5_layout_equal(const struct hdf5_layout *a, const struct hdf5_layout *b)
{
    return a->file_bytes == b->file_bytes && a->segment_bytes == b->segment_bytes &&
           a->block_bytes == b->block_bytes && a->variables == b->variables &&
           a->per_segment == b->per_segment;
}
