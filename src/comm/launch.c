#include "comm/launch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Step numbers from here on are Slurm's own: the batch script, an interactive shell. */
#define SLURM_STEPS_END 0xfffffff0L

/* A whole number from 0; -1 for anything else. */
static long number_of(const char *text)
{
    char *end = NULL;
    long value = text && text[0] >= '0' && text[0] <= '9' ? strtol(text, &end, 10) : -1;
    return end && *end ? -1 : value;
}

static bool in_slurm_step(launch_look_up *look_up, void *context)
{
    long step = number_of(look_up(context, "SLURM_STEP_ID"));
    return step >= 0 && step < SLURM_STEPS_END;
}

static bool is_set(launch_look_up *look_up, void *context, const char *const *names)
{
    while (*names && !look_up(context, *names))
        names++;
    return *names != NULL;
}

long launch_tasks(launch_look_up *look_up, void *context, const char **variable)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE", "PMI_SIZE",
                                        "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *name = sizes[i];
        if (strncmp(name, "SLURM_", 6) == 0 && !in_slurm_step(look_up, context))
            continue;
        long tasks = number_of(look_up(context, name));
        if (tasks > 0) {
            *variable = name;
            return tasks;
        }
    }
    /* Nothing but ranks is said: there are more than this one. */
    *variable = "PMIX_RANK";
    long rank = number_of(look_up(context, *variable));
    return rank > 0 ? rank + 1 : 1;
}

int launch_refuse_crowd(const char *version, long tasks, const char *variable, struct error *e)
{
    return error_set(e, STATUS_USAGE, "usage",
                     "%ld processes were started (%s), but each is alone for %s, which this pario "
                     "was built with, and all would write the same files: start it by the mpirun "
                     "of that MPI, or by an srun that supports it (srun --mpi=list; %s)",
                     tasks, variable, version,
                     strncmp(version, "MPICH", 5) == 0 ? "MPICH: --mpi=pmi2"
                                                       : "Open MPI: --mpi=pmix");
}

int launch_check(const struct launch_library *library, launch_look_up *look_up, void *context,
                 struct error *e)
{
    static const char *const pmix[] = {"PMIX_RANK", "PMIX_NAMESPACE", NULL};
    static const char *const pmi[] = {"PMI_FD", "PMI_PORT", "PMI_RANK", NULL};
    /* Flux speaks to each library in its own way. */
    static const char *const other[] = {"FLUX_JOB_ID", "I_MPI_PMI_LIBRARY", NULL};
    bool is_open = strncmp(library->version, "Open MPI", 8) == 0;
    bool is_mpich = strncmp(library->version, "MPICH", 5) == 0;
    const char *variable;
    long tasks = launch_tasks(look_up, context, &variable);

    if (tasks <= 1 || library->has_pmi || is_set(look_up, context, other))
        return 0;
    if ((is_open && !is_set(look_up, context, pmix)) ||
        (is_mpich && !is_set(look_up, context, pmi)))
        return launch_refuse_crowd(library->version, tasks, variable, e);
    return 0;
}
