/* Any bytes as the kernel's text files: mountinfo first of all, then those with parsers of their
 * own. Fields lie inside of the text, and a mount that is found covers the path that was asked for.
 */
#include "probe/cgroup.h"
#include "probe/counters.h"
#include "probe/memory.h"
#include "probe/mountinfo.h"
#include "probe/slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

static void check_slice(const char *text, size_t size, struct slice s)
{
    must(s.start >= text && s.start + s.length <= text + size, "a field lies inside of the text");
    must(memchr(s.start, '\n', s.length) == NULL, "a field is part of a line");
}

static void check_mounts(const char *text, size_t size)
{
    char point[4096], value[64];
    struct mount_line line, found;
    for (const char *cursor = text; mountinfo_next(&cursor, &line);) {
        check_slice(text, size, line.root);
        check_slice(text, size, line.point);
        check_slice(text, size, line.options);
        check_slice(text, size, line.type);
        check_slice(text, size, line.source);
        check_slice(text, size, line.super);
        mountinfo_option(line.super, "upperdir", value, sizeof value);
        mountinfo_option(line.options, "rw", NULL, 0);
        mountinfo_decode(line.point, point, sizeof point);
        if (line.point.length >= sizeof point || memchr(line.point.start, '\\', line.point.length))
            continue; /* an escaped NUL would cut the name */
        must(mountinfo_find(text, point, line.major, line.minor, &found), "its place has a mount");
        must(found.major == line.major && found.minor == line.minor, "... of its device");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[128];
    struct counters c = {0};
    struct net_line line;
    int64_t seconds;
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    size = strlen(text);
    check_mounts(text, size);
    if (cgroup_path(text, "memory", path, sizeof path))
        must(path[0] == '/', "a group's path is absolute");
    cgroup_path(text, "", path, sizeof path);
    cgroup_count_cpus(text);
    counters_parse_io(text, &c.io);
    if (counters_parse_stat(text, &c.cpu))
        counters_node_cpu(&c);
    counters_parse_disk(text, 8, 0, &c.disk);
    for (const char *cursor = text; counters_next_net(&cursor, &line);)
        must(line.name[0] != '\0', "an interface has a name");
    memory_row(text, "MemTotal");
    if (slurm_parse_limit(text, &seconds))
        must(seconds >= 0, "a limit is not negative");
    free(text);
    return 0;
}
