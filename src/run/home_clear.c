/* What a run left that did not come to its end: nobody knows how much of it there is, so the
 * directories are read, and what has a name that a run gives goes. */
#include "run/home.h"

#include "probe/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The text behind a number, or NULL. */
static const char *after_number(const char *text)
{
    if (!isdigit((unsigned char)*text))
        return NULL;
    while (isdigit((unsigned char)*text))
        text++;
    return text;
}

/* "file.17.403", "file.all.3", "dmoved.0.1": what metadata_path makes. */
static bool is_item(const char *name)
{
    static const char *const kinds[] = {"file.", "dir.", "moved.", "dmoved.", "link."};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t bytes = strlen(kinds[i]);
        if (strncmp(name, kinds[i], bytes) != 0)
            continue;
        const char *rest =
            strncmp(name + bytes, "all", 3) == 0 ? name + bytes + 3 : after_number(name + bytes);
        rest = rest && *rest == '.' ? after_number(rest + 1) : NULL;
        return rest && *rest == '\0';
    }
    return false;
}

static int clear_directory(const char *path, struct error *e)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d) {
        if (fd < 0 && errno == ENOENT)
            return 0;
        return error_errno(e, errno, "open %s", path);
    }
    int error = 0;
    const struct dirent *entry;
    while (!error && (errno = 0, entry = readdir(d))) {
        if (!is_item(entry->d_name))
            continue;
        if (unlinkat(fd, entry->d_name, 0) && (errno == EISDIR || errno == EPERM))
            unlinkat(fd, entry->d_name, AT_REMOVEDIR);
    }
    error = errno;
    closedir(d);
    return error ? error_errno(e, error, "read %s", path) : 0;
}

int home_clear(const struct home *h, const struct metadata_plan *m, const struct comm *comm,
               struct error *e)
{
    char path[PROBE_PATH_BYTES];
    uint64_t owners = m->unique ? m->ranks : m->target_count;
    uint64_t all = owners * m->item_dirs;
    if (!h->files)
        return 0;
    for (uint64_t i = comm->rank; i < all; i += comm->size) {
        uint64_t node = metadata_node_of(m, i % m->item_dirs);
        uint64_t object = metadata_object(m, OBJECT_NODE, i / m->item_dirs, node);
        if (metadata_path(m, object, path, sizeof path) == 0 && clear_directory(path, e))
            return -1;
    }
    return 0;
}
