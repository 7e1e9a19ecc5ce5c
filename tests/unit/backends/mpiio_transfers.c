/* What the mpiio backend does when all is well. */
#include "mpiio_world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void roundtrip(struct world *w, unsigned flags)
{
    CHECK(w, world_start(w));
    world_make_file(w, 1);
    CHECK(w, world_call(w, OP_OPEN, OP_FLAG_WRITE | flags, 1) == 0);
    world_move(w, OP_WRITE, flags, 1);
    CHECK(w, world_call(w, OP_SYNC, flags, 1) == 0);
    CHECK(w, world_call(w, OP_CLOSE, flags, 1) == 0);
    comm_barrier(w->comm);
    CHECK(w, world_call(w, OP_OPEN, OP_FLAG_READ | flags, 1) == 0);
    world_move(w, OP_READ, flags, 1);
    CHECK(w, world_call(w, OP_CLOSE, flags, 1) == 0);
    world_remove_file(w, 1);
    backend_mpiio.close(w->io);
}

static void check_independent(struct world *w)
{
    roundtrip(w, 0);
}

static void check_collective(struct world *w)
{
    static char hints[] = "romio_cb_write=enable;romio_cb_read=enable; cb_buffer_size=65536";
    w->options.hints = hints;
    roundtrip(w, OP_FLAG_COLLECTIVE);
    w->options = (struct mpiio_options){.atomicity = true};
    roundtrip(w, OP_FLAG_COLLECTIVE);
}

/* Ranks that have nothing left to move, or failed, go on with calls of no length. */
static void check_nothing_to_move(struct world *w)
{
    CHECK(w, world_start(w));
    world_make_file(w, 1);
    CHECK(w, world_call(w, OP_OPEN, OP_FLAG_WRITE | OP_FLAG_COLLECTIVE, 1) == 0);
    for (uint64_t i = 0; i < 4; i++) {
        bool mine = i <= w->comm->rank;
        struct op op = {.kind = OP_WRITE,
                        .flags = OP_FLAG_COLLECTIVE,
                        .object = 1,
                        .offset_bytes = (i * w->comm->size + w->comm->rank) * PIECE,
                        .length_bytes = mine ? PIECE : 0};
        struct outcome outcome = world_perform(w, op);
        CHECK(w, outcome.error == 0 && outcome.value == (mine ? PIECE : 0));
    }
    CHECK(w, world_call(w, OP_CLOSE, OP_FLAG_COLLECTIVE, 1) == 0);
    world_remove_file(w, 1);
    backend_mpiio.close(w->io);
}

static void check_own_files(struct world *w)
{
    uint64_t object = 100 + w->comm->rank;
    w->setup.file_per_process = true;
    CHECK(w, world_start(w));
    for (unsigned i = 0; i < 2; i++) {
        unsigned flags = i == 0 ? 0 : OP_FLAG_COLLECTIVE;
        CHECK(w, world_call(w, OP_OPEN, OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE | flags,
                            object) == 0);
        /* Not the same number of calls on every rank. */
        for (uint64_t n = 0; n <= w->comm->rank; n++)
            world_move(w, OP_WRITE, flags, object);
        CHECK(w, world_call(w, OP_SYNC, flags, object) == 0);
        CHECK(w, world_call(w, OP_CLOSE, flags, object) == 0);
        CHECK(w,
              world_call(w, OP_OPEN, OP_FLAG_READ | OP_FLAG_WRITE | OP_FLAG_TRUNCATE, object) == 0);
        struct op stat_op = {.kind = OP_STAT, .object = object};
        CHECK(w, world_perform(w, stat_op).value == 0);
        CHECK(w, world_call(w, OP_CLOSE, 0, object) == 0);
        CHECK(w, world_call(w, OP_UNLINK, 0, object) == 0);
    }
    backend_mpiio.close(w->io);
}

/* Each rank writes 4 pieces of 100 bytes, interleaved with the others', 3 times. */
static void check_pieces(struct world *w)
{
    uint64_t n = w->comm->size, tile = 4 * n * 100;
    CHECK(w, world_start(w));
    for (unsigned flags = 0; flags <= OP_FLAG_COLLECTIVE; flags += OP_FLAG_COLLECTIVE) {
        world_make_file(w, 1);
        CHECK(w, world_call(w, OP_OPEN, OP_FLAG_READ | OP_FLAG_WRITE | flags, 1) == 0);
        for (unsigned pass = 0; pass < 6; pass++) {
            struct op op = {.kind = pass < 3 ? OP_WRITE : OP_READ,
                            .flags = (uint16_t)flags,
                            .object = 1,
                            .offset_bytes = pass % 3 * tile + w->comm->rank * 100,
                            .length_bytes = 100,
                            .stride_bytes = n * 100,
                            .count = 4};
            for (uint64_t i = 0; i < 4; i++)
                world_stamp(w->data + i * 100, 100, op.offset_bytes + i * n * 100);
            if (pass >= 3)
                memset(w->data, 0, 400);
            struct outcome outcome = world_perform(w, op);
            CHECK(w, outcome.error == 0 && outcome.value == 400);
            for (uint64_t i = 0; i < 4; i++)
                CHECK(w, world_stamped(w->data + i * 100, 100, op.offset_bytes + i * n * 100));
        }
        CHECK(w, world_call(w, OP_CLOSE, flags, 1) == 0);
        comm_barrier(w->comm);
        char path[300];
        world_path(w, 1, path, sizeof path);
        int fd = open(path, O_RDONLY);
        CHECK(w, read(fd, w->data, MOST) == (ssize_t)(3 * tile));
        CHECK(w, world_stamped(w->data, 3 * tile, 0));
        close(fd);
        world_remove_file(w, 1);
    }
    backend_mpiio.close(w->io);
}

