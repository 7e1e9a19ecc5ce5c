/* pario plan: what a run would do, said without MPI and without touching the storage. */
#ifndef PARIO_FORECAST_H
#define PARIO_FORECAST_H

#include "cli/cli.h"
#include "cli/launcher.h"

/* Prints it for every test of the command. The status; with an error where a test would be refused
 * by its settings alone. */
enum status forecast(const struct command *command, const struct launcher *launcher,
                     struct error *e);

#endif
