#include "mpiio_world.h"

#include <string.h>

int world_path(const void *plan, uint64_t object, char *buf, size_t bytes)
{
    const struct world *w = plan;
    int n = snprintf(buf, bytes, "%s/%llu", w->dir, (unsigned long long)object);
    return n < 0 || (size_t)n >= bytes ? -1 : 0;
}

bool world_start(struct world *w)
{
    w->error = error_none();
    w->io = backend_mpiio.open(&w->setup, &w->error);
    return w->io != NULL;
}

struct outcome world_perform(struct world *w, struct op op)
{
    struct outcome outcome;
    op.data = w->data;
    CHECK(w, backend_mpiio.perform[op.kind](w->io, &op, 0, &outcome) == IO_DONE);
    return outcome;
}

int world_call(struct world *w, enum op_kind kind, unsigned flags, uint64_t object)
{
    struct op op = {.kind = (uint8_t)kind, .flags = (uint16_t)flags, .object = object};
    return world_perform(w, op).error;
}

void world_explain(struct world *w, struct op op, struct outcome outcome)
{
    op.data = w->data;
    w->error = error_none();
    backend_mpiio.explain(w->io, &op, &outcome, &w->error);
    CHECK(w, w->error.status == STATUS_FAILED && w->error.text[0] != '\0');
    CHECK(w, strpbrk(w->error.text, "\n\t") == NULL);
}

void world_stamp(unsigned char *data, uint64_t bytes, uint64_t offset)
{
    for (uint64_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)((offset + i) * 2654435761u >> 13);
}

bool world_stamped(const unsigned char *data, uint64_t bytes, uint64_t offset)
{
    for (uint64_t i = 0; i < bytes; i++)
        if (data[i] != (unsigned char)((offset + i) * 2654435761u >> 13))
            return false;
    return true;
}

void world_make_file(struct world *w, uint64_t object)
{
    if (w->comm->rank == 0) {
        CHECK(w, world_call(w, OP_CREATE, OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE,
                            object) == 0);
        CHECK(w, world_call(w, OP_CLOSE, 0, object) == 0);
    }
    comm_barrier(w->comm);
}

void world_remove_file(struct world *w, uint64_t object)
{
    comm_barrier(w->comm);
    if (w->comm->rank == 0)
        CHECK(w, world_call(w, OP_UNLINK, 0, object) == 0);
    comm_barrier(w->comm);
}

void world_move(struct world *w, enum op_kind kind, unsigned flags, uint64_t object)
{
    for (uint64_t i = 0; i < 8; i++) {
        uint64_t who = (w->comm->rank + (kind == OP_READ)) % w->comm->size;
        struct op op = {.kind = (uint8_t)kind,
                        .flags = (uint16_t)flags,
                        .object = object,
                        .offset_bytes = (i * w->comm->size + who) * PIECE,
                        .length_bytes = PIECE};
        memset(w->data, 0, PIECE);
        if (kind == OP_WRITE)
            world_stamp(w->data, PIECE, op.offset_bytes);
        struct outcome outcome = world_perform(w, op);
        CHECK(w, outcome.error == 0 && outcome.value == PIECE);
        if (kind == OP_READ)
            CHECK(w, world_stamped(w->data, PIECE, op.offset_bytes));
    }
}
