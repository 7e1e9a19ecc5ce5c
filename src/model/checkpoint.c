#include "model/checkpoint.h"

#include "base/argv.h"

#include <inttypes.h>

#define MESSAGE_MOST (UINT64_C(1) << 30)
#define DIRECT_BYTES 4096 /* what O_DIRECT wants offsets and lengths to be multiples of */

static int refuse(struct error *e, const char *text)
{
    return error_set(e, STATUS_USAGE, "usage", "%s", text);
}

/* Options that say nothing for the chosen shape. */
static int check_shape(const struct settings *s, struct error *e)
{
    bool shards = s->checkpoint_shape == CHECKPOINT_SHARDS;
    bool strided = s->checkpoint_shape == CHECKPOINT_STRIDED;
    bool files = s->checkpoint_shape == CHECKPOINT_FILES;
    if (s->checkpoint_model && !files)
        return refuse(e, "--model has files of its own: it goes with --shape files alone");
    if (s->checkpoint_model && s->checkpoint_files > 1)
        return refuse(e, "--model says how many files a rank has: leave out --files-per-rank");
    if (s->checkpoint_group && s->checkpoint_shape != CHECKPOINT_GROUPS)
        return refuse(e, "--group needs --shape groups");
    if (s->checkpoint_shape == CHECKPOINT_GROUPS && s->checkpoint_staging)
        return refuse(e, "--staging does not go with --shape groups: the ranks of a group hand "
                         "over what they save");
    if (s->checkpoint_shape == CHECKPOINT_GROUPS && s->transfer.bytes > MESSAGE_MOST)
        return refuse(e, "--shape groups: ranks hand each other transfers (-t) of at most 1 GiB");
    if (s->checkpoint_files > 1 && !files)
        return refuse(e, "--files-per-rank needs --shape files");
    if (s->checkpoint_chunk && !strided)
        return refuse(e, "--chunk needs --shape strided");
    if (shards && (!s->checkpoint_shards || !s->checkpoint_total))
        return refuse(e, "--shape shards needs --shards N and --total SIZE");
    if (!shards && (s->checkpoint_shards || s->checkpoint_total))
        return refuse(e, "--shards and --total need --shape shards");
    return 0;
}

static int check_tensors(const struct settings *s, struct error *e)
{
    bool shared = s->checkpoint_shape == CHECKPOINT_SHARED;
    bool strided = s->checkpoint_shape == CHECKPOINT_STRIDED;
    if (s->checkpoint_shape == CHECKPOINT_GROUPS && s->checkpoint_tensors)
        return refuse(e, "--tensors does not go with --shape groups, whose files are as their "
                         "ranks' transfers");
    if (strided && s->checkpoint_tensors)
        return refuse(e,
                      "--tensors does not go with --shape strided, whose chunks take their place");
    if ((shared || strided || s->checkpoint_shape == CHECKPOINT_GROUPS) &&
        s->checkpoint_safetensors)
        return refuse(e, "--safetensors needs files that one rank writes: --shape files or shards");
    bool one =
        s->checkpoint_shape == CHECKPOINT_FILES && s->checkpoint_files == 1 && !s->checkpoint_model;
    if (s->checkpoint_tensor_list && (s->checkpoint_tensors || s->checkpoint_safetensors))
        return refuse(e, "--tensor-list says which tensors there are: leave out --tensors and "
                         "--safetensors");
    if (s->checkpoint_tensor_list && !one && !shared)
        return refuse(e, "--tensor-list is about one file, or part of a file, for each rank: "
                         "--shape files or shared, without --model and --files-per-rank");
    if (s->checkpoint_tensor_list && s->checkpoint_restart && !s->write)
        return refuse(e, "--tensor-list is about writing: with --restart it needs -w");
    if (s->checkpoint_coalesce && !s->checkpoint_tensors && !s->checkpoint_tensor_list)
        return refuse(e, "--coalesce puts tensors together: it needs --tensors N");
    return 0;
}

