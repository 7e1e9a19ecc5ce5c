#include "tests/support/backend_contract.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MOST_SUBJECTS 24

struct bench *contract_made(void **state, uint32_t slots)
{
    const struct subject *subject = *state;
    struct bench *b = bench_make(subject->backend, slots);
    if (subject->option != NULL)
        bench_option(b, subject->option, NULL);
    return b;
}

struct bench *contract_opened(void **state, uint32_t slots)
{
    struct bench *b = contract_made(state, slots);
    bench_open(b);
    return b;
}

/* Modes that change how a backend answers. */
static const struct mode {
    const char *backend;
    const char *option;
} modes[] = {
    {"null", "queue"},
    {"sim", "queue"},
    {"sim", "store"},
    {"posix", "rangelocks"},
};

static size_t list_subjects(struct subject *subjects)
{
    size_t used = 0;
    for (size_t i = 0; backend_table[i] != NULL; i++) {
        const struct backend *backend = backend_table[i];
        if (backend->unavailable != NULL ||
            backend->traits & (BACKEND_NEEDS_MPI | BACKEND_NEEDS_PARTNER))
            continue;
        subjects[used++] = (struct subject){backend, NULL};
        for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++)
            if (strcmp(modes[m].backend, backend->name) == 0)
                subjects[used++] = (struct subject){backend, modes[m].option};
        assert(used + sizeof modes / sizeof modes[0] < MOST_SUBJECTS);
    }
    return used;
}

static unsigned traits_of(const struct subject *subject)
{
    struct bench *b = bench_make(subject->backend, 1);
    if (subject->option != NULL)
        bench_option(b, subject->option, NULL);
    unsigned traits = backend_traits(b->backend, b->options);
    bench_free(b);
    return traits;
}

int contract_run(const char *name, const struct clause *clauses, size_t n)
{
    struct subject subjects[MOST_SUBJECTS];
    size_t found = list_subjects(subjects);
    struct CMUnitTest *tests = calloc(found * n, sizeof *tests);
    char(*names)[96] = calloc(found * n, sizeof *names);
    size_t used = 0;
    for (size_t i = 0; i < found; i++) {
        unsigned traits = traits_of(&subjects[i]);
        for (size_t c = 0; c < n; c++) {
            const char *option = subjects[i].option;
            if ((clauses[c].needs & ~traits) != 0)
                continue;
            snprintf(names[used], sizeof names[used], "%s%s%s: %s", subjects[i].backend->name,
                     option ? "." : "", option ? option : "", clauses[c].name);
            tests[used] = (struct CMUnitTest){
                .name = names[used], .test_func = clauses[c].test, .initial_state = &subjects[i]};
            used++;
        }
    }
    int status = _cmocka_run_group_tests(name, tests, used, NULL, NULL);
    free(tests);
    free(names);
    return status;
}
