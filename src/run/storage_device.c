/* Block devices as targets: nothing is made or removed there, and nothing tells whose data it is.
 */
#include "run/storage.h"

#include "probe/file.h"

#include <inttypes.h>

static int check_fit(const struct plan *plan, const char *path, uint64_t end_bytes,
                     uint64_t size_bytes, struct error *e)
{
    uint64_t regions = plan->file_per_process ? (plan->ranks - 1) / plan->targets + 1 : plan->ranks;
    uint64_t most = size_bytes / regions / plan->segments;
    if (end_bytes <= size_bytes)
        return 0;
    return error_set(e, STATUS_USAGE, "usage",
                     "%.512s has %" PRIu64 " bytes, and this run works on %" PRIu64
                     " of them: -b %" PRIu64 " would fit",
                     path, size_bytes, end_bytes, most - most % plan->transfer_bytes);
}

int storage_look_device(struct storage *s, const struct plan *plan, uint64_t rank, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct file_facts facts;
    if (plan_path(plan, plan_object(plan, rank), path, sizeof path))
        return error_set(e, STATUS_USAGE, "usage", "option -o: the path is longer than %d bytes",
                         PROBE_PATH_BYTES - 1);
    if (file_check_name(path, e) || file_look(path, &facts, e))
        return -1;
    if (facts.kind == FILE_SYMLINK)
        return file_check_target(path, &facts, true, e);
    if (facts.kind != FILE_BLOCK)
        return error_set(e, STATUS_USAGE, "usage",
                         "%.512s is %s, and --allow-device is for block devices: leave it out",
                         path, file_kind_name(facts.kind));
    if (file_device_size(path, &s->size_bytes, e))
        return -1;
    s->exists = true;
    if (check_fit(plan, path, plan_base_offset(plan, rank) + plan->file_bytes, s->size_bytes, e))
        return -1;
    return plan->write ? file_check_unused(path, e) : 0;
}
