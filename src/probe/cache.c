#include "probe/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Young system call (Linux 6.5): headers of older systems know neither its number nor its structs.
 */
#define CACHESTAT_CALL 451

struct cachestat_range_own {
    uint64_t offset;
    uint64_t length;
};

struct cachestat_own {
    uint64_t cached;
    uint64_t dirty;
    uint64_t writeback;
    uint64_t evicted;
    uint64_t recently_evicted;
};

/* mincore fills a byte per page: so much of the file at a time. */
#define WINDOW_PAGES 16384u

/* Part of the file that is looked at, on page boundaries. */
struct window {
    uint64_t first_page;
    uint64_t pages;
    uint64_t page_bytes;
};

static bool ask_cachestat(int fd, const struct window *w, struct cache_pages *found)
{
    struct cachestat_own told = {0};
    struct cachestat_range_own range = {w->first_page * w->page_bytes, w->pages * w->page_bytes};
    if (syscall(CACHESTAT_CALL, fd, &range, &told, 0u) != 0)
        return false;
    found->method = CACHE_ANY;
    /* A large folio may reach beyond the range, a shrunk file leave pages for a moment. */
    found->cached = told.cached < w->pages ? told.cached : w->pages;
    found->dirty = told.dirty < w->pages ? told.dirty : w->pages;
    found->writeback = told.writeback < w->pages ? told.writeback : w->pages;
    return true;
}

static bool ask_mincore_window(int fd, uint64_t first, size_t pages, uint64_t page_bytes,
                               uint64_t *cached)
{
    unsigned char seen[WINDOW_PAGES];
    void *map =
        mmap(NULL, pages * page_bytes, PROT_READ, MAP_SHARED, fd, (off_t)(first * page_bytes));
    if (map == MAP_FAILED)
        return false;
    bool told = mincore(map, pages * page_bytes, seen) == 0;
    munmap(map, pages * page_bytes);
    for (size_t i = 0; told && i < pages; i++)
        *cached += seen[i] & 1u;
    return told;
}

/* Since Linux 5.2 mincore answers "all there" to whoever neither owns the file nor may write it. */
static bool mincore_is_honest(int fd, const struct stat *s)
{
    int flags = fcntl(fd, F_GETFL);
    return geteuid() == 0 || geteuid() == s->st_uid ||
           (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY);
}

static bool ask_mincore(int fd, const struct stat *s, const struct window *w,
                        struct cache_pages *found)
{
    uint64_t cached = 0;
    if (!mincore_is_honest(fd, s))
        return false;
    for (uint64_t done = 0; done < w->pages;) {
        uint64_t left = w->pages - done;
        size_t n = left < WINDOW_PAGES ? (size_t)left : WINDOW_PAGES;
        if (!ask_mincore_window(fd, w->first_page + done, n, w->page_bytes, &cached))
            return false;
        done += n;
    }
    found->method = CACHE_MINCORE;
    found->cached = cached;
    return true;
}

static struct window window_of(uint64_t size, uint64_t offset, uint64_t length)
{
    struct window w = {.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE)};
    if (offset >= size)
        return w;
    uint64_t end = length == 0 || length > size - offset ? size : offset + length;
    w.first_page = offset / w.page_bytes;
    w.pages = end > offset ? (end - 1) / w.page_bytes + 1 - w.first_page : 0;
    return w;
}

int cache_look(int fd, uint64_t offset_bytes, uint64_t length_bytes, enum cache_method method,
               struct cache_pages *pages, struct error *e)
{
    struct stat s;
    *pages = (struct cache_pages){.method = CACHE_NONE};
    if (fstat(fd, &s) != 0)
        return error_errno(e, errno, "cannot look at the cached pages of a file");
    struct window w =
        window_of(S_ISREG(s.st_mode) ? (uint64_t)s.st_size : 0, offset_bytes, length_bytes);
    pages->pages = w.pages;
    if (!S_ISREG(s.st_mode) || method == CACHE_NONE)
        return 0;
    if (w.pages == 0)
        pages->method = method;
    else if (method == CACHE_MINCORE || !ask_cachestat(fd, &w, pages))
        ask_mincore(fd, &s, &w, pages);
    return 0;
}

int cache_look_path(const char *path, struct cache_pages *pages, struct error *e)
{
    *pages = (struct cache_pages){.method = CACHE_NONE};
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return error_errno(e, errno, "cannot open %s to look at its cached pages", path);
    struct stat s;
    int status = 0;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode))
        status = error_set(e, STATUS_FAILED, "EINVAL",
                           "cannot look at the cached pages of %s: not a regular file", path);
    else
        status = cache_look(fd, 0, 0, CACHE_ANY, pages, e);
    close(fd);
    return status;
}

void cache_add(struct cache_pages *sum, const struct cache_pages *part)
{
    if (part->method == CACHE_NONE || sum->method == CACHE_NONE)
        sum->method = CACHE_NONE;
    else if (part->method == CACHE_MINCORE)
        sum->method = CACHE_MINCORE;
    sum->pages += part->pages;
    sum->cached += part->cached;
    sum->dirty += part->dirty;
    sum->writeback += part->writeback;
}

double cache_fraction(const struct cache_pages *pages)
{
    if (pages->method == CACHE_NONE || pages->pages == 0)
        return NAN;
    return (double)pages->cached / (double)pages->pages;
}

const char *cache_label(double fraction, enum answer page_cache)
{
    if (isnan(fraction))
        return "unknown";
    if (fraction > 0.99)
        return "warm";
    if (page_cache != ANSWER_YES)
        return fraction >= 0.01 ? "mixed" : "unknown";
    return fraction < 0.01 ? "cold" : "mixed";
}

int cache_drop(int fd, struct error *e)
{
    if (fdatasync(fd) != 0)
        return error_errno(e, errno, "cannot write dirty pages out before dropping them");
    int cause = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    if (cause != 0)
        return error_errno(e, cause, "cannot drop cached pages");
    return 0;
}
