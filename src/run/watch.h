/* Signals: a thread of its own waits for SIGINT, SIGTERM, SIGHUP and SIGUSR2, so no handler runs in
 * the middle of an I/O; the engine looks at the flag. If the ranks have not come to an end soon
 * after, the thread says the last words and ends the process: mpirun kills two seconds after its
 * SIGTERM. */
#ifndef PARIO_RUN_WATCH_H
#define PARIO_RUN_WATCH_H

#include "base/error.h"

struct watch;

/* Blocks the signals in the calling thread (before others are started) and starts the thread.
 * last_words runs in the watch's thread when the time is up and does not return to the run. */
struct watch *watch_start(void (*last_words)(void *context, int signal), void *context,
                          struct error *e);
/* The signal that asked for a stop, or 0. Cheap; watch may be NULL. */
int watch_signal(const struct watch *watch);
void watch_stop(struct watch *watch);

#endif
