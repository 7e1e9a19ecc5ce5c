/* The rows of sim's options, and the names of its errors. */
#include "backends/sim_model.h"

#include <errno.h>

/* What an operation can be made to fail with, after EIO. */
#define SIM_ERRORS(X)                                                                              \
    X(ENOSPC)                                                                                      \
    X(EDQUOT)                                                                                      \
    X(EACCES)                                                                                      \
    X(EPERM)                                                                                       \
    X(EROFS)                                                                                       \
    X(ENOENT)                                                                                      \
    X(EEXIST)                                                                                      \
    X(EINVAL)                                                                                      \
    X(ENOMEM)                                                                                      \
    X(EMFILE)                                                                                      \
    X(EFBIG)                                                                                       \
    X(ESTALE)                                                                                      \
    X(ENOTCONN)                                                                                    \
    X(ETIMEDOUT)                                                                                   \
    X(EINTR)                                                                                       \
    X(EAGAIN)
#define FURTHER_NAME(E) "|" #E
#define VALUE(E) E,
#define ERROR_CHOICES "EIO" SIM_ERRORS(FURTHER_NAME)

/* Operations by name, so that the choice's index is 1 + enum op_kind: the backend's stand first. */
#define OP_CHOICE_BACKEND(name) "|" name
#define OP_CHOICE_COMM(name)
#define OP_CHOICE_ENGINE(name)
#define OP_COUNT_BACKEND 1
#define OP_COUNT_COMM 0
#define OP_COUNT_ENGINE 0
enum {
    BACKEND_OPS = 0
#define OP(KIND, name, STAGE, performer) +OP_COUNT_##performer
#include "base/op.def"
};
_Static_assert((int)BACKEND_OPS == (int)OP_BARRIER,
               "an operation for backends after one for others");

static const int error_values[] = {EIO, SIM_ERRORS(VALUE)};

int sim_error(const struct sim_options *o, const struct sim_rank *r, enum op_kind kind,
              uint64_t of_kind, uint64_t of_all)
{
    if (o->error_at <= 0 || !sim_is_struck(o, r->rank))
        return 0;
    if (o->error_op != 0 && o->error_op != 1 + (int64_t)kind)
        return 0;
    uint64_t before = o->error_op != 0 ? of_kind : of_all;
    return before + 1 == (uint64_t)o->error_at ? error_values[o->error_kind] : 0;
}

static const char op_choices[] = "any"
#define OP(KIND, name, STAGE, performer) OP_CHOICE_##performer(name)
#include "base/op.def"
    ;

#define ROW(KIND, member, row_name)                                                                \
    .name = row_name, .kind = OPTION_##KIND, .field = offsetof(struct sim_options, member),        \
    .group = "Backend sim", .workloads = WORKLOAD_ANY
#define TIME_ROW(member, row_name, begin)                                                          \
    ROW(TIME, member, row_name), .argument = "TIME", .initial = begin
#define COUNT_ROW(member, row_name, begin, from)                                                   \
    ROW(COUNT, member, row_name), .argument = "N", .initial = begin, .least = from
#define RATE_ROW(member, row_name) ROW(SIZE, member, row_name), .argument = "SIZE", .initial = "0"

const struct option sim_option_table[] = {
    {TIME_ROW(service_ns, "service", "100us"), .help = "time of one transfer, its bytes aside",
     .text = "A transfer takes its service time plus bytes / min(rate, total-rate / ranks), times "
             "slow-factor on slow ranks. With a depth over 1 the transfers of a rank pass the "
             "bandwidth limit one after another and are served beside each other."},
    {ROW(CHOICE, distribution, "distribution"), .argument = "NAME", .initial = "constant",
     .choices = "constant|exponential|two-humped", .help = "how the service time varies",
     .text = "exponential: with service as its mean; two-humped: service, and hump for hump-share "
             "of the transfers. Each 1024 transfers in a row of a rank take the quantiles "
             "(i + 0.5) / 1024 of the distribution, each once, in an order drawn from the seed, so "
             "that percentiles are known exactly."},
    {TIME_ROW(hump_ns, "hump", "1ms"), .help = "service time of the second hump of two-humped"},
    {ROW(PERCENT, hump_share, "hump-share"), .argument = "PERCENT", .initial = "10", .most = 100,
     .help = "share of the transfers in the second hump"},
    {RATE_ROW(rate, "rate"), .help = "bandwidth limit of each rank, per second; 0: none"},
    {RATE_ROW(total_rate, "total-rate"),
     .help = "bandwidth limit of all ranks together, per second; 0: none",
     .text = "Each rank has an equal share of it, whatever the others do."},
    {TIME_ROW(open_ns, "open", "0"), .help = "time of an open"},
    {TIME_ROW(close_ns, "close", "0"), .help = "time of a close"},
    {TIME_ROW(sync_ns, "sync", "0"), .help = "time of a sync"},
    {TIME_ROW(meta_ns, "meta", "0"), .help = "time of a create, stat, list, rename, unlink, ..."},
    {COUNT_ROW(slow_rank, "slow-rank", "-1", -1), .help = "first slow rank; -1: none"},
    {COUNT_ROW(slow_count, "slow-count", "1", 1), .help = "how many ranks from slow-rank on"},
    {COUNT_ROW(slow_every, "slow-every", "0", 0), .help = "every N-th rank is slow; 0: none",
     .text = "Ranks N-1, 2N-1, 3N-1 and so on, beside those of slow-rank."},
    {ROW(NUMBER, slow_factor, "slow-factor"), .argument = "FACTOR", .initial = "2",
     .help = "how many times as long everything takes on a slow rank"},
    {COUNT_ROW(short_every, "short", "0", 0), .help = "every N-th transfer moves half; 0: none",
     .text = "Half of its bytes, or of its pieces where it has several; never nothing."},
    {ROW(CHOICE, error_kind, "error-kind"), .argument = "ERRNO", .initial = "EIO",
     .choices = ERROR_CHOICES, .help = "what the failing operation fails with",
     .text = "EINTR and EAGAIN are not handed on: the call is made again at once and counted as a "
             "retry."},
    {COUNT_ROW(error_at, "error-at", "0", 0),
     .help = "the N-th operation of error-op in each phase fails; 0: none"},
    {COUNT_ROW(error_rank, "error-rank", "0", -1),
     .help = "rank of the error, the flipped bit and the stall; -1: every rank"},
    {ROW(CHOICE, error_op, "error-op"), .argument = "OPERATION", .initial = "any",
     .choices = op_choices, .help = "which operations error-at counts"},
    {COUNT_ROW(flip_at, "flip-at", "0", 0),
     .help = "the N-th read of each phase comes with one bit flipped; 0: none",
     .text = "Needs store: without it there is no data to be wrong."},
    {TIME_ROW(stall_ns, "stall", "1s"), .help = "how much longer the stalled transfer takes"},
    {COUNT_ROW(stall_at, "stall-at", "0", 0),
     .help = "the N-th transfer of each phase is stalled; 0: none"},
    {ROW(FLAG, serial, "serial"), .help = "serve the operations of a rank one after another",
     .text = "With a depth over 1: a single server with a queue before it, instead of one for each "
             "operation in flight."},
    {ROW(FLAG, queue, "queue"), .help = "go through the queue even with one operation in flight"},
    {ROW(FLAG, store, "store"), .help = "keep the data: perform everything on real files as well",
     .text = "The files are those that posix would use; the time they take is hidden beneath the "
             "modelled one where it is shorter. What was written can then be read back and "
             "checked."},
    {.name = NULL},
};
