/* Where statx tells the alignment, it is believed. Else a scratch file is written without O_DIRECT,
 * dropped from the page cache, and then written and read with O_DIRECT in growing steps: the
 * smallest step that is accepted and whose reads leave no page behind is the alignment. Reads show
 * it, writes do not: a kernel that falls back to buffered writing tidies the page cache up
 * afterwards. */
#include "probe/direct.h"

#include "probe/cache.h"
#include "probe/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* STATX_DIOALIGN by its place: glibc's struct has no names for it yet. */
#define STATX_DIOALIGN_BIT 0x2000u
#define STATX_MEMORY_AT 0x98
#define STATX_OFFSET_AT 0x9c

#define SCRATCH_BYTES 65536u
#define WIDEST_STEP 16384u

union statx_bytes {
    struct statx named;
    unsigned char raw[256];
};

static bool ask_statx(int fd, struct direct_facts *facts)
{
    union statx_bytes s = {0};
    if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN_BIT, &s.named) != 0 ||
        (s.named.stx_mask & STATX_DIOALIGN_BIT) == 0)
        return false;
    memcpy(&facts->memory_bytes, s.raw + STATX_MEMORY_AT, sizeof facts->memory_bytes);
    memcpy(&facts->transfer_bytes, s.raw + STATX_OFFSET_AT, sizeof facts->transfer_bytes);
    facts->source = DIRECT_STATX;
    facts->supported = facts->transfer_bytes != 0 ? ANSWER_YES : ANSWER_NO;
    return true;
}

/* Switches O_DIRECT on for an open file: needs no second open, which a nameless file would not
 * allow everywhere. */
static bool set_direct(int fd, bool on)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

struct trial {
    int fd;
    bool may_write;
    char *memory; /* aligned to SCRATCH_BYTES, twice as long */
    uint64_t file_bytes;
};

static uint64_t cached_pages(int fd)
{
    struct cache_pages pages;
    if (cache_look(fd, 0, 0, CACHE_ANY, &pages, NULL) != 0 || pages.method == CACHE_NONE)
        return PROBE_UNKNOWN;
    return pages.cached;
}

/* One write and one read of `step` bytes at offset `step`, buffer `skew` bytes off its alignment.
 */
static bool accepted(const struct trial *t, uint32_t step, uint32_t skew)
{
    char *at = t->memory + skew;
    if (t->file_bytes < 2 * (uint64_t)step)
        return false;
    if (t->may_write && pwrite(t->fd, at, step, step) != (ssize_t)step)
        return false;
    return pread(t->fd, at, step, step) == (ssize_t)step;
}

static enum answer no_pages_left(const struct trial *t, uint32_t step)
{
    if (!t->may_write) /* somebody's file: its pages are not ours to drop */
        return ANSWER_UNKNOWN;
    set_direct(t->fd, false);
    cache_drop(t->fd, NULL);
    set_direct(t->fd, true);
    if (pread(t->fd, t->memory, step, step) != (ssize_t)step)
        return ANSWER_UNKNOWN;
    uint64_t cached = cached_pages(t->fd);
    if (cached == PROBE_UNKNOWN)
        return ANSWER_UNKNOWN;
    return cached == 0 ? ANSWER_YES : ANSWER_NO;
}

static uint32_t least_skew(const struct trial *t, uint32_t step)
{
    if (accepted(t, step, 1))
        return 1;
    for (uint32_t skew = 4; skew < SCRATCH_BYTES; skew *= 2)
        if (accepted(t, step, skew))
            return skew;
    return SCRATCH_BYTES;
}

static void try_steps(const struct trial *t, struct direct_facts *facts)
{
    static const uint32_t steps[] = {1, 512, 1024, 2048, 4096, 8192, WIDEST_STEP};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (!accepted(t, steps[i], 0))
            continue;
        enum answer effect = no_pages_left(t, steps[i]);
        if (facts->transfer_bytes == 0 || effect == ANSWER_YES) {
            facts->transfer_bytes = steps[i];
            facts->in_effect = effect;
        }
        if (effect != ANSWER_NO) /* else a wider step may not fall back */
            break;
    }
    if (facts->transfer_bytes == 0)
        return;
    facts->supported = ANSWER_YES;
    facts->memory_bytes = least_skew(t, facts->transfer_bytes);
}

