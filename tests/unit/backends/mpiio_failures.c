/* What the mpiio backend makes of failures. */
#include "mpiio_world.h"

#include <string.h>

static void check_open_errors(struct world *w)
{
    struct op op = {.kind = OP_OPEN, .flags = OP_FLAG_READ, .object = 77};
    CHECK(w, world_start(w));
    struct outcome outcome = world_perform(w, op);
    CHECK(w, outcome.error != 0);
    world_explain(w, op, outcome);
    CHECK(w, strcmp(w->error.kind, "ENOENT") == 0);
    CHECK(w, strstr(w->error.text, "MPI_File_open") != NULL);
    struct op closed = {.kind = OP_READ, .object = 77, .length_bytes = 1};
    outcome = world_perform(w, closed);
    CHECK(w, outcome.error != 0);
    world_explain(w, closed, outcome);
    CHECK(w, strstr(w->error.text, "not open") != NULL);
    world_make_file(w, 1);
    op = (struct op){
        .kind = OP_OPEN, .flags = OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE, .object = 1};
    outcome = world_perform(w, op);
    CHECK(w, outcome.error != 0);
    world_explain(w, op, outcome);
    CHECK(w, strcmp(w->error.kind, "EEXIST") == 0);
    world_remove_file(w, 1);
    backend_mpiio.close(w->io);
}

static void check_end_of_file(struct world *w)
{
    CHECK(w, world_start(w));
    world_make_file(w, 1);
    CHECK(w, world_call(w, OP_OPEN, OP_FLAG_WRITE | OP_FLAG_COLLECTIVE, 1) == 0);
    world_move(w, OP_WRITE, OP_FLAG_COLLECTIVE, 1);
    CHECK(w, world_call(w, OP_CLOSE, OP_FLAG_COLLECTIVE, 1) == 0);
    comm_barrier(w->comm);
    for (unsigned flags = 0; flags <= OP_FLAG_COLLECTIVE; flags += OP_FLAG_COLLECTIVE) {
        struct op op = {.kind = OP_READ,
                        .flags = (uint16_t)flags,
                        .object = 1,
                        .offset_bytes = 8 * w->comm->size * PIECE - 96,
                        .length_bytes = PIECE};
        CHECK(w, world_call(w, OP_OPEN, OP_FLAG_READ | flags, 1) == 0);
        struct outcome outcome = world_perform(w, op);
        CHECK(w, outcome.error != 0);
        world_explain(w, op, outcome);
        CHECK(w, strcmp(w->error.kind, "end-of-file") == 0);
        CHECK(w, world_call(w, OP_CLOSE, flags, 1) == 0);
    }
    world_remove_file(w, 1);
    backend_mpiio.close(w->io);
}

/* Twice what fits. Every library lets somebody know, or the backend finds out; nobody hangs. */
static void fill_disk(struct world *w, unsigned flags)
{
    uint64_t bytes = 65536, told = 0, nospace = 0;
    CHECK(w, world_start(w));
    world_make_file(w, 1);
    CHECK(w, world_call(w, OP_OPEN, OP_FLAG_WRITE | flags, 1) == 0);
    for (uint64_t i = 0; i * w->comm->size * bytes < 512 << 10; i++) {
        struct op op = {.kind = OP_WRITE,
                        .flags = (uint16_t)flags,
                        .object = 1,
                        .offset_bytes = (i * w->comm->size + w->comm->rank) * bytes,
                        .length_bytes = bytes};
        struct outcome outcome = world_perform(w, op);
        if (outcome.error == 0)
            continue;
        world_explain(w, op, outcome);
        told++;
        nospace += strcmp(w->error.kind, "ENOSPC") == 0;
    }
    static const uint8_t ends[] = {OP_SYNC, OP_CLOSE};
    for (size_t i = 0; i < 2; i++) {
        struct op op = {.kind = ends[i], .flags = (uint16_t)flags, .object = 1};
        struct outcome outcome = world_perform(w, op);
        if (outcome.error == 0)
            continue;
        world_explain(w, op, outcome);
        told++;
        nospace += strcmp(w->error.kind, "ENOSPC") == 0;
    }
    uint64_t sums[] = {told, nospace};
    comm_reduce_all(w->comm, REDUCE_SUM, sums, 2);
    CHECK(w, sums[0] > 0 && sums[0] == sums[1]);
    world_remove_file(w, 1);
    backend_mpiio.close(w->io);
}

static void check_full_disk(struct world *w)
{
    fill_disk(w, 0);
}

static void check_full_disk_collective(struct world *w)
{
    static char hints[] = "romio_cb_write=enable";
    fill_disk(w, OP_FLAG_COLLECTIVE);
    w->options.hints = hints;
    fill_disk(w, OP_FLAG_COLLECTIVE);
}

const struct check mpiio_failure_checks[] = {
    {"errors of open", check_open_errors},
    {"reads past the end", check_end_of_file},
    {NULL, NULL},
};

const struct check mpiio_full_checks[] = {
    {"a full disk", check_full_disk},
    {"a full disk and collective writes", check_full_disk_collective},
    {NULL, NULL},
};
