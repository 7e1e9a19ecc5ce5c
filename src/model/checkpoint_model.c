#include "model/checkpoint_model.h"

#include <stddef.h>

#define PARAMETER_BYTES 2 /* fp16 or bf16 */
#define STATE_BYTES 4     /* fp32 */
#define STATE_COPIES 3    /* parameters, momentum, variance */
#define STATE_EXTRA 5     /* small tensors beside each copy, in units of hidden */

/* Sizes of the published models; the ranks and how they are divided are MLPerf Storage's. Its 1T
 * model is no published one. */
const struct checkpoint_model checkpoint_model_table[] = {
    {.name = "llama3-8b",
     .ranks = 8,
     .tp = 1,
     .pp = 1,
     .zero = 3,
     .layers = 32,
     .hidden = 4096,
     .ffn = 14336,
     .heads = 32,
     .kv_heads = 8,
     .vocabulary = 128256},
    {.name = "llama3-70b",
     .ranks = 64,
     .tp = 8,
     .pp = 1,
     .zero = 3,
     .layers = 80,
     .hidden = 8192,
     .ffn = 28672,
     .heads = 128,
     .kv_heads = 8,
     .vocabulary = 128256},
    {.name = "llama3-405b",
     .ranks = 512,
     .tp = 8,
     .pp = 32,
     .zero = 1,
     .layers = 126,
     .hidden = 16384,
     .ffn = 53248,
     .heads = 128,
     .kv_heads = 8,
     .vocabulary = 128256},
    {.name = "llama3-1t",
     .ranks = 1024,
     .tp = 8,
     .pp = 64,
     .zero = 1,
     .layers = 128,
     .hidden = 25872,
     .ffn = 98304,
     .heads = 192,
     .kv_heads = 32,
     .vocabulary = 128256},
    {.name = NULL},
};

static uint64_t width_kv(const struct checkpoint_model *m)
{
    return m->hidden / m->heads * m->kv_heads;
}

uint64_t model_parameters(const struct checkpoint_model *m)
{
    uint64_t h = m->hidden;
    uint64_t layer = h + h * (h + 2 * width_kv(m)) + h * h + h + 3 * h * m->ffn;
    return 2 * m->vocabulary * h + layer * m->layers + h;
}

uint64_t model_writers(const struct checkpoint_model *m, uint64_t ranks)
{
    return ranks % (m->tp * m->pp) == 0 ? ranks : m->ranks;
}

static uint64_t replicas(const struct checkpoint_model *m, uint64_t writers)
{
    return writers / (m->tp * m->pp);
}

/* Parameters of one rank's share of a layer: 0 is the embedding, then the transformer's layers, the
 * output, and last a norm. Each tensor is divided for itself, so remainders are lost tensor by
 * tensor. */
static uint64_t layer_share(const struct checkpoint_model *m, uint64_t layer, uint64_t shards)
{
    uint64_t h = m->hidden, tp = m->tp;
    if (layer == 0 || layer == m->layers + 1)
        return h * m->vocabulary / tp / shards;
    if (layer == m->layers + 2)
        return h / shards;
    return 2 * (h / shards) + h * (h + 2 * width_kv(m)) / tp / shards + h * h / tp / shards +
           2 * h * m->ffn / tp / shards + h * m->ffn / tp / shards;
}

static uint64_t optimizer_bytes(const struct checkpoint_model *m, uint64_t writers)
{
    return STATE_COPIES * STATE_BYTES * (model_parameters(m) / writers + STATE_EXTRA * m->hidden);
}

/* ZeRO 3: all layers of a rank in one file. */
static uint64_t sharded_bytes(const struct checkpoint_model *m, uint64_t writers)
{
    uint64_t shards = replicas(m, writers);
    uint64_t sum = layer_share(m, 0, shards) + layer_share(m, m->layers + 1, shards) +
                   layer_share(m, m->layers + 2, shards);
    return PARAMETER_BYTES * (sum + m->layers * layer_share(m, 1, shards));
}

/* Layers of a stage of the pipeline; the first has the embedding, the last output and norm. */
static void stage_layers(const struct checkpoint_model *m, uint64_t stage, uint64_t *first,
                         uint64_t *end)
{
    uint64_t each = m->layers / m->pp, more = m->layers % m->pp;
    *first = 1 + stage * each + (stage < more ? stage : more);
    *end = *first + each + (stage < more ? 1 : 0);
    if (stage == 0)
        *first = 0;
    if (stage == m->pp - 1)
        *end = m->layers + 3;
}

/* The layers that a writer saves in files of their own. */
static void own_layers(const struct checkpoint_model *m, uint64_t writer, uint64_t *first,
                       uint64_t *end)
{
    *first = *end = 0;
    if (writer < m->tp * m->pp) /* the first replica saves for all */
        stage_layers(m, writer / m->tp, first, end);
}

uint64_t model_files(const struct checkpoint_model *m, uint64_t writers, uint64_t writer)
{
    uint64_t first, end;
    (void)writers;
    if (m->zero >= 3)
        return 2;
    own_layers(m, writer, &first, &end);
    return end - first + 1;
}

uint64_t model_file_bytes(const struct checkpoint_model *m, uint64_t writers, uint64_t writer,
                          uint64_t slot)
{
    uint64_t first, end;
    if (slot + 1 == model_files(m, writers, writer))
        return optimizer_bytes(m, writers);
    if (m->zero >= 3)
        return sharded_bytes(m, writers);
    own_layers(m, writer, &first, &end);
    return PARAMETER_BYTES * layer_share(m, first + slot, 1);
}

uint64_t model_slots(const struct checkpoint_model *m)
{
    if (m->zero >= 3)
        return 2;
    /* Layers of a stage, rounded up; output and norm in the last; the optimizer's. */
    return (m->layers + m->pp - 1) / m->pp + 3;
}

unsigned model_kinds(const struct checkpoint_model *m, uint64_t writers,
                     struct model_kind kinds[MODEL_KINDS])
{
    kinds[0] = (struct model_kind){writers, optimizer_bytes(m, writers)};
    if (m->zero >= 3) {
        kinds[1] = (struct model_kind){writers, sharded_bytes(m, writers)};
        return 2;
    }
    kinds[1] = (struct model_kind){m->layers * m->tp, PARAMETER_BYTES * layer_share(m, 1, 1)};
    kinds[2] = (struct model_kind){2 * m->tp, PARAMETER_BYTES * layer_share(m, 0, 1)};
    kinds[3] = (struct model_kind){m->tp, PARAMETER_BYTES * layer_share(m, m->layers + 2, 1)};
    return 4;
}
