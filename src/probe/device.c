#include "probe/device.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The disk's own folder: a partition lies in that of its disk and has no queue. */
static bool disk_folder(const char *root, const char *folder, char *disk, size_t bytes)
{
    char path[PROBE_PATH_BYTES];
    char full[PROBE_PATH_BYTES];
    snprintf(path, sizeof path, "%s/partition", folder);
    if (!source_path(root, path, full, sizeof full))
        return false;
    /* The link is followed by the kernel, so ".." is the real parent. */
    int n = snprintf(disk, bytes, "%s%s", folder, access(full, F_OK) == 0 ? "/.." : "");
    return n >= 0 && (size_t)n < bytes;
}

static void read_queue(const char *root, const char *folder, const char *disk, struct device *d)
{
    char path[PROBE_PATH_BYTES];
    char line[256];
    uint64_t value;
    snprintf(path, sizeof path, "%s/queue/rotational", disk);
    if (source_number(root, path, &value))
        d->rotational = value != 0 ? ANSWER_YES : ANSWER_NO;
    snprintf(path, sizeof path, "%s/queue/logical_block_size", disk);
    source_number(root, path, &d->logical_block_bytes);
    snprintf(path, sizeof path, "%s/queue/physical_block_size", disk);
    source_number(root, path, &d->physical_block_bytes);
    snprintf(path, sizeof path, "%s/size", folder); /* always in units of 512 */
    if (source_number(root, path, &value))
        d->bytes = source_product(value, 512);
    snprintf(path, sizeof path, "%s/queue/scheduler", disk);
    if (source_line(root, path, line, sizeof line))
        source_chosen(line, d->scheduler, sizeof d->scheduler);
    snprintf(path, sizeof path, "%s/device/model", disk);
    source_line(root, path, d->model, sizeof d->model);
    snprintf(path, sizeof path, "%s/loop/backing_file", disk);
    source_line(root, path, d->backing_file, sizeof d->backing_file);
}

/* "ram0", "zram12": letters, then digits alone. */
static bool is_numbered(const char *name, const char *stem)
{
    uint64_t number;
    size_t n = strlen(stem);
    return strncmp(name, stem, n) == 0 && source_digits(name + n, &number);
}

bool device_look(const char *root, uint32_t major, uint32_t minor, struct device *d)
{
    char folder[64];
    char disk[80];
    char full[PROBE_PATH_BYTES];
    char target[PROBE_PATH_BYTES];
    *d = (struct device){.bytes = PROBE_UNKNOWN,
                         .logical_block_bytes = PROBE_UNKNOWN,
                         .physical_block_bytes = PROBE_UNKNOWN};
    snprintf(folder, sizeof folder, "/sys/dev/block/%u:%u", major, minor);
    if (!source_path(root, folder, full, sizeof full))
        return false;
    ssize_t n = readlink(full, target, sizeof target - 1);
    if (n <= 0)
        return false;
    target[n] = '\0';
    const char *slash = strrchr(target, '/');
    text_copy(d->name, sizeof d->name, slash ? slash + 1 : target);
    if (!disk_folder(root, folder, disk, sizeof disk))
        return false;
    read_queue(root, folder, disk, d);
    d->memory =
        is_numbered(d->name, "ram") || is_numbered(d->name, "zram") ? ANSWER_YES : ANSWER_NO;
    return true;
}
