/* What a run will do, computed from the settings and the number of ranks alone: pure, the same on
 * every rank, and as quick for 10 million ranks as for one. */
#ifndef PARIO_MODEL_PLAN_H
#define PARIO_MODEL_PLAN_H

#include "base/error.h"
#include "model/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plan {
    uint64_t ranks;
    uint64_t segments;
    uint64_t block_bytes;
    uint64_t transfer_bytes;
    uint64_t transfers_per_block;
    uint64_t transfers_per_rank;
    uint64_t file_bytes;  /* final size of one file */
    uint64_t total_bytes; /* of one phase over all ranks; saturates at UINT64_MAX */
    uint64_t files;
    uint64_t repetitions;
    bool file_per_process;
    bool write;
    bool read;
    bool fsync;
    bool barriers;
    bool collective;
    bool keep;
    bool reuse;
    bool replace;
    double reserve_percent;
    bool direct;
    uint64_t seed; /* of the data; set by the run, the same on all ranks */
    uint32_t depth;
    int64_t delay_ns;
    int64_t deadline_ns; /* 0: none */
    const char *file;    /* points into the settings */
};

/* STATUS_USAGE with one message that names the option and what would be right. */
int plan_make(struct plan *plan, const struct settings *settings, uint64_t ranks, struct error *e);

/* Byte offset of transfer i (0 .. transfers_per_rank-1, in order) of a rank. */
uint64_t plan_offset(const struct plan *plan, uint64_t rank, uint64_t i);
/* The object (file) that a rank works on: 0 where shared, else the rank. */
uint64_t plan_object(const struct plan *plan, uint64_t rank);
/* Path of an object; signature of struct object_names. 0, or -1 if it does not fit. */
int plan_path(const void *plan, uint64_t object, char *buf, size_t bytes);

#endif
