#include "run/home.h"

#include "probe/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int path_of(const struct plan *plan, enum metadata_class class, uint64_t rank, char *path,
                   struct error *e)
{
    if (metadata_path(&plan->metadata, metadata_object(&plan->metadata, class, rank, 0), path,
                      PROBE_PATH_BYTES))
        return error_set(e, STATUS_USAGE, "usage", "option -d: the path is longer than %d bytes",
                         PROBE_PATH_BYTES - 1);
    return 0;
}

static bool looks_after(const struct plan *plan, uint64_t rank)
{
    return rank < plan->metadata.target_count;
}

/* Rank 0's text to all. */
static int broadcast_text(struct text *text, struct comm *comm, struct error *e)
{
    uint64_t bytes = text->used, ready = 1;
    comm->ops->broadcast(comm, 0, &bytes, sizeof bytes);
    char *copy = comm->rank == 0 ? text->data : malloc(bytes + 1);
    ready = bytes == 0 || copy;
    comm_reduce_all(comm, REDUCE_MIN, &ready, 1);
    if (ready && bytes)
        comm->ops->broadcast(comm, 0, copy, bytes);
    if (comm->rank != 0) {
        if (ready)
            text_append(text, copy, bytes);
        free(copy);
    }
    return ready && !text->failed
               ? 0
               : error_errno(e, ENOMEM, "memory for the record of a tree (%" PRIu64 " bytes)",
                             bytes);
}

struct sight { /* of one target */
    bool target, home, marked;
};

static int look(struct sight *s, const struct plan *plan, uint64_t rank, struct text *text,
                struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct file_facts facts;
    if (path_of(plan, OBJECT_TARGET, rank, path, e) || file_check_name(path, e))
        return -1;
    struct stat followed; /* a link to a directory is a fine place to work below */
    s->target = stat(path, &followed) == 0;
    if (s->target && !S_ISDIR(followed.st_mode))
        return error_set(e, STATUS_USAGE, "usage", "option -d: %s is no directory", path);
    if (path_of(plan, OBJECT_HOME, rank, path, e) || file_look(path, &facts, e) ||
        treemark_read(path, text, &s->marked, e))
        return -1;
    s->home = facts.kind != FILE_MISSING;
    return 0;
}

int home_look(struct home *h, const struct plan *plan, struct comm *comm, struct error *e)
{
    struct sight s = {.target = true, .home = true, .marked = true};
    struct text text = {0};
    bool mine = looks_after(plan, comm->rank);
    treemark_free(&h->mark);
    h->target = h->there = h->taken = false;
    if (!h->files)
        return 0;
    int failed = mine ? look(&s, plan, comm->rank, &text, e) : 0;
    uint64_t least[] = {s.target, s.marked, failed ? 0 : 1};
    uint64_t taken = mine && s.home && !s.marked ? 1 : 0;
    comm_reduce_all(comm, REDUCE_MIN, least, 3);
    comm_reduce_all(comm, REDUCE_MAX, &taken, 1);
    h->target = least[0];
    h->there = least[1] && least[2];
    h->taken = taken;
    if (h->there) {
        if (comm->rank != 0)
            text_clear(&text);
        failed = broadcast_text(&text, comm, e) ||
                 treemark_parse(text.data, text.used, "the record in pario.N/.pario", &h->mark, e);
        h->made_target = h->mark.made_target;
        treemark_created(&h->mark, comm->rank, &h->tried[0], &h->tried[1]);
        if (comm->rank >= h->mark.ranks)
            h->tried[0] = h->tried[1] = 0;
    }
    text_free(&text);
    return failed ? -1 : 0;
}

int home_make_target(struct home *h, const struct plan *plan, uint64_t rank, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    if (!h->files || !looks_after(plan, rank) || path_of(plan, OBJECT_TARGET, rank, path, e))
        return e->status == STATUS_DONE ? 0 : -1;
    if (mkdir(path, 0777) == 0)
        h->made_target = true;
    else if (errno != EEXIST)
        return error_errno(e, errno, "option -d: mkdir %s", path);
    return 0;
}

static struct treemark compose(const struct home *h, const struct plan *plan)
{
    const struct metadata_plan *m = &plan->metadata;
    return (struct treemark){
        .ranks = m->ranks,
        .targets = m->target_count,
        .items = m->items,
        .per_dir = m->per_dir,
        .branch = m->tree.branch,
        .depth = m->tree.depth,
        .leaves = m->leaves,
        .unique = m->unique,
        .shared = m->shared,
        .rename_other = m->rename_across,
        .write_bytes = m->write_bytes,
        .seed = plan->data.seed,
        .made_target = h->made_target,
    };
}

