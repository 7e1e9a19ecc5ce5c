/* Do the launcher and the MPI library understand each other? From the environment, so before
 * MPI_Init: by then a library that does not know its launcher either ends the process with a page
 * of its own, or makes each of N processes a job of one rank that writes the same files. */
#ifndef PARIO_COMM_LAUNCH_H
#define PARIO_COMM_LAUNCH_H

#include "base/error.h"

#include <stdbool.h>

struct launch_library {
    const char *version; /* "Open MPI 4.1.4"; other libraries than Open MPI and MPICH: no opinion */
    bool has_pmi;        /* it may have interfaces besides its own: Slurm's or a vendor's PMI */
};

/* As getenv: NULL where a variable is not set. */
typedef const char *launch_look_up(void *context, const char *name);

/* How many processes were started together, at least, as the launcher says; 1 where none says it;
 * *variable: where it is said. */
long launch_tasks(launch_look_up *look_up, void *context, const char **variable);

/* -1 with STATUS_USAGE where several processes were started and the library is certain not to learn
 * of each other's. 0 wherever that is not certain: the library will tell. */
int launch_check(const struct launch_library *library, launch_look_up *look_up, void *context,
                 struct error *e);

/* The same refusal once the library has said that each process is alone. */
int launch_refuse_crowd(const char *version, long tasks, const char *variable, struct error *e);

#endif
