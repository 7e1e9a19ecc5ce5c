/* Launchers and libraries that do not understand each other, by environments that are handed in. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "comm/launch.h"

#include <string.h>

#define OPEN "Open MPI 4.1.4"
#define CH "MPICH 4.0.2"
#define STEP "SLURM_STEP_ID=0", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=4"

struct row {
    const char *word[7]; /* "NAME=value", ends with NULL */
    long tasks;
    const char *refused_by; /* OPEN, CH or "both": "" where none is certain */
};

static const char *look_up(void *context, const char *name)
{
    const struct row *row = context;
    size_t bytes = strlen(name);
    for (size_t i = 0; row->word[i]; i++)
        if (!strncmp(row->word[i], name, bytes) && row->word[i][bytes] == '=')
            return row->word[i] + bytes + 1;
    return NULL;
}

static const struct row rows[] = {
    {{NULL}, 1, ""},
    {{"HOME=/", NULL}, 1, ""},
    /* srun --mpi=none, --mpi=pmi2, --mpi=pmix */
    {{STEP, NULL}, 4, "both"},
    {{STEP, "PMI_RANK=1", "PMI_SIZE=4", "PMI_FD=20", NULL}, 4, OPEN},
    {{STEP, "PMIX_RANK=1", "PMIX_NAMESPACE=slurm.pmix.2.0", NULL}, 4, CH},
    {{"SLURM_STEP_ID=0", "SLURM_NTASKS=8", NULL}, 8, "both"},
    /* One task, and what is not a step */
    {{"SLURM_STEP_ID=0", "SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1", NULL}, 1, ""},
    {{"SLURM_PROCID=0", "SLURM_NTASKS=8", NULL}, 1, ""},
    {{"SLURM_STEP_ID=batch", "SLURM_STEP_NUM_TASKS=8", NULL}, 1, ""},
    {{"SLURM_STEP_ID=4294967291", "SLURM_STEP_NUM_TASKS=8", NULL}, 1, ""},
    /* mpirun, also inside a step of one daemon per node */
    {{"OMPI_COMM_WORLD_SIZE=16", "PMIX_RANK=0", STEP, NULL}, 16, CH},
    {{"PMI_FD=7", "PMI_RANK=0", "PMI_SIZE=3", NULL}, 3, OPEN},
    {{"PMI_PORT=host:1", "PMI_SIZE=3", NULL}, 3, OPEN},
    /* A PMIx launcher that says nothing but ranks */
    {{"PMIX_RANK=0", NULL}, 1, ""},
    {{"PMIX_RANK=3", NULL}, 4, CH},
    /* What speaks to libraries in ways of its own */
    {{"FLUX_JOB_ID=f1", "PMI_SIZE=4", "PMI_FD=9", NULL}, 4, ""},
    {{"I_MPI_PMI_LIBRARY=/usr/lib/libpmi.so", STEP, NULL}, 4, ""},
    /* No numbers */
    {{"PMI_SIZE=4x", NULL}, 1, ""},
    {{"PMI_SIZE=", "PMIX_RANK=-2", NULL}, 1, ""},
};

static void test_tasks(void **state)
{
    (void)state;
    const char *variable;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(launch_tasks(look_up, (void *)(uintptr_t)&rows[i], &variable),
                         rows[i].tasks);
}

/* A076: N processes were started, and each would find itself alone. */
static void test_check(void **state)
{
    (void)state;
    static const char *const versions[] = {OPEN, CH, "Intel(R) MPI Library 2021.5", "MVAPICH2 2.3"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
            struct launch_library library = {.version = versions[v]};
            struct error e = error_none();
            int refused = v < 2 && (!strcmp(rows[i].refused_by, "both") ||
                                    !strcmp(rows[i].refused_by, versions[v]));
            int rc = launch_check(&library, look_up, (void *)(uintptr_t)&rows[i], &e);
            assert_int_equal(rc, refused ? -1 : 0);
            assert_int_equal(e.status, refused ? STATUS_USAGE : STATUS_DONE);
            assert_non_null(strstr(e.text, refused ? versions[v] : ""));
        }
    }
}

static void test_more_interfaces(void **state)
{
    (void)state;
    struct launch_library library = {.version = OPEN, .has_pmi = true};
    struct error e = error_none();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(launch_check(&library, look_up, (void *)(uintptr_t)&rows[i], &e), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tasks), cmocka_unit_test(test_check),
                                       cmocka_unit_test(test_more_interfaces)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
