/* Names as MPI libraries take them. */
#ifndef PARIO_BACKENDS_MPIIO_NAME_H
#define PARIO_BACKENDS_MPIIO_NAME_H

#include "backends/backend.h"

#include <string.h>

/* The path of an object; one without a folder is given its own: ROMIO takes "a:b" for a file b
 * on a file system a, and Open MPI cannot open a name of one character. 0, or -1 if it does not
 * fit. */
static inline int mpiio_name(const struct object_names *names, uint64_t object, char *buf,
                             size_t bytes)
{
    if (names->path(names->plan, object, buf, bytes) != 0)
        return -1;
    size_t length = strlen(buf);
    if (strchr(buf, '/') != NULL)
        return 0;
    if (length + sizeof "./" > bytes)
        return -1;
    memmove(buf + 2, buf, length + 1);
    memcpy(buf, "./", 2);
    return 0;
}

#endif
