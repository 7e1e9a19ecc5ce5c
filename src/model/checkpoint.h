/* The checkpoint workload: what a simulation or a training run writes every so often, and reads
 * when it starts again. Part of the plan, pure.
 *
 *     PATH/                     own directory, made by rank 0
 *     PATH/step-00000003/       one for each checkpoint
 *     PATH/step-00000003/...    its files; NAME.tmp while they are written
 *     PATH/latest               the marker, replaced last: it lists the checkpoints that are whole
 */
#ifndef PARIO_MODEL_CHECKPOINT_H
#define PARIO_MODEL_CHECKPOINT_H

#include "base/error.h"
#include "base/text.h"
#include "model/checkpoint_layout.h"
#include "model/settings.h"

#include <stddef.h>

enum checkpoint_readers {                  /* in the order of --readers */
                          READERS_SAME,    /* each rank what it wrote, or would have written */
                          READERS_SHIFTED, /* what a rank of the next node wrote */
                          READERS_ALL      /* every node everything, its ranks dividing it */
};

enum checkpoint_cold {             /* in the order of --cold */
                       COLD_NO,    /* caches stay as they are */
                       COLD_FILES, /* what is read is given up */
                       COLD_ALL    /* ... and each node's caches as a whole */
};

struct checkpoint_plan {
    struct checkpoint_layout layout;
    uint64_t ranks;
    uint64_t group; /* with groups: ranks of one; 0: those of a node, which the run sets */
    uint64_t steps;
    uint64_t retain;
    const char *tensor_list; /* file that lists the tensors; points into the settings; or NULL */
    bool coalesced;
    bool write;
    bool restart;
    enum checkpoint_readers readers;
    enum checkpoint_cold cold;
    const char *between;    /* command before the restart; points into the settings; NULL: none */
    bool background;        /* the next interval's work goes on while it is written */
    uint64_t staging_bytes; /* of each rank, to copy into; 0: what is saved stays as it is until
                               all of it is written */
    int64_t compute_ns;     /* between checkpoints; 0: none */
    double jitter;          /* share of it that a rank's may be longer, 0 to 1 */
    int64_t mtbf_ns;        /* mean time between failures; 0: not asked */
    uint64_t bytes;         /* of one checkpoint */
    uint64_t files;
    const char *path; /* points into the settings */

    /* Set by the run. */
    uint64_t step;   /* the checkpoint now written or read, from 1 */
    uint64_t oldest; /* while step is written: whole ones are there from oldest to step - 1 */
    uint64_t reader; /* restart: which of so many readers this rank is */
    uint64_t reader_count;
    uint64_t seed; /* of the data */
    bool verify;   /* what is read can be compared */
};

/* STATUS_USAGE with one message that names the option and what would be right. */
int checkpoint_plan_make(struct checkpoint_plan *plan, const struct settings *settings,
                         uint64_t ranks, struct error *e);
/* With a list of tensors: each rank's bytes are theirs. ends: see the layout; stays the caller's.
 */
void checkpoint_plan_tensors(struct checkpoint_plan *plan, const uint64_t *ends, uint64_t count);
/* With groups: of so many ranks. */
void checkpoint_plan_group(struct checkpoint_plan *plan, uint64_t ranks);
/* Bytes and files that lie there at the most: the retained checkpoints and the one being written.
 */
void checkpoint_plan_most(const struct checkpoint_plan *plan, uint64_t *bytes, uint64_t *files);

/* Objects: numbers that name what a checkpoint consists of. A file under its temporary name is
 * object | OBJECT_TEMPORARY, as is the marker's. */
uint64_t checkpoint_file(uint64_t step, uint64_t file);
uint64_t checkpoint_step_directory(uint64_t step);
uint64_t checkpoint_directory(void);
uint64_t checkpoint_marker(void);
#define CHECKPOINT_STEPS_MOST ((UINT64_C(1) << 24) - 1)
#define CHECKPOINT_FILES_MOST ((UINT64_C(1) << 36) - 1)
/* As plan_path. */
int checkpoint_path(const struct checkpoint_plan *plan, uint64_t object, char *buf, size_t bytes);

/* Bytes [offset, offset + length) of the header of a file (an object, also a temporary one). */
void checkpoint_header(const struct checkpoint_plan *plan, uint64_t object, uint64_t offset,
                       uint64_t length, char *to);

/* The checkpoint that is removed once p->step is whole; 0: none. */
uint64_t checkpoint_pruned(const struct checkpoint_plan *plan);

/* What the marker says. */
struct checkpoint_marker {
    uint64_t seed;  /* of the data, and what tells runs apart */
    uint64_t ranks; /* that wrote */
    uint64_t oldest,
        latest; /* whole checkpoints: all from oldest to latest; none: oldest > latest */
    struct checkpoint_layout layout;
};
/* It is padded to this with blanks: one block, also for O_DIRECT. */
#define CHECKPOINT_MARKER_BYTES 4096
void checkpoint_marker_format(const struct checkpoint_marker *m,
                              char text[CHECKPOINT_MARKER_BYTES]);
/* Strict: 0, or -1 with STATUS_USAGE and what is wrong with it; name: its path. */
int checkpoint_marker_parse(const char *text, size_t bytes, const char *name,
                            struct checkpoint_marker *m, struct error *e);

/* How often to save. C: seconds that one checkpoint keeps the program from its work; M: mean time
 * between failures in seconds. Intervals are the compute time between two checkpoints.
 * Young 1974 (A first order approximation to the optimum checkpoint interval, CACM 17(9), eq. 2):
 * sqrt(2 C M). Daly 2006 (A higher order estimate of the optimum checkpoint interval for restart
 * dumps, FGCS 22(3), eq. 37): sqrt(2 C M) (1 + sqrt(C / 2M) / 3 + C / 18M) - C where C < 2M, else
 * M. NAN where C or M is not above 0. */
double checkpoint_young_s(double cost_s, double mtbf_s);
double checkpoint_daly_s(double cost_s, double mtbf_s);
/* Share of time lost, to first order: C / T for saving, T / 2M for work done again. */
double checkpoint_waste(double cost_s, double interval_s, double mtbf_s);

#endif
