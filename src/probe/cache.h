/* What of a file is in this node's page cache. Only pages that cachestat(2) or mincore(2) can see
 * count: some file systems keep caches of their own (see fstype.h), and there nothing found proves
 * nothing. */
#ifndef PARIO_PROBE_CACHE_H
#define PARIO_PROBE_CACHE_H

#include "probe/source.h"

enum cache_method {
    CACHE_ANY,     /* cachestat, and mincore where the kernel has none */
    CACHE_MINCORE, /* mincore alone */
    CACHE_NONE     /* in a result: neither could tell */
};

/* Sums over several files or ranges may be added up member by member (cache_add). */
struct cache_pages {
    enum cache_method method; /* the one that answered; CACHE_ANY stands for cachestat */
    uint64_t pages;           /* of the range, up to the end of the file */
    uint64_t cached;
    uint64_t dirty;     /* 0 with mincore, which cannot tell */
    uint64_t writeback; /* the same */
};

/* Looks at length_bytes from offset_bytes (0: to the end of the file) of an open file, without
 * reading it. Where neither call may tell (file of another user, hugetlbfs), method is CACHE_NONE
 * and that is no error. 0, or -1 with an errno's error (bad descriptor). */
int cache_look(int fd, uint64_t offset_bytes, uint64_t length_bytes, enum cache_method method,
               struct cache_pages *pages, struct error *e);

/* Opens path for that, following no link; anything but a regular file is an error. */
int cache_look_path(const char *path, struct cache_pages *pages, struct error *e);

/* Adds; one unknown part makes the whole unknown. */
void cache_add(struct cache_pages *sum, const struct cache_pages *part);

/* Cached share, 0 to 1; NAN where not known or the range is empty. */
double cache_fraction(const struct cache_pages *pages);

/* "cold" (< 1 %), "warm" (> 99 %), "mixed", "unknown". page_cache tells whether the file system
 * keeps what it caches in the page cache: unless it surely does, few pages there are no proof of a
 * cold read, and the label is "unknown". */
const char *cache_label(double fraction, enum answer page_cache);

/* Writes the file's dirty pages out and gives its clean ones up. 0, or -1 with an errno's error.
 * Pages of tmpfs stay, for they are the file; whoever must know looks afterwards. */
int cache_drop(int fd, struct error *e);

#endif
