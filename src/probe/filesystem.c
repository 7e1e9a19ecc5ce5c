/* What is known of a path's file system comes from four places: stat (device number), mountinfo
 * (type, source, options), statvfs (room) and /sys (the block device). */
#include "probe/filesystem.h"

#include "probe/fstype.h"
#include "probe/mountinfo.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* A file system over a file system over ...: how far down memory is looked for. */
#define MOST_LAYERS 4

/* Cuts the last component off; false when nothing is left to cut. */
static bool cut_last(char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (path[0] == '\0' || strcmp(path, "/") == 0 || strcmp(path, ".") == 0)
        return false;
    if (n == 0)
        snprintf(path, PROBE_PATH_BYTES, ".");
    else
        path[n] = '\0';
    return true;
}

/* Nearest directory that exists, resolved. */
static int find_parent(const char *path, char *parent, struct error *e)
{
    char at[PROBE_PATH_BYTES];
    struct stat s;
    int n = snprintf(at, sizeof at, "%s", path[0] != '\0' ? path : ".");
    if (n < 0 || (size_t)n >= sizeof at)
        return error_errno(e, ENAMETOOLONG, "cannot look at a path of %zu bytes", strlen(path));
    if (lstat(at, &s) == 0 && S_ISLNK(s.st_mode))
        cut_last(at);
    for (;;) {
        bool there = stat(at, &s) == 0;
        if (there && S_ISDIR(s.st_mode))
            break;
        if (!there && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
            return error_errno(e, errno, "cannot look at %s", at);
        if (!cut_last(at))
            return error_errno(e, ENOENT, "no existing directory above %s", path);
    }
    char *resolved = realpath(at, NULL);
    if (resolved == NULL)
        return error_errno(e, errno, "cannot resolve %s", at);
    n = snprintf(parent, PROBE_PATH_BYTES, "%s", resolved);
    free(resolved);
    if (n < 0 || n >= PROBE_PATH_BYTES)
        return error_errno(e, ENAMETOOLONG, "cannot resolve %s", at);
    return 0;
}

/* What is looked at: the path itself where it is there (a file can be a mount point, or a device),
 * else the directory. */
static void find_target(const char *path, const char *parent, char *target, struct stat *s)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    int n = snprintf(target, PROBE_PATH_BYTES, "%s/%s", strcmp(parent, "/") ? parent : "", name);
    bool itself = n > 0 && n < PROBE_PATH_BYTES && name[0] != '\0' && strcmp(name, ".") != 0 &&
                  strcmp(name, "..") != 0 && lstat(path, s) == 0 && !S_ISLNK(s->st_mode) &&
                  !S_ISDIR(s->st_mode);
    if (!itself)
        snprintf(target, PROBE_PATH_BYTES, "%s", parent);
}

static enum answer either(enum answer a, enum answer b)
{
    if (a == ANSWER_YES || b == ANSWER_YES)
        return ANSWER_YES;
    return a == ANSWER_UNKNOWN ? a : b;
}

static void find_device(const char *root, const char *source, uint32_t major, uint32_t minor,
                        struct device *d)
{
    struct stat s;
    if (device_look(root, major, minor, d))
        return;
    /* btrfs and others show a number that no device has: ask the source. */
    if (strncmp(source, "/dev/", 5) == 0 && stat(source, &s) == 0 && S_ISBLK(s.st_mode))
        device_look(root, gnu_dev_major(s.st_rdev), gnu_dev_minor(s.st_rdev), d);
}

static enum answer backed_by_memory(const char *root, const char *mounts, const char *path,
                                    int layers);

static enum answer mount_in_memory(const char *root, const char *mounts,
                                   const struct mount_line *line, const struct device *d,
                                   int layers)
{
    char type[64], upper[PROBE_PATH_BYTES];
    mountinfo_decode(line->type, type, sizeof type);
    enum answer memory = fstype_find(type).memory;
    if (d->name[0] != '\0')
        memory = either(memory, d->memory);
    if (memory == ANSWER_YES || layers == 0)
        return memory;
    if (mountinfo_option(line->super, "upperdir", upper, sizeof upper))
        return backed_by_memory(root, mounts, upper, layers - 1);
    if (d->backing_file[0] != '\0')
        return backed_by_memory(root, mounts, d->backing_file, layers - 1);
    return memory;
}

/* Paths that another mount namespace (a container's host) speaks of are not here: unknown. */
static enum answer backed_by_memory(const char *root, const char *mounts, const char *path,
                                    int layers)
{
    struct mount_line line;
    struct device d;
    char source[512];
    struct stat s;
    if (stat(path, &s) != 0)
        return ANSWER_UNKNOWN;
    uint32_t major = gnu_dev_major(s.st_dev), minor = gnu_dev_minor(s.st_dev);
    if (!mountinfo_find(mounts, path, major, minor, &line))
        return ANSWER_UNKNOWN;
    find_device(root, mountinfo_decode(line.source, source, sizeof source), major, minor, &d);
    return mount_in_memory(root, mounts, &line, &d, layers);
}

