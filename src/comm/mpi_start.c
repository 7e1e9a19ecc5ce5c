/* Starting and ending MPI. The thread that starts it is the only one to use it
 * (MPI_THREAD_FUNNELED): all others are the watch, which calls nothing but MPI_Abort. */
#include "base/text.h"
#include "comm/comm.h"
#include "comm/mpi_must.h"
#include "comm/patience.h"

#include <ctype.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION_BYTES = 64 };

/* After so long at the end alone something is wrong with the others. */
#define END_LIMIT_NS (600 * INT64_C(1000000000))

static bool mpi_is_running(void)
{
    int initialized = 0, finalized = 0;

    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    return initialized && !finalized;
}

void mpi_die(const char *what, const char *why)
{
    char host[HOST_NAME_MAX + 1] = "";
    int rank = 0;

    (void)gethostname(host, sizeof host - 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "pario: rank %d on %s: %s: %s\n", rank, host, what, why);
    MPI_Abort(MPI_COMM_WORLD, STATUS_FAILED);
}

void mpi_must(int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "unknown error";
    int length = 0;

    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    mpi_die(what, text);
}

/* MPI_Init does not come back when it fails. Libraries that end the process by exit() (MPICH and
 * its kin) leave a last word to pario; Open MPI does not. */
static void explain_failed_start(int status, void *unused)
{
    int initialized = 0;

    (void)status, (void)unused;
    MPI_Initialized(&initialized);
    if (!initialized) {
        char version[VERSION_BYTES];

        fprintf(
            stderr,
            "pario: MPI could not start (%s), as it says above. Was pario started by the mpirun "
            "or srun of this MPI?\n",
            comm_mpi_version(version, sizeof version));
    }
}

/* Started by a launcher that this library does not understand, each process believes to be alone:
 * they would all write the same files. */
static int check_not_a_crowd(struct error *e)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    char version[VERSION_BYTES];
    int size = 0;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; size == 1 && i < sizeof sizes / sizeof sizes[0]; i++) {
        const char *text = getenv(sizes[i]);

        if (text != NULL && strtol(text, NULL, 10) > 1)
            return error_set(
                e, STATUS_USAGE, "usage",
                "%s processes were started (%s), but each is alone for %s, which this "
                "pario was built with: start it by the mpirun of that MPI, or by an srun "
                "that supports it (srun --mpi=list)",
                text, sizes[i], comm_mpi_version(version, sizeof version));
    }
    return 0;
}

int comm_mpi_start(int *argc, char ***argv, struct error *e)
{
    int provided = MPI_THREAD_SINGLE;

    (void)on_exit(explain_failed_start, NULL);
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return error_set(e, STATUS_FAILED, "mpi", "MPI could not start (MPI_Init_thread)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int failed = check_not_a_crowd(e);

    if (!failed && provided < MPI_THREAD_FUNNELED)
        failed = error_set(e, STATUS_USAGE, "usage",
                           "this MPI cannot run in a process with threads (MPI_THREAD_FUNNELED)");
    if (failed)
        MPI_Finalize();
    return failed;
}

/* Finalize waits for all ranks, in some libraries spinning and in all without limit: so they gather
 * beforehand. */
void comm_mpi_end(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int together = 0;

    if (!mpi_is_running())
        return;
    struct patience patience = patience_begin(1);
    int failed = MPI_Ibarrier(MPI_COMM_WORLD, &request);

    while (!failed && !together) {
        failed = MPI_Test(&request, &together, MPI_STATUS_IGNORE);
        if (!failed && !together)
            failed = patience_pause(&patience) > END_LIMIT_NS;
    }
    if (failed)
        mpi_die("the end", "other ranks do not get there");
    MPI_Finalize();
}

void comm_mpi_abort(int status)
{
    if (mpi_is_running())
        MPI_Abort(MPI_COMM_WORLD, status);
}

/* "Open MPI v4.1.4, package: ..." and "MPICH Version:\t4.0.2\n..." become name and number. */
char *comm_mpi_version(char *buf, size_t bytes)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
    char brief[VERSION_BYTES] = "";
    size_t used = 0;
    int length = 0;

    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    for (const char *word = text; *word != '\0';) {
        size_t n = strcspn(word, " \t");
        bool is_filler = n == 0 || strncmp(word, ":", n) == 0 || strncmp(word, "Version", n) == 0 ||
                         strncmp(word, "Version:", n) == 0;
        size_t skip = n > 1 && word[0] == 'v' && isdigit((unsigned char)word[1]);

        if (!is_filler && used < sizeof brief)
            used += (size_t)snprintf(brief + used, sizeof brief - used, "%s%.*s",
                                     used > 0 ? " " : "", (int)(n - skip), word + skip);
        word += n + (word[n] != '\0');
    }
    return text_copy(buf, bytes, brief);
}
