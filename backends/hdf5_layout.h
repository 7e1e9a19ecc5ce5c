/* Where the bytes of a file stand in its datasets. Pure: it knows no HDF5.
 *
 * A file is one dataset, /data, in which a byte stands at the offset that it would have in a plain
 * file; or a dataset for each segment; or, as simulations dump their steps, a group for each
 * segment with a dataset for each of several variables. A rank's block of a segment is then cut
 * into as many slabs; those of one variable stand side by side, in the order of the blocks. */
#ifndef PARIO_BACKENDS_HDF5_LAYOUT_H
#define PARIO_BACKENDS_HDF5_LAYOUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HDF5_DATASETS_MOST 65536 /* of one file: all of them are opened with it */

struct hdf5_layout {
    uint64_t file_bytes; /* in all datasets; 0: there is none */
    uint64_t segment_bytes;
    uint64_t block_bytes; /* of one rank in a segment */
    uint64_t variables;   /* 0: no groups */
    bool per_segment;     /* more than the one dataset */
};

struct hdf5_place {
    uint64_t dataset;
    uint64_t at_bytes;
    uint64_t left_bytes; /* from there on that stand in one piece */
};

/* block_bytes 0: the workload has no segments. variables 0: none asked for. transfer_bytes: the
 * largest, which must not be torn. STATUS_USAGE where these do not go together. */
int hdf5_layout_make(struct hdf5_layout *layout, uint64_t file_bytes, uint64_t segment_bytes,
                     uint64_t block_bytes, uint64_t transfer_bytes, bool per_segment,
                     uint64_t variables, struct error *e);
uint64_t hdf5_layout_datasets(const struct hdf5_layout *layout);
/* Of each: all are equal. */
uint64_t hdf5_layout_dataset_bytes(const struct hdf5_layout *layout);
/* An offset of the plan, below file_bytes. */
struct hdf5_place hdf5_layout_place(const struct hdf5_layout *layout, uint64_t offset_bytes);
/* "/data", "/segment.00000007", "/step.00000007/variable.2". Returns buf. */
char *hdf5_layout_name(const struct hdf5_layout *layout, uint64_t dataset, char *buf, size_t bytes);
/* "/step.00000007", or "" where there are no groups. Returns buf. */
char *hdf5_layout_group(const struct hdf5_layout *layout, uint64_t dataset, char *buf,
                        size_t bytes);
bool hdf5_layout_equal(const struct hdf5_layout *a, const struct hdf5_layout *b);

#endif
