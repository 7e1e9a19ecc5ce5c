/* Launchers by their variables, with environments that are handed in. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "cli/launcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "NAME=value" words, ends with NULL. */
struct environment {
    const char *word[8];
};

static const char *look_up(void *context, const char *name)
{
    const struct environment *env = context;
    size_t bytes = strlen(name);

    for (size_t i = 0; env->word[i]; i++) {
        if (!strncmp(env->word[i], name, bytes) && env->word[i][bytes] == '=')
            return env->word[i] + bytes + 1;
    }
    return NULL;
}

struct known {
    struct environment environment;
    const char *kind; /* NULL: started by hand */
    int64_t rank, size;
    bool speaks;
};

static const struct known table[] = {
    {{{NULL}}, NULL, -1, 0, true},
    {{{"HOME=/root"}}, NULL, -1, 0, true},
    {{{"OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=4"}}, "Open MPI's mpirun", 0, 4, true},
    {{{"OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=4"}}, "Open MPI's mpirun", 3, 4, false},
    {{{"PMI_RANK=2", "PMI_SIZE=3", "MPI_LOCALRANKID=0"}}, "a PMI launcher", 2, 3, false},
    {{{"PMIX_RANK=1"}}, "a PMIx launcher", 1, 0, false},
    {{{"PMIX_RANK=0"}}, "a PMIx launcher", 0, 0, true},
    {{{"MPI_LOCALRANKID=1", "MPI_LOCALNRANKS=2"}}, "an MPI launcher", 1, 2, false},
    {{{"MV2_COMM_WORLD_RANK=1", "MV2_COMM_WORLD_SIZE=2"}}, "MVAPICH's mpirun", 1, 2, false},
    {{{"PALS_RANKID=5", "PALS_SIZE=6"}}, "Cray's PALS", 5, 6, false},
    /* A job step of Slurm, and what is not one: the batch script, an interactive shell */
    {{{"SLURM_PROCID=1", "SLURM_NTASKS=8", "SLURM_STEP_ID=0"}}, "Slurm's srun", 1, 8, false},
    {{{"SLURM_PROCID=1", "SLURM_NTASKS=8", "SLURM_STEP_NUM_TASKS=2", "SLURM_STEP_ID=7"}},
     "Slurm's srun",
     1,
     2,
     false},
    {{{"SLURM_PROCID=1", "SLURM_NTASKS=8"}}, NULL, -1, 0, true},
    {{{"SLURM_PROCID=1", "SLURM_NTASKS=8", "SLURM_STEP_ID=batch"}}, NULL, -1, 0, true},
    {{{"SLURM_PROCID=0", "SLURM_NTASKS=8", "SLURM_STEP_ID=4294967291"}}, NULL, -1, 0, true},
    {{{"SLURM_PROCID=0", "SLURM_NTASKS=8", "SLURM_STEP_ID=4294967290"}}, NULL, -1, 0, true},
    /* mpirun in a Slurm job: its daemons are a step, its ranks are what counts */
    {{{"SLURM_PROCID=1", "SLURM_NTASKS=2", "SLURM_STEP_ID=0", "OMPI_COMM_WORLD_RANK=0",
       "OMPI_COMM_WORLD_SIZE=16", "PMIX_RANK=0"}},
     "Open MPI's mpirun",
     0,
     16,
     true},
    {{{"SLURM_PROCID=2", "SLURM_NTASKS=4", "SLURM_STEP_ID=1", "PMIX_RANK=2"}},
     "Slurm's srun",
     2,
     4,
     false},
    /* Variables that hold no number, or a size of something else */
    {{{"PMI_RANK=", "PMI_SIZE=4"}}, NULL, -1, 0, true},
    {{{"PMI_RANK=x", "PMI_SIZE=4"}}, NULL, -1, 0, true},
    {{{"PMI_RANK=-1", "PMI_SIZE=4"}}, NULL, -1, 0, true},
    {{{"PMI_RANK=99999999999999999999", "PMI_SIZE=4"}}, NULL, -1, 0, true},
    {{{"PMI_RANK=4", "PMI_SIZE=4"}}, "a PMI launcher", 4, 0, false},
    {{{"PMI_RANK=1", "PMI_SIZE=4x"}}, "a PMI launcher", 1, 0, false},
    {{{"PMI_RANK=1"}}, "a PMI launcher", 1, 0, false}};

static void test_detect(void **state)
{
    (void)state;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct environment env = table[i].environment;
        struct launcher l = launcher_detect(look_up, &env);
        assert_string_equal(l.kind ? l.kind->name : "", table[i].kind ? table[i].kind : "");
        assert_int_equal(l.rank, table[i].rank);
        assert_int_equal(l.size, table[i].size);
        assert_int_equal(launcher_speaks(&l), table[i].speaks);
    }
}

static void test_process(void **state)
{
    (void)state;

    for (const struct launcher_kind *k = launcher_table; k->rank; k++)
        unsetenv(k->rank);
    assert_null(launcher_of_process().kind);
    setenv("PMI_RANK", "1", 1);
    setenv("PMI_SIZE", "2", 1);
    struct launcher l = launcher_of_process();
    assert_int_equal(l.rank, 1);
    assert_int_equal(l.size, 2);
    unsetenv("PMI_RANK");
    unsetenv("PMI_SIZE");
}

/* A076: N processes were started, and each finds itself alone. */
static void test_check(void **state)
{
    (void)state;
    static const struct {
        const char *rank, *size;
        uint64_t processes;
        const char *mpi;
        bool threads;
        const char *part; /* NULL: right */
    } rows[] = {
        {"PMI_RANK=0", "PMI_SIZE=4", 4, "MPICH", false, NULL},
        {"PMI_RANK=0", "PMI_SIZE=4", 2, "MPICH", false, NULL},
        {"PMI_RANK=0", "PMI_SIZE=1", 1, "MPICH", false, NULL},
        {"PMI_RANK=0", "PMI_SIZE=1", 1, NULL, true, NULL},
        {"PMI_RANK=0", "PMI_OTHER=1", 1, "MPICH", false, NULL},
        {"HOME=/", "PMI_SIZE=4", 1, NULL, true, NULL},
        {"PMI_RANK=0", "PMI_SIZE=4", 1, "Open MPI 4.1.4", false,
         "a PMI launcher started 4 processes (PMI_RANK is set), but MPI sees each alone"},
        {"PMI_RANK=1", "PMI_OTHER=4", 1, "Open MPI 4.1.4", false,
         "a PMI launcher started several processes"},
        {"PMI_RANK=0", "PMI_SIZE=4", 1, "Open MPI 4.1.4", false, "built with Open MPI 4.1.4"},
        {"PMI_RANK=0", "PMI_SIZE=4", 1, NULL, false, "built without MPI"},
        {"PMI_RANK=3", "PMI_SIZE=4", 1, "MPICH", true, "with --threads each would run on its own"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct environment env = {{rows[i].rank, rows[i].size}};
        struct launcher l = launcher_detect(look_up, &env);
        struct error e = error_none();
        int rc = launcher_check(&l, rows[i].processes, rows[i].mpi, rows[i].threads, &e);
        assert_int_equal(rc, rows[i].part ? -1 : 0);
        assert_int_equal(e.status, rows[i].part ? STATUS_USAGE : STATUS_DONE);
        assert_non_null(strstr(e.text, rows[i].part ? rows[i].part : ""));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_detect),
                                       cmocka_unit_test(test_process),
                                       cmocka_unit_test(test_check)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
