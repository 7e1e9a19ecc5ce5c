/* Starting and ending MPI. The thread that starts it is the only one to use it
 * (MPI_THREAD_FUNNELED): all others are the watch, which calls nothing but MPI_Abort. */
#include "base/text.h"
#include "comm/comm.h"
#include "comm/launch.h"
#include "comm/mpi_must.h"
#include "comm/patience.h"

#include <ctype.h>
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { VERSION_BYTES = 64 };

/* After so long at the end alone something is wrong with the others. */
#define SECOND_NS INT64_C(1000000000)
#define END_LIMIT_NS (600 * SECOND_NS)

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

static const char *look_up(void *unused, const char *name)
{
    (void)unused;
    return getenv(name);
}

/* Interfaces to launchers that a library has besides its own come with a library of their own
 * (Slurm's libpmi, a vendor's) or, with Open MPI, as a component beside it. */
static bool has_more_pmi(void)
{
    static const char *const components[] = {"mca_pmix_s[12].so", "mca_pmix_cray.so"};
    char path[PATH_MAX], pattern[PATH_MAX + VERSION_BYTES];
    void *start = (void *)(uintptr_t)MPI_Init_thread;
    Dl_info library;
    bool found = dlsym(RTLD_DEFAULT, "PMI_Init") || dlsym(RTLD_DEFAULT, "PMI2_Init");

#ifndef OPEN_MPI /* which always has PMIx */
    found = found || dlsym(RTLD_DEFAULT, "PMIx_Init");
#endif
    if (found || !dladdr(start, &library) || !realpath(library.dli_fname, path))
        return found;
    *strrchr(path, '/') = '\0';
    for (size_t i = 0; i < sizeof components / sizeof *components && !found; i++) {
        glob_t files = {0};

        snprintf(pattern, sizeof pattern, "%s/openmpi*/%s", path, components[i]);
        found = glob(pattern, 0, NULL, &files) == 0;
        globfree(&files);
    }
    return found;
}

/* Started by a launcher that this library does not understand, each process believes to be alone:
 * they would all write the same files. */
static int check_not_a_crowd(struct error *e)
{
    char version[VERSION_BYTES];
    const char *variable;
    long tasks = launch_tasks(look_up, NULL, &variable);
    int size = 0;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1 || tasks <= 1)
        return 0;
    return launch_refuse_crowd(comm_mpi_version(version, sizeof version), tasks, variable, e);
}

int comm_mpi_start(int *argc, char ***argv, struct error *e)
{
    char version[VERSION_BYTES];
    struct launch_library library = {.version = comm_mpi_version(version, sizeof version),
                                     .has_pmi = has_more_pmi()};
    int provided = MPI_THREAD_SINGLE;

    if (launch_check(&library, look_up, NULL, e))
        return -1;
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

struct ending { /* of the library, and who watches over it */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    int64_t limit_ns;
    void (*give_up)(void *context);
    void *context;
    bool is_over;
};

/* Some libraries do not always come back from MPI_Finalize (MPICH over TCP with UCX). */
static void *watch_ending(void *context)
{
    struct ending *end = context;
    struct timespec until;
    int late = 0;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(end->limit_ns / SECOND_NS);
    until.tv_nsec += (long)(end->limit_ns % SECOND_NS);
    until.tv_sec += until.tv_nsec / SECOND_NS;
    until.tv_nsec %= SECOND_NS;
    pthread_mutex_lock(&end->lock);
    while (!end->is_over && late == 0)
        late = pthread_cond_timedwait(&end->over, &end->lock, &until);
    if (!end->is_over)
        end->give_up(end->context);
    pthread_mutex_unlock(&end->lock);
    return NULL;
}

static void finalize_within(int64_t limit_ns, void (*give_up)(void *context), void *context)
{
    struct ending end = {.lock = PTHREAD_MUTEX_INITIALIZER,
                         .limit_ns = limit_ns,
                         .give_up = give_up,
                         .context = context};
    pthread_condattr_t monotonic;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&end.over, &monotonic);
    bool watched = limit_ns > 0 && pthread_create(&end.thread, NULL, watch_ending, &end) == 0;

    MPI_Finalize();
    if (watched) {
        pthread_mutex_lock(&end.lock);
        end.is_over = true;
        pthread_cond_signal(&end.over);
        pthread_mutex_unlock(&end.lock);
        pthread_join(end.thread, NULL);
    }
    pthread_cond_destroy(&end.over);
    pthread_condattr_destroy(&monotonic);
}

/* Finalize waits for all ranks, in some libraries spinning and in all without limit: so they gather
 * beforehand. */
void comm_mpi_end(int64_t limit_ns, void (*give_up)(void *context), void *context)
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
    finalize_within(limit_ns, give_up, context);
}

char *comm_mpi_threads(char *buf, size_t bytes)
{
    static const struct {
        int level;
        const char *name;
    } levels[] = {{MPI_THREAD_SINGLE, "single"},
                  {MPI_THREAD_FUNNELED, "funneled"},
                  {MPI_THREAD_SERIALIZED, "serialized"},
                  {MPI_THREAD_MULTIPLE, "multiple"}};
    const char *given = "unknown";
    char text[VERSION_BYTES] = "";
    int provided = -1;

    if (mpi_is_running()) {
        MPI_Query_thread(&provided);
        for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
            if (levels[i].level == provided)
                given = levels[i].name;
        snprintf(text, sizeof text, "asked for funneled, given %s", given);
    }
    return text_copy(buf, bytes, text);
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