static void check_names(struct world *w)
{
    uint64_t object = 10 * (w->comm->rank + 1);
    struct op two = {.kind = OP_RENAME, .object = object, .other = object + 1};
    char path[300];
    struct stat s;
    CHECK(w, world_start(w));
    CHECK(w, world_call(w, OP_MKDIR, OP_FLAG_DIRECTORY, object) == 0);
    CHECK(w, world_perform(w, two).error == 0);
    world_path(w, object + 1, path, sizeof path);
    CHECK(w, stat(path, &s) == 0 && S_ISDIR(s.st_mode));
    CHECK(w, world_call(w, OP_RMDIR, OP_FLAG_DIRECTORY, object + 1) == 0);
    CHECK(w, world_call(w, OP_RMDIR, OP_FLAG_DIRECTORY, object + 1) == ENOENT);
    struct op op = {.kind = OP_UNLINK, .object = object};
    struct outcome outcome = world_perform(w, op);
    CHECK(w, outcome.error != 0);
    world_explain(w, op, outcome);
    CHECK(w, strcmp(w->error.kind, "ENOENT") == 0);
    backend_mpiio.close(w->io);
}

static const char *fact(struct world *w, const char *key, struct fact *room)
{
    struct fact facts[64];
    size_t n = backend_mpiio.facts(w->io, facts, 64);
    CHECK(w, n > 0 && n <= 64);
    for (size_t i = 0; i < n; i++)
        if (strcmp(facts[i].key, key) == 0) {
            *room = facts[i];
            return room->value;
        }
    return "";
}

static void check_hints(struct world *w)
{
    static char hints[] = " cb_buffer_size = 1234567 ;nonsense=42;";
    static char bad[] = "cb_buffer_size", empty[] = "cb_nodes=";
    char file[300];
    struct fact room;
    snprintf(file, sizeof file, "%s/hints", w->dir);
    if (w->comm->rank == 0) {
        FILE *f = fopen(file, "w");
        CHECK(w, f != NULL && fputs("# hints\n\nIOR_HINT__MPI__romio_ds_write = disable # all\n"
                                    "cb_buffer_size=9\n",
                                    f) > 0);
        if (f != NULL)
            fclose(f);
    }
    w->options = (struct mpiio_options){.hints = hints, .hints_file = file};
    setenv("IOR_HINT__MPI__romio_ds_read", "disable", 1);
    CHECK(w, world_start(w));
    world_make_file(w, 1);
    CHECK(w, world_call(w, OP_OPEN, OP_FLAG_WRITE, 1) == 0);
    CHECK(w, world_call(w, OP_CLOSE, 0, 1) == 0);
    CHECK(w, strcmp(fact(w, "hint.cb_buffer_size", &room), "1234567") == 0);
    CHECK(w, strcmp(fact(w, "hint.romio_ds_write", &room), "disable") == 0);
    CHECK(w, strcmp(fact(w, "hint.romio_ds_read", &room), "disable") == 0);
    CHECK(w, strlen(fact(w, "hint.nonsense", &room)) > 1);
    CHECK(w, strstr(fact(w, "mpi_library", &room), "MPI") != NULL);
    struct fact one[1];
    CHECK(w, backend_mpiio.facts(w->io, one, 1) == 1);
    world_remove_file(w, 1);
    backend_mpiio.close(w->io);
    unsetenv("IOR_HINT__MPI__romio_ds_read");
    w->options = (struct mpiio_options){.hints = bad};
    CHECK(w, !world_start(w) && w->error.status == STATUS_USAGE);
    w->options = (struct mpiio_options){.hints = empty};
    CHECK(w, !world_start(w) && strstr(w->error.text, "cb_nodes") != NULL);
    w->options = (struct mpiio_options){.hints_file = bad};
    CHECK(w, !world_start(w) && strstr(w->error.text, "cannot read cb_buffer_size") != NULL);
    w->options = (struct mpiio_options){0};
    setenv("IOR_HINT__MPI__x", "", 1);
    CHECK(w, !world_start(w) && strstr(w->error.text, "'x'") != NULL);
    unsetenv("IOR_HINT__MPI__x");
    if (w->comm->rank == 0)
        unlink(file);
}

static void check_preallocate(struct world *w)
{
    w->options = (struct mpiio_options){.preallocate = true};
    CHECK(w, !world_start(w) && w->error.status == STATUS_USAGE);
    w->setup.expected_bytes = 100000;
    CHECK(w, world_start(w));
    world_make_file(w, 1);
    struct op op = {.kind = OP_STAT, .object = 1};
    CHECK(w, world_perform(w, op).value == 0);
    comm_barrier(w->comm);
    CHECK(w, world_call(w, OP_OPEN, OP_FLAG_WRITE, 1) == 0);
    CHECK(w, world_call(w, OP_CLOSE, 0, 1) == 0);
    CHECK(w, world_perform(w, op).value == 100000);
    world_remove_file(w, 1);
    backend_mpiio.close(w->io);
}

const struct check mpiio_transfer_checks[] = {
    {"independent transfers of a shared file", check_independent},
    {"collective transfers", check_collective},
    {"collective calls with nothing to move", check_nothing_to_move},
    {"a file per process", check_own_files},
    {"several pieces", check_pieces},
    {"calls on names", check_names},
    {"hints", check_hints},
    {"preallocation", check_preallocate},
    {NULL, NULL},
};
