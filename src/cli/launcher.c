#include "cli/launcher.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Step numbers from here on are Slurm's own: the batch script, an interactive shell and the like.
 */
#define SLURM_STEPS_END INT64_C(0xfffffff0)

/* The launcher of the MPI library itself comes first: it knows best, and mpirun inside a Slurm job
 * is itself a Slurm step. */
const struct launcher_kind launcher_table[] = {
    {.name = "Open MPI's mpirun", .rank = "OMPI_COMM_WORLD_RANK", .size = "OMPI_COMM_WORLD_SIZE"},
    {.name = "MVAPICH's mpirun", .rank = "MV2_COMM_WORLD_RANK", .size = "MV2_COMM_WORLD_SIZE"},
    {.name = "a PMI launcher", .rank = "PMI_RANK", .size = "PMI_SIZE"},
    {.name = "Cray's PALS", .rank = "PALS_RANKID", .size = "PALS_SIZE"},
    {.name = "Slurm's srun",
     .rank = "SLURM_PROCID",
     .size = "SLURM_STEP_NUM_TASKS",
     .older = "SLURM_NTASKS",
     .step = "SLURM_STEP_ID"},
    {.name = "a PMIx launcher", .rank = "PMIX_RANK"},
    {.name = "an MPI launcher", .rank = "MPI_LOCALRANKID", .size = "MPI_LOCALNRANKS"},
    {.rank = NULL}};

/* A whole number from 0; -1 for anything else. */
static int64_t number_of(const char *text)
{
    char *end;

    if (!text || text[0] < '0' || text[0] > '9')
        return -1;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    return *end || errno ? -1 : (int64_t)value;
}

static bool in_step(const char *text)
{
    int64_t step = number_of(text);

    return step >= 0 && step < SLURM_STEPS_END;
}

struct launcher launcher_detect(const char *(*look_up)(void *context, const char *name),
                                void *context)
{
    for (const struct launcher_kind *k = launcher_table; k->rank; k++) {
        int64_t rank = number_of(look_up(context, k->rank));
        if (rank < 0 || (k->step && !in_step(look_up(context, k->step))))
            continue;
        const char *size = k->size ? look_up(context, k->size) : NULL;
        if (!size && k->older)
            size = look_up(context, k->older);
        int64_t processes = number_of(size);
        /* A size that cannot be is of another job: then the rank alone is believed. */
        return (struct launcher){k, rank, processes > rank ? processes : 0};
    }
    return (struct launcher){NULL, -1, 0};
}

static const char *look_up_process(void *context, const char *name)
{
    (void)context;
    return getenv(name);
}

struct launcher launcher_of_process(void)
{
    return launcher_detect(look_up_process, NULL);
}

bool launcher_speaks(const struct launcher *l)
{
    return l->rank <= 0;
}

void launcher_let_speak(const struct launcher *l)
{
    if (!launcher_speaks(l))
        sleep(1);
}

int launcher_check(const struct launcher *l, uint64_t processes, const char *mpi, bool threads,
                   struct error *e)
{
    char started[64] = "several processes";

    if (!l->kind || (l->size <= 1 && l->rank <= 0) || processes > 1)
        return 0;
    if (l->size)
        snprintf(started, sizeof started, "%" PRId64 " processes", l->size);
    if (threads)
        return error_set(e, STATUS_USAGE, "usage",
                         "%s started %s (%s is set), and with --threads each would run on its own: "
                         "start one, or leave out --threads",
                         l->kind->name, started, l->kind->rank);
    if (!mpi)
        return error_set(e, STATUS_USAGE, "usage",
                         "%s started %s (%s is set), but this pario is built without MPI: use "
                         "--threads N, or build it with MPI",
                         l->kind->name, started, l->kind->rank);
    return error_set(e, STATUS_USAGE, "usage",
                     "%s started %s (%s is set), but MPI sees each alone, and all would use the "
                     "same files: pario is built with %s and needs the launcher that belongs to it",
                     l->kind->name, started, l->kind->rank, mpi);
}
