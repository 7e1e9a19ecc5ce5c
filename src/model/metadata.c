#include "model/metadata.h"

#include "base/digits.h"
#include "model/option.h"
#include "model/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRANSFER_MOST (UINT64_C(1) << 20)
#define PATH_MOST 4095

const struct metadata_phase_row metadata_phases[METADATA_PHASES] = {
#define METADATA_PHASE(ID, NAME, PART, ...) {.name = NAME, .part = PART, __VA_ARGS__},
#include "model/metadata.def"
};

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t quotient_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static int choose_kinds(struct metadata_plan *m, const struct settings *s, struct error *e)
{
    if (s->only_files && s->only_directories)
        return error_set(e, STATUS_USAGE, "usage",
                         "options -F and -D: files only and directories only exclude each other "
                         "(neither: both are done)");
    if (s->shared_files && s->only_directories)
        return error_set(e, STATUS_USAGE, "usage",
                         "options -S and -D: a directory cannot be made by several ranks");
    if (s->shared_files && s->by_one)
        return error_set(e, STATUS_USAGE, "usage",
                         "options -S and -c: shared files are created by all ranks");
    m->files = !s->only_directories;
    m->directories = !s->only_files && !s->shared_files;
    m->shared = s->shared_files;
    m->unique = s->unique_tree;
    m->by_one = s->by_one;
    m->leaves = s->leaves;
    if (m->shared && m->unique)
        return error_set(e, STATUS_USAGE, "usage",
                         "options -S and -u: files in a tree of each rank's own are not shared");
    return 0;
}

int metadata_lay_out(struct metadata_plan *m, struct error *e)
{
    uint64_t in_tree = m->leaves ? m->tree.leaves : m->tree.directories;
    m->trees = 1;
    m->index_bits = 0;
    m->item_dirs = in_tree;
    if (m->per_dir && m->items) {
        m->item_dirs = quotient_up(m->items, m->per_dir);
        m->trees = quotient_up(m->item_dirs, in_tree);
    } else if (m->per_dir) {
        m->items = times(m->per_dir, in_tree);
    }
    m->dirs = times(m->trees, m->tree.directories);
    uint64_t most = m->items > m->dirs ? m->items : m->dirs;
    unsigned rank_bits = 0;
    while (rank_bits < 60 && (m->ranks - 1) >> rank_bits)
        rank_bits++;
    while (m->index_bits < 60 && most >> m->index_bits)
        m->index_bits++;
    if (rank_bits + m->index_bits > 60)
        return error_set(e, STATUS_USAGE, "usage",
                         "%" PRIu64 " items or directories for each of %" PRIu64
                         " ranks are more than can be numbered: use a smaller -n, -I or -z",
                         most, m->ranks);
    return 0;
}

void metadata_size_transfers(struct metadata_plan *m)
{
    uint64_t largest = m->write_bytes > m->read_bytes ? m->write_bytes : m->read_bytes;
    m->transfer_bytes = largest < 1 ? 1 : largest < TRANSFER_MOST ? largest : TRANSFER_MOST;
}

static int choose_data(struct metadata_plan *m, const struct settings *s, struct error *e)
{
    m->write_bytes = s->write_bytes;
    m->verify = s->verify;
    m->read_bytes = s->read_bytes || !s->verify ? s->read_bytes : s->write_bytes;
    m->fsync = s->sync_files;
    m->sync_after = s->sync_after;
    m->random = s->random_order;
    m->random_seed = (uint64_t)s->order_seed;
    m->stride = (uint64_t)s->stride;
    m->rename_across = s->rename_to != 0;
    uint64_t largest = m->write_bytes > m->read_bytes ? m->write_bytes : m->read_bytes;
    metadata_size_transfers(m);
    if (largest > INT64_MAX)
        return error_set(e, STATUS_USAGE, "usage",
                         "option -%c: a file of %" PRIu64
                         " bytes is larger than 8 EiB, which no file system addresses",
                         m->write_bytes > INT64_MAX ? 'w' : 'e', largest);
    return 0;
}

