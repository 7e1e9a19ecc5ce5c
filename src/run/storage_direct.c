/* What O_DIRECT needs is found before the first byte: what cannot be done is refused, and what only
 * seems to be done is found out. */
#include "run/storage.h"

#include "probe/direct.h"

/* Where the file of an object is, or will be once its rank has made its directory. */
static int place_of(const struct plan *plan, uint64_t object, char path[PROBE_PATH_BYTES],
                    struct file_facts *facts, struct error *e)
{
    *facts = (struct file_facts){.kind = FILE_MISSING};
    if (plan->write && plan_directory(plan, object, path, PROBE_PATH_BYTES) == 0) {
        if (file_look(path, facts, e))
            return -1;
        if (facts->kind == FILE_MISSING)
            return 0;
    }
    if (plan_path(plan, object, path, PROBE_PATH_BYTES))
        return error_set(e, STATUS_USAGE, "usage", "option -o: the path is longer than %d bytes",
                         PROBE_PATH_BYTES - 1);
    return file_look(path, facts, e);
}

/* A file that is there is only read, and its pages are not dropped: whether the page cache stays
 * out of the way is tried beside it, where that may be done. */
static void try_beside(const char *path, struct direct_facts *facts)
{
    char directory[PROBE_PATH_BYTES];
    struct direct_facts beside;
    struct error ignored = error_none();
    if (facts->in_effect != ANSWER_UNKNOWN)
        return;
    file_directory(path, directory, sizeof directory);
    if (direct_probe(directory, &beside, &ignored) == 0)
        facts->in_effect = beside.in_effect;
}

static int look_at_target(struct storage *s, const struct plan *plan, uint64_t object,
                          struct error *e)
{
    char path[PROBE_PATH_BYTES], directory[PROBE_PATH_BYTES];
    struct direct_facts direct;
    struct file_facts file;
    if (place_of(plan, object, path, &file, e))
        return -1;
    const char *asked = path;
    if (plan->write && file.kind != FILE_MISSING && !plan->reuse) {
        file_directory(path, directory, sizeof directory); /* it is replaced: ask its directory */
        asked = directory;
    }
    if (direct_probe(asked, &direct, e))
        return error_wrap(e, "option --direct");
    if (file.kind != FILE_BLOCK)
        try_beside(path, &direct);
    s->direct_buffered = s->direct_buffered || direct.in_effect == ANSWER_NO;
    for (uint64_t i = 0; i < plan->sizes.used; i++)
        if (direct_check(&direct, plan->sizes.each[i].bytes, plan->block_bytes, path, e))
            return error_wrap(e, "option --direct");
    if (direct_check(&direct, plan->transfer_bytes, plan->block_bytes, path, e))
        return error_wrap(e, "option --direct");
    return 0;
}

int storage_look_direct(struct storage *s, const struct plan *plan, struct error *e)
{
    uint64_t targets = plan->targets < plan->files ? plan->targets : plan->files;
    for (uint64_t i = 0; plan->direct && i < targets; i++)
        if (look_at_target(s, plan, i, e))
            return -1;
    return 0;
}
