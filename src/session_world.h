/* The world a test runs in, as rank 0 sees it: recorded in the report, and known to the judge. */
#ifndef PARIO_SESSION_WORLD_H
#define PARIO_SESSION_WORLD_H

#include "backends/backend.h"
#include "comm/comm.h"
#include "judge/verdicts.h"
#include "model/result.h"
#include "probe/filesystem.h"

struct session_world {
    struct world facts; /* for the judge */
    const struct topology *topology;
    bool files; /* the target is a file of a mounted file system */
    struct filesystem filesystem;
};

/* Once: host, kernel, limits, batch variables go to the report. */
int world_record(struct report *report, struct error *e);
/* For each test. What cannot be found out is unknown, and no error. */
void world_look(struct session_world *w, struct report *report, const struct backend *backend,
                const void *backend_options, const char *file, const struct comm *comm);

#endif