/* "create:10,stat:70": weights by name. */
static int parse_mix(struct metadata_plan *m, const char *list, struct error *e)
{
    static const char *const names[METADATA_MIXES] = {"create", "stat", "read", "unlink"};
    for (const char *at = list;; at++) {
        size_t bytes = strcspn(at, ":,"),
               digits = strspn(at + bytes + (at[bytes] == ':'), "0123456789");
        int kind = 0;
        while (kind < METADATA_MIXES &&
               (strlen(names[kind]) != bytes || strncmp(names[kind], at, bytes)))
            kind++;
        if (kind == METADATA_MIXES || at[bytes] != ':' || digits < 1 || digits > 4)
            return error_set(
                e, STATUS_USAGE, "usage",
                "option --mix: '%.40s' is not NAME:WEIGHT with a name of create, stat, "
                "read, unlink and a weight up to 9999",
                at);
        m->mix[kind] += strtoull(at + bytes + 1, NULL, 10);
        at += bytes + 1 + digits;
        if (!*at)
            return 0;
        if (*at != ',')
            return error_set(e, STATUS_USAGE, "usage",
                             "option --mix: a comma is missing at '%.40s'", at);
    }
}

static int refuse_mix(struct error *e, const char *option, const char *why)
{
    return error_set(e, STATUS_USAGE, "usage", "option --mix and %s: %s", option, why);
}

static int choose_mix(struct metadata_plan *m, const struct settings *s, struct error *e)
{
    uint64_t block = 0;
    if (parse_mix(m, s->mix, e))
        return -1;
    for (int i = 0; i < METADATA_MIXES; i++)
        block += m->mix[i];
    m->mixed = true;
    m->index_bits = 60;
    for (uint64_t ranks = m->ranks - 1; ranks > 0; ranks >>= 1)
        m->index_bits--;
    if (s->only_directories || s->shared_files || s->by_one || s->stride || s->wear_out)
        return refuse_mix(e, "-D, -S, -c, -N or --wear-out", "each rank works on files of its own");
    if (s->phases || s->make_items || s->stat_items || s->read_items || s->remove_items)
        return refuse_mix(e, "--phases or -C -T -E -r", "the mix is what is measured");
    if (block == 0 || m->mix[MIX_UNLINK] > m->mix[MIX_CREATE])
        return error_set(
            e, STATUS_USAGE, "usage",
            "option --mix: what is removed must be created first: give create at least "
            "the weight of unlink");
    if (m->items <= block + 2 * (uint64_t)s->depth)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --mix: the working set of -n %" PRIu64
                         " files is too small for it: at least %" PRIu64,
                         m->items, block + 2 * (uint64_t)s->depth + 1);
    m->directories = false;
    return 0;
}

static int add_step(struct metadata_plan *m, enum metadata_phase phase, struct error *e)
{
    if (m->steps == METADATA_STEPS)
        return error_set(e, STATUS_USAGE, "usage", "option --phases: more than %d phases",
                         METADATA_STEPS);
    m->step[m->steps++] = (unsigned char)phase;
    return 0;
}

