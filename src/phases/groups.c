#include "phases/groups.h"

struct group group_of(const struct checkpoint_plan *p, uint64_t rank)
{
    const struct checkpoint_layout *l = &p->layout;
    struct group g = {.bytes = l->writer_bytes};
    if (l->shape != CHECKPOINT_GROUPS)
        return (struct group){0};
    uint64_t ranks = l->chunk_bytes / l->writer_bytes;
    g.leader = rank / ranks * ranks;
    if (g.leader == rank)
        g.members = layout_file_bytes(l, rank / ranks, 0) / g.bytes;
    g.served = 1;
    g.sends = g.leader != rank;
    return g;
}

uint64_t group_cut(const struct group *g, uint64_t offset, uint64_t length)
{
    uint64_t left = g->bytes - offset % g->bytes;
    return length < left ? length : left;
}

void group_receive(struct group *g, struct op *op)
{
    uint64_t member = op->offset_bytes / g->bytes;
    if (member == 0)
        return;
    op->kind = OP_RECEIVE;
    op->flags = OP_FLAG_CHAINED;
    op->other = g->leader + member;
    if ((op->offset_bytes + op->length_bytes) % g->bytes == 0)
        g->served = member + 1;
}

void group_write(const struct op *received, struct op *op)
{
    *op = *received;
    op->kind = OP_WRITE;
    op->flags = 0;
    op->other = 0;
}

enum step group_dismiss(struct group *g, struct op *op)
{
    if (g->served >= g->members)
        return STEP_END;
    *op = (struct op){.kind = OP_RECEIVE, .other = g->leader + g->served};
    g->served++;
    return STEP_OP;
}

enum step group_send(struct group *g, uint64_t object, uint64_t rank, uint64_t most, struct op *op)
{
    uint64_t left = g->bytes - g->sent;
    if (!g->sends)
        return STEP_END;
    *op = (struct op){.kind = OP_SEND,
                      .flags = OP_FLAG_FILL,
                      .object = object,
                      .offset_bytes = (rank - g->leader) * g->bytes + g->sent,
                      .length_bytes = left < most ? left : most,
                      .other = g->leader};
    g->sent += op->length_bytes;
    g->sends = g->sent < g->bytes;
    return STEP_OP;
}

void group_sent(struct group *g, const struct outcome *outcome)
{
    if (outcome->value == 0)
        g->sends = false;
}
