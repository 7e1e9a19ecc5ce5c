/* Of which files a checkpoint consists and who writes what of them: pure, any place reachable at
 * once, as quick for a million ranks as for one. The marker of a checkpoint tells its layout, so a
 * restart needs no option for it.
 *
 * A layout has writers (the ranks of the program that is imitated), each with files in slots 0, 1,
 * ..., each of which it writes in pieces: one, or a header and tensors, or chunks of a file that
 * all share. The ranks of a run share the writers out among themselves, however many they are. */
#ifndef PARIO_MODEL_CHECKPOINT_LAYOUT_H
#define PARIO_MODEL_CHECKPOINT_LAYOUT_H

#include "model/checkpoint_model.h"

#include <stdbool.h>
#include <stdint.h>

enum checkpoint_shape {                     /* in the order of --shape */
                        CHECKPOINT_FILES,   /* each writer has files of its own */
                        CHECKPOINT_SHARED,  /* one file, a writer's bytes together */
                        CHECKPOINT_STRIDED, /* one file, chunks of all writers in turn */
                        CHECKPOINT_SHARDS,  /* a fixed number of files, however many ranks; a writer
                                               each */
                        CHECKPOINT_GROUPS   /* a file for so many ranks, which one of them
                                               collects and writes; a writer each */
};

enum tensor_sizes {                      /* in the order of --tensor-sizes */
                    TENSORS_EQUAL,       /* all alike */
                    TENSORS_MIXED,       /* between nothing and twice the mean */
                    TENSORS_TRANSFORMER, /* by sixes: norm, QKV, projection, norm, up and gate, down
                                          */
                    TENSORS_SIZES
};

struct checkpoint_layout {
    enum checkpoint_shape shape;
    uint64_t writers;
    uint64_t slots;        /* files of a writer, at most; 1 where they share one */
    uint64_t writer_bytes; /* CHECKPOINT_FILES without a model, SHARED, STRIDED: of one writer;
                              GROUPS: of a rank */
    uint64_t total_bytes;  /* CHECKPOINT_SHARDS, GROUPS: of all files */
    uint64_t chunk_bytes;  /* CHECKPOINT_STRIDED; GROUPS: of a file, the last may be smaller */
    uint64_t tensors;      /* in each file (shared: of each writer); 0: no such division */
    enum tensor_sizes tensor_sizes;
    const uint64_t *ends; /* of each tensor in the file, as listed; NULL: tensor_sizes says. Not in
                             the marker: whole files are read back */
    bool safetensors;     /* a header in front of each file: length, JSON */
    uint64_t align_bytes; /* files and tensors are multiples of it, 1 to 4096 */
    uint64_t scale_ppb;   /* of every file's size, in billionths */
    uint32_t model;       /* index of checkpoint_model_table; CHECKPOINT_NO_MODEL: none */
};

/* A part of a file that is written in one go. */
struct checkpoint_piece {
    uint64_t file; /* number among those of the checkpoint: writer * slots + slot; shared: 0 */
    uint64_t offset_bytes;
    uint64_t length_bytes;
    bool header; /* its content is layout_header's */
};

/* A size as the layout's scale and alignment make it. */
uint64_t layout_scaled(const struct checkpoint_layout *l, uint64_t bytes);
/* Files that a writer has, and the bytes of one (shared: of the whole file). */
uint64_t layout_files(const struct checkpoint_layout *l, uint64_t writer);
uint64_t layout_file_bytes(const struct checkpoint_layout *l, uint64_t writer, uint64_t slot);
/* Over all writers: files, bytes (UINT64_MAX where that is more), the largest file. */
uint64_t layout_count(const struct checkpoint_layout *l);
uint64_t layout_bytes(const struct checkpoint_layout *l);
uint64_t layout_largest(const struct checkpoint_layout *l);
/* Bytes that a writer writes. */
uint64_t layout_writer_bytes(const struct checkpoint_layout *l, uint64_t writer);
static inline bool layout_is_shared(const struct checkpoint_layout *l)
{
    return l->shape == CHECKPOINT_SHARED || l->shape == CHECKPOINT_STRIDED;
}

/* Pieces of a file that a writer writes, and one of them. coalesced: tensors are put together. */
uint64_t layout_pieces(const struct checkpoint_layout *l, uint64_t writer, uint64_t slot,
                       bool coalesced);
struct checkpoint_piece layout_piece(const struct checkpoint_layout *l, uint64_t writer,
                                     uint64_t slot, uint64_t piece, bool coalesced);

/* Bytes in front of the tensors: 0 without safetensors. */
uint64_t layout_header_bytes(const struct checkpoint_layout *l);
/* Bytes [offset, offset + length) of the header of a file of file_bytes. */
void layout_header(const struct checkpoint_layout *l, uint64_t file_bytes, uint64_t offset,
                   uint64_t length, char *to);
/* Begin of tensor i (0 .. tensors: the last is the end) among tensors of bytes in all. */
uint64_t layout_tensor(const struct checkpoint_layout *l, uint64_t bytes, uint64_t i);

/* Who of count workers takes which writers: *first to *end - 1, none where there are more workers
 * than writers and this one goes empty. Every writer is taken once. */
void layout_share(const struct checkpoint_layout *l, uint64_t worker, uint64_t count,
                  uint64_t *first, uint64_t *end);

/* All pieces of some writers, in order; or, where several readers share one writer's, of each piece
 * the share of one of them. Zeroed but for layout, writer, end, shares (>= 1) and share. */
struct checkpoint_walk {
    const struct checkpoint_layout *layout;
    bool coalesced;
    uint64_t writer, end;
    uint64_t share, shares;
    uint64_t slot;
    uint64_t piece;
};

/* False: no more. */
bool checkpoint_walk_next(struct checkpoint_walk *w, struct checkpoint_piece *piece);
/* The walk of one of count workers who write; and of one who reads: where there are more readers
 * than writers, several divide each piece. */
struct checkpoint_walk checkpoint_write_walk(const struct checkpoint_layout *l, bool coalesced,
                                             uint64_t worker, uint64_t count);
struct checkpoint_walk checkpoint_read_walk(const struct checkpoint_layout *l, bool coalesced,
                                            uint64_t worker, uint64_t count);
/* Bytes and transfers of at most transfer_bytes that a walk has. O(its pieces). */
void checkpoint_walk_count(struct checkpoint_walk walk, uint64_t transfer_bytes, uint64_t *bytes,
                           uint64_t *transfers);

#endif
