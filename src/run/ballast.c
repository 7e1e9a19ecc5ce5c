#include "run/ballast.h"

#include "base/units.h"
#include "probe/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Left to the node whatever is asked for: a node without memory kills processes. */
#define LEAVE_BYTES (UINT64_C(64) << 20)

static int amount(const char *wanted, const struct memory_facts *m, uint64_t *bytes,
                  struct error *e)
{
    size_t n = strlen(wanted);
    double percent;
    if (n == 0 || wanted[n - 1] != '%')
        return units_parse_size(wanted, bytes, NULL, e);
    if (units_parse_percent(wanted, &percent, e))
        return -1;
    if (m->usable_bytes == PROBE_UNKNOWN)
        return error_set(e, STATUS_USAGE, "usage",
                         "the memory of this node is not known: give a size instead of a share");
    *bytes = (uint64_t)((double)m->usable_bytes * percent / 100);
    return 0;
}

int ballast_take(struct ballast *b, const char *wanted, uint64_t ranks_per_node, struct error *e)
{
    struct memory_facts m;
    struct error why = error_none();
    uint64_t bytes = 0;
    char has[UNITS_TEXT], asks[UNITS_TEXT];
    *b = (struct ballast){0};
    memory_read(NULL, &m);
    if (amount(wanted, &m, &bytes, &why))
        return error_set(e, STATUS_USAGE, "usage", "option -M: %s", why.text);
    if (m.available_bytes != PROBE_UNKNOWN && bytes + LEAVE_BYTES > m.available_bytes)
        return error_set(e, STATUS_USAGE, "usage",
                         "option -M: %s of memory are asked for, but only %s are available on this "
                         "node, and 64 MiB must be left",
                         units_size(asks, (double)bytes),
                         units_size(has, (double)m.available_bytes));
    b->bytes = (size_t)(bytes / ranks_per_node);
    if (b->bytes == 0)
        return 0;
    b->memory = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (b->memory == MAP_FAILED) {
        b->memory = NULL;
        return error_errno(e, errno, "option -M: holding %zu bytes of memory", b->bytes);
    }
    memset(b->memory, 0x5a, b->bytes);
    mlock(b->memory, b->bytes); /* best effort: without swap it stays anyway */
    return 0;
}

void ballast_drop(struct ballast *b)
{
    if (b->memory)
        munmap(b->memory, b->bytes);
    *b = (struct ballast){0};
}
