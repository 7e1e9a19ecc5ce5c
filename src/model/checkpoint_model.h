/* Checkpoints of language models in training, as MLPerf Storage asks for them: how many files of
 * which sizes. The formulas follow from the architecture and how it is divided among ranks: tensor
 * parallel (each matrix cut in tp), pipeline parallel (layers cut in pp), data parallel (dp
 * replicas, whose optimizer state, and from ZeRO stage 3 on also parameters, are cut in dp).
 * Parameters are saved in 2 bytes, the optimizer's three copies in 4. */
#ifndef PARIO_MODEL_CHECKPOINT_MODEL_H
#define PARIO_MODEL_CHECKPOINT_MODEL_H

#include <stdint.h>

#define CHECKPOINT_NO_MODEL UINT32_MAX

struct checkpoint_model {
    const char *name; /* NULL ends the table */
    uint64_t ranks;   /* that MLPerf's closed division prescribes */
    uint64_t tp, pp;
    unsigned zero; /* 1 (with pp > 1: a file per layer) or 3 */
    uint64_t layers, hidden, ffn, heads, kv_heads, vocabulary;
};

extern const struct checkpoint_model checkpoint_model_table[];

/* Writers that a run of ranks imitates: ranks itself where tp * pp divides it, else the prescribed
 * number, which the ranks then share out among themselves. */
uint64_t model_writers(const struct checkpoint_model *m, uint64_t ranks);
uint64_t model_parameters(const struct checkpoint_model *m);

/* Files of a writer, the last of them the optimizer's; bytes of one. */
uint64_t model_files(const struct checkpoint_model *m, uint64_t writers, uint64_t writer);
uint64_t model_file_bytes(const struct checkpoint_model *m, uint64_t writers, uint64_t writer,
                          uint64_t slot);
/* Files of a writer, at most. */
uint64_t model_slots(const struct checkpoint_model *m);

/* All files of one checkpoint, as a few kinds of equal size. */
#define MODEL_KINDS 4
struct model_kind {
    uint64_t files;
    uint64_t bytes; /* of each */
};
unsigned model_kinds(const struct checkpoint_model *m, uint64_t writers,
                     struct model_kind kinds[MODEL_KINDS]);

#endif
