/* Phases of a test's own, through the engine. */
#include "run/world.h"
#include "tests/flow/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct streams {
    struct stream *stream;
    void *options;
    struct stream_end *ends;
};

const struct stream *stream_of(const struct cursor *c)
{
    return ((const struct stream_cursor *)c)->stream;
}

static int path_of(const void *plan, uint64_t object, char *buf, size_t bytes)
{
    const struct stream *s = plan;
    int n = snprintf(buf, bytes, "%s/%llu", s->folder ? s->folder : "nowhere",
                     (unsigned long long)object);
    return n >= 0 && (size_t)n < bytes ? 0 : -1;
}

static void *open_backend(const struct streams *all, struct comm *comm, struct fill *fill,
                          void **buffers, struct error *e)
{
    const struct stream *s = all->stream;
    struct backend_setup setup = {.options = all->options,
                                  .comm = comm,
                                  .clock = comm->clock,
                                  .names = {.plan = s, .path = path_of},
                                  .slots = s->depth,
                                  .handles = s->handles,
                                  .buffers = buffers,
                                  .buffer_bytes = fill_buffer_bytes(fill),
                                  .transfer_bytes = s->transfer_bytes,
                                  .file_per_process = true,
                                  .seed = 7};
    for (uint32_t i = 0; i < s->depth; i++)
        buffers[i] = fill_buffer(fill, i);
    return s->backend->open(&setup, e);
}

/* Behind a barrier, as a run does it; what goes wrong before is told by the missing sample. */
static void perform(const struct streams *all, struct comm *comm, struct fill *fill, void *io,
                    struct stream_end *end)
{
    struct stream *s = all->stream;
    struct cursor *cursor = calloc(1, s->phase->cursor_bytes);
    cursor->rank = cursor->real_rank = comm->rank;
    cursor->goal = UINT64_MAX;
    ((struct stream_cursor *)cursor)->stream = s;
    s->phase->begin(cursor);
    struct engine_job job = {.phase = s->phase,
                             .cursor = cursor,
                             .backend = s->backend,
                             .io = io,
                             .names = {.plan = s, .path = path_of},
                             .comm = comm,
                             .clock = comm->clock,
                             .fill = fill,
                             .depth = s->depth};
    struct engine *engine = engine_make(&job, &end->error);
    comm_barrier(comm);
    engine_run(engine, &end->sample, &end->error);
    comm->ops->barrier_patient(comm);
    end->stopped = engine_stopped(engine);
    end->created = engine_created(engine);
    comm->ops->settle(comm);
    engine_free(engine);
    free(cursor);
}

static void one_rank(void *context, struct comm *comm)
{
    struct streams *all = context;
    struct stream_end *end = &all->ends[comm->rank];
    const struct stream *s = all->stream;
    struct fill_data data = {.mode = FILL_STAMPED, .seed = 7};
    end->error = error_none();
    struct fill *fill = fill_make(&data, s->transfer_bytes, s->depth, &end->error);
    void **buffers = calloc(s->depth, sizeof *buffers);
    void *io = open_backend(all, comm, fill, buffers, &end->error);
    uint64_t ready = io ? 1 : 0;
    ready &= sample_start(&end->sample, UINT32_MAX, MS, &end->error) == 0;
    comm_reduce_all(comm, REDUCE_MIN, &ready, 1);
    if (ready)
        perform(all, comm, fill, io, end);
    if (io)
        s->backend->close(io);
    free(buffers);
    fill_free(fill);
}

static void set_options(const struct backend *b, void *values, const char *options)
{
    struct error e = error_none();
    char *rest, *copy = strdup(options ? options : "");
    if (b->options)
        assert_int_equal(option_defaults(b->options, values, &e), 0);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        const struct option *option = option_find(b->options, word);
        if (!option || option_set(option, values, word, value, &e))
            fail_msg("%s: %s", word, e.text);
    }
    free(copy);
}

void stream_run(struct stream *s, struct stream_end *ends)
{
    struct streams all = {.stream = s, .ends = ends};
    struct error e = error_none();
    struct world_job job = {.kind = WORLD_THREADS,
                            .threads = s->ranks,
                            .clock = s->virtual_clock ? CLOCK_VIRTUAL : CLOCK_AUTO,
                            .rank = one_rank,
                            .context = &all};
    all.options = calloc(1, s->backend->options_bytes + 1);
    set_options(s->backend, all.options, s->options);
    if (world_run(&job, &e))
        fail_msg("%s", e.text);
    option_free(s->backend->options, all.options);
    free(all.options);
}

void stream_free(struct stream_end *ends, uint64_t ranks)
{
    for (uint64_t i = 0; i < ranks; i++)
        sample_free(&ends[i].sample);
}
