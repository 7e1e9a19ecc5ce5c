/* What HDF5 did, read back from it. */
#include "backends/hdf5_file.h"

#ifdef HAVE_HDF5

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct word {
    uint32_t bit;
    const char *text;
};

static const struct word mode_words[] = {
    {1u << H5D_MPIO_NO_COLLECTIVE, "independent"},
    {1u << H5D_MPIO_CHUNK_INDEPENDENT, "independent by chunks"},
    {1u << H5D_MPIO_CHUNK_COLLECTIVE, "collective by chunks"},
    {1u << H5D_MPIO_CHUNK_MIXED, "by chunks, some collective"},
    {1u << H5D_MPIO_CONTIGUOUS_COLLECTIVE, "collective"},
    {0, NULL},
};

static const struct word cause_words[] = {
    {H5D_MPIO_SET_INDEPENDENT, "independent transfers were asked for"},
    {H5D_MPIO_DATATYPE_CONVERSION, "datatypes differ"},
    {H5D_MPIO_DATA_TRANSFORMS, "data is transformed"},
    {H5D_MPIO_MPI_OPT_TYPES_ENV_VAR_DISABLED, "HDF5_MPI_OPT_TYPES switches MPI types off"},
    {H5D_MPIO_NOT_SIMPLE_OR_SCALAR_DATASPACES, "a dataspace is neither simple nor scalar"},
    {H5D_MPIO_NOT_CONTIGUOUS_OR_CHUNKED_DATASET, "the dataset is neither contiguous nor chunked"},
    {0, NULL},
};

/* The words of all bits that are set; what has no word is told as a number. */
static void tell(char *text, size_t bytes, uint32_t bits, const struct word *words)
{
    size_t n = 0;
    text[0] = '\0';
    for (const struct word *w = words; w->text != NULL; w++) {
        if (!(bits & w->bit))
            continue;
        n += strlen(text_copy(text + n, bytes - n, n > 0 ? ", " : ""));
        n += strlen(text_copy(text + n, bytes - n, w->text));
        bits &= ~w->bit;
    }
    if (bits != 0)
        snprintf(text + n, bytes - n, "%scause 0x%" PRIx32, n > 0 ? ", " : "", bits);
}

static void tell_library(struct fact *fact)
{
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    snprintf(fact->value, sizeof fact->value, "HDF5 %u.%u.%u, parallel", major, minor, release);
}

static void tell_layout(const struct hdf5 *h, struct fact *fact)
{
    const struct hdf5_options *o = h->options;
    const struct hdf5_layout *l = &h->layout;
    char name[64], chunk[48] = "contiguous", at[48] = "";
    if (o->chunk_bytes != 0)
        snprintf(chunk, sizeof chunk, "chunks of %" PRIu64 " bytes", o->chunk_bytes);
    if (h->address_bytes != UINT64_MAX)
        snprintf(at, sizeof at, ", from byte %" PRIu64 " of the file", h->address_bytes);
    snprintf(fact->value, sizeof fact->value, "%" PRIu64 " x %" PRIu64 " bytes (%s ...), %s%s",
             hdf5_layout_datasets(l), hdf5_layout_dataset_bytes(l),
             hdf5_layout_name(l, 0, name, sizeof name), chunk, at);
}

/* How collective transfers were really made; not being so is worth a warning. */
static void tell_mode(const struct hdf5 *h, struct fact *fact)
{
    char modes[60], causes[60];
    const unsigned good = 1u << H5D_MPIO_CHUNK_COLLECTIVE | 1u << H5D_MPIO_CONTIGUOUS_COLLECTIVE;
    if (h->modes == 0) {
        text_copy(fact->value, sizeof fact->value, "independent");
        return;
    }
    tell(modes, sizeof modes, h->modes, mode_words);
    if ((h->modes & ~good) == 0) {
        text_copy(fact->value, sizeof fact->value, modes);
        return;
    }
    tell(causes, sizeof causes, h->causes, cause_words);
    snprintf(fact->value, sizeof fact->value, "HDF5 made collective transfers %s%s%s", modes,
             h->causes != 0 ? ": " : "", causes);
    fact->warning = "not-collective";
}

size_t hdf5_facts(void *io, struct fact *facts, size_t max)
{
    const struct hdf5 *h = io;
    if (max < 3)
        return 0;
    for (size_t i = 0; i < 3; i++)
        facts[i] = (struct fact){0};
    text_copy(facts[0].key, sizeof facts[0].key, "hdf5_library");
    tell_library(&facts[0]);
    text_copy(facts[1].key, sizeof facts[1].key, "hdf5_datasets");
    tell_layout(h, &facts[1]);
    text_copy(facts[2].key, sizeof facts[2].key, "hdf5_transfers");
    tell_mode(h, &facts[2]);
    return 3 + mpiio_hints_facts(&h->hints, facts + 3, max - 3);
}

#endif
