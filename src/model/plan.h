/* What a run will do, computed from the settings and the number of ranks alone: pure, the same on
 * every rank, and as quick for 10 million ranks as for one. */
#ifndef PARIO_MODEL_PLAN_H
#define PARIO_MODEL_PLAN_H

#include "base/error.h"
#include "model/access.h"
#include "model/checkpoint.h"
#include "model/fill.h"
#include "model/metadata.h"
#include "model/reorder.h"
#include "model/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum order {
    ORDER_IN_SEQUENCE, /* blocks and transfers one after another */
    ORDER_RANDOM,      /* each transfer once, in the order of a keyed permutation */
    ORDER_DRAWN        /* blocks drawn from the whole file, with replacement */
};

struct plan {
    int64_t workload; /* WORKLOAD_... */
    uint64_t ranks;
    uint64_t repetitions;
    uint64_t repetition; /* now running; set by the run; part of the names with multi_file */

    uint64_t segments;
    uint64_t block_bytes;
    uint64_t transfer_bytes; /* the largest */
    struct sizes sizes;      /* of transfers; used 0: all have transfer_bytes */
    uint64_t transfers_per_block;
    uint64_t transfers_per_rank;
    uint64_t file_bytes;  /* final size of one file */
    uint64_t total_bytes; /* of one phase over all ranks; saturates at UINT64_MAX */
    uint64_t files;
    uint64_t targets; /* paths in file, separated by @ */
    const char *file; /* points into the settings */
    bool file_per_process;
    bool unique_dir;
    bool multi_file;
    bool devices; /* the targets are block devices, with a region for each rank */
    bool device_write;

    bool write;
    bool check_write; /* a phase of its own after the write */
    bool read;
    bool check_read; /* the read compares */

    enum order order;
    uint64_t draw_bytes; /* ORDER_DRAWN: a block; of the workload random a transfer */
    struct access_plan access;
    bool cut_in_sequence; /* what is read was cut short when it was written, in sequence */
    uint64_t order_seed;  /* of random orders; 0: that of the data */
    enum reorder_kind reorder;
    uint64_t reorder_offset;
    int64_t reorder_seed;

    bool fsync;
    bool fsync_each;
    bool barriers;
    bool collective;
    bool direct;
    bool single_attempt;
    bool time_create;
    uint32_t depth;
    int64_t delay_ns;
    int64_t deadline_ns; /* of each phase; 0: none */
    bool wear_out;
    bool until_steady;     /* repetitions end when the last five agree */
    bool series;           /* latencies over time are wanted */
    int64_t interval_ns;   /* of the series, to begin with; 0: not asked for */
    int64_t max_ns;        /* no repetition begins later; 0: none */
    int64_t time_limit_ns; /* of the run; 0: none */
    const char *memory;    /* to be held, as the user wrote it; NULL: none */

    struct fill_data data; /* its seed is set by the run, the same on all ranks */

    struct checkpoint_plan checkpoint; /* WORKLOAD_CHECKPOINT */

    const char *status_file; /* IOR's: transfers per rank, left by writes; NULL: none */
    uint64_t transfers_most; /* of a rank and phase; UINT64_MAX: all */

    bool keep;
    bool keep_with_error;
    bool reuse;
    bool replace;
    bool in_place; /* own data that is there is kept, and written over with the same */
    double reserve_percent;

    struct metadata_plan metadata; /* WORKLOAD_METADATA */
};

/* STATUS_USAGE with one message that names the option and what would be right. */
int plan_make(struct plan *plan, const struct settings *settings, uint64_t ranks, struct error *e);

/* a * b, or UINT64_MAX where that is more. */
uint64_t plan_times(uint64_t a, uint64_t b);

/* Where the file of a rank begins in what it lies on: 0 but for regions of a device. */
uint64_t plan_base_offset(const struct plan *plan, uint64_t rank);
/* Byte offset of transfer i (0 .. transfers_per_rank-1, in sequence) of a rank. */
uint64_t plan_offset(const struct plan *plan, uint64_t rank, uint64_t i);
/* The object (file) that a rank works on: 0 where shared, else the rank. */
uint64_t plan_object(const struct plan *plan, uint64_t rank);

/* Path of an object; signature of struct object_names. 0, or -1 if it does not fit. */
int plan_path(const void *plan, uint64_t object, char *buf, size_t bytes);
/* Its last component, and the object of the directory that holds it; likewise. */
int plan_leaf(const void *plan, uint64_t object, uint64_t *directory, char *buf, size_t bytes);
/* Directory that an object has for itself (unique_dir): 0; -1 if it has none or it does not fit. */
int plan_directory(const struct plan *plan, uint64_t object, char *buf, size_t bytes);
/* The first target, @@ as @, with the suffix of the repetition alone: what the sidecar stands
 * beside. As plan_path. */
int plan_base(const struct plan *plan, char *buf, size_t bytes);
/* Paths in a list separated by @; @@ is no separator. */
uint64_t plan_count_targets(const char *list);

#endif
