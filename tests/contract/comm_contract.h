/* What comm.h promises, as checks that run on any filling: each rank runs them on its own comm. */
#ifndef PARIO_TESTS_CONTRACT_COMM_CONTRACT_H
#define PARIO_TESTS_CONTRACT_COMM_CONTRACT_H

#include "comm/comm.h"

#include <stddef.h>
#include <stdint.h>

/* One rank's view of a run of checks. */
struct contract {
    struct comm *comm;
    uint64_t failures;
    char first[256]; /* the first failure of this rank */
};

struct contract_check {
    const char *name;
    void (*run)(struct contract *k); /* collective; leaves nothing raised behind */
};

/* The last entry has no name. */
extern const struct contract_check comm_contract_checks[];
/* For comms whose clocks are virtual. */
extern const struct contract_check comm_contract_virtual_checks[];

/* Notes a failure at a place; used through CONTRACT_CHECK. */
void contract_fail(struct contract *k, const char *file, int line, const char *what);

#define CONTRACT_CHECK(k, condition)                                                               \
    do {                                                                                           \
        if (!(condition))                                                                          \
            contract_fail(k, __FILE__, __LINE__, #condition);                                      \
    } while (0)

#endif
