/* For LD_PRELOAD: the wall clock of one rank is wrong, as an unsynchronized node's, or is set while
 * the program runs. SHIFT_RANK: which; SHIFT_MS: by how much; SHIFT_WHEN: from when on
 * that file is not empty (unset: always). */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

static long own_rank(void)
{
    return number(getenv("PMI_RANK") ? "PMI_RANK" : "OMPI_COMM_WORLD_RANK");
}

static int (*real_clock(void))(clockid_t, struct timespec *)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real) {
        void *found = dlsym(RTLD_NEXT, "clock_gettime");
        memcpy(&real, &found, sizeof real);
    }
    return real;
}

static long shift_ms(void)
{
    static int begun;
    const char *when = getenv("SHIFT_WHEN");
    struct stat file;
    if (own_rank() != number("SHIFT_RANK"))
        return 0;
    if (!begun)
        begun = !when || (stat(when, &file) == 0 && file.st_size > 0);
    return begun ? number("SHIFT_MS") : 0;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    int failed = real_clock()(id, t);
    if (failed || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE))
        return failed;
    long long ns = t->tv_sec * 1000000000LL + t->tv_nsec + shift_ms() * 1000000LL;
    t->tv_sec = ns / 1000000000;
    t->tv_nsec = ns % 1000000000;
    return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *t)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (t)
        *t = now.tv_sec;
    return now.tv_sec;
}
