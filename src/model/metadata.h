/* What a metadata run will do: items (files, directories) of every rank in trees of directories,
 * phase after phase. Pure: any name is reached at once from its number, nothing is stored.
 *
 * Below each target directory stands a home, pario.<repetition>; in it trees side by side, shared
 * by the ranks of the target or one for each rank; in their directories the items:
 *
 *     out/pario.0/tree.0/1/5/file.17.403       item 403 of rank 17 in node 5, which is below node 1
 *
 * An item is numbered within its rank, 0 .. items-1, and lies in item directory
 * metadata_directory_of(item). */
#ifndef PARIO_MODEL_METADATA_H
#define PARIO_MODEL_METADATA_H

#include "base/error.h"
#include "model/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct settings;

/* Phases in the order of metadata_phases. */
enum metadata_phase {
#define METADATA_PHASE(ID, ...) METADATA_##ID,
#include "model/metadata.def"
    METADATA_PHASES
};

struct metadata_phase_row {
    const char *name; /* in every output */
    const char *part; /* the phase's own name where another workload has one called so */
    bool files;       /* works on files that were created */
    bool directories; /* works on directories that were made (mkdir) */
    bool makes;       /* brings them into being */
    bool removes;     /* ends them */
    unsigned strides; /* how often -N is applied, so that no phase meets its predecessor's cache */
};

extern const struct metadata_phase_row metadata_phases[METADATA_PHASES];

/* What an object is: the highest bits of its number. */
enum metadata_class {
    OBJECT_FILE,
    OBJECT_DIRECTORY,
    OBJECT_NODE,              /* of a tree */
    OBJECT_HOME,              /* pario.<repetition> */
    OBJECT_TARGET,            /* what -d names */
    OBJECT_FILE_RENAMED,      /* the other name of a file, while it is renamed */
    OBJECT_DIRECTORY_RENAMED, /* likewise */
    OBJECT_LINK               /* a second name of a file */
};

/* Operations that --mix weighs. */
enum metadata_mix { MIX_CREATE, MIX_STAT, MIX_READ, MIX_UNLINK, METADATA_MIXES };

#define METADATA_STEPS 64 /* phases in one repetition */

struct metadata_plan {
    uint64_t ranks;
    uint64_t repetition; /* now running; set by the run; part of the names */
    const char *targets; /* "a@b@@c", points into the settings */
    uint64_t target_count;

    bool files, directories; /* kinds of items */
    bool unique;             /* a tree for each rank */
    bool shared;             /* -S: every rank works on the same files */
    bool by_one;             /* rank 0 creates all ranks' items */
    bool leaves;             /* items in the last level of the tree alone */
    struct tree tree;
    uint64_t trees;      /* side by side: per rank if unique, else per target */
    uint64_t items;      /* per rank and kind */
    uint64_t per_dir;    /* items per rank in a directory; 0: spread evenly */
    uint64_t item_dirs;  /* directories that hold items, over all trees */
    uint64_t dirs;       /* directories of all trees of one rank or target */
    unsigned index_bits; /* an object's number is class, rank, index from high bits to low */

    uint64_t write_bytes;  /* per file, 0: empty files */
    uint64_t create_bytes; /* of them, in the create phase: all, or 0 with a write phase */
    uint64_t read_bytes;
    uint64_t transfer_bytes; /* largest transfer */
    bool verify;
    bool fsync;      /* each file, before it is closed */
    bool sync_after; /* the file system, at the end of each phase */
    bool rename_across;
    bool random;
    uint64_t random_seed;
    uint64_t stride;

    bool mixed;                   /* items are numbered on and on, and removed first in first out */
    uint64_t mix[METADATA_MIXES]; /* operations of each kind in a block */

    unsigned steps; /* phases of a repetition, in order */
    unsigned char step[METADATA_STEPS];
    bool removes; /* the last of them leave nothing */
};

/* STATUS_USAGE with one message that names the option and what would be right. */
int metadata_plan_make(struct metadata_plan *m, const struct settings *s, uint64_t ranks,
                       struct error *e);

/* Derives trees, item_dirs, dirs and index_bits (and items where only -I was given) from ranks,
 * items, per_dir, leaves and tree. -1 with STATUS_USAGE where they are too many to be numbered. */
int metadata_lay_out(struct metadata_plan *m, struct error *e);

/* Sets transfer_bytes from write_bytes and read_bytes. */
void metadata_size_transfers(struct metadata_plan *m);

/* Item directory (0 .. item_dirs-1) of an item, and the node it is: tree * directories + node. */
uint64_t metadata_directory_of(const struct metadata_plan *m, uint64_t item);
uint64_t metadata_node_of(const struct metadata_plan *m, uint64_t item_dir);

/* Who makes the trees: every rank its own; else the first rank of each target. */
static inline bool metadata_makes_trees(const struct metadata_plan *m, uint64_t rank)
{
    return m->unique || rank < m->target_count;
}

/* The number of an object. index: item, node or 0. */
static inline uint64_t metadata_object(const struct metadata_plan *m, enum metadata_class class,
                                       uint64_t rank, uint64_t index)
{
    return (uint64_t) class << 60 | rank << m->index_bits | index;
}
enum metadata_class metadata_class_of(uint64_t object);
uint64_t metadata_rank_of(const struct metadata_plan *m, uint64_t object);
uint64_t metadata_index_of(const struct metadata_plan *m, uint64_t object);

/* The whole path; 0, or -1 if it does not fit. */
int metadata_path(const struct metadata_plan *m, uint64_t object, char *buf, size_t bytes);
/* The last component of the path alone, with a NUL, and the object of the directory that holds it.
 * Its length, or -1 for objects that are found by their path only. */
int metadata_leaf(const struct metadata_plan *m, uint64_t object, uint64_t *directory, char *buf,
                  size_t bytes);

#endif
