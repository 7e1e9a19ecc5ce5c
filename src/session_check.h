/* What can be refused before MPI_Init, knowing every part: the same answer in every process. */
#ifndef PARIO_SESSION_CHECK_H
#define PARIO_SESSION_CHECK_H

#include "backends/backend.h"
#include "cli/cli.h"
#include "cli/launcher.h"
#include "model/plan.h"
#include "run/world.h"

/* Checks backends, workloads, sizes of all tests, and tells what kind of world they need. */
int session_check(const struct command *command, const struct launcher *launcher,
                  enum world_kind *kind, struct error *e);
/* A test's backend and its place in the backend table, which is that of its option group. */
size_t session_backend(const struct cli_test *test, const struct backend **backend);
const struct workload *session_workload(const struct cli_test *test);

/* As much of that as holds for any ranks, and the plan; what a plan can be made of. */
int session_check_plan(const struct cli_test *test, uint64_t ranks, struct plan *plan,
                       struct error *e);

/* The path whose file system is measured, as the user gave it. */
const char *session_place(const struct settings *settings);

#endif
