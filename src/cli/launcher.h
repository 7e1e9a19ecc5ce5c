/* Who started this process, from the environment alone and so before MPI_Init: which rank may
 * speak, and whether MPI sees as many processes as were started. */
#ifndef PARIO_CLI_LAUNCHER_H
#define PARIO_CLI_LAUNCHER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Environment variables that a launcher sets in every process. The first row whose rank variable
 * holds a number counts; ends with rank NULL. */
struct launcher_kind {
    const char *name;  /* "Slurm's srun" */
    const char *rank;  /* variable with the rank in the run */
    const char *size;  /* variable with the number of processes; NULL: none */
    const char *older; /* another one, asked where size is not set; NULL: none */
    const char *step;  /* variable that must name a real job step; NULL: no such condition */
};
extern const struct launcher_kind launcher_table[];

struct launcher {
    const struct launcher_kind *kind; /* NULL: started by hand */
    int64_t rank;                     /* -1: not known */
    int64_t size;                     /* 0: not known */
};

/* look_up answers as getenv does: NULL where a variable is not set. context is handed to it. */
struct launcher launcher_detect(const char *(*look_up)(void *context, const char *name),
                                void *context);
/* The same from this process's environment. */
struct launcher launcher_of_process(void);

/* Of all processes started together, the one that prints what all would say: rank 0, or an unknown
 * one. */
bool launcher_speaks(const struct launcher *l);
/* Before a process ends with wrong use: those that do not speak wait a second for the one that
 * does, since a launcher ends all of them as soon as one has failed. */
void launcher_let_speak(const struct launcher *l);

/* Refuses a run in which every process would believe to be alone. processes: how many MPI sees, 1
 * without it. mpi: the MPI library that pario was built with, NULL: none. threads: ranks are
 * threads of this process. -1 with STATUS_USAGE. */
int launcher_check(const struct launcher *l, uint64_t processes, const char *mpi, bool threads,
                   struct error *e);

#endif