static void try_direct(struct trial *t, struct direct_facts *facts)
{
    if (!set_direct(t->fd, true)) {
        facts->supported = ANSWER_NO;
        facts->source = DIRECT_TRIED;
        return;
    }
    if (facts->source == DIRECT_STATX) {
        uint32_t step = facts->transfer_bytes < 4096 ? 4096 : facts->transfer_bytes;
        if (step <= WIDEST_STEP)
            facts->in_effect = no_pages_left(t, step);
        return;
    }
    facts->source = DIRECT_TRIED;
    try_steps(t, facts);
    if (facts->supported == ANSWER_UNKNOWN && t->file_bytes >= 2 * WIDEST_STEP)
        facts->supported = ANSWER_NO;
}

static int with_memory(struct trial *t, struct direct_facts *facts, struct error *e)
{
    void *memory = NULL;
    int cause = posix_memalign(&memory, SCRATCH_BYTES, 2 * (size_t)SCRATCH_BYTES);
    if (cause != 0)
        return error_errno(e, cause, "cannot try direct I/O");
    memset(memory, 0, 2 * (size_t)SCRATCH_BYTES);
    t->memory = memory;
    int status = 0;
    ssize_t n = t->may_write ? pwrite(t->fd, t->memory, SCRATCH_BYTES, 0) : SCRATCH_BYTES;
    if (n != (ssize_t)SCRATCH_BYTES) /* a short write: no room for the rest */
        status = error_errno(e, n < 0 ? errno : ENOSPC, "cannot write 64 KiB to try direct I/O");
    else
        try_direct(t, facts);
    free(memory);
    return status;
}

/* A file without a name in the directory, or with one for a moment where the file system cannot. */
static int open_scratch(const char *directory)
{
    char name[PROBE_PATH_BYTES];
    int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOSYS))
        return fd;
    int n = snprintf(name, sizeof name, "%s/.pario-direct-XXXXXX", directory);
    if (n < 0 || (size_t)n >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    return fd;
}

static int probe_in_directory(const char *directory, struct direct_facts *facts, struct error *e)
{
    struct trial t = {.may_write = true, .file_bytes = SCRATCH_BYTES};
    t.fd = open_scratch(directory);
    if (t.fd < 0)
        return error_errno(e, errno, "cannot make a file in %s to try direct I/O", directory);
    ask_statx(t.fd, facts);
    int status = 0;
    if (facts->supported != ANSWER_NO && with_memory(&t, facts, e) != 0)
        status = error_wrap(e, "%s", directory);
    close(t.fd);
    return status;
}

static int probe_file(const char *path, struct direct_facts *facts, struct error *e)
{
    struct trial t = {0};
    t.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (t.fd < 0)
        return error_errno(e, errno, "cannot open %s to try direct I/O", path);
    int status = 0;
    off_t end = lseek(t.fd, 0, SEEK_END); /* a device has no size in stat */
    t.file_bytes = end > 0 ? (uint64_t)end : 0;
    if (!ask_statx(t.fd, facts))
        status = with_memory(&t, facts, e);
    close(t.fd);
    return status;
}

int direct_probe(const char *path, struct direct_facts *facts, struct error *e)
{
    char directory[PROBE_PATH_BYTES];
    struct stat s;
    *facts = (struct direct_facts){0};
    if (strlen(path) >= sizeof directory)
        return error_errno(e, ENAMETOOLONG, "cannot try direct I/O");
    if (lstat(path, &s) == 0 && S_ISDIR(s.st_mode))
        return probe_in_directory(path, facts, e);
    if (lstat(path, &s) == 0 && (S_ISREG(s.st_mode) || S_ISBLK(s.st_mode)))
        return probe_file(path, facts, e);
    file_directory(path, directory, sizeof directory);
    return probe_in_directory(directory, facts, e);
}

int direct_check(const struct direct_facts *facts, uint64_t transfer_bytes, uint64_t block_bytes,
                 const char *path, struct error *e)
{
    uint64_t unit = facts->transfer_bytes;
    if (facts->supported == ANSWER_NO)
        return error_set(e, STATUS_USAGE, "usage",
                         "%s: its file system cannot do direct I/O (O_DIRECT): leave it out", path);
    if (unit <= 1)
        return 0;
    const char *what = transfer_bytes % unit != 0 ? "transfer" : "block";
    uint64_t size = transfer_bytes % unit != 0 ? transfer_bytes : block_bytes;
    if (size % unit == 0)
        return 0;
    uint64_t below = size / unit * unit;
    return error_set(e, STATUS_USAGE, "usage",
                     "%s size %llu is not a multiple of %llu bytes, as direct I/O on %s needs; "
                     "%llu or %llu would be",
                     what, (unsigned long long)size, (unsigned long long)unit, path,
                     (unsigned long long)(below != 0 ? below : unit),
                     (unsigned long long)(below + (below != 0 ? unit : 2 * unit)));
}
