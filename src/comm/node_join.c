/* Ranks are sorted by each pair of signs in turn; neighbours with equal pairs are of one node.
 * Joins go together: when MPI joins a to b and names join b to c, all three are of one node. */
#include "comm/node_join.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

/* FNV-1a; never 0. */
static uint64_t hash(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h != 0 ? h : 1;
}

struct node_sign node_sign_here(const char *host, uint64_t shares, const char *boot_id)
{
    struct node_sign sign = {.host = hash(host), .shares = shares};
    char id[64] = "";
    FILE *f = fopen(boot_id != NULL ? boot_id : BOOT_ID, "re");

    if (f == NULL)
        return sign;
    if (fgets(id, sizeof id, f) == NULL)
        id[0] = '\0';
    fclose(f);
    id[strcspn(id, "\n")] = '\0';
    if (id[0] != '\0')
        sign.boot = hash(id);
    return sign;
}

static uint64_t boot_of(const struct node_sign *s, bool known)
{
    return known ? s->boot : 0;
}

struct view { /* what is compared */
    const struct node_sign *signs;
    bool boots_known; /* by all */
    bool by_host;     /* else by shared memory */
};

static uint64_t second_of(const struct view *v, uint32_t rank)
{
    return v->by_host ? v->signs[rank].host : v->signs[rank].shares;
}

static int compare(const void *a, const void *b, void *context)
{
    const struct view *v = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint64_t boot_x = boot_of(&v->signs[x], v->boots_known);
    uint64_t boot_y = boot_of(&v->signs[y], v->boots_known);

    if (boot_x != boot_y)
        return boot_x < boot_y ? -1 : 1;
    return (second_of(v, x) > second_of(v, y)) - (second_of(v, x) < second_of(v, y));
}

/* The first of those that are known to be together; the way to it is halved as it is walked. */
static uint32_t first_of(uint32_t *joined, uint32_t rank)
{
    while (joined[rank] != rank) {
        joined[rank] = joined[joined[rank]];
        rank = joined[rank];
    }
    return rank;
}

static void join(uint32_t *joined, uint32_t a, uint32_t b)
{
    a = first_of(joined, a);
    b = first_of(joined, b);
    if (a < b)
        joined[b] = a;
    else
        joined[a] = b;
}

static void join_equals(uint32_t *order, uint64_t ranks, uint32_t *joined, struct view *view)
{
    qsort_r(order, ranks, sizeof *order, compare, view);
    for (uint64_t i = 1; i < ranks; i++)
        if (compare(&order[i - 1], &order[i], view) == 0)
            join(joined, order[i - 1], order[i]);
}

int node_join(const struct node_sign *signs, uint64_t ranks, uint32_t *node_of_rank,
              struct error *e)
{
    struct view view = {.signs = signs, .boots_known = true};
    uint32_t *order = ranks <= UINT32_MAX ? malloc(ranks * sizeof *order) : NULL;

    if (order == NULL)
        return error_errno(e, ENOMEM, "finding the nodes of %" PRIu64 " ranks", ranks);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        order[rank] = node_of_rank[rank] = rank;
        view.boots_known = view.boots_known && signs[rank].boot != 0;
    }
    join_equals(order, ranks, node_of_rank, &view);
    view.by_host = true;
    join_equals(order, ranks, node_of_rank, &view);
    for (uint32_t rank = 0; rank < ranks; rank++)
        node_of_rank[rank] = first_of(node_of_rank, rank);
    free(order);
    return 0;
}
