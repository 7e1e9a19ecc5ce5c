/* Copies to and from mapped files that outlive SIGBUS. */
#ifndef PARIO_BACKENDS_MMAP_GUARD_H
#define PARIO_BACKENDS_MMAP_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Catches SIGBUS from now on; any number of times, from any thread. 0, or an errno. A SIGBUS
 * outside of mmap_guard_copy ends the process as it would have. */
int mmap_guard_install(void);

/* memcpy; false where the kernel could not give the memory (part of the bytes may be copied). Any
 * thread may call it, each for itself. */
bool mmap_guard_copy(void *to, const void *from, size_t bytes);

#endif
