/* What the kernel counts beside the phase, on each rank, outside of the measured time: CPU, bytes
 * that came from the device, pages that were in the cache before a read. */
#ifndef PARIO_RUN_OBSERVE_H
#define PARIO_RUN_OBSERVE_H

#include "comm/comm.h"
#include "model/plan.h"
#include "model/sample.h"
#include "probe/counters.h"

/* A queue may have its work done by threads of the kernel that belong to the process (io_uring
 * does, for buffered writes), so it is the process that is looked at. Where ranks are threads of
 * one, the first of them speaks for all. */
struct observation {
    enum { OBSERVE_PROCESS, OBSERVE_FOR_ALL, OBSERVE_OWN } role;
    struct counters before;
    struct counters_usage own; /* of the calling thread, before */
};

/* What this rank looks at; once. */
void observe_open(struct observation *o, struct comm *comm);
/* Reads the counters. */
void observe_begin(struct observation *o);
/* Reads them again and puts the differences into the sample's counters. */
void observe_end(const struct observation *o, uint64_t *counters);

/* Counts the pages of what rank is going to read, and those of them that are
 * cached on this node. Nothing is counted where that cannot be told. */
void observe_cache(const struct plan *plan, uint64_t rank, uint64_t *counters);

#endif
