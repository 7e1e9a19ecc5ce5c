/* What the backends on MPI-IO share: mpiio, and libraries above it. */
#ifndef PARIO_BACKENDS_MPIIO_SHARE_H
#define PARIO_BACKENDS_MPIIO_SHARE_H

#include "backends/backend.h"

#ifdef HAVE_MPI

#include <mpi.h>

struct mpiio_hints {
    MPI_Info asked; /* given to the library */
    MPI_Info used;  /* what it made of them; MPI_INFO_NULL until a file was open */
};

struct mpiio_hint_source {
    const char *option; /* "--mpiio.hint" */
    const char *list;   /* its value, KEY=VALUE;KEY=VALUE; NULL: none */
    const char *file_option;
    const char *file; /* NULL: none */
};

/* Collective over comm, whose rank 0 reads the file. From the environment, the file, the list, the
 * later over the earlier. 0 or -1 on every rank; then there is nothing to free. */
int mpiio_hints_make(struct mpiio_hints *hints, const struct mpiio_hint_source *source,
                     struct comm *comm, struct error *e);
void mpiio_hints_free(struct mpiio_hints *hints);
/* Of the first file that was opened. */
void mpiio_hints_read_back(struct mpiio_hints *hints, MPI_File file);
/* The library, its part for files, and each hint as it is used. */
size_t mpiio_hints_facts(const struct mpiio_hints *hints, struct fact *facts, size_t max);

/* An errno for the class of an MPI error code; 0: it has none. */
int mpiio_class_errno(int code);
/* Free bytes for users of the file system that holds path; UINT64_MAX where they are not known. */
uint64_t mpiio_free_bytes(const char *path);

struct mpiio_cause {
    int errno_value; /* 0: none was found */
    bool file_ends;  /* a read met the end */
    uint64_t size;   /* of the file, where file_ends */
};
/* Tries by POSIX calls what failed. plain: op's offsets are those of the file. */
struct mpiio_cause mpiio_find_cause(const char *path, const struct op *op, bool plain);

struct mpiio_agreed {
    int error; /* 0: none; else the largest of any rank, without its sign */
    int rank;  /* whose it is */
};
/* Collective: what every rank has to know before the next collective call. */
struct mpiio_agreed mpiio_agree(MPI_Comm comm, int error);
/* Collective, before the measured time: can each rank open the first file, for reading and for
 * writing? Where one cannot, a collective open leaves the others waiting for it with some
 * libraries. A file that is not there is no error here. */
void mpiio_look(struct mpiio_agreed unopenable[2], MPI_Comm comm, const struct object_names *names);

#endif
#endif
