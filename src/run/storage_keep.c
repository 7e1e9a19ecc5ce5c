#include "run/storage.h"

#include "base/rng.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int sidecar_of(const struct plan *plan, char path[PROBE_PATH_BYTES], struct error *e)
{
    char base[PROBE_PATH_BYTES];
    if (plan_base(plan, base, sizeof base))
        return error_set(e, STATUS_USAGE, "usage", "option -o: the path is longer than %d bytes",
                         PROBE_PATH_BYTES - 1);
    return sidecar_path(base, path, PROBE_PATH_BYTES, e);
}

/* The words of a sidecar that say what data is like and in which order it was written. */
static const char *const data_names[] = {
    [FILL_STAMPED] = "stamped", [FILL_POOL] = "pool", [FILL_ZERO] = "zero"};
static const char *const order_names[] = {
    [ORDER_IN_SEQUENCE] = "sequence", [ORDER_RANDOM] = "random", [ORDER_DRAWN] = "drawn"};

static void name_data(const struct fill_data *d, char word[SIDECAR_WORD])
{
    snprintf(word, SIDECAR_WORD, "%s-%u-%u", data_names[d->mode], d->compressible_percent,
             d->dedup_percent);
}

static void name_order(const struct plan *p, char word[SIDECAR_WORD])
{
    snprintf(word, SIDECAR_WORD, "%s-%" PRIu64, order_names[p->order], p->order_seed);
}

/* "name-1-2": which of the names, and the numbers after it. */
static int read_word(const char *word, const char *const *names, size_t n, uint64_t *first,
                     uint64_t *second)
{
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(word, names[i], length) == 0 && word[length] == '-' &&
            sscanf(word + length + 1, "%" SCNu64 "-%" SCNu64, first, second) >= 1)
            return (int)i;
    }
    return -1;
}

/* A seed that the user gave holds: what is there is compared with that. */
static int read_data(const struct sidecar *s, struct fill_data *data, struct error *e)
{
    uint64_t compressible = 0, dedup = 0;
    int mode = read_word(s->data, data_names, 3, &compressible, &dedup);
    if (mode < 0 || compressible > 93 || dedup > 100)
        return error_set(e, STATUS_USAGE, "sidecar",
                         "the sidecar tells of data \"%s\", which this "
                         "version of pario does not know",
                         s->data);
    *data = (struct fill_data){.mode = (enum fill_mode)mode,
                               .seed = data->seed ? data->seed : s->seed,
                               .compressible_percent = (unsigned)compressible,
                               .dedup_percent = (unsigned)dedup};
    return 0;
}

static int refuse_cut(struct error *e, const char *why)
{
    return error_set(e, STATUS_USAGE, "usage",
                     "what is there was cut short by a deadline when it was written: %s", why);
}

int storage_cut(struct storage *s, struct plan *p, uint64_t transfers, struct error *e)
{
    if (transfers >= p->transfers_per_rank)
        return 0;
    if (p->order == ORDER_DRAWN && !p->file_per_process)
        return refuse_cut(e, "draws (-z -z) would meet holes of the shared file: read it with -z");
    s->written = transfers;
    p->cut_in_sequence = true;
    return 0;
}

/* A shared file is read as it was written: in the same places, by as many ranks. */
static int check_shape(const struct plan *p, const struct sidecar *c, struct error *e)
{
    char why[200];
    if (c->ranks == p->ranks && c->segments == p->segments && c->block_bytes == p->block_bytes &&
        c->file_per_process == (p->file_per_process ? 1 : 0))
        return 0;
    snprintf(why, sizeof why, "read it as that: %" PRIu64 " ranks, -b %" PRIu64 " -s %" PRIu64 "%s",
             c->ranks, c->block_bytes, c->segments, c->file_per_process ? " -F" : "");
    return refuse_cut(e, why);
}

/* What a deadline left. Files of single ranks that were written in sequence are whole up to an end,
 * and are read up to it in any way; of what was written at random the places are known. */
static int adopt_cut(struct storage *s, struct plan *p, const struct sidecar *c, uint64_t rank,
                     int order, uint64_t order_seed, struct error *e)
{
    bool simple = order == ORDER_IN_SEQUENCE && p->file_per_process && c->file_per_process &&
                  p->ranks <= c->ranks;
    if (!simple && check_shape(p, c, e))
        return -1;
    if (order == ORDER_IN_SEQUENCE)
        return storage_cut(s, p, sidecar_written(c, rank) * c->transfer_bytes / p->transfer_bytes,
                           e);
    if (c->transfer_bytes != p->transfer_bytes) {
        char why[120];
        snprintf(why, sizeof why, "it lies in places of -t %" PRIu64 ": read it with that",
                 c->transfer_bytes);
        return refuse_cut(e, why);
    }
    p->order = (enum order)order;
    p->order_seed = order_seed;
    s->written = sidecar_written(c, rank);
    return 0;
}

static bool is_whole(const struct sidecar *c)
{
    uint64_t whole = c->segments * (c->block_bytes / c->transfer_bytes);
    for (size_t i = 0; i < c->written_used; i++)
        if (c->written[i].transfers < whole)
            return false;
    return true;
}

