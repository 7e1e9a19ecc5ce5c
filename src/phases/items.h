/* The stream that phases on items share: one operation, or one chain, for each item of a rank, in
 * order or shuffled. Each phase says only which operation and on which names. */
#ifndef PARIO_PHASES_ITEMS_H
#define PARIO_PHASES_ITEMS_H

#include "base/rng.h"
#include "phases/phase.h"

/* Kinds that items_completed has no use for. */
#define ITEMS_UNTOLD (~(1u << OP_AGREE))

struct items {
    struct cursor base;
    const struct metadata_plan *m;
    uint64_t next, end; /* items handed out, and to be */
    uint64_t rank;      /* whose items: part of the names */
    enum metadata_class class;
    enum metadata_class other; /* rename, link: of the second name */
    enum op_kind kind;
    uint16_t flags;
    uint8_t state; /* enum state in items.c */
    bool by_one;   /* the items of all ranks, rank by rank */
    bool shuffled;
    bool wearing;
    struct permutation order;
};

/* In order; the caller may set other afterwards. */
void items_begin(struct items *t, enum op_kind kind, enum metadata_class class, uint16_t flags);
/* For phases that bring items into being: rank 0 those of all where -c says so. */
void items_make(struct items *t);
/* For what can be done only once to each item: shared files are left to the first rank of a target.
 */
void items_once(struct items *t);
/* As -R asks for: each item once, in an order that differs from phase to phase (key). */
void items_shuffle(struct items *t, uint64_t key);
enum step items_next(struct cursor *c, struct op *op);
/* Wear-out. */
void items_completed(struct cursor *c, const struct op *op, const struct outcome *outcome);
/* Every rank its own; with shared files each rank all of them. */
uint64_t items_planned(const struct plan *plan, uint64_t rank);
/* What is done once for each item that exists: with shared files by the first rank of a target. */
uint64_t items_planned_once(const struct plan *plan, uint64_t rank);
/* What is made, likewise, or all by rank 0. */
uint64_t items_planned_made(const struct plan *plan, uint64_t rank);

/* Open or create, bytes of data (read or written with these flags) in transfers, sync, close: what
 * follows an operation of this chain. Whatever failed, what was opened is closed. */
enum step items_data(const struct items *t, enum op_kind transfer, uint64_t bytes, uint16_t flags,
                     bool sync, const struct op *done, const struct outcome *outcome,
                     struct op *op);

#endif
