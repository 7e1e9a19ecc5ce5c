/* The datasets of a file, and the attributes of its root group that say how they are laid out. */
#include "backends/hdf5_file.h"

#ifdef HAVE_HDF5

#include <stdlib.h>
#include <string.h>

struct entry { /* of the record of a layout */
    const char *name;
    size_t field;
};

static const struct entry record[] = {
    {"pario file_bytes", offsetof(struct hdf5_layout, file_bytes)},
    {"pario segment_bytes", offsetof(struct hdf5_layout, segment_bytes)},
    {"pario block_bytes", offsetof(struct hdf5_layout, block_bytes)},
    {"pario variables", offsetof(struct hdf5_layout, variables)},
};

static int write_record(const struct hdf5_file *f)
{
    int failed = 0;
    hid_t scalar = H5Screate(H5S_SCALAR);
    for (size_t i = 0; i < sizeof record / sizeof record[0] && !failed; i++) {
        const char *field = (const char *)&f->layout + record[i].field;
        hid_t a = H5Acreate_by_name(f->file, "/", record[i].name, H5T_STD_U64LE, scalar,
                                    H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        failed = a < 0 || H5Awrite(a, H5T_NATIVE_UINT64, field) < 0;
        if (a >= 0)
            failed = H5Aclose(a) < 0 || failed;
    }
    if (!failed)
        H5Sclose(scalar);
    return failed ? -1 : 0;
}

/* 1: found; 0: there is none; -1: HDF5 failed. */
static int read_record(const struct hdf5_file *f, struct hdf5_layout *layout)
{
    *layout = (struct hdf5_layout){0};
    for (size_t i = 0; i < sizeof record / sizeof record[0]; i++) {
        htri_t there = H5Aexists_by_name(f->file, "/", record[i].name, H5P_DEFAULT);
        if (there <= 0)
            return there < 0 ? -1 : 0;
        hid_t a = H5Aopen_by_name(f->file, "/", record[i].name, H5P_DEFAULT, H5P_DEFAULT);
        if (a < 0 || H5Aread(a, H5T_NATIVE_UINT64, (char *)layout + record[i].field) < 0 ||
            H5Aclose(a) < 0)
            return -1;
    }
    layout->per_segment = layout->variables > 0 || layout->segment_bytes != layout->file_bytes;
    bool sound = layout->segment_bytes != 0 && layout->block_bytes != 0 &&
                 layout->file_bytes % layout->segment_bytes == 0 &&
                 layout->segment_bytes % layout->block_bytes == 0 &&
                 (layout->variables == 0 || layout->block_bytes % layout->variables == 0) &&
                 hdf5_layout_datasets(layout) <= HDF5_DATASETS_MOST;
    return sound || layout->file_bytes == 0 ? 1 : 0;
}

int hdf5_datasets_make(struct hdf5 *h, struct hdf5_file *f)
{
    char name[64], group[32], last[32] = "";
    f->layout = h->layout;
    uint64_t n = hdf5_layout_datasets(&f->layout);
    hsize_t bytes = hdf5_layout_dataset_bytes(&f->layout);
    if (n == 0)
        return 0;
    hid_t space = H5Screate_simple(1, &bytes, NULL);
    for (uint64_t i = 0; i < n; i++) {
        hdf5_layout_group(&f->layout, i, group, sizeof group);
        if (strcmp(group, last) != 0) {
            hid_t g = H5Gcreate2(f->file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            if (g < 0 || H5Gclose(g) < 0)
                return hdf5_note(h);
            memcpy(last, group, sizeof last);
        }
        hid_t d = H5Dcreate2(f->file, hdf5_layout_name(&f->layout, i, name, sizeof name),
                             H5T_STD_U8LE, space, H5P_DEFAULT, h->dataset_creation, H5P_DEFAULT);
        if (d < 0 || H5Dclose(d) < 0)
            return hdf5_note(h);
    }
    if (write_record(f) != 0)
        return hdf5_note(h);
    H5Sclose(space);
    return 0;
}

/* Where the raw data begins, for the record: the effect of an alignment. */
static void note_address(struct hdf5 *h, const struct hdf5_file *f)
{
    if (h->address_bytes != UINT64_MAX)
        return;
    haddr_t address = H5Dget_offset(f->datasets[0]);
    if (address != HADDR_UNDEF)
        h->address_bytes = address;
}

int hdf5_datasets_open(struct hdf5 *h, struct hdf5_file *f)
{
    char name[64];
    int found = read_record(f, &f->layout);
    if (found < 0)
        return hdf5_note(h);
    if (found == 0)
        return HDF5_NO_DATA;
    uint64_t n = hdf5_layout_datasets(&f->layout);
    hsize_t bytes = hdf5_layout_dataset_bytes(&f->layout);
    if (n == 0)
        return 0;
    f->datasets = calloc(n, sizeof *f->datasets);
    if (f->datasets == NULL)
        return HDF5_NO_DATA;
    f->space = H5Screate_simple(1, &bytes, NULL);
    for (; f->datasets_open < n; f->datasets_open++) {
        hdf5_layout_name(&f->layout, f->datasets_open, name, sizeof name);
        hid_t d = H5Dopen2(f->file, name, H5P_DEFAULT);
        if (d < 0)
            return hdf5_note(h);
        f->datasets[f->datasets_open] = d;
    }
    note_address(h, f);
    return 0;
}

void hdf5_datasets_close(struct hdf5_file *f)
{
    for (uint64_t i = 0; i < f->datasets_open; i++)
        H5Dclose(f->datasets[i]);
    if (f->space >= 0)
        H5Sclose(f->space);
    free(f->datasets);
    f->datasets = NULL;
    f->datasets_open = 0;
    f->space = H5I_INVALID_HID;
}

#endif
