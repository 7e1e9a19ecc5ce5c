/* Another program, started and waited for. */
#ifndef PARIO_PROBE_PROGRAM_H
#define PARIO_PROBE_PROGRAM_H

#include "base/argv.h"

/* Found in PATH, run without a shell; its standard output goes to standard error, its input is
 * empty. 0 where it ended with status 0; else -1 with STATUS_FAILED: it could not be started, what
 * its status was, or which signal ended it. */
int program_run(const struct argv *argv, struct error *e);

#endif
