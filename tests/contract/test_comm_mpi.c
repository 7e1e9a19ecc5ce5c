/* MPI keeps the contract of comm.h: a program for mpirun, in the Test Anything Protocol from rank
 * 0. test_comm_mpi        the contract, with real and with virtual clocks test_comm_mpi large  a
 * gather of more than 2 GiB, for machines with memory to spare test_comm_mpi lost   rank 0 ends the
 * job by comm_mpi_abort while the others wait */
#include "comm_contract.h"

#include "comm/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HANG_SECONDS = 300, ABORT_STATUS = 42 };

struct run {
    int checks;
    uint64_t failures;
    bool speaks; /* rank 0 */
};

/* One line for all ranks. */
static void report(struct run *run, struct contract *k, const char *name)
{
    struct comm *c = k->comm;
    uint64_t failed = k->failures;
    char *firsts = c->rank == 0 ? malloc(c->size * sizeof k->first) : NULL;

    comm_reduce_all(c, REDUCE_SUM, &failed, 1);
    c->ops->gather(c, k->first, sizeof k->first, firsts);
    run->failures += failed;
    run->checks++;
    run->speaks = c->rank == 0;
    if (run->speaks) {
        printf("%sok %d - %s (%llu ranks)\n", failed > 0 ? "not " : "", run->checks, name,
               (unsigned long long)c->size);
        for (uint64_t rank = 0; rank < c->size; rank++)
            if (firsts[rank * sizeof k->first] != '\0')
                printf("# %s\n", firsts + rank * sizeof k->first);
        fflush(stdout);
    }
    free(firsts);
}

static void run_checks(struct run *run, const struct clock *clock,
                       const struct contract_check *checks)
{
    struct error e = error_none();
    struct contract k = {.comm = comm_mpi(clock, &e)};

    if (k.comm == NULL) {
        printf("Bail out! %s\n", e.text);
        run->failures++;
        return;
    }
    for (const struct contract_check *check = checks; check->name != NULL; check++) {
        k.failures = 0;
        memset(k.first, 0, sizeof k.first);
        check->run(&k);
        report(run, &k, check->name);
    }
    k.comm->ops->free(k.comm);
}

static void run_contract(struct run *run)
{
    struct clock real = clock_real(false);
    int64_t own_ns = 0;
    struct clock virtual_clock = clock_virtual(&own_ns);

    run_checks(run, &real, comm_contract_checks);
    run_checks(run, &virtual_clock, comm_contract_checks);
    run_checks(run, &virtual_clock, comm_contract_virtual_checks);
}

static void check_large_gather(struct contract *k)
{
    struct comm *c = k->comm;
    size_t bytes = (UINT64_C(5) << 29) / c->size + 12345; /* 2.5 GiB and some in total */
    unsigned char *mine = malloc(bytes);
    unsigned char *all = c->rank == 0 ? malloc(bytes * c->size) : NULL;

    CONTRACT_CHECK(k, mine != NULL && (all != NULL || c->rank > 0));
    memset(mine, (int)c->rank + 1, bytes);
    for (size_t i = 0; i < bytes; i += 4096)
        mine[i] = (unsigned char)(i >> 12);
    c->ops->gather(c, mine, bytes, all);
    for (size_t i = 0; all != NULL && i < bytes * c->size; i += 1024) {
        size_t at = i % bytes;

        CONTRACT_CHECK(k, all[i] == (unsigned char)(at % 4096 == 0 ? at >> 12 : i / bytes + 1));
    }
    free(mine);
    free(all);
}

static const struct contract_check large_checks[] = {
    {"gather of more than 2 GiB", check_large_gather},
    {NULL, NULL},
};

static void check_lost(struct contract *k)
{
    if (k->comm->rank == 0)
        comm_mpi_abort(ABORT_STATUS);
    k->comm->ops->barrier_patient(k->comm);
}

static const struct contract_check lost_checks[] = {
    {"a lost rank", check_lost},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
    struct error e = error_none();

    alarm(HANG_SECONDS);
    if (comm_mpi_start(&argc, &argv, &e) != 0) {
        fprintf(stderr, "%s\n", e.text);
        return (int)e.status;
    }
    struct clock clock = clock_real(false);
    struct run run = {0};

    if (argc > 1 && strcmp(argv[1], "large") == 0)
        run_checks(&run, &clock, large_checks);
    else if (argc > 1 && strcmp(argv[1], "lost") == 0)
        run_checks(&run, &clock, lost_checks);
    else
        run_contract(&run);
    if (run.speaks)
        printf("1..%d\n", run.checks);
    comm_mpi_end(0, NULL, NULL);
    return run.failures > 0;
}
