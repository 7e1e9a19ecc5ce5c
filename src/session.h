/* One run of the program, from the parsed command to its exit status. */
#ifndef PARIO_SESSION_H
#define PARIO_SESSION_H

#include "cli/cli.h"
#include "cli/launcher.h"

/* Runs the tests of the command on all ranks and writes the results. Messages go to standard error,
 * from one rank. argc and argv are for MPI and for the record. */
enum status session_run(const struct command *command, const struct launcher *launcher, int argc,
                        char **argv);

#endif