/* Rank 0 puts together what each rank tried. */
static int gather_counts(struct treemark *mark, const struct home *h, struct comm *comm,
                         struct error *e)
{
    uint64_t ready = 1, *all = NULL;
    if (comm->rank == 0 && !(all = malloc(comm->size * sizeof h->tried)))
        ready = 0;
    comm->ops->broadcast(comm, 0, &ready, sizeof ready);
    if (!ready)
        return error_errno(e, ENOMEM, "memory for the counts of %" PRIu64 " ranks", comm->size);
    comm->ops->gather(comm, h->tried, sizeof h->tried, all);
    int failed = 0;
    for (uint64_t rank = 0; all && !failed && rank < comm->size; rank++)
        failed = treemark_add(mark, all[2 * rank], all[2 * rank + 1], e);
    free(all);
    return failed;
}

int home_mark(struct home *h, const struct plan *plan, bool counts, struct comm *comm,
              struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct treemark mark = compose(h, plan);
    struct text text = {0};
    if (!h->files)
        return 0;
    int failed = counts ? gather_counts(&mark, h, comm, e) : 0;
    if (comm->rank == 0 && !failed)
        failed = treemark_format(&mark, &text, e);
    failed |= broadcast_text(&text, comm, e);
    if (!failed && looks_after(plan, comm->rank))
        failed = path_of(plan, OBJECT_HOME, comm->rank, path, e) || treemark_write(path, &text, e);
    text_free(&text);
    treemark_free(&mark);
    return failed ? -1 : 0;
}

int home_unmark(struct home *h, const struct plan *plan, uint64_t rank, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    if (!h->files || !looks_after(plan, rank))
        return 0;
    return path_of(plan, OBJECT_HOME, rank, path, e) || treemark_remove(path, e) ? -1 : 0;
}

void home_remove_target(struct home *h, const struct plan *plan, uint64_t rank)
{
    char path[PROBE_PATH_BYTES];
    struct error ignored = error_none();
    if (h->files && h->made_target && looks_after(plan, rank) &&
        path_of(plan, OBJECT_TARGET, rank, path, &ignored) == 0 && rmdir(path) == 0)
        h->made_target = false;
}

void home_free(struct home *h)
{
    treemark_free(&h->mark);
}

struct metadata_plan home_layout(const struct home *h, const struct metadata_plan *now)
{
    const struct treemark *k = &h->mark;
    struct metadata_plan m = *now;
    struct error ignored = error_none();
    m.ranks = k->ranks;
    m.target_count = k->targets;
    m.items = k->items;
    m.per_dir = k->per_dir;
    m.leaves = k->leaves;
    m.unique = k->unique;
    m.shared = k->shared;
    m.rename_across = k->rename_other;
    m.files = treemark_has_files(k);
    m.directories = treemark_has_directories(k);
    if (tree_make(&m.tree, k->branch, k->depth, &ignored) || metadata_lay_out(&m, &ignored))
        m.items = m.dirs = 0; /* no run made this */
    return m;
}

int home_check_layout(const struct home *h, const struct metadata_plan *m, struct error *e)
{
    const struct treemark *k = &h->mark;
    const struct {
        const char *option;
        uint64_t was, is;
    } rows[] = {
        {"-n (or -I)", k->items, m->items},
        {"-I", k->per_dir, m->per_dir},
        {"-b", k->branch, m->tree.branch},
        {"-z", k->depth, m->tree.depth},
        {"-L", k->leaves, m->leaves},
        {"-u", k->unique, m->unique},
        {"-S", k->shared, m->shared},
        {"-d (the number of directories)", k->targets, m->target_count},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].was != rows[i].is)
            return error_set(e, STATUS_USAGE, "usage",
                             "option %s: the tree that is there was made with %" PRIu64
                             ", and this run says %" PRIu64 ": its items have other places",
                             rows[i].option, rows[i].was, rows[i].is);
    if (m->ranks > k->ranks)
        return error_set(e, STATUS_USAGE, "usage",
                         "the tree that is there was made by %" PRIu64 " ranks: %" PRIu64
                         " are too many to go on with it",
                         k->ranks, m->ranks);
    return 0;
}
