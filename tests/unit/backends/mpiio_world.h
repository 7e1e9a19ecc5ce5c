/* What the checks of the mpiio backend share: one rank's view of a run without an engine. */
#ifndef PARIO_TESTS_UNIT_BACKENDS_MPIIO_WORLD_H
#define PARIO_TESTS_UNIT_BACKENDS_MPIIO_WORLD_H

#include "backends/mpiio_file.h"

#include <stdio.h>

extern const struct backend backend_mpiio;

enum { PIECE = 4096, MOST = 1 << 20 };

struct world {
    struct comm *comm;
    char dir[256];
    struct mpiio_options options;
    struct backend_setup setup;
    void *io;
    struct error error;
    unsigned char *data;
    uint64_t failures; /* of the check under way, on this rank */
    char first[200];
};

#define CHECK(w, condition)                                                                        \
    do {                                                                                           \
        if (!(condition) && (w)->failures++ == 0)                                                  \
            snprintf((w)->first, sizeof(w)->first, "rank %d, %s:%d: %s", (int)(w)->comm->rank,     \
                     __func__, __LINE__, #condition);                                              \
    } while (0)

struct check {
    const char *name;
    void (*run)(struct world *w);
};

/* Lists that end with name NULL. */
extern const struct check mpiio_transfer_checks[];
extern const struct check mpiio_failure_checks[];
extern const struct check mpiio_full_checks[]; /* want a file system of 256 KiB */

/* Objects are files DIR/0, DIR/1, ... */
int world_path(const void *world, uint64_t object, char *buf, size_t bytes);
/* Opens the backend with setup as it stands; false: refused, with error set. */
bool world_start(struct world *w);
struct outcome world_perform(struct world *w, struct op op);
/* An operation without data; its error. */
int world_call(struct world *w, enum op_kind kind, unsigned flags, uint64_t object);
/* Sets error to what the backend says of a failure. */
void world_explain(struct world *w, struct op op, struct outcome outcome);
/* A file is made as a run makes it: by rank 0, before all open it. */
void world_make_file(struct world *w, uint64_t object);
void world_remove_file(struct world *w, uint64_t object);
/* 8 pieces, interleaved with the others'; reads are of the next rank's and compared. */
void world_move(struct world *w, enum op_kind kind, unsigned flags, uint64_t object);
/* Bytes that tell where in a file they belong. */
void world_stamp(unsigned char *data, uint64_t bytes, uint64_t offset);
bool world_stamped(const unsigned char *data, uint64_t bytes, uint64_t offset);

#endif
