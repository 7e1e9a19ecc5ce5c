/* How long the batch job still runs, from its environment alone: no daemon is asked. */
#ifndef PARIO_PROBE_SLURM_H
#define PARIO_PROBE_SLURM_H

#include "probe/source.h"

struct slurm_time {
    bool known;
    int64_t seconds_left; /* negative: the job should have ended */
    char from[64];        /* variable that told, "" where none did */
};

/* SLURM_JOB_END_TIME; else SLURM_JOB_START_TIME and a limit in SLURM_TIMELIMIT or SBATCH_TIMELIMIT.
 * now_s is Unix time. Values that are no times are passed over. */
struct slurm_time slurm_left(char *(*get)(const char *name), int64_t now_s);

/* Slurm's forms of a time: "90" (minutes), "30:00", "1:30:00", "2-12", "2-12:30", "2-12:30:00".
 * False for anything else, "UNLIMITED" and "INFINITE" too. Pure. */
bool slurm_parse_limit(const char *text, int64_t *seconds);

#endif
