/* Clauses of the contract of backends, tried on every backend of this build that needs no MPI, and
 * on some of their modes. */
#ifndef PARIO_TESTS_BACKEND_CONTRACT_H
#define PARIO_TESTS_BACKEND_CONTRACT_H

#include "tests/support/backend_bench.h"

/* What a clause is given as its state. */
struct subject {
    const struct backend *backend;
    const char *option; /* a flag of the backend's own that is set; NULL: none */
};

struct clause {
    const char *name;
    unsigned needs; /* traits without which it says nothing about a subject */
    void (*test)(void **state);
};
#define CLAUSE(traits, f)                                                                          \
    {                                                                                              \
        .name = #f, .needs = (traits), .test = f                                                   \
    }

/* A bench for the subject; opened: with an instance open. */
struct bench *contract_made(void **state, uint32_t slots);
struct bench *contract_opened(void **state, uint32_t slots);

/* Runs all clauses on all subjects that they are about; the status for main to return. */
int contract_run(const char *name, const struct clause *clauses, size_t n);

#endif
