#include "run/scenario.h"

#include "run/reduce.h"

#include <string.h>

static const struct scenario *const scenarios[] = {&scenario_bulk, &scenario_random,
                                                   &scenario_metadata, &scenario_checkpoint};

const struct scenario *scenario_of(int64_t workload)
{
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
        if ((int64_t)scenarios[i]->workload == workload)
            return scenarios[i];
    return &scenario_bulk;
}

bool run_ended(const struct phase_end *end)
{
    return end->worst.status != STATUS_DONE || end->stopped > STOP_DEADLINE;
}

void run_phase(struct rank_run *r, struct phase_end *end, const char *name)
{
    if (run_ended(end))
        return;
    const struct phase *phase = phase_find(name);
    const struct clock *clock = r->comm->clock;
    if (phase->timed && r->plan.delay_ns)
        clock->sleep_until(clock, clock->now_ns(clock) + r->plan.delay_ns);
    *end = phase_run(r, phase);
}

void run_reorder(struct rank_run *r)
{
    const struct plan *p = &r->plan;
    uint64_t turn = p->reorder_seed < 0 ? p->repetition : 0;
    r->reorder = reorder_make(p->reorder, r->comm->topology, p->reorder_offset,
                              (uint64_t)p->reorder_seed + turn);
}

void run_agree(struct rank_run *r, struct error *mine, struct phase_end *end)
{
    struct error worst = error_none();
    reduce_errors(NULL, mine, r->comm, &worst);
    if (worst.status != STATUS_DONE && end->worst.status == STATUS_DONE)
        end->worst = worst;
}
