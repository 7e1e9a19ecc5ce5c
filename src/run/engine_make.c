/* An engine's memory, and what it decides before a phase begins. */
#include "run/engine_parts.h"

#include <errno.h>
#include <stdlib.h>

static void choose_actions(struct engine *e)
{
    for (int kind = 0; kind < OP_KINDS; kind++)
        e->actions[kind] = (struct action){e->job.backend->perform[kind], e->job.io};
    if (!e->job.backend->perform[OP_BARRIER])
        e->actions[OP_BARRIER] = (struct action){engine_barrier, e};
    e->actions[OP_AGREE] = (struct action){engine_agree, e};
    e->actions[OP_THINK] = (struct action){engine_pause, e};
    e->actions[OP_COMPUTE] = (struct action){engine_pause, e};
    e->actions[OP_SEND] = (struct action){engine_send, e};
    e->actions[OP_RECEIVE] = (struct action){engine_receive, e};
    e->actions[OP_STAGE] = (struct action){engine_stage_copy, e};
}

struct engine *engine_make(const struct engine_job *job, struct error *error)
{
    struct engine *e = calloc(1, sizeof *e);
    if (e) {
        e->job = *job;
        e->slots = calloc(job->depth, sizeof *e->slots);
        e->free_slots = calloc(job->depth, sizeof *e->free_slots);
        e->ready = calloc(job->depth, sizeof *e->ready);
        e->completions = calloc(job->depth, sizeof *e->completions);
    }
    bool counts = job->phase->errors == ERRORS_COUNT;
    if (e && counts)
        e->tallies = calloc(1, sizeof *e->tallies);
    if (!e || !e->slots || !e->free_slots || !e->ready || !e->completions ||
        (counts && !e->tallies)) {
        error_errno(error, ENOMEM, "memory for %u operations in flight", job->depth);
        engine_free(e);
        return NULL;
    }
    for (uint32_t i = 0; i < job->depth; i++)
        e->free_slots[i] = job->depth - 1 - i;
    e->free_used = job->depth;
    choose_actions(e);
    return e;
}

void engine_free(struct engine *e)
{
    if (!e)
        return;
    free(e->tallies);
    free(e->slots);
    free(e->free_slots);
    free(e->ready);
    free(e->completions);
    free(e);
}

enum stop_reason engine_stopped(const struct engine *e)
{
    return e->stopped;
}

bool engine_ramped(const struct engine *e)
{
    return e->ramped;
}

uint64_t engine_staged_ns(const struct engine *e)
{
    return e->staged_ns ? (uint64_t)(e->staged_ns - e->zero_ns) : 0;
}

uint64_t engine_created(const struct engine *e)
{
    return e->created;
}

const struct tallies *engine_tallies(const struct engine *e)
{
    return e->tallies;
}

void engine_choose_plain(struct engine *e)
{
    const struct phase *phase = e->job.phase;
    const struct sample *sample = e->sample;
    enum op_kind about = phase->about;
    bool transfer = op_is_transfer(about);
    uint16_t flags = about == OP_WRITE ? OP_FLAG_FILL : 0;
    e->plain = (struct op){.kind = OP_KINDS}; /* none is */
    e->bare = e->plain;
    bool own = phase->untold >> about & 1 && !phase->own_handles && !phase->also &&
               (transfer || op_performer(about) == PERFORMER_BACKEND);
    bool more = e->job.collective || e->job.ramp_ns || sample->intended || sample->sized ||
                !sample->latency[about];
    if (!own || more)
        return;
    if (transfer)
        e->plain = (struct op){.kind = (uint8_t)about, .flags = flags};
    e->bare = (struct op){.kind = (uint8_t)about, .flags = flags | OP_FLAG_DIRECTORY};
}
