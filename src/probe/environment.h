/* What a result records of the world it was made in, as keys and values. */
#ifndef PARIO_PROBE_ENVIRONMENT_H
#define PARIO_PROBE_ENVIRONMENT_H

#include "model/result.h"
#include "probe/filesystem.h"

struct environment_given {   /* what the probe cannot find out by itself; all may be NULL or 0 */
    const char *mpi;         /* "Open MPI 4.1.4" */
    const char *mpi_threads; /* "asked for funneled, given multiple" */
    const struct fact_text *versions; /* of backend libraries: key and value */
    size_t versions_used;
    char *const *variables; /* as environ; NULL: none are recorded */
    int64_t started_s;      /* Unix time; 0: not recorded */
};

/* Adds host, kernel, system, processor, cores, memory, control group limits, clock source, page
 * sizes, write-back settings, umask, limits, batch variables, versions, and the time of the start
 * (UTC, ISO 8601). What the system does not tell is left out. Of the variables those are recorded
 * that environment_variable_counts knows, at most 64. 0, or -1 with an error when memory runs out.
 */
int probe_environment(struct report *r, const char *root, const struct environment_given *given,
                      struct error *e);

/* Adds the file system of the target: type, mount, options, room, device. */
int environment_filesystem(struct report *r, const struct filesystem *fs, struct error *e);

/* Whether a variable tells something of the job's shape or changes how I/O is done. Everything
 * else, tokens and passwords with it, stays out of results. Pure. */
bool environment_variable_counts(const char *name);

/* "2024-02-29T12:00:00Z" into buf, which ENVIRONMENT_TIME bytes are enough for. Returns buf. */
#define ENVIRONMENT_TIME 40
char *environment_time(char *buf, int64_t unix_s);

#endif
