#include "probe/sidecar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RECORDS ((size_t)1 << 24)

/* Room for one more element. */
static void *grow(void *array, size_t used, size_t *capacity, size_t bytes, struct error *e)
{
    if (used < *capacity)
        return array;
    if (used >= MOST_RECORDS) {
        error_set(e, STATUS_FAILED, "internal", "a sidecar cannot list more than %zu entries",
                  MOST_RECORDS);
        return NULL;
    }
    size_t wanted = *capacity ? 2 * *capacity : 16;
    void *more = realloc(array, wanted * bytes);
    if (more == NULL)
        error_set(e, STATUS_FAILED, "ENOMEM", "no memory for a sidecar of %zu entries", wanted);
    else
        *capacity = wanted;
    return more;
}

int sidecar_path(const char *file, char *buf, size_t bytes, struct error *e)
{
    int n = snprintf(buf, bytes, "%s.pario", file);
    if (n < 0 || (size_t)n >= bytes)
        return error_set(e, STATUS_USAGE, "usage",
                         "%.256s...: the path is too long to put a sidecar (.pario) beside it",
                         file);
    return 0;
}

static int add_run(struct sidecar *s, struct sidecar_run run, struct error *e)
{
    void *more = grow(s->written, s->written_used, &s->written_capacity, sizeof *s->written, e);
    if (more == NULL)
        return -1;
    s->written = more;
    s->written[s->written_used++] = run;
    return 0;
}

int sidecar_add_written(struct sidecar *s, uint64_t transfers, struct error *e)
{
    if (s->written_used == 0)
        return add_run(s, (struct sidecar_run){0, 1, transfers}, e);
    struct sidecar_run *last = &s->written[s->written_used - 1];
    if (last->transfers == transfers) {
        last->ranks++;
        return 0;
    }
    return add_run(s, (struct sidecar_run){last->first_rank + last->ranks, 1, transfers}, e);
}

int sidecar_add_file(struct sidecar *s, uint64_t object, const struct file_facts *facts,
                     struct error *e)
{
    if (s->files_used > 0 && s->files[s->files_used - 1].object >= object)
        return error_set(e, STATUS_FAILED, "internal",
                         "files of a sidecar must come in order, but %llu came after %llu",
                         (unsigned long long)object,
                         (unsigned long long)s->files[s->files_used - 1].object);
    void *more = grow(s->files, s->files_used, &s->files_capacity, sizeof *s->files, e);
    if (more == NULL)
        return -1;
    s->files = more;
    s->files[s->files_used++] =
        (struct sidecar_file){.object = object,
                              .inode = facts->inode,
                              .device = facts->device,
                              .born_ns = facts->born_ns > 0 ? facts->born_ns : 0,
                              .size_bytes = facts->size_bytes};
    return 0;
}

uint64_t sidecar_written(const struct sidecar *s, uint64_t rank)
{
    size_t low = 0, high = s->written_used;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sidecar_run *run = &s->written[middle];
        if (rank < run->first_rank)
            high = middle;
        else if (rank - run->first_rank >= run->ranks)
            low = middle + 1;
        else
            return run->transfers;
    }
    return 0;
}

const struct sidecar_file *sidecar_file(const struct sidecar *s, uint64_t object)
{
    size_t low = 0, high = s->files_used;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->files[middle].object == object)
            return &s->files[middle];
        if (s->files[middle].object < object)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

enum ownership sidecar_owns(const struct sidecar *s, uint64_t object,
                            const struct file_facts *facts)
{
    if (facts->kind == FILE_MISSING)
        return OWNERSHIP_MISSING;
    const struct sidecar_file *own = s ? sidecar_file(s, object) : NULL;
    if (own == NULL || facts->kind != FILE_REGULAR || own->inode != facts->inode)
        return OWNERSHIP_FOREIGN;
    bool same = own->born_ns != 0 && facts->born_ns != 0 ? own->born_ns == facts->born_ns
                                                         : own->size_bytes == facts->size_bytes;
    return same ? OWNERSHIP_OWN : OWNERSHIP_FOREIGN;
}

static bool is_word(const char *word)
{
    if (*word == '\0')
        return false;
    for (; *word != '\0'; word++)
        if ((unsigned char)*word <= ' ' || *word == 0x7f)
            return false;
    return true;
}

static int check(const struct sidecar *s, struct error *e)
{
    const char *broken = NULL;
    uint64_t covered = 0;
    if (s->written_used > 0)
        covered =
            s->written[s->written_used - 1].first_rank + s->written[s->written_used - 1].ranks;
    if (!is_word(s->run) || !is_word(s->program) || !is_word(s->data) || !is_word(s->order))
        broken = "run, program, data and order must be words";
    else if (s->ranks == 0 || s->segments == 0 || s->transfer_bytes == 0 || s->block_bytes == 0)
        broken = "a size is zero";
    else if (s->segments > INT64_MAX || s->block_bytes > INT64_MAX || s->ranks > SIDECAR_MOST_RANKS)
        broken = "a size is out of its range";
    else if (s->block_bytes % s->transfer_bytes != 0)
        broken = "the block is not a multiple of the transfer";
    else if (covered != s->ranks)
        broken = "what each rank wrote is not given for all ranks";
    else if (s->file_per_process > 1)
        broken = "file-per-process is neither 0 nor 1";
    if (broken != NULL)
        return error_set(e, STATUS_FAILED, "internal", "cannot make a sidecar: %s", broken);
    return 0;
}

int sidecar_format(const struct sidecar *s, struct text *t, struct error *e)
{
    enum { HEAD_LINES = 11 };
    if (check(s, e) != 0)
        return -1;
    text_add(t, "pario-sidecar %d\nrun %s\nprogram %s\n", SIDECAR_VERSION, s->run, s->program);
    text_add(t, "seed %llu\ndata %s\norder %s\nranks %llu\n", (unsigned long long)s->seed, s->data,
             s->order, (unsigned long long)s->ranks);
    text_add(t, "segments %llu\nblock %llu\ntransfer %llu\nfile-per-process %llu\n",
             (unsigned long long)s->segments, (unsigned long long)s->block_bytes,
             (unsigned long long)s->transfer_bytes, (unsigned long long)s->file_per_process);
    for (size_t i = 0; i < s->written_used; i++)
        text_add(t, "written %llu %llu %llu\n", (unsigned long long)s->written[i].first_rank,
                 (unsigned long long)s->written[i].ranks,
                 (unsigned long long)s->written[i].transfers);
    for (size_t i = 0; i < s->files_used; i++)
        text_add(t, "file %llu %llu %llu %lld %llu\n", (unsigned long long)s->files[i].object,
                 (unsigned long long)s->files[i].inode, (unsigned long long)s->files[i].device,
                 (long long)s->files[i].born_ns, (unsigned long long)s->files[i].size_bytes);
    text_add(t, "end %zu\n", HEAD_LINES + s->written_used + s->files_used);
    if (t->failed)
        return error_set(e, STATUS_FAILED, "ENOMEM", "no memory for a sidecar's text");
    return 0;
}

void sidecar_free(struct sidecar *s)
{
    free(s->written);
    free(s->files);
    *s = (struct sidecar){0};
}
