#include "model/timeline.h"

#include <string.h>

void timeline_start(struct timeline *t, int64_t interval_ns)
{
    memset(t, 0, sizeof *t);
    t->interval_ns = interval_ns;
    t->cell_end_ns = interval_ns;
}

/* (cell + 1) * interval, or the end of time. */
static int64_t end_of_cell(const struct timeline *t, size_t cell)
{
    int64_t end;
    return __builtin_mul_overflow((int64_t)cell + 1, t->interval_ns, &end) ? INT64_MAX : end;
}

/* Pairs become one cell of twice the width. */
static void fold(struct timeline *t)
{
    size_t used = t->current + 1;
    for (size_t i = 0; i < used; i += 2) {
        struct timeline_cell sum = t->cells[i];
        if (i + 1 < used) {
            sum.bytes += t->cells[i + 1].bytes;
            sum.operations += t->cells[i + 1].operations;
        }
        t->cells[i / 2] = sum;
    }
    size_t left = (used + 1) / 2;
    memset(&t->cells[left], 0, (used - left) * sizeof t->cells[0]);
    t->interval_ns *= 2;
    t->current /= 2;
    t->cell_end_ns = end_of_cell(t, t->current);
}

void timeline_advance(struct timeline *t, int64_t at_ns)
{
    while (at_ns / t->interval_ns >= TIMELINE_CELLS)
        fold(t);
    size_t cell = (size_t)(at_ns / t->interval_ns);
    if (cell > t->current)
        t->current = cell;
    t->cell_end_ns = end_of_cell(t, t->current);
}

void timeline_coarsen(struct timeline *t, int64_t interval_ns)
{
    while (t->interval_ns < interval_ns)
        fold(t);
}

void timeline_shift(struct timeline *t, int64_t by_ns)
{
    int64_t cells = (by_ns + t->interval_ns / 2) / t->interval_ns;
    while (cells + (int64_t)t->current >= TIMELINE_CELLS) {
        fold(t);
        cells = (by_ns + t->interval_ns / 2) / t->interval_ns;
    }
    if (cells == 0)
        return;
    memmove(&t->cells[cells], t->cells, (t->current + 1) * sizeof t->cells[0]);
    memset(t->cells, 0, (size_t)cells * sizeof t->cells[0]);
    t->current += (size_t)cells;
    t->cell_end_ns = end_of_cell(t, t->current);
    t->last_ns += cells * t->interval_ns;
}

/* amount * part / whole, for 0 <= part <= whole. */
static uint64_t portion(uint64_t amount, int64_t part, int64_t whole)
{
    return (uint64_t)((unsigned __int128)amount * (uint64_t)part / (uint64_t)whole);
}

void timeline_until(const struct timeline *t, int64_t at_ns, uint64_t *bytes, uint64_t *operations)
{
    *bytes = 0;
    *operations = 0;
    if (at_ns <= 0)
        return;
    int64_t start_ns = 0;
    for (size_t i = 0; i <= t->current && start_ns < at_ns; i++) {
        const struct timeline_cell *cell = &t->cells[i];
        /* The last cell is filled only up to the last entry. */
        int64_t end_ns = i < t->current ? start_ns + t->interval_ns : t->last_ns;
        if (end_ns <= at_ns) {
            *bytes += cell->bytes;
            *operations += cell->operations;
        } else {
            *bytes += portion(cell->bytes, at_ns - start_ns, end_ns - start_ns);
            *operations += portion(cell->operations, at_ns - start_ns, end_ns - start_ns);
        }
        start_ns = end_ns;
    }
}