/* A phase by name, to end where the list goes on. */
static int phase_of(const char *name, size_t bytes, enum metadata_phase *phase, struct error *e)
{
    struct option rows[METADATA_PHASES + 1] = {{0}};
    char copy[32];
    for (int i = 0; i < METADATA_PHASES; i++) {
        rows[i].name = metadata_phases[i].name;
        *phase = (enum metadata_phase)i;
        if (strlen(rows[i].name) == bytes && !strncmp(rows[i].name, name, bytes))
            return 0;
    }
    snprintf(copy, sizeof copy, "%.*s", (int)(bytes < 31 ? bytes : 31), name);
    const char *nearest = option_nearest(rows, copy);
    if (bytes == 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --phases: a name is missing in the list");
    return error_set(e, STATUS_USAGE, "usage", "option --phases: there is no phase '%s'%s%s%s",
                     copy, nearest ? ", did you mean " : "", nearest ? nearest : "",
                     nearest ? "?" : "");
}

static bool has_step(const struct metadata_plan *m, enum metadata_phase phase)
{
    return memchr(m->step, (int)phase, m->steps) != NULL;
}

static bool touches(const struct metadata_plan *m, enum metadata_phase phase)
{
    const struct metadata_phase_row *row = &metadata_phases[phase];
    return (!row->files || m->files) && (!row->directories || m->directories);
}

static int refuse_kind(const struct metadata_phase_row *row, struct error *e)
{
    return error_set(e, STATUS_USAGE, "usage",
                     "option --phases: %s works on %s, and %s leaves "
                     "them out",
                     row->name, row->files ? "files" : "directories",
                     row->files ? "-D" : "-F (or -S)");
}

static int steps_by_name(struct metadata_plan *m, const char *list, struct error *e)
{
    for (const char *at = list;; at++) {
        size_t bytes = strcspn(at, ",");
        enum metadata_phase phase;
        if (phase_of(at, bytes, &phase, e))
            return -1;
        if (phase == METADATA_MIX)
            return error_set(e, STATUS_USAGE, "usage",
                             "option --phases: mixed is asked for with --mix");
        if (!touches(m, phase))
            return refuse_kind(&metadata_phases[phase], e);
        /* The tree is there before the first item, said or not. */
        if (metadata_phases[phase].makes && !has_step(m, METADATA_TREE_CREATE) &&
            phase != METADATA_TREE_CREATE && add_step(m, METADATA_TREE_CREATE, e))
            return -1;
        if (add_step(m, phase, e))
            return -1;
        at += bytes;
        if (!*at)
            return 0;
    }
}

static int steps_by_letter(struct metadata_plan *m, const struct settings *s, struct error *e)
{
    bool all = !s->make_items && !s->stat_items && !s->read_items && !s->remove_items;
    const struct {
        bool wanted;
        enum metadata_phase phase;
    } steps[] = {
        {all || s->make_items, METADATA_TREE_CREATE}, {all || s->make_items, METADATA_MKDIR},
        {all || s->stat_items, METADATA_DIR_STAT},    {s->rename_directories, METADATA_DIR_RENAME},
        {all || s->remove_items, METADATA_RMDIR},     {all || s->make_items, METADATA_CREATE},
        {all || s->stat_items, METADATA_STAT},        {all || s->read_items, METADATA_READ},
        {all || s->remove_items, METADATA_UNLINK}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        bool empty = m->items == 0 && steps[i].phase != METADATA_TREE_CREATE;
        if (steps[i].wanted && touches(m, steps[i].phase) && !empty &&
            add_step(m, steps[i].phase, e))
            return -1;
    }
    return 0;
}

/* Whether after all steps nothing of what they made is left, and the tree can go as well. */
static bool leaves_nothing(const struct metadata_plan *m)
{
    bool files = true, directories = true, removes = false;
    for (unsigned i = 0; i < m->steps; i++) {
        const struct metadata_phase_row *row = &metadata_phases[m->step[i]];
        if (row->files && (row->makes || row->removes))
            files = row->removes;
        if (row->directories && (row->makes || row->removes))
            directories = row->removes;
        removes |= row->removes;
    }
    return removes && files && directories;
}

static int choose_steps(struct metadata_plan *m, const struct settings *s, struct error *e)
{
    bool letters = s->make_items || s->stat_items || s->read_items || s->remove_items;
    if (s->phases && (letters || s->rename_directories))
        return error_set(e, STATUS_USAGE, "usage",
                         "option --phases stands instead of -C -T -E -r -U: leave those out");
    m->create_bytes = m->write_bytes;
    if (s->mix)
        return choose_mix(m, s, e) || add_step(m, METADATA_TREE_CREATE, e) ||
                       add_step(m, METADATA_CREATE, e) || add_step(m, METADATA_MIX, e)
                   ? -1
                   : 0;
    if (s->phases ? steps_by_name(m, s->phases, e) : steps_by_letter(m, s, e))
        return -1;
    if (has_step(m, METADATA_WRITE))
        m->create_bytes = 0;
    bool whole = !s->phases && !letters;
    m->removes = leaves_nothing(m) || (whole && m->items == 0);
    if ((m->removes || (s->remove_items && m->items == 0)) && !has_step(m, METADATA_TREE_REMOVE)) {
        m->removes = true;
        if (add_step(m, METADATA_TREE_REMOVE, e))
            return -1;
    }
    bool across = has_step(m, METADATA_RENAME) || has_step(m, METADATA_DIR_RENAME);
    if (across && m->rename_across && m->item_dirs < 2)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --rename-to other: there is one directory only: use -z and -b, or "
                         "-I smaller than -n");
    return 0;
}

