/* The marker's text: lines "key value" in one order, the last of which proves the others, then
 * blanks. Whoever wrote it wrote all of it, so anything else is damage or another hand's work. */
#include "model/checkpoint.h"

#include "base/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARKER_VERSION 1

static const char *const keys[] = {
    "pario-checkpoint", "seed",        "ranks",        "oldest",      "latest",      "shape",
    "writers",          "slots",       "writer-bytes", "total-bytes", "chunk-bytes", "tensors",
    "tensor-sizes",     "safetensors", "align-bytes",  "scale-ppb",   "model",
};
#define FIELDS (sizeof keys / sizeof keys[0])

static void values_of(const struct checkpoint_marker *m, uint64_t values[FIELDS])
{
    const struct checkpoint_layout *l = &m->layout;
    const uint64_t all[FIELDS] = {
        MARKER_VERSION,  m->seed,        m->ranks,       m->oldest,
        m->latest,       l->shape,       l->writers,     l->slots,
        l->writer_bytes, l->total_bytes, l->chunk_bytes, l->ends ? 0 : l->tensors,
        l->tensor_sizes, l->safetensors, l->align_bytes, l->scale_ppb,
        l->model,
    };
    memcpy(values, all, sizeof all);
}

static struct checkpoint_marker marker_of(const uint64_t values[FIELDS])
{
    const uint64_t *v = values + 1;
    return (struct checkpoint_marker){
        .seed = v[0],
        .ranks = v[1],
        .oldest = v[2],
        .latest = v[3],
        .layout = {.shape = (enum checkpoint_shape)v[4],
                   .writers = v[5],
                   .slots = v[6],
                   .writer_bytes = v[7],
                   .total_bytes = v[8],
                   .chunk_bytes = v[9],
                   .tensors = v[10],
                   .tensor_sizes = (enum tensor_sizes)v[11],
                   .safetensors = v[12] != 0,
                   .align_bytes = v[13],
                   .scale_ppb = v[14],
                   .model = (uint32_t)v[15]},
    };
}

static uint64_t proof_of(const uint64_t values[FIELDS])
{
    uint64_t proof = 0;
    for (size_t i = 0; i < FIELDS; i++)
        proof = rng_mix(proof ^ values[i]);
    return proof;
}

void checkpoint_marker_format(const struct checkpoint_marker *m, char text[CHECKPOINT_MARKER_BYTES])
{
    uint64_t values[FIELDS];
    size_t used = 0;
    values_of(m, values);
    memset(text, ' ', CHECKPOINT_MARKER_BYTES);
    for (size_t i = 0; i <= FIELDS; i++) {
        char line[64];
        int n = i < FIELDS ? snprintf(line, sizeof line, "%s %" PRIu64 "\n", keys[i], values[i])
                           : snprintf(line, sizeof line, "proof %" PRIu64 "\n", proof_of(values));
        memcpy(text + used, line, (size_t)n);
        used += (size_t)n;
    }
    text[CHECKPOINT_MARKER_BYTES - 1] = '\n';
}

/* "key 123\n" at *at; moves behind it. */
static int take_line(const char **at, const char *end, const char *key, uint64_t *value)
{
    size_t n = strlen(key);
    const char *p = *at;
    if ((size_t)(end - p) < n + 3 || memcmp(p, key, n) != 0 || p[n] != ' ')
        return -1;
    p += n + 1;
    const char *first = p;
    *value = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(*value, UINT64_C(10), value) ||
            __builtin_add_overflow(*value, (uint64_t)(*p - '0'), value))
            return -1;
    if (p == first || p == end || *p != '\n')
        return -1;
    *at = p + 1;
    return 0;
}

static size_t models(void)
{
    size_t n = 0;
    while (checkpoint_model_table[n].name)
        n++;
    return n;
}

/* Numbers that nothing here wrote would divide by zero or run for ever. */
static bool is_possible(const struct checkpoint_marker *m, uint64_t model)
{
    const struct checkpoint_layout *l = &m->layout;
    bool strided = l->shape == CHECKPOINT_STRIDED;
    bool groups = l->shape == CHECKPOINT_GROUPS;
    return l->shape <= CHECKPOINT_GROUPS && l->writers > 0 && l->slots > 0 &&
           l->tensor_sizes < TENSORS_SIZES && l->align_bytes > 0 && l->align_bytes <= 4096 &&
           m->ranks > 0 && m->oldest > 0 && m->latest <= CHECKPOINT_STEPS_MOST &&
           (!groups || (l->writer_bytes > 0 && l->chunk_bytes > 0 && l->slots == 1 &&
                        l->chunk_bytes % l->writer_bytes == 0 &&
                        l->writers == l->total_bytes / l->chunk_bytes +
                                          (l->total_bytes % l->chunk_bytes ? 1 : 0))) &&
           (!strided || (l->chunk_bytes > 0 && l->writer_bytes % l->chunk_bytes == 0)) &&
           (model == CHECKPOINT_NO_MODEL || model < models());
}

int checkpoint_marker_parse(const char *text, size_t bytes, const char *name,
                            struct checkpoint_marker *m, struct error *e)
{
    uint64_t values[FIELDS], proof;
    const char *at = text, *end = text + bytes;
    for (size_t i = 0; i < FIELDS; i++)
        if (take_line(&at, end, keys[i], &values[i]))
            return error_set(e, STATUS_USAGE, "marker",
                             "%s: line %zu is not \"%s NUMBER\": this is no marker of pario's",
                             name, i + 1, keys[i]);
    if (values[0] != MARKER_VERSION)
        return error_set(e, STATUS_USAGE, "marker",
                         "%s: version %" PRIu64 " of the marker; this pario reads version %d", name,
                         values[0], MARKER_VERSION);
    if (take_line(&at, end, "proof", &proof) || proof != proof_of(values))
        return error_set(e, STATUS_USAGE, "marker",
                         "%s: its last line does not prove the others: it is damaged", name);
    *m = marker_of(values);
    if (!is_possible(m, values[FIELDS - 1]))
        return error_set(e, STATUS_USAGE, "marker", "%s: impossible numbers", name);
    return 0;
}
