#include "run/staging.h"

#include "base/units.h"
#include "probe/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

/* Left to the node: one without memory kills processes. */
#define LEAVE_BYTES (UINT64_C(64) << 20)

int staging_take(struct staging *s, uint64_t bytes, uint64_t ranks_per_node, struct error *e)
{
    struct memory_facts m;
    char has[UNITS_TEXT], asks[UNITS_TEXT];
    *s = (struct staging){0};
    if (bytes == 0)
        return 0;
    memory_read(NULL, &m);
    if (m.available_bytes != PROBE_UNKNOWN &&
        (double)bytes * (double)ranks_per_node + LEAVE_BYTES > (double)m.available_bytes)
        return error_set(e, STATUS_USAGE, "usage",
                         "--staging: %s for each of a node's ranks (%" PRIu64
                         ") are more than the %s that are available on it, less 64 MiB",
                         units_size(asks, (double)bytes), ranks_per_node,
                         units_size(has, (double)m.available_bytes));
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED)
        return error_errno(e, errno, "--staging: %s of memory", units_size(asks, (double)bytes));
    memset(memory, 0x5a, bytes);
    *s = (struct staging){memory, bytes};
    return 0;
}

void staging_drop(struct staging *s)
{
    if (s->memory)
        munmap(s->memory, s->bytes);
    *s = (struct staging){0};
}

void staging_copy(const struct staging *s, uint64_t offset, uint64_t bytes)
{
    while (bytes > 0) {
        uint64_t to = offset % s->bytes, from = (offset + s->bytes / 2) % s->bytes;
        uint64_t n = s->bytes - (to > from ? to : from);
        n = n < bytes ? n : bytes;
        memmove(s->memory + to, s->memory + from, n);
        offset += n;
        bytes -= n;
    }
}