/* The longest path that a rank works on, so that nothing is too long in the middle of a run. */
static int check_paths(const struct metadata_plan *m, struct error *e)
{
    uint64_t bytes = strlen(m->targets) + strlen("/pario.") + digits_count(m->repetition) +
                     strlen("/tree.") + digits_count(m->trees) + 1 + digits_count(m->ranks) +
                     tree_longest_way(&m->tree) + strlen("/link.") + digits_count(m->ranks) + 1 +
                     digits_count(m->items);
    if (bytes > PATH_MOST)
        return error_set(e, STATUS_USAGE, "usage",
                         "the longest path of this tree has %" PRIu64
                         " characters, and Linux takes %d: use a smaller -z, or a shorter -d",
                         bytes, PATH_MOST);
    return 0;
}

int metadata_plan_make(struct metadata_plan *m, const struct settings *s, uint64_t ranks,
                       struct error *e)
{
    *m = (struct metadata_plan){.ranks = ranks, .targets = s->directory, .target_count = 1};
    for (const char *c = m->targets; *c; c++) {
        if (c[0] == '@' && c[1] == '@')
            c++;
        else if (*c == '@')
            m->target_count++;
    }
    if (m->target_count > ranks)
        m->target_count = ranks;
    m->items = (uint64_t)s->items;
    m->per_dir = (uint64_t)s->items_per_dir;
    if (choose_kinds(m, s, e) ||
        tree_make(&m->tree, (uint64_t)s->branch, (uint64_t)s->tree_depth, e) ||
        metadata_lay_out(m, e) || choose_data(m, s, e) || choose_steps(m, s, e))
        return -1;
    if (m->items == 0 && m->tree.depth == 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "nothing to do: option -n says how many items each rank makes");
    m->repetition = (uint64_t)s->repetitions;
    if (check_paths(m, e))
        return -1;
    m->repetition = 0;
    return 0;
}

uint64_t metadata_directory_of(const struct metadata_plan *m, uint64_t item)
{
    if (m->item_dirs == 1)
        return 0;
    if (m->mixed)
        return item % m->item_dirs;
    if (m->per_dir)
        return item / m->per_dir;
    uint64_t each = m->items / m->item_dirs, more = m->items % m->item_dirs;
    uint64_t in_larger = more * (each + 1);
    return item < in_larger ? item / (each + 1) : more + (item - in_larger) / each;
}

uint64_t metadata_node_of(const struct metadata_plan *m, uint64_t item_dir)
{
    const struct tree *t = &m->tree;
    if (!m->leaves)
        return item_dir; /* trees follow one another, node by node */
    uint64_t first = t->directories - t->leaves;
    return item_dir / t->leaves * t->directories + first + item_dir % t->leaves;
}
