/* Objects of a checkpoint and their names. */
#include "model/checkpoint.h"

#include "base/op.h"

#include <inttypes.h>
#include <stdio.h>

enum object_kind { OBJECT_FILE, OBJECT_STEP, OBJECT_MARKER, OBJECT_TOP };

#define FILE_BITS 36
#define STEP_BITS 24
#define KIND_SHIFT (FILE_BITS + STEP_BITS)

static uint64_t object_make(enum object_kind kind, uint64_t step, uint64_t file)
{
    return (uint64_t)kind << KIND_SHIFT | step << FILE_BITS | file;
}

uint64_t checkpoint_file(uint64_t step, uint64_t file)
{
    return object_make(OBJECT_FILE, step, file);
}

uint64_t checkpoint_step_directory(uint64_t step)
{
    return object_make(OBJECT_STEP, step, 0);
}

uint64_t checkpoint_directory(void)
{
    return object_make(OBJECT_TOP, 0, 0);
}

uint64_t checkpoint_marker(void)
{
    return object_make(OBJECT_MARKER, 0, 0);
}

static int file_name(const struct checkpoint_layout *l, uint64_t file, char *buf, size_t bytes)
{
    if (layout_is_shared(l))
        return snprintf(buf, bytes, "shared");
    const char *end = l->safetensors ? ".safetensors" : "";
    if (l->shape == CHECKPOINT_SHARDS)
        return snprintf(buf, bytes, "model-%05" PRIu64 "-of-%05" PRIu64 "%s", file + 1, l->writers,
                        end);
    if (l->shape == CHECKPOINT_GROUPS)
        return snprintf(buf, bytes, "group-%08" PRIu64, file);
    if (l->slots == 1)
        return snprintf(buf, bytes, "rank-%08" PRIu64 "%s", file, end);
    return snprintf(buf, bytes, "rank-%08" PRIu64 ".%" PRIu64 "%s", file / l->slots,
                    file % l->slots, end);
}

int checkpoint_path(const struct checkpoint_plan *plan, uint64_t object, char *buf, size_t bytes)
{
    const char *end = object & OBJECT_TEMPORARY ? ".tmp" : "";
    uint64_t step = object >> FILE_BITS & CHECKPOINT_STEPS_MOST;
    char name[96];
    int n = -1;
    switch ((enum object_kind)(object >> KIND_SHIFT & 7)) {
    case OBJECT_TOP:
        n = snprintf(buf, bytes, "%s", plan->path);
        break;
    case OBJECT_STEP:
        n = snprintf(buf, bytes, "%s/step-%08" PRIu64, plan->path, step);
        break;
    case OBJECT_MARKER:
        n = snprintf(buf, bytes, "%s/latest%s", plan->path, end);
        break;
    case OBJECT_FILE:
        file_name(&plan->layout, object & CHECKPOINT_FILES_MOST, name, sizeof name);
        n = snprintf(buf, bytes, "%s/step-%08" PRIu64 "/%s%s", plan->path, step, name, end);
        break;
    }
    return n >= 0 && (size_t)n < bytes ? 0 : -1;
}

void checkpoint_header(const struct checkpoint_plan *plan, uint64_t object, uint64_t offset,
                       uint64_t length, char *to)
{
    const struct checkpoint_layout *l = &plan->layout;
    uint64_t file = object & CHECKPOINT_FILES_MOST;
    layout_header(l, layout_file_bytes(l, file / l->slots, file % l->slots), offset, length, to);
}
