#include "model/tree.h"

#include "base/digits.h"

#include <inttypes.h>

int tree_make(struct tree *t, uint64_t branch, uint64_t depth, struct error *e)
{
    uint64_t level = 1, all = 1;
    for (uint64_t i = 0; i < depth && all <= TREE_DIRECTORIES_MOST; i++) {
        /* A chain is as long as it is deep: no need to count its links one by one. */
        if (branch == 1) {
            all = depth < TREE_DIRECTORIES_MOST ? depth + 1 : UINT64_MAX;
            break;
        }
        if (level > TREE_DIRECTORIES_MOST / branch)
            all = UINT64_MAX;
        else
            all += level *= branch;
    }
    if (all > TREE_DIRECTORIES_MOST)
        return error_set(e, STATUS_USAGE, "usage",
                         "a tree of depth %" PRIu64 " with %" PRIu64
                         " branches has more than %" PRIu64 " directories: use a smaller -z or -b",
                         depth, branch, TREE_DIRECTORIES_MOST);
    *t = (struct tree){.branch = branch, .depth = depth, .directories = all, .leaves = level};
    return 0;
}

char *tree_way(const struct tree *t, uint64_t node, char *to, const char *end)
{
    uint64_t bytes = 0;
    for (uint64_t k = node; k > 0; k = tree_parent(t, k))
        bytes += 1 + digits_count(k);
    if (bytes >= (uint64_t)(end - to))
        return NULL;
    char *last = to + bytes, *at = last;
    for (uint64_t k = node; k > 0; k = tree_parent(t, k)) {
        char digits[DIGITS_MOST];
        size_t count = (size_t)(digits_put(digits, k) - digits);
        memcpy(at -= count, digits, count);
        *--at = '/';
    }
    return last;
}

uint64_t tree_longest_way(const struct tree *t)
{
    uint64_t bytes = 0;
    for (uint64_t k = t->directories - 1; k > 0; k = tree_parent(t, k))
        bytes += 1 + digits_count(k);
    return bytes;
}
