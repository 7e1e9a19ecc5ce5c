#include "output_names.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A name as the file system sees it, whether there is such a file yet or not. */
struct place {
    bool known;
    dev_t device;
    ino_t directory;
    const char *leaf;
};

static struct place place_of(const char *path)
{
    char directory[PATH_MAX];
    struct stat st;
    const char *slash = strrchr(path, '/');
    struct place p = {.leaf = slash ? slash + 1 : path};
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    if (n >= sizeof directory)
        return p;
    memcpy(directory, path, n);
    memcpy(directory + n, ".", 2);
    p.known = stat(directory, &st) == 0;
    if (p.known) {
        p.device = st.st_dev;
        p.directory = st.st_ino;
    }
    return p;
}

static bool neighbours(const struct place *a, const struct place *b)
{
    return a->known && b->known && a->device == b->device && a->directory == b->directory;
}

/* Devices and pipes can take more than one result. */
static bool one_file(const char *a, const char *b)
{
    struct stat sa, sb;
    if (stat(a, &sa) == 0 && stat(b, &sb) == 0)
        return S_ISREG(sa.st_mode) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
    struct place pa = place_of(a), pb = place_of(b);
    return neighbours(&pa, &pb) && strcmp(pa.leaf, pb.leaf) == 0;
}

static bool is_file(const struct output_name *name)
{
    return name->file && strcmp(name->file, "-") != 0;
}

int output_names_differ(const struct output_name *names, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (is_file(&names[i]) && is_file(&names[k]) && one_file(names[i].file, names[k].file))
                return error_set(e, STATUS_USAGE, "usage",
                                 "options --%s and --%s both name %s: one would overwrite the "
                                 "other, give each a file of its own",
                                 names[i].option, names[k].option, names[k].file);
    return 0;
}

/* Next of the targets in list, with @@ as @; moves list on. */
static bool next_target(const char **list, char *buf, size_t bytes)
{
    size_t used = 0;
    const char *c = *list;
    if (!c)
        return false;
    for (; *c && (*c != '@' || c[1] == '@'); c++) {
        c += *c == '@';
        if (used + 1 < bytes)
            buf[used++] = *c;
    }
    buf[used] = '\0';
    *list = *c ? c + 1 : NULL;
    return true;
}

static bool is_of_target(const char *file, const char *target, bool numbered)
{
    struct place result = place_of(file), data = place_of(target);
    size_t n = strlen(data.leaf);
    if (one_file(file, target))
        return true;
    if (n == 0 || !neighbours(&result, &data) || strncmp(result.leaf, data.leaf, n) != 0)
        return false;
    const char *rest = result.leaf + n;
    return strcmp(rest, ".pario") == 0 ||
           (numbered && *rest == '.' && strspn(rest, ".0123456789") == strlen(rest));
}

int output_names_spare(const struct output_name *names, size_t n, const char *targets,
                       bool numbered, struct error *e)
{
    char target[PATH_MAX];
    while (next_target(&targets, target, sizeof target))
        for (size_t i = 0; i < n; i++)
            if (is_file(&names[i]) && is_of_target(names[i].file, target, numbered))
                return error_set(e, STATUS_USAGE, "usage",
                                 "option --%s: %s is a file of the test itself (-o %s): give the "
                                 "result another name",
                                 names[i].option, names[i].file, target);
    return 0;
}
