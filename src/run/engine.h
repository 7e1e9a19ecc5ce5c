/* The engine performs one phase on one rank: it hands operations over, sees them complete, and
 * records. It knows no option and no backend by name; synchronous, queued and collective I/O are
 * one loop. Around one operation it allocates nothing, takes no lock and makes no system call of
 * its own. */
#ifndef PARIO_RUN_ENGINE_H
#define PARIO_RUN_ENGINE_H

#include "backends/backend.h"
#include "clock/clock.h"
#include "comm/comm.h"
#include "model/fill.h"
#include "model/result.h"
#include "model/sample.h"
#include "phases/phase.h"
#include "run/watch.h"

/* Reasons to stop that ranks tell each other (comm raise). */
enum stop_reason { STOP_NONE, STOP_DEADLINE, STOP_ERROR, STOP_SIGNAL, STOP_LIMIT, STOP_FULL };

struct guard;
struct progress;
struct observation;

struct staging;

struct engine_job {
    const struct phase *phase;
    struct cursor *cursor; /* begun */
    const struct backend *backend;
    void *io; /* the backend's, open */
    struct object_names names;
    struct comm *comm;
    const struct clock *clock;
    struct fill *fill;   /* buffers and data */
    uint32_t depth;      /* operations in flight at most, >= 1 */
    bool collective;     /* the phase's transfers are collective calls: stops are agreed */
    bool single_attempt; /* a short transfer is an error */
    int64_t limit_ns;    /* on the clock: the run's time is up; 0: none */
    int64_t ramp_ns;     /* after the start: all before is left out; 0: nothing */
    struct observation *observation; /* begun anew when the ramp is over; may be NULL */
    int64_t deadline_ns;             /* after the start; 0: none */
    const struct watch *watch;       /* NULL: nobody watches */
    struct guard *guard;             /* NULL: none, or another rank's */
    const struct staging *staging;   /* for OP_STAGE; NULL: the phase has none */
    struct progress *progress;       /* NULL but on the rank that shows it */
};

struct engine;

/* All memory that the phase needs; NULL with an error. */
struct engine *engine_make(const struct engine_job *job, struct error *e);
/* Performs the phase and fills *sample (started, histograms allocated). On an error of this rank
 * the others are told, the stream is led to its end as far as others wait for it, and -1 is
 * returned. */
int engine_run(struct engine *e, struct sample *sample, struct error *error);
/* Why it stopped early: STOP_NONE where it did not. */
enum stop_reason engine_stopped(const struct engine *engine);
/* Whether the ramp was over before the end; true without one. */
bool engine_ramped(const struct engine *engine);
/* From the start to the end of the last OP_STAGE; 0: there was none. */
uint64_t engine_staged_ns(const struct engine *engine);
/* Files that this rank created (exclusively) in the phase. */
uint64_t engine_created(const struct engine *engine);

/* Failures of single items, by kind, in a phase that counts them; NULL where it does not. */
struct tally {
    int code; /* the backend's */
    uint64_t count;
    struct error error; /* the first */
};
struct tallies {
    size_t used;
    struct tally rows[RESULT_ERRORS];
};
const struct tallies *engine_tallies(const struct engine *engine);
void engine_free(struct engine *engine);

#endif