static void join_options(const struct mount_line *line, char *buf, size_t bytes)
{
    mountinfo_decode(line->options, buf, bytes);
    size_t used = strlen(buf);
    if (line->super.length > 0 && used + 2 < bytes) {
        buf[used] = ',';
        mountinfo_decode(line->super, buf + used + 1, bytes - used - 1);
    }
}

static void read_mount(const char *root, const char *target, struct filesystem *fs)
{
    struct text mounts = {0};
    struct mount_line line;
    bool found = source_read(root, "/proc/self/mountinfo", &mounts, NULL) == 0 &&
                 mountinfo_find(mounts.data, target, fs->major, fs->minor, &line);
    if (found) {
        mountinfo_decode(line.point, fs->mount_point, sizeof fs->mount_point);
        mountinfo_decode(line.source, fs->source, sizeof fs->source);
        mountinfo_decode(line.type, fs->type, sizeof fs->type);
        join_options(&line, fs->options, sizeof fs->options);
    }
    struct fstype facts = fstype_find(fs->type);
    fs->network = facts.network;
    fs->page_cache = facts.page_cache;
    find_device(root, fs->source, fs->major, fs->minor, &fs->device);
    if (found)
        fs->memory = mount_in_memory(root, mounts.data, &line, &fs->device, MOST_LAYERS);
    text_free(&mounts);
}

static int read_room(const char *parent, struct filesystem *fs, struct error *e)
{
    struct statvfs v;
    if (statvfs(parent, &v) != 0)
        return error_errno(e, errno, "cannot ask %s for its room", parent);
    bool blocks = v.f_blocks != 0;
    fs->total_bytes = blocks ? source_product(v.f_blocks, v.f_frsize) : PROBE_UNKNOWN;
    fs->free_bytes = blocks ? source_product(v.f_bfree, v.f_frsize) : PROBE_UNKNOWN;
    fs->available_bytes = blocks ? source_product(v.f_bavail, v.f_frsize) : PROBE_UNKNOWN;
    fs->total_inodes = v.f_files != 0 ? v.f_files : PROBE_UNKNOWN;
    fs->free_inodes = v.f_files != 0 ? v.f_favail : PROBE_UNKNOWN;
    fs->block_bytes = v.f_bsize;
    fs->read_only = (v.f_flag & ST_RDONLY) != 0;
    long path_max = pathconf(parent, _PC_PATH_MAX), name_max = pathconf(parent, _PC_NAME_MAX);
    fs->path_max = path_max > 0 ? (uint64_t)path_max : PROBE_UNKNOWN;
    fs->name_max = name_max > 0 ? (uint64_t)name_max : PROBE_UNKNOWN;
    return 0;
}

/* A device used without a file system: what stat says of /dev tells nothing about it. */
static void read_raw_device(const char *root, const char *target, struct filesystem *fs)
{
    snprintf(fs->type, sizeof fs->type, "block device");
    text_copy(fs->source, sizeof fs->source, target);
    device_look(root, fs->major, fs->minor, &fs->device);
    fs->memory = fs->device.memory;
    fs->page_cache = ANSWER_YES;
    fs->total_bytes = fs->available_bytes = fs->device.bytes;
    fs->free_bytes = PROBE_UNKNOWN; /* full or not: a device has no such notion */
    fs->total_inodes = fs->free_inodes = PROBE_UNKNOWN;
}

int probe_filesystem(const char *root, const char *path, struct filesystem *fs, struct error *e)
{
    char target[PROBE_PATH_BYTES];
    struct stat s;
    *fs = (struct filesystem){0};
    if (find_parent(path, fs->parent, e) != 0)
        return -1;
    find_target(path, fs->parent, target, &s);
    if (stat(target, &s) != 0)
        return error_errno(e, errno, "cannot look at %s", target);
    dev_t device = S_ISBLK(s.st_mode) ? s.st_rdev : s.st_dev;
    fs->major = gnu_dev_major(device);
    fs->minor = gnu_dev_minor(device);
    if (read_room(fs->parent, fs, e) != 0)
        return -1;
    if (S_ISBLK(s.st_mode))
        read_raw_device(root, target, fs);
    else
        read_mount(root, target, fs);
    return 0;
}

static double used_share(uint64_t total, uint64_t free_part)
{
    if (total == PROBE_UNKNOWN || free_part == PROBE_UNKNOWN || total == 0)
        return NAN;
    return free_part >= total ? 0 : 1 - (double)free_part / (double)total;
}

double filesystem_used(const struct filesystem *fs)
{
    return used_share(fs->total_bytes, fs->free_bytes);
}

double filesystem_inodes_used(const struct filesystem *fs)
{
    return used_share(fs->total_inodes, fs->free_inodes);
}

char *filesystem_describe(const struct filesystem *fs, char *buf, size_t bytes)
{
    const char *at = fs->mount_point[0] != '\0' ? fs->mount_point : fs->parent;
    snprintf(buf, bytes, "%s at %s", fs->type[0] != '\0' ? fs->type : "file system", at);
    size_t used = strlen(buf);
    if (fs->source[0] != '\0' && strcmp(fs->source, fs->type) != 0 && used + 1 < bytes)
        snprintf(buf + used, bytes - used, " (%s)", fs->source);
    return buf;
}
