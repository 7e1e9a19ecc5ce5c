/* The mpiio backend: a program for mpirun (mpiio.sh), in the Test Anything Protocol from rank 0.
 *     test_mpiio [DIR [FULL]]
 * works in DIR, and in FULL, a file system of 256 KiB, where it is given. */
#include "mpiio_world.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HANG_SECONDS = 120 };

static uint64_t report(struct world *w, int number, const char *name)
{
    uint64_t failed = w->failures;
    char *firsts = w->comm->rank == 0 ? malloc(w->comm->size * sizeof w->first) : NULL;
    comm_reduce_all(w->comm, REDUCE_SUM, &failed, 1);
    w->comm->ops->gather(w->comm, w->first, sizeof w->first, firsts);
    if (w->comm->rank == 0)
        printf("%sok %d - %s\n", failed > 0 ? "not " : "", number, name);
    for (uint64_t i = 0; firsts != NULL && i < w->comm->size; i++)
        if (firsts[i * sizeof w->first] != '\0')
            printf("# %s\n", firsts + i * sizeof w->first);
    fflush(stdout);
    free(firsts);
    return failed;
}

static uint64_t run_all(struct world *w, const struct check *list, int *number)
{
    uint64_t failed = 0;
    for (const struct check *c = list; c->name != NULL; c++) {
        w->failures = 0;
        w->first[0] = '\0';
        w->options = (struct mpiio_options){0};
        w->setup = (struct backend_setup){.options = &w->options,
                                          .comm = w->comm,
                                          .clock = w->comm->clock,
                                          .names = {.plan = w, .path = world_path},
                                          .slots = 1,
                                          .handles = 1,
                                          .transfer_bytes = MOST};
        c->run(w);
        failed += report(w, ++*number, c->name);
    }
    return failed;
}

/* A folder of its own where none is given. */
static void choose_dir(struct world *w, const char *given)
{
    const char *base = getenv("TMPDIR");
    if (given != NULL)
        snprintf(w->dir, sizeof w->dir, "%s", given);
    else
        snprintf(w->dir, sizeof w->dir, "%s/pario-mpiio-XXXXXX", base ? base : "/tmp");
    if (given == NULL && w->comm->rank == 0 && mkdtemp(w->dir) == NULL)
        perror(w->dir);
    w->comm->ops->broadcast(w->comm, 0, w->dir, sizeof w->dir);
}

int main(int argc, char **argv)
{
    struct world w = {.error = error_none()};
    int number = 0;
    alarm(HANG_SECONDS);
    if (comm_mpi_start(&argc, &argv, &w.error) != 0) {
        fprintf(stderr, "%s\n", w.error.text);
        return 2;
    }
    struct clock clock = clock_real(false);
    w.comm = comm_mpi(&clock, &w.error);
    w.data = malloc(MOST);
    if (w.comm == NULL || w.data == NULL)
        return 2;
    memset(w.data, 7, MOST);
    choose_dir(&w, argc > 1 ? argv[1] : NULL);
    uint64_t failed = run_all(&w, mpiio_transfer_checks, &number);
    failed += run_all(&w, mpiio_failure_checks, &number);
    if (argc == 1 && w.comm->rank == 0)
        rmdir(w.dir);
    if (argc > 2) {
        choose_dir(&w, argv[2]);
        failed += run_all(&w, mpiio_full_checks, &number);
    }
    if (w.comm->rank == 0)
        printf("1..%d\n", number);
    free(w.data);
    w.comm->ops->free(w.comm);
    comm_mpi_end(0, NULL, NULL);
    return failed > 0;
}