int storage_adopt(struct storage *s, struct plan *p, const struct sidecar *c, uint64_t rank,
                  struct error *e)
{
    uint64_t order_seed = 0, none;
    int order = read_word(c->order, order_names, 3, &order_seed, &none);
    if (read_data(c, &p->data, e))
        return -1;
    if (order < 0)
        return error_set(e, STATUS_USAGE, "sidecar",
                         "the sidecar tells of an order \"%s\", which "
                         "this version of pario does not know",
                         c->order);
    if (order == ORDER_DRAWN && (p->check_read || p->check_write))
        return error_set(e, STATUS_USAGE, "usage",
                         "option %s: what is there was written with -z -z, which leaves holes: "
                         "there is nothing to compare them with",
                         p->check_read ? "-R" : "-W");
    if (order == ORDER_DRAWN || is_whole(c))
        return 0;
    return adopt_cut(s, p, c, rank, order, order_seed, e);
}

/* Rank 0's sidecar, to all: its text travels, and each rank takes its own part of it. */
int storage_recall(struct sidecar *sidecar, bool *there, const struct plan *plan, struct comm *comm,
                   struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct text text = {0};
    uint64_t bytes = 0; /* 0: none is there; UINT64_MAX: it could not be read */
    *sidecar = (struct sidecar){0};
    if (comm->rank == 0) {
        if (sidecar_of(plan, path, e) || sidecar_read(path, sidecar, there, e))
            bytes = UINT64_MAX;
        else if (*there && sidecar_format(sidecar, &text, e) == 0)
            bytes = text.used;
    }
    comm->ops->broadcast(comm, 0, &bytes, sizeof bytes);
    *there = bytes != 0 && bytes != UINT64_MAX;
    int failed = bytes == UINT64_MAX && comm->rank == 0 ? -1 : 0;
    if (*there) {
        char *copy = comm->rank == 0 ? text.data : malloc(bytes);
        uint64_t ready = copy ? 1 : 0;
        comm_reduce_all(comm, REDUCE_MIN, &ready, 1);
        if (ready)
            comm->ops->broadcast(comm, 0, copy, bytes);
        if (!ready)
            failed = error_errno(e, ENOMEM, "memory for a sidecar of %" PRIu64 " bytes", bytes);
        else if (comm->rank != 0)
            failed = sidecar_parse(copy, bytes, "sidecar", sidecar, e);
        if (comm->rank != 0)
            free(copy);
    }
    text_free(&text);
    return failed;
}

static int compose(struct sidecar *sidecar, const struct plan *plan, const struct kept *all,
                   uint64_t ranks, struct error *e)
{
    static const struct kept begun;
    sidecar->seed = plan->data.seed;
    sidecar->ranks = ranks;
    sidecar->segments = plan->segments;
    sidecar->block_bytes = plan->block_bytes;
    sidecar->transfer_bytes = plan->transfer_bytes;
    sidecar->file_per_process = plan->file_per_process ? 1 : 0;
    snprintf(sidecar->run, sizeof sidecar->run, "%016" PRIx64,
             rng_mix(plan->data.seed ^ (uint64_t)time(NULL)));
    snprintf(sidecar->program, sizeof sidecar->program, "pario");
    name_data(&plan->data, sidecar->data);
    name_order(plan, sidecar->order);
    for (uint64_t rank = 0; rank < ranks; rank++) {
        const struct kept *kept = all ? &all[rank] : &begun;
        if (sidecar_add_written(sidecar, kept->done, e))
            return -1;
        if (kept->there && sidecar_add_file(sidecar, rank, &kept->facts, e))
            return -1;
    }
    return 0;
}

int storage_record(const struct plan *plan, const struct kept *all, uint64_t ranks, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct sidecar sidecar = {0};
    int failed = sidecar_of(plan, path, e) || compose(&sidecar, plan, all, ranks, e) ||
                         sidecar_write(path, &sidecar, e)
                     ? -1
                     : 0;
    sidecar_free(&sidecar);
    return failed;
}

static const char *leaf_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int storage_check_names(const struct plan *plan, uint64_t name_max, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    if (!plan->keep || sidecar_of(plan, path, e))
        return plan->keep ? -1 : 0;
    size_t length = strlen(leaf_of(path));
    if (name_max == PROBE_UNKNOWN || length <= name_max)
        return 0;
    return error_set(
        e, STATUS_USAGE, "usage",
        "option -o: with -k the record of the files is kept in %.40s..., whose name of "
        "%zu bytes is longer than the file system takes (%" PRIu64 "): choose a shorter one",
        leaf_of(path), length, name_max);
}

int storage_keep(struct storage *s, const struct plan *plan, uint64_t done, struct comm *comm,
                 struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct kept mine = {.done = done}, *all = NULL;
    struct error ignored = error_none();
    if (!s->files || plan->devices)
        return 0;
    if (s->mine && plan_path(plan, plan_object(plan, comm->rank), path, sizeof path) == 0)
        mine.there = file_look(path, &mine.facts, &ignored) == 0 && mine.facts.kind == FILE_REGULAR;
    uint64_t ready = 1;
    if (comm->rank == 0 && !(all = malloc(comm->size * sizeof *all)))
        ready = 0;
    comm->ops->broadcast(comm, 0, &ready, sizeof ready);
    if (!ready)
        return error_errno(e, ENOMEM, "memory for the sidecar of %" PRIu64 " ranks", comm->size);
    comm->ops->gather(comm, &mine, sizeof mine, all);
    int failed = 0;
    if (comm->rank == 0) {
        failed = storage_record(plan, all, comm->size, e);
        s->recorded = !failed;
    }
    free(all);
    return failed;
}

void storage_forget(struct storage *s, const struct plan *plan)
{
    char path[PROBE_PATH_BYTES];
    if (!s->recorded || sidecar_of(plan, path, NULL))
        return;
    unlink(path);
    s->recorded = false;
}