static int check_times(const struct settings *s, struct error *e)
{
    struct argv argv;
    if (s->checkpoint_staging && !s->checkpoint_background)
        return refuse(e, "--staging is memory for what is written beside the program's work: it "
                         "needs --background");
    if (s->checkpoint_staging && s->checkpoint_staging < s->transfer.bytes)
        return refuse(e, "--staging is smaller than one transfer (-t)");
    if (s->checkpoint_background && s->checkpoint_restart && !s->write)
        return refuse(e, "--background is about writing: with --restart it needs -w");
    if (s->checkpoint_restart)
        return s->checkpoint_between ? argv_split(&argv, s->checkpoint_between, "--between", e) : 0;
    if (s->checkpoint_cold)
        return refuse(e, "--cold is about a restart: it needs --restart");
    if (s->checkpoint_between)
        return refuse(e, "--between is run before a restart: it needs --restart");
    return 0;
}

static uint64_t scaled(const struct checkpoint_layout *l, uint64_t bytes)
{
    unsigned __int128 less = (unsigned __int128)bytes * l->scale_ppb / 1000000000;
    uint64_t least = less > INT64_MAX ? INT64_MAX : (uint64_t)less;
    least = least ? least : 1;
    return (least + l->align_bytes - 1) / l->align_bytes * l->align_bytes;
}

static int shape_strided(struct checkpoint_layout *l, const struct settings *s, struct error *e)
{
    uint64_t chunk = s->checkpoint_chunk ? s->checkpoint_chunk : s->transfer.bytes;
    if (s->block_bytes % chunk)
        return error_set(e, STATUS_USAGE, "usage",
                         "block size -b %" PRIu64 " is no multiple of the chunk of %" PRIu64
                         " bytes (--chunk, else -t)",
                         s->block_bytes, chunk);
    l->chunk_bytes = scaled(l, chunk);
    l->writer_bytes = s->block_bytes / chunk * l->chunk_bytes;
    return 0;
}

static int shape_layout(struct checkpoint_layout *l, const struct settings *s, uint64_t ranks,
                        struct error *e)
{
    l->writers = ranks;
    l->slots = 1;
    if (s->checkpoint_model) {
        const struct checkpoint_model *m = &checkpoint_model_table[s->checkpoint_model - 1];
        l->model = (uint32_t)(s->checkpoint_model - 1);
        l->writers = model_writers(m, ranks);
        l->slots = model_slots(m);
        return 0;
    }
    switch (l->shape) {
    case CHECKPOINT_STRIDED:
        return shape_strided(l, s, e);
    case CHECKPOINT_SHARDS:
        l->writers = (uint64_t)s->checkpoint_shards;
        l->total_bytes = scaled(l, s->checkpoint_total);
        return 0;
    case CHECKPOINT_FILES:
        l->slots = (uint64_t)s->checkpoint_files;
        break;
    case CHECKPOINT_SHARED:
    case CHECKPOINT_GROUPS:
        break;
    }
    l->writer_bytes = scaled(l, s->block_bytes);
    return 0;
}

void checkpoint_plan_tensors(struct checkpoint_plan *p, const uint64_t *ends, uint64_t count)
{
    struct checkpoint_layout *l = &p->layout;
    l->ends = ends;
    l->tensors = count;
    l->writer_bytes = ends[count - 1];
    p->bytes = layout_bytes(l);
}

void checkpoint_plan_group(struct checkpoint_plan *p, uint64_t ranks)
{
    struct checkpoint_layout *l = &p->layout;
    ranks = ranks < p->ranks ? ranks : p->ranks;
    l->writers = (p->ranks + ranks - 1) / ranks;
    l->chunk_bytes = ranks * l->writer_bytes;
    l->total_bytes = p->ranks * l->writer_bytes;
    p->files = layout_count(l);
    p->bytes = layout_bytes(l);
}

static uint64_t smallest_file(const struct checkpoint_layout *l)
{
    uint64_t least = layout_file_bytes(l, l->writers - 1, l->slots - 1);
    if (l->model == CHECKPOINT_NO_MODEL)
        return least;
    struct model_kind kinds[MODEL_KINDS];
    const struct checkpoint_model *m = &checkpoint_model_table[l->model];
    least = UINT64_MAX;
    for (unsigned i = model_kinds(m, l->writers, kinds); i-- > 0;) {
        unsigned __int128 bytes = (unsigned __int128)kinds[i].bytes * l->scale_ppb / 1000000000;
        least = bytes < least ? (uint64_t)bytes : least;
    }
    return least;
}

