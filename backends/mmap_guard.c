/* The kernel sends SIGBUS to the thread that touches memory which cannot be had; the handler jumps
 * back to where that thread's copy began. The pointer to that place is thread-local: a handler has
 * nowhere else to look, which makes it the one writable object of the backends. */
#include "backends/mmap_guard.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static _Thread_local sigjmp_buf *volatile recovery;

static void on_bus_error(int signal_number)
{
    if (recovery != NULL)
        siglongjmp(*recovery, 1);
    signal(signal_number, SIG_DFL); /* not ours: the instruction is tried again, and ends it */
}

int mmap_guard_install(void)
{
    /* NODEFER, since siglongjmp does not give the signal mask back here. */
    struct sigaction action = {.sa_handler = on_bus_error, .sa_flags = SA_NODEFER};
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, NULL) != 0 ? errno : 0;
}

bool mmap_guard_copy(void *to, const void *from, size_t bytes)
{
    sigjmp_buf here;
    if (sigsetjmp(here, 0) != 0) {
        recovery = NULL;
        return false;
    }
    recovery = &here;
    atomic_signal_fence(memory_order_seq_cst);
    memcpy(to, from, bytes);
    atomic_signal_fence(memory_order_seq_cst);
    recovery = NULL;
    return true;
}
