#include "run/watch.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* From the first signal to the last words. */
#define GRACE_NS 600000000L

struct watch {
    pthread_t thread;
    atomic_int signal;
    atomic_bool over;
    sigset_t set;
    void (*last_words)(void *context, int signal);
    void *context;
};

/* What the process was started to ignore (nohup, background jobs of a shell) stays ignored; SIGUSR2
 * is needed in any case. */
static void watched(sigset_t *set)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(set);
    sigaddset(set, SIGUSR2);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction was;
        if (sigaction(signals[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
            sigaddset(set, signals[i]);
    }
}

static int64_t kernel_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *watch_main(void *argument)
{
    struct watch *w = argument;
    int number = 0;
    if (sigwait(&w->set, &number) != 0 || atomic_load(&w->over))
        return NULL;
    atomic_store(&w->signal, number);
    int64_t until_ns = kernel_ns() + GRACE_NS;
    /* Ended by watch_stop's signal, or the time is up. Launchers may send a signal several times
     * (Slurm's daemon and its srun a SIGTERM each); who presses Ctrl-C again means now. */
    while (!atomic_load(&w->over)) {
        int64_t left_ns = until_ns - kernel_ns();
        struct timespec left = {.tv_nsec = left_ns > 0 ? left_ns : 0};
        int again = sigtimedwait(&w->set, NULL, &left);
        bool late = again == -1 && errno == EAGAIN;
        if ((late || again == SIGINT) && !atomic_load(&w->over)) {
            w->last_words(w->context, late ? number : again);
            break;
        }
    }
    return NULL;
}

struct watch *watch_start(void (*last_words)(void *context, int signal), void *context,
                          struct error *e)
{
    struct watch *w = calloc(1, sizeof *w);
    if (!w) {
        error_errno(e, ENOMEM, "watching for signals");
        return NULL;
    }
    w->last_words = last_words;
    w->context = context;
    watched(&w->set);
    pthread_sigmask(SIG_BLOCK, &w->set, NULL);
    int failed = pthread_create(&w->thread, NULL, watch_main, w);
    if (failed) {
        error_errno(e, failed, "starting the thread that watches for signals");
        free(w);
        return NULL;
    }
    return w;
}

int watch_signal(const struct watch *w)
{
    return w ? atomic_load_explicit(&w->signal, memory_order_relaxed) : 0;
}

void watch_stop(struct watch *w)
{
    if (!w)
        return;
    atomic_store(&w->over, true);
    pthread_kill(w->thread, SIGUSR2);
    pthread_join(w->thread, NULL);
    free(w);
}