static int check_sizes(const struct checkpoint_plan *p, struct error *e)
{
    const struct checkpoint_layout *l = &p->layout;
    uint64_t header = layout_header_bytes(l), least = smallest_file(l);
    if (l->tensors > least)
        return error_set(e, STATUS_USAGE, "usage",
                         "--tensors %" PRIu64 " do not fit into a file of %" PRIu64 " bytes",
                         l->tensors, least);
    if (l->safetensors && header + l->tensors > least)
        return error_set(e, STATUS_USAGE, "usage",
                         "the header of %" PRIu64 " tensors has %" PRIu64
                         " bytes, the smallest file %" PRIu64
                         ": use fewer --tensors, or larger files",
                         l->tensors, header, least);
    if (layout_largest(l) > INT64_MAX || p->bytes > INT64_MAX)
        return error_set(e, STATUS_USAGE, "usage",
                         "a checkpoint of more than 8 EiB, which no file system addresses: use a "
                         "smaller size or --scale");
    if (l->writers > CHECKPOINT_FILES_MOST / l->slots)
        return error_set(e, STATUS_USAGE, "usage",
                         "%" PRIu64 " x %" PRIu64 " files in one checkpoint are too many",
                         l->writers, l->slots);
    return 0;
}

int checkpoint_plan_make(struct checkpoint_plan *p, const struct settings *s, uint64_t ranks,
                         struct error *e)
{
    if (check_shape(s, e) || check_tensors(s, e) || check_times(s, e))
        return -1;
    *p = (struct checkpoint_plan){
        .layout = {.shape = (enum checkpoint_shape)s->checkpoint_shape,
                   .tensors = (uint64_t)s->checkpoint_tensors,
                   .tensor_sizes = (enum tensor_sizes)s->checkpoint_tensor_sizes,
                   .safetensors = s->checkpoint_safetensors,
                   .align_bytes = s->direct ? DIRECT_BYTES : 1,
                   .scale_ppb = (uint64_t)(s->checkpoint_scale * 1e9 + 0.5),
                   .model = CHECKPOINT_NO_MODEL},
        .ranks = ranks,
        .group = (uint64_t)s->checkpoint_group,
        .steps = (uint64_t)s->checkpoint_steps,
        .retain = (uint64_t)s->checkpoint_retain,
        .tensor_list = s->checkpoint_tensor_list,
        .coalesced = s->checkpoint_coalesce,
        .write = s->write || !s->checkpoint_restart,
        .restart = s->checkpoint_restart,
        .readers = (enum checkpoint_readers)s->checkpoint_readers,
        .cold = (enum checkpoint_cold)s->checkpoint_cold,
        .between = s->checkpoint_between,
        .background = s->checkpoint_background,
        .staging_bytes = s->checkpoint_staging,
        .compute_ns = s->checkpoint_compute_ns,
        .jitter = s->checkpoint_jitter / 100,
        .mtbf_ns = s->checkpoint_mtbf_ns,
        .path = s->file,
    };
    if (p->layout.safetensors && p->layout.tensors == 0)
        p->layout.tensors = 1;
    if (shape_layout(&p->layout, s, ranks, e))
        return -1;
    if (p->layout.shape == CHECKPOINT_GROUPS && p->layout.writer_bytes > INT64_MAX / ranks)
        return refuse(e, "a checkpoint of more than 8 EiB: use a smaller -b");
    if (p->layout.shape == CHECKPOINT_GROUPS)
        checkpoint_plan_group(p, p->group ? p->group : ranks);
    p->bytes = layout_bytes(&p->layout);
    p->files = layout_count(&p->layout);
    return check_sizes(p, e);
}

void checkpoint_plan_most(const struct checkpoint_plan *p, uint64_t *bytes, uint64_t *files)
{
    uint64_t copies = p->steps <= p->retain ? p->steps : p->retain + 1;
    if (__builtin_mul_overflow(copies, p->bytes, bytes))
        *bytes = UINT64_MAX;
    /* Beside the files a directory for each, the one around them, and the marker twice. */
    if (__builtin_mul_overflow(copies, p->files + 1, files) ||
        __builtin_add_overflow(*files, UINT64_C(3), files))
        *files = UINT64_MAX;
}

uint64_t checkpoint_pruned(const struct checkpoint_plan *p)
{
    return p->step > p->retain && p->step - p->retain >= p->oldest ? p->step - p->retain : 0;
}
