/* A process' place in a hierarchy is mount point + (its path - the root of what is mounted). In a
 * container the path may lie outside of what is mounted; then the mount point itself is its group.
 */
#include "probe/cgroup.h"

#include "probe/mountinfo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool in_list(const char *list, size_t length, const char *word)
{
    size_t wanted = strlen(word);
    for (size_t i = 0; i < length;) {
        size_t n = 0;
        while (i + n < length && list[i + n] != ',')
            n++;
        if (n == wanted && memcmp(list + i, word, n) == 0)
            return true;
        i += n + 1;
    }
    return false;
}

/* Lines "4:memory:/path", "3:cpu,cpuacct:/path", "0::/path". */
bool cgroup_path(const char *text, const char *controller, char *buf, size_t bytes)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        const char *first = memchr(text, ':', length);
        const char *end = text + length;
        const char *second = first ? memchr(first + 1, ':', (size_t)(end - first - 1)) : NULL;
        text = *end == '\n' ? end + 1 : end;
        if (second == NULL)
            continue;
        size_t names = (size_t)(second - first - 1);
        bool found = *controller == '\0' ? names == 0 : in_list(first + 1, names, controller);
        if (!found)
            continue;
        int n = snprintf(buf, bytes, "%.*s", (int)(end - second - 1), second + 1);
        return n > 0 && (size_t)n < bytes && buf[0] == '/';
    }
    return false;
}

/* Mount of a version 1 controller, or of version 2 ("" as controller). */
static bool find_mount(const char *mounts, const char *controller, struct mount_line *found)
{
    while (mountinfo_next(&mounts, found)) {
        bool hit = *controller == '\0' ? mountinfo_is(found->type, "cgroup2")
                                       : mountinfo_is(found->type, "cgroup") &&
                                             mountinfo_option(found->super, controller, NULL, 0);
        if (hit)
            return true;
    }
    return false;
}

struct place { /* of the process in one hierarchy */
    char folder[PROBE_PATH_BYTES];
    size_t top; /* length of the mount point in it: where walking up ends */
};

static bool find_place(const char *mounts, const char *groups, const char *controller,
                       struct place *p)
{
    char path[2048], top[1024];
    struct mount_line mount;
    if (!cgroup_path(groups, controller, path, sizeof path) ||
        !find_mount(mounts, controller, &mount))
        return false;
    mountinfo_decode(mount.root, top, sizeof top);
    size_t n = strcmp(top, "/") == 0 ? 0 : strlen(top);
    bool inside = strncmp(path, top, n) == 0 && (path[n] == '/' || path[n] == '\0') &&
                  strstr(path, "/..") == NULL;
    const char *below = inside ? path + n : "";
    mountinfo_decode(mount.point, p->folder, 1024);
    p->top = strlen(p->folder);
    snprintf(p->folder + p->top, sizeof p->folder - p->top, "%s",
             strcmp(below, "/") == 0 ? "" : below);
    return true;
}

static bool step_up(struct place *p)
{
    char *slash = strrchr(p->folder, '/');
    if (slash == NULL || (size_t)(slash - p->folder) < p->top)
        return false;
    *slash = '\0';
    return true;
}

static void least_memory(const char *root, const struct place *p, const char *name,
                         struct cgroup_limits *limits)
{
    char path[PROBE_PATH_BYTES + 64];
    uint64_t value;
    snprintf(path, sizeof path, "%s/%s", p->folder, name);
    /* "max" is no number; version 1 writes "none" as the largest multiple of the page size. */
    if (!source_number(root, path, &value) || value >= (UINT64_C(1) << 62) ||
        value >= limits->memory_bytes)
        return;
    limits->memory_bytes = value;
    text_copy(limits->memory_where, sizeof limits->memory_where, path);
}

static void least_cores(double quota, double period, const char *path, struct cgroup_limits *limits)
{
    if (quota <= 0 || period <= 0 || quota / period >= limits->cores)
        return;
    limits->cores = quota / period;
    text_copy(limits->cores_where, sizeof limits->cores_where, path);
}

/* Version 2: "max 100000" or "150000 100000" (microseconds). */
static void least_cores_v2(const char *root, const struct place *p, struct cgroup_limits *limits)
{
    char path[PROBE_PATH_BYTES + 64], line[64];
    uint64_t quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", p->folder);
    if (!source_line(root, path, line, sizeof line))
        return;
    char *blank = strchr(line, ' ');
    if (blank == NULL)
        return;
    *blank = '\0';
    if (source_digits(line, &quota) && source_digits(blank + 1, &period))
        least_cores((double)quota, (double)period, path, limits);
}

/* Version 1: two files; a quota of -1 is none. */
static void least_cores_v1(const char *root, const struct place *p, struct cgroup_limits *limits)
{
    char path[PROBE_PATH_BYTES + 64];
    uint64_t quota, period;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", p->folder);
    if (!source_number(root, path, &period))
        return;
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", p->folder);
    if (source_number(root, path, &quota))
        least_cores((double)quota, (double)period, path, limits);
}

uint32_t cgroup_count_cpus(const char *list)
{
    uint64_t count = 0;
    while (*list != '\0') {
        char range[32], *dash;
        uint64_t first, last;
        size_t n = strcspn(list, ",");
        if (n == 0 || n >= sizeof range)
            return 0;
        memcpy(range, list, n);
        range[n] = '\0';
        if ((dash = strchr(range, '-')) != NULL)
            *dash = '\0';
        if (!source_digits(range, &first) || !source_digits(dash ? dash + 1 : range, &last) ||
            last < first || last > UINT16_MAX)
            return 0;
        count += last - first + 1;
        list += n;
        if (*list == ',' && *++list == '\0')
            return 0;
    }
    return count <= UINT16_MAX + 1u ? (uint32_t)count : 0;
}

/* The kernel has put the sets above into the effective one. */
static void read_cpus(const char *root, const struct place *p, const char *name,
                      struct cgroup_limits *limits)
{
    char path[PROBE_PATH_BYTES + 64], list[1024];
    snprintf(path, sizeof path, "%s/%s", p->folder, name);
    if (source_line(root, path, list, sizeof list))
        limits->cpus = cgroup_count_cpus(list);
}

void cgroup_read(const char *root, struct cgroup_limits *limits)
{
    struct text groups = {0}, mounts = {0};
    struct place p;
    *limits = (struct cgroup_limits){.memory_bytes = PROBE_UNKNOWN, .cores = INFINITY};
    bool told = source_read(root, "/proc/self/cgroup", &groups, NULL) == 0 &&
                source_read(root, "/proc/self/mountinfo", &mounts, NULL) == 0;
    if (told && find_place(mounts.data, groups.data, "", &p)) {
        read_cpus(root, &p, "cpuset.cpus.effective", limits);
        do {
            least_memory(root, &p, "memory.max", limits);
            least_memory(root, &p, "memory.high", limits); /* pages above it are taken back */
            least_cores_v2(root, &p, limits);
        } while (step_up(&p));
    }
    if (told && find_place(mounts.data, groups.data, "cpuset", &p))
        read_cpus(root, &p, "cpuset.effective_cpus", limits);
    if (told && find_place(mounts.data, groups.data, "memory", &p))
        do {
            least_memory(root, &p, "memory.limit_in_bytes", limits);
        } while (step_up(&p));
    if (told && find_place(mounts.data, groups.data, "cpu", &p))
        do {
            least_cores_v1(root, &p, limits);
        } while (step_up(&p));
    text_free(&groups);
    text_free(&mounts);
    if (isinf(limits->cores))
        limits->cores = NAN;
}
