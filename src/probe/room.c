#include "probe/room.h"

#include "base/units.h"

static uint64_t reserve_of(uint64_t total, double percent)
{
    if (total == PROBE_UNKNOWN || !(percent > 0))
        return 0;
    return percent >= 100 ? total : (uint64_t)((double)total / 100 * percent);
}

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

uint64_t room_left(const struct filesystem *fs, double reserve_percent)
{
    if (fs->available_bytes == PROBE_UNKNOWN)
        return PROBE_UNKNOWN;
    return minus(fs->available_bytes, reserve_of(fs->total_bytes, reserve_percent));
}

static int no_bytes(const struct filesystem *fs, uint64_t bytes, double reserve_percent,
                    struct error *e)
{
    char needed[UNITS_TEXT], available[UNITS_TEXT], total[UNITS_TEXT], reserve[UNITS_TEXT];
    char where[700];
    uint64_t kept = reserve_of(fs->total_bytes, reserve_percent);
    const char *size = "unknown size";
    if (fs->total_bytes != PROBE_UNKNOWN)
        size = units_size(total, (double)fs->total_bytes);
    filesystem_describe(fs, where, sizeof where);
    units_size(needed, (double)bytes);
    units_size(available, (double)fs->available_bytes);
    if (kept == 0)
        return error_set(e, STATUS_FAILED, "ENOSPC", "needs %s, %s available on %s, which has %s",
                         needed, available, where, size);
    return error_set(e, STATUS_FAILED, "ENOSPC",
                     "needs %s, %s available on %s, which has %s, of which %s are kept free",
                     needed, available, where, size, units_size(reserve, (double)kept));
}

int room_check(const struct filesystem *fs, const struct room_need *need, struct error *e)
{
    char where[700];
    uint64_t bytes = minus(need->bytes, need->replaced_bytes);
    uint64_t inodes = minus(need->inodes, need->replaced_inodes);
    /* What replaces own files needs no room: not even on a file system that is full already. */
    if (bytes > 0 && bytes > room_left(fs, need->reserve_percent))
        return no_bytes(fs, bytes, need->reserve_percent, e);
    if (fs->free_inodes == PROBE_UNKNOWN || inodes <= fs->free_inodes)
        return 0;
    return error_set(
        e, STATUS_FAILED, "ENOSPC", "needs %llu inodes (files), %llu of %llu free on %s",
        (unsigned long long)inodes, (unsigned long long)fs->free_inodes,
        (unsigned long long)fs->total_inodes, filesystem_describe(fs, where, sizeof where));
}
