/* The phases of a run, by the phases' own rules. */
#include "forecast_parts.h"

static void add(struct forecast *f, const char *name, const char *part, uint64_t operation_bytes)
{
    if (f->phases_used == METADATA_STEPS)
        return;
    struct forecast_phase *p = &f->phases[f->phases_used++];
    const struct plan *plan = &f->plan;
    *p = (struct forecast_phase){.phase = phase_find(part), .name = name};
    /* What a rank does depends on its number for the first of them alone: who makes trees, who is
     * a target's first. */
    uint64_t looked_at = plan->ranks < UINT64_C(1) << 20 ? plan->ranks : UINT64_C(1) << 20;
    uint64_t most = plan->transfers_most, each = 0;
    if (plan->workload != WORKLOAD_METADATA)
        looked_at = plan->ranks < 2 ? plan->ranks : 2;
    for (uint64_t rank = 0; rank < looked_at; rank++) {
        each = p->phase->planned(plan, rank);
        each = each < most ? each : most;
        if (__builtin_add_overflow(p->operations, each, &p->operations))
            p->operations = FORECAST_UNKNOWN;
    }
    uint64_t others = plan_times(plan->ranks - looked_at, each);
    if (__builtin_add_overflow(p->operations, others, &p->operations))
        p->operations = FORECAST_UNKNOWN;
    if (plan->access.loops)
        p->operations = FORECAST_UNKNOWN;
    p->bytes = p->operations == FORECAST_UNKNOWN ? FORECAST_UNKNOWN
                                                 : plan_times(p->operations, operation_bytes);
}

static void count_transfers(struct forecast *f)
{
    const struct plan *p = &f->plan;
    const char *order[4];
    unsigned n = 0;
    if (p->workload == WORKLOAD_RANDOM) {
        if (p->access.mixed) {
            order[n++] = "mixed";
        } else {
            if (p->read)
                order[n++] = "read";
            if (p->write)
                order[n++] = "write";
            if (p->check_write)
                order[n++] = "write-check";
        }
    } else {
        if (p->write)
            order[n++] = "write";
        if (p->check_write)
            order[n++] = "write-check";
        if (p->access.mixed)
            order[n++] = "mixed";
        else if (p->read)
            order[n++] = "read";
    }
    for (unsigned i = 0; i < n; i++) {
        add(f, order[i], order[i], p->transfer_bytes);
        if (p->sizes.used && f->phases[i].bytes != FORECAST_UNKNOWN)
            f->phases[i].bytes = p->total_bytes;
    }
    f->stored_bytes = p->total_bytes;
    f->inodes = p->files + (p->unique_dir ? p->files : 0);
    if (p->multi_file && p->keep) {
        f->stored_bytes = plan_times(f->stored_bytes, p->repetitions);
        f->inodes = plan_times(f->inodes, p->repetitions);
    }
}

static void count_metadata(struct forecast *f)
{
    const struct metadata_plan *m = &f->plan.metadata;
    uint64_t files = 0, directories = 0;
    for (unsigned i = 0; i < m->steps; i++) {
        const struct metadata_phase_row *row = &metadata_phases[m->step[i]];
        uint64_t bytes = m->step[i] == METADATA_CREATE  ? m->create_bytes
                         : m->step[i] == METADATA_WRITE ? m->write_bytes
                         : m->step[i] == METADATA_READ  ? m->read_bytes
                                                        : 0;
        add(f, row->name, row->part ? row->part : row->name, bytes);
        struct forecast_phase *phase = &f->phases[f->phases_used - 1];
        uint64_t operations = phase->operations;
        if (m->step[i] == METADATA_MIX && f->plan.deadline_ns)
            phase->operations = phase->bytes = FORECAST_UNKNOWN;
        if (m->step[i] == METADATA_CREATE)
            files = m->shared ? m->items : operations;
        if (m->step[i] == METADATA_MKDIR)
            directories = operations;
        if (m->step[i] == METADATA_TREE_CREATE)
            f->inodes = operations + 2 * m->target_count; /* homes, and what -d names */
    }
    f->stored_bytes = plan_times(files, m->write_bytes);
    f->inodes += files > directories ? files : directories; /* directories go before files come */
}

static void count_checkpoint(struct forecast *f)
{
    const struct checkpoint_plan *c = &f->plan.checkpoint;
    const char *const names[] = {"checkpoint", "restart"};
    for (int i = 0; i < 2; i++)
        if (i ? c->restart : c->write)
            f->phases[f->phases_used++] = (struct forecast_phase){.phase = phase_find(names[i]),
                                                                  .name = names[i],
                                                                  .operations = FORECAST_UNKNOWN,
                                                                  .bytes = c->bytes};
    checkpoint_plan_most(c, &f->stored_bytes, &f->inodes);
}

/* Of one phase; 0: not known. */
static double estimate_s(const struct forecast *f, const struct forecast_phase *p)
{
    uint64_t work = f->plan.workload == WORKLOAD_METADATA ? p->operations : p->bytes;
    double seconds = f->rate > 0 && work != FORECAST_UNKNOWN ? (double)work / f->rate : 0;
    double deadline = p->phase->whole ? 0 : (double)f->plan.deadline_ns / 1e9;
    if (deadline > 0 && !f->plan.wear_out && (seconds > deadline || seconds <= 0))
        return deadline;
    return seconds;
}

void forecast_count(struct forecast *f)
{
    if (f->plan.workload == WORKLOAD_METADATA)
        count_metadata(f);
    else if (f->plan.workload == WORKLOAD_CHECKPOINT)
        count_checkpoint(f);
    else
        count_transfers(f);
    for (unsigned i = 0; i < f->phases_used; i++) {
        struct forecast_phase *p = &f->phases[i];
        p->seconds = estimate_s(f, p);
        if (p->bytes != FORECAST_UNKNOWN && p->bytes > f->phase_bytes)
            f->phase_bytes = p->bytes;
    }
    if (f->phase_bytes == 0 && f->plan.access.loops)
        f->phase_bytes = f->plan.total_bytes;
}

double forecast_seconds(const struct forecast *f)
{
    double all = 0;
    for (unsigned i = 0; i < f->phases_used; i++) {
        if (f->phases[i].seconds <= 0 && f->phases[i].operations != 0)
            return 0;
        all += f->phases[i].seconds + (double)f->plan.delay_ns / 1e9;
    }
    return all * (double)f->plan.repetitions;
}

uint64_t forecast_buffers(const struct forecast *f)
{
    return plan_times(f->plan.depth, f->plan.transfer_bytes);
}
