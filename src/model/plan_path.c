#include "model/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The next piece of the list: up to a single @; *end is where it stops. */
static const char *piece_end(const char *at)
{
    while (*at && !(at[0] == '@' && at[1] != '@'))
        at += at[0] == '@' ? 2 : 1;
    return at;
}

uint64_t plan_count_targets(const char *list)
{
    uint64_t n = 1;
    for (const char *end = piece_end(list); *end; end = piece_end(end + 1))
        n++;
    return n;
}

/* Target number i, with @@ as @. 0, or -1 if it does not fit. */
static int target(const struct plan *p, uint64_t i, char *buf, size_t bytes)
{
    const char *at = p->file, *end = piece_end(at);
    while (i-- > 0) {
        at = end + 1;
        end = piece_end(at);
    }
    size_t used = 0;
    while (at < end) {
        if (used + 1 >= bytes)
            return -1;
        buf[used++] = *at;
        at += *at == '@' ? 2 : 1;
    }
    buf[used] = '\0';
    return 0;
}

/* dot, then the number with at least so many digits. */
static int append(char *buf, size_t bytes, const char *dot, int digits, uint64_t number)
{
    char suffix[32];
    snprintf(suffix, sizeof suffix, "%s%0*" PRIu64, dot, digits, number);
    size_t used = strlen(buf), more = strlen(suffix);
    if (used + more >= bytes)
        return -1;
    memcpy(buf + used, suffix, more + 1);
    return 0;
}

int plan_base(const struct plan *p, char *buf, size_t bytes)
{
    if (target(p, 0, buf, bytes))
        return -1;
    return p->multi_file ? append(buf, bytes, ".", 1, p->repetition) : 0;
}

/* "dir/file" of rank 7 -> "dir/7"; file tells where its last component began. */
static int own_directory(const struct plan *p, uint64_t object, char *buf, size_t bytes, char *file,
                         size_t file_bytes)
{
    if (target(p, object % p->targets, buf, bytes))
        return -1;
    char *slash = strrchr(buf, '/');
    char *name = slash ? slash + 1 : buf;
    if (strlen(name) >= file_bytes)
        return -1;
    memcpy(file, name, strlen(name) + 1);
    *name = '\0';
    return append(buf, bytes, "", 1, object);
}

int plan_directory(const struct plan *p, uint64_t object, char *buf, size_t bytes)
{
    char file[256];
    if (!p->unique_dir)
        return -1;
    return own_directory(p, object, buf, bytes, file, sizeof file);
}

int plan_path(const void *plan, uint64_t object, char *buf, size_t bytes)
{
    const struct plan *p = plan;
    if (p->workload == WORKLOAD_METADATA)
        return metadata_path(&p->metadata, object, buf, bytes);
    if (p->workload == WORKLOAD_CHECKPOINT)
        return checkpoint_path(&p->checkpoint, object, buf, bytes);
    if (p->unique_dir) {
        char file[256];
        if (own_directory(p, object, buf, bytes, file, sizeof file))
            return -1;
        size_t used = strlen(buf), more = strlen(file);
        if (used + 1 + more >= bytes)
            return -1;
        buf[used] = '/';
        memcpy(buf + used + 1, file, more + 1);
    } else if (target(p, object % p->targets, buf, bytes)) {
        return -1;
    }
    if (p->devices)
        return 0;
    if (p->file_per_process && append(buf, bytes, ".", 8, object))
        return -1;
    return p->multi_file ? append(buf, bytes, ".", 1, p->repetition) : 0;
}

int plan_leaf(const void *plan, uint64_t object, uint64_t *directory, char *buf, size_t bytes)
{
    const struct plan *p = plan;
    if (p->workload != WORKLOAD_METADATA)
        return -1;
    return metadata_leaf(&p->metadata, object, directory, buf, bytes);
}
