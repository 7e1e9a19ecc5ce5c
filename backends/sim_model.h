/* The truth behind the sim backend, as pure functions: how long each operation takes and what goes
 * wrong. Tests compute from them what a run must find.
 *
 * Alone, a transfer takes sim_service_ns + sim_channel_ns. With several in flight, those of a rank
 * pass its channel (the bandwidth limit) one after another in the order of hand-over and are then
 * served beside each other; with --sim.serial they are served one after another, too. */
#ifndef PARIO_BACKENDS_SIM_MODEL_H
#define PARIO_BACKENDS_SIM_MODEL_H

#include "base/op.h"
#include "model/option.h"

#include <stdbool.h>
#include <stdint.h>

/* The service times of transfers 0..1023, 1024..2047, ... of a rank are the quantiles (i + 0.5) /
 * 1024 of the distribution, each once, in an order of their own. */
#define SIM_BLOCK 1024

enum sim_distribution { SIM_CONSTANT, SIM_EXPONENTIAL, SIM_TWO_HUMPED };

struct sim_options {
    int64_t service_ns;
    int64_t distribution; /* enum sim_distribution */
    int64_t hump_ns;
    double hump_share; /* percent */
    uint64_t rate;     /* bytes per second of a rank; 0: no limit */
    uint64_t total_rate;
    int64_t open_ns;
    int64_t close_ns;
    int64_t sync_ns;
    int64_t meta_ns;
    int64_t slow_rank; /* -1: none */
    int64_t slow_count;
    int64_t slow_every; /* 0: none */
    double slow_factor;
    int64_t short_every;
    int64_t error_kind; /* index into the choices; sim_errno */
    int64_t error_at;   /* from 1; 0: never */
    int64_t error_rank; /* -1: every rank */
    int64_t error_op;   /* 0: any; else 1 + enum op_kind */
    int64_t flip_at;
    int64_t stall_ns;
    int64_t stall_at;
    bool serial;
    bool queue;
    bool store;
};

extern const struct option sim_option_table[];

struct sim_rank {
    uint64_t rank;
    uint64_t ranks;
    uint64_t seed;
};

bool sim_is_slow(const struct sim_options *o, uint64_t rank);
/* Quantile (position + 0.5) / SIM_BLOCK of the distribution, for a rank that is not slow. */
double sim_quantile_ns(const struct sim_options *o, uint64_t position);
/* Of the transfer with this index (from 0, counting every call of the rank in the phase), bytes
 * left aside. */
int64_t sim_service_ns(const struct sim_options *o, const struct sim_rank *r, uint64_t index);
/* What the bandwidth limits add: bytes / min(rate, total_rate / ranks). */
int64_t sim_channel_ns(const struct sim_options *o, const struct sim_rank *r, uint64_t bytes);
/* Of an operation that is no transfer. */
int64_t sim_other_ns(const struct sim_options *o, const struct sim_rank *r, enum op_kind kind);

/* Whether the transfer with this index moves half only. */
bool sim_is_short(const struct sim_options *o, uint64_t index);
/* Whether the rank is one on which errors, flipped bits and the stall strike. */
bool sim_is_struck(const struct sim_options *o, uint64_t rank);
/* The errno that an operation meets, 0 for none. of_kind and of_all: how many of its kind, and of
 * any, the rank has done before in the phase. */
int sim_error(const struct sim_options *o, const struct sim_rank *r, enum op_kind kind,
              uint64_t of_kind, uint64_t of_all);
/* Whether the read with this index among reads comes with a flipped bit. */
bool sim_is_flipped(const struct sim_options *o, const struct sim_rank *r, uint64_t index);

/* When an operation handed over at now_ns is complete. *free_ns, 0 at first, is when the rank's
 * channel (with serial: its server) has done what it was given before. */
int64_t sim_completion_ns(bool serial, int64_t *free_ns, int64_t now_ns, int64_t service_ns,
                          int64_t channel_ns);

#endif
