/* Bytes and operations of a rank over time, in a fixed number of cells: when they are used up,
 * pairs are merged and the interval doubles. Times are relative to the rank's own start. */
#ifndef PARIO_MODEL_TIMELINE_H
#define PARIO_MODEL_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#define TIMELINE_CELLS 2048

struct timeline_cell {
    uint64_t bytes;
    uint64_t operations;
};

struct timeline {
    int64_t interval_ns; /* width of a cell */
    int64_t cell_end_ns; /* end of the current cell, relative to the start */
    int64_t last_ns;     /* of the latest entry */
    size_t current;      /* cell now filled */
    struct timeline_cell cells[TIMELINE_CELLS];
};

/* interval_ns > 0: the width to begin with. */
void timeline_start(struct timeline *t, int64_t interval_ns);
/* Moves to the cell that holds at_ns, folding as often as needed. */
void timeline_advance(struct timeline *t, int64_t at_ns);

/* at_ns is never smaller than in an earlier call. */
static inline void timeline_add(struct timeline *t, int64_t at_ns, uint64_t bytes)
{
    if (__builtin_expect(at_ns >= t->cell_end_ns, 0))
        timeline_advance(t, at_ns);
    t->cells[t->current].bytes += bytes;
    t->cells[t->current].operations++;
    t->last_ns = at_ns;
}

/* Operations that all ended in the current cell, the last of them at at_ns. */
static inline void timeline_add_all(struct timeline *t, int64_t at_ns, uint64_t bytes,
                                    uint64_t operations)
{
    t->cells[t->current].bytes += bytes;
    t->cells[t->current].operations += operations;
    t->last_ns = at_ns;
}

/* Bytes of an operation that is counted apart. */
static inline void timeline_add_bytes(struct timeline *t, int64_t at_ns, uint64_t bytes)
{
    timeline_add(t, at_ns, bytes);
    t->cells[t->current].operations--;
}

/* Halves the resolution (doubles the interval) until it is interval_ns, a power of two times
 * today's. */
void timeline_coarsen(struct timeline *t, int64_t interval_ns);
/* Moves everything to a time by_ns >= 0 later, right to half a cell. Nothing may be added
 * afterwards. */
void timeline_shift(struct timeline *t, int64_t by_ns);
/* What had been moved by at_ns, linear inside the cell: the error is at most one cell's content,
 * and none at cell borders and from the last entry on. */
void timeline_until(const struct timeline *t, int64_t at_ns, uint64_t *bytes, uint64_t *operations);

#endif
