#include "session_world.h"

#include "probe/environment.h"
#include "probe/file.h"
#include "probe/memory.h"

#include <math.h>
#include <string.h>

extern char **environ;

int world_record(struct report *report, struct error *e)
{
    char mpi[64], threads[64];
    struct environment_given given = {.mpi = comm_mpi_version(mpi, sizeof mpi),
                                      .mpi_threads = comm_mpi_threads(threads, sizeof threads),
                                      .variables = environ,
                                      .started_s = report->started_s};
    return probe_environment(report, NULL, &given, e);
}

/* Ranks that are processes are each bound to few cores by their launcher: what this one may use
 * says nothing of the node then. */
static void look_at_memory(struct world *facts, bool bound)
{
    struct memory_facts m;
    memory_read(NULL, &m);
    double cores = bound ? m.cores_node : m.cores_usable;
    facts->memory_bytes = m.usable_bytes == PROBE_UNKNOWN ? 0 : m.usable_bytes;
    facts->cores = cores >= 1 ? (uint32_t)cores : 1;
}

void world_look(struct session_world *w, struct report *report, const struct backend *backend,
                const void *backend_options, const char *file, const struct comm *comm)
{
    struct error ignored = error_none();
    struct file_facts there;
    *w = (struct session_world){.topology = comm->topology};
    w->files = backend_traits(backend, backend_options) & BACKEND_PATHS;
    w->facts.nodes = comm->topology->nodes;
    w->facts.most_per_node = comm->topology->most_per_node;
    w->facts.fs_used = w->facts.inodes_used = NAN;
    look_at_memory(&w->facts, strcmp(comm->ops->name, "mpi") == 0);
    if (!w->files) {
        w->facts.memory_bytes = 0;
        return;
    }
    /* A device lies in a file system of names alone. */
    if ((file_look(file, &there, &ignored) == 0 && there.kind == FILE_BLOCK) ||
        probe_filesystem(NULL, file, &w->filesystem, &ignored))
        return;
    w->facts.memory_fs = w->filesystem.memory == ANSWER_YES;
    w->facts.fs_used = filesystem_used(&w->filesystem);
    w->facts.inodes_used = filesystem_inodes_used(&w->filesystem);
    text_copy(w->facts.fs_type, sizeof w->facts.fs_type, w->filesystem.type);
    environment_filesystem(report, &w->filesystem, &ignored);
}
