/* Splitting ranks that are threads: the first of each color makes the new group for the others. */
#include "base/text.h"
#include "comm/threads_parts.h"

#include <errno.h>
#include <stdlib.h>

/* The group of all ranks that named this rank's color; called by the first of them. */
static struct group *split_group(struct comm *c, uint64_t members, struct error *e)
{
    struct group *parent = thread_of(c)->group;
    uint64_t color = parent->slots[c->rank].color;
    uint32_t *nodes = malloc(members * sizeof *nodes);
    struct group *group = nodes != NULL ? group_new(members, parent->cores, e) : NULL;

    if (nodes == NULL)
        error_errno(e, errno, "splitting %llu ranks as threads", (unsigned long long)c->size);
    if (group == NULL) {
        free(nodes);
        return NULL;
    }
    uint64_t filled = 0;

    for (uint64_t rank = c->rank; rank < c->size; rank++)
        if (parent->slots[rank].color == color)
            nodes[filled++] = topology_node(&parent->topology, rank);
    int failed = topology_from_nodes(&group->topology, nodes, members, e);

    free(nodes);
    if (failed) {
        free(group);
        return NULL;
    }
    atomic_store(&group->users, members);
    return group;
}

struct place {      /* of a rank among those of its color */
    uint64_t first; /* rank of the first of them in the parent */
    uint64_t rank;
    uint64_t size;
    bool all_there; /* all have the memory for their part */
};

static struct place split_place(struct comm *c)
{
    const struct slot *slots = thread_of(c)->group->slots;
    struct place place = {.first = c->rank, .all_there = true};

    for (uint64_t rank = c->size; rank-- > 0;) {
        if (slots[rank].color != slots[c->rank].color)
            continue;
        place.first = rank;
        place.size++;
        place.rank += rank < c->rank;
        place.all_there = place.all_there && slots[rank].data != NULL;
    }
    return place;
}

struct comm *threads_split(struct comm *c, uint64_t color, struct error *e)
{
    struct group *parent = thread_of(c)->group;
    struct slot *slots = parent->slots;
    struct thread_comm *own = calloc(1, sizeof *own);

    slots[c->rank].color = color;
    slots[c->rank].data = own;
    slots[c->rank].group = NULL;
    threads_meet(c);
    struct place place = split_place(c);

    if (!place.all_there)
        error_errno(e, ENOMEM, "splitting %llu ranks as threads", (unsigned long long)c->size);
    else if (place.first == c->rank)
        slots[c->rank].group = split_group(c, place.size, e);
    threads_meet(c);
    struct group *group = slots[place.first].group;

    threads_meet(c); /* from here on the slots may be used anew */
    if (group == NULL || own == NULL) {
        error_set(e, STATUS_FAILED, "internal", "splitting %llu ranks as threads: rank %llu failed",
                  (unsigned long long)c->size, (unsigned long long)place.first);
        free(own);
        return NULL;
    }
    text_copy(own->host, sizeof own->host, c->host);
    return &thread_comm_fill(own, group, place.rank, c->clock)->base;
}
