#include "session_check.h"

#include "model/plan.h"

#include <inttypes.h>
#include <string.h>

size_t session_backend(const struct cli_test *test, const struct backend **backend)
{
    size_t i = 0;
    *backend = backend_find(test->settings.api);
    while (backend_table[i] && backend_table[i] != *backend)
        i++;
    return i;
}

const struct workload *session_workload(const struct cli_test *test)
{
    for (const struct workload *w = workload_table; w->name; w++)
        if (w->bit == test->settings.workload)
            return w;
    return workload_table;
}

const char *session_place(const struct settings *s)
{
    return s->workload == WORKLOAD_METADATA ? s->directory : s->file;
}

static int refuse(struct error *e, const struct backend *b, const char *option, const char *why)
{
    return error_set(e, STATUS_USAGE, "usage", "option %s: backend %s %s", option, b->name, why);
}

/* An option that the chosen backend cannot honour is refused, not ignored. */
static int check_traits(const struct settings *s, const struct backend *b, const void *options,
                        struct error *e)
{
    unsigned traits = backend_traits(b, options);
    if (b->unavailable)
        return error_set(e, STATUS_USAGE, "usage", "backend %s: %s", b->name, b->unavailable);
    if (s->depth > b->max_depth)
        return error_set(e, STATUS_USAGE, "usage",
                         b->max_depth == 1 ? "option --depth %" PRId64 ": backend %s has no queue: "
                                             "one operation is in flight at a time (try -a uring)"
                                           : "option --depth %" PRId64
                                             ": more than backend %s can have in flight",
                         s->depth, b->name);
    if (s->collective && !(traits & BACKEND_COLLECTIVE))
        return refuse(e, b, "-c", "has no collective calls (mpiio has)");
    if (s->fsync_each && !s->file_per_process && traits & BACKEND_TOGETHER)
        return refuse(e, b, "-Y",
                      "syncs a shared file by a call of all ranks, which cannot follow each write "
                      "of one: add -F, or sync at the end (-e)");
    if (s->direct && !(traits & BACKEND_DIRECT))
        return refuse(e, b, "--direct", "cannot bypass the page cache (posix and uring can)");
    if (s->clock == CLOCK_VIRTUAL && !(traits & BACKEND_MODEL))
        return refuse(e, b, "--clock virtual", "takes real time (sim and null do not)");
    return 0;
}

static int choose_world(const struct settings *s, const struct backend *b,
                        const struct launcher *launcher, enum world_kind *kind, struct error *e)
{
    char version[64];
    const char *mpi = strcmp(comm_mpi_version(version, sizeof version), "none") ? version : NULL;
    *kind = s->threads > 0 ? WORLD_THREADS : launcher->kind && mpi ? WORLD_MPI : WORLD_SELF;
    if (b->traits & BACKEND_NEEDS_MPI) {
        if (s->threads > 0)
            return refuse(e, b, "--threads", "needs MPI ranks: start pario with mpirun instead");
        *kind = WORLD_MPI;
    }
    if (s->clock == CLOCK_VIRTUAL && *kind == WORLD_MPI)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --clock virtual: MPI takes real time: use --threads instead");
    if (*kind != WORLD_MPI)
        return launcher_check(launcher, 1, mpi, s->threads > 0, e);
    return 0;
}

int session_check_plan(const struct cli_test *test, uint64_t ranks, struct plan *plan,
                       struct error *e)
{
    const struct backend *b;
    size_t group = session_backend(test, &b);
    if (!b)
        return error_set(e, STATUS_USAGE, "usage", "option -a: no backend is called '%s'",
                         test->settings.api);
    if (check_traits(&test->settings, b, test->groups[group].values, e))
        return -1;
    return plan_make(plan, &test->settings, ranks, e);
}

static int check_test(const struct cli_test *test, const struct launcher *launcher,
                      enum world_kind *kind, struct error *e)
{
    const struct settings *s = &test->settings;
    const struct backend *b;
    struct plan plan;
    size_t group = session_backend(test, &b);
    if (!b)
        return error_set(e, STATUS_USAGE, "usage", "option -a: no backend is called '%s'", s->api);
    if (check_traits(s, b, test->groups[group].values, e) || choose_world(s, b, launcher, kind, e))
        return -1;
    uint64_t ranks = *kind == WORLD_THREADS ? (uint64_t)s->threads
                     : launcher->size > 0   ? (uint64_t)launcher->size
                                            : 1;
    if (b->traits & BACKEND_NEEDS_PARTNER && *kind != WORLD_MPI && ranks < 2)
        return refuse(e, b, "-a",
                      "has nobody to talk to: start at least two ranks (mpirun -np 2, or "
                      "--threads 2)");
    return plan_make(&plan, s, ranks, e);
}

int session_check(const struct command *command, const struct launcher *launcher,
                  enum world_kind *kind, struct error *e)
{
    for (size_t i = 0; i < command->test_count; i++) {
        enum world_kind wanted = WORLD_SELF;
        if (check_test(&command->tests[i], launcher, &wanted, e))
            return -1;
        if (i == 0 || wanted == WORLD_MPI)
            *kind = wanted;
    }
    return 0;
}
