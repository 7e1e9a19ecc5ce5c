#include "probe/memory.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than any machine has; the set grows until the kernel is content. */
#define MOST_CPUS 65536

uint64_t memory_row(const char *meminfo, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = meminfo; *at != '\0';) {
        if (strncmp(at, name, n) == 0 && at[n] == ':') {
            char digits[24];
            const char *number = at + n + 1;
            number += strspn(number, " ");
            size_t length = strspn(number, "0123456789");
            if (length == 0 || length >= sizeof digits)
                return PROBE_UNKNOWN;
            memcpy(digits, number, length);
            digits[length] = '\0';
            uint64_t value;
            if (!source_digits(digits, &value))
                return PROBE_UNKNOWN;
            return source_product(value, strncmp(number + length, " kB", 3) == 0 ? 1024 : 1);
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return PROBE_UNKNOWN;
}

static uint32_t allowed_cores(uint32_t online)
{
    for (int cpus = 1024; cpus <= MOST_CPUS; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)cpus);
        if (set == NULL)
            break;
        size_t bytes = CPU_ALLOC_SIZE((size_t)cpus);
        int count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return (uint32_t)count;
    }
    return online;
}

void memory_read(const char *root, struct memory_facts *m)
{
    struct text t = {0};
    *m = (struct memory_facts){0};
    bool told = source_read(root, "/proc/meminfo", &t, NULL) == 0;
    const char *rows = told ? t.data : "";
    m->node_bytes = memory_row(rows, "MemTotal");
    m->available_bytes = memory_row(rows, "MemAvailable");
    m->cached_bytes = memory_row(rows, "Cached");
    m->dirty_bytes = memory_row(rows, "Dirty");
    m->swap_bytes = memory_row(rows, "SwapTotal");
    m->huge_page_bytes = memory_row(rows, "Hugepagesize");
    m->huge_pages = memory_row(rows, "HugePages_Total");
    m->huge_pages_free = memory_row(rows, "HugePages_Free");
    text_free(&t);
    cgroup_read(root, &m->limits);
    /* Unknown is the largest number, so a known limit is less. */
    m->usable_bytes =
        m->limits.memory_bytes < m->node_bytes ? m->limits.memory_bytes : m->node_bytes;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    m->cores_online = online > 0 ? (uint32_t)online : 1;
    m->cores_allowed = allowed_cores(m->cores_online);
    uint32_t cpus = m->limits.cpus;
    m->cores_node = cpus != 0 && cpus < m->cores_online ? cpus : m->cores_online;
    m->cores_usable = m->cores_allowed;
    if (!isnan(m->limits.cores)) {
        m->cores_node = fmin(m->cores_node, m->limits.cores);
        m->cores_usable = fmin(m->cores_usable, m->limits.cores);
    }
}
