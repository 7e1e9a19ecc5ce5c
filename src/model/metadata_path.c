/* Names of a metadata run. They are made for every operation, so nothing is formatted by printf. */
#include "model/metadata.h"

#include "base/digits.h"

#include <string.h>

struct names {
    char *at;
    const char *end;
};

static bool put(struct names *n, const char *text, size_t bytes)
{
    if ((size_t)(n->end - n->at) <= bytes)
        return false;
    memcpy(n->at, text, bytes);
    n->at += bytes;
    return true;
}

static bool put_number(struct names *n, uint64_t number)
{
    if (n->end - n->at <= DIGITS_MOST)
        return false;
    n->at = digits_put(n->at, number);
    return true;
}

/* The rank's directory among those that -d names, with @@ as @. */
static bool put_target(struct names *n, const struct metadata_plan *m, uint64_t rank)
{
    const char *c = m->targets;
    for (uint64_t skip = rank % m->target_count; skip > 0; c++) {
        if (c[0] == '@' && c[1] == '@')
            c++;
        else if (*c == '@')
            skip--;
    }
    for (; *c && !(c[0] == '@' && c[1] != '@'); c += *c == '@' ? 2 : 1)
        if (!put(n, c, 1))
            return false;
    return true;
}

static bool put_home(struct names *n, const struct metadata_plan *m, uint64_t rank)
{
    return put_target(n, m, rank) && put(n, "/pario.", 7) && put_number(n, m->repetition);
}

/* node counts over all trees. */
static bool put_node(struct names *n, const struct metadata_plan *m, uint64_t rank, uint64_t node)
{
    if (!put_home(n, m, rank) || !put(n, "/tree.", 6) || !put_number(n, node / m->tree.directories))
        return false;
    if (m->unique && (!put(n, ".", 1) || !put_number(n, rank)))
        return false;
    char *way = tree_way(&m->tree, node % m->tree.directories, n->at, n->end);
    if (!way)
        return false;
    n->at = way;
    return true;
}

static const struct {
    char text[8];
    uint8_t bytes;
} item_names[] = {
    [OBJECT_FILE] = {"file.", 5},          [OBJECT_DIRECTORY] = {"dir.", 4},
    [OBJECT_FILE_RENAMED] = {"moved.", 6}, [OBJECT_DIRECTORY_RENAMED] = {"dmoved.", 7},
    [OBJECT_LINK] = {"link.", 5},
};

/* "file.17.403"; 48 characters are enough. */
static inline char *item_name(char *at, const struct metadata_plan *m, enum metadata_class class,
                              uint64_t rank, uint64_t item)
{
    memcpy(at, item_names[class].text, 8);
    at += item_names[class].bytes;
    if (m->shared)
        memcpy(at, "all", 3), at += 3;
    else
        at = digits_put(at, rank);
    *at++ = '.';
    return digits_put(at, item);
}

static uint64_t item_node(const struct metadata_plan *m, enum metadata_class class, uint64_t item)
{
    uint64_t dir = metadata_directory_of(m, item);
    bool moved = class == OBJECT_FILE_RENAMED || class == OBJECT_DIRECTORY_RENAMED;
    if (moved && m->rename_across)
        dir = dir + 1 < m->item_dirs ? dir + 1 : 0;
    return metadata_node_of(m, dir);
}

enum metadata_class metadata_class_of(uint64_t object)
{
    return (enum metadata_class)(object >> 60);
}

uint64_t metadata_rank_of(const struct metadata_plan *m, uint64_t object)
{
    return (object & ((UINT64_C(1) << 60) - 1)) >> m->index_bits;
}

uint64_t metadata_index_of(const struct metadata_plan *m, uint64_t object)
{
    return object & ((UINT64_C(1) << m->index_bits) - 1);
}

int metadata_path(const struct metadata_plan *m, uint64_t object, char *buf, size_t bytes)
{
    enum metadata_class class = metadata_class_of(object);
    uint64_t rank = metadata_rank_of(m, object), index = metadata_index_of(m, object);
    struct names n = {buf, buf + bytes};
    char name[64];
    switch (class) {
    case OBJECT_TARGET:
        if (!put_target(&n, m, rank))
            return -1;
        break;
    case OBJECT_HOME:
        if (!put_home(&n, m, rank))
            return -1;
        break;
    case OBJECT_NODE:
        if (!put_node(&n, m, rank, index))
            return -1;
        break;
    default:
        if (!put_node(&n, m, rank, item_node(m, class, index)) || !put(&n, "/", 1) ||
            !put(&n, name, (size_t)(item_name(name, m, class, rank, index) - name)))
            return -1;
    }
    if (n.at >= n.end)
        return -1;
    *n.at = '\0';
    return 0;
}

int metadata_leaf(const struct metadata_plan *m, uint64_t object, uint64_t *directory, char *buf,
                  size_t bytes)
{
    enum metadata_class class = metadata_class_of(object);
    if ((class >= OBJECT_NODE && class <= OBJECT_TARGET) || bytes < 64)
        return -1;
    uint64_t rank = metadata_rank_of(m, object), index = metadata_index_of(m, object);
    char *end = item_name(buf, m, class, rank, index);
    *end = '\0';
    /* A common tree is the same for all ranks of a target. */
    uint64_t owner = m->unique ? rank : m->target_count == 1 ? 0 : rank % m->target_count;
    *directory = metadata_object(m, OBJECT_NODE, owner, item_node(m, class, index));
    return (int)(end - buf);
}
