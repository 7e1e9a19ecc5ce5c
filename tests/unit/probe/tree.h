/* A folder of fixtures that stands for the machine: root + "/proc/...", root + "/sys/...". */
#ifndef PARIO_TESTS_PROBE_TREE_H
#define PARIO_TESTS_PROBE_TREE_H

#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
    char root[256];
};

static inline void tree_make(struct tree *t)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(t->root, sizeof t->root, "%s/pario-unit.XXXXXX", tmp ? tmp : "/tmp");
    if (mkdtemp(t->root) == NULL)
        t->root[0] = '\0';
}

static inline const char *tree_path(const struct tree *t, const char *path, char *buf, size_t bytes)
{
    snprintf(buf, bytes, "%s%s", t->root, path);
    return buf;
}

/* Makes the folders that lead to path. */
static inline void tree_parents(const struct tree *t, const char *path)
{
    char full[1024];
    tree_path(t, path, full, sizeof full);
    for (char *slash = full + strlen(t->root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(full, 0777);
        *slash = '/';
    }
}

/* Writes a file; printf-formatted. */
static inline void tree_file(const struct tree *t, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline void tree_file(const struct tree *t, const char *path, const char *format, ...)
{
    char full[1024];
    va_list arguments;
    tree_parents(t, path);
    FILE *f = fopen(tree_path(t, path, full, sizeof full), "w");
    if (f == NULL)
        return;
    va_start(arguments, format);
    vfprintf(f, format, arguments);
    va_end(arguments);
    fclose(f);
}

static inline int tree_link(const struct tree *t, const char *path, const char *target)
{
    char full[1024];
    tree_parents(t, path);
    return symlink(target, tree_path(t, path, full, sizeof full));
}

static inline int tree_remove_one(const char *path, const struct stat *s, int type, struct FTW *ftw)
{
    (void)s;
    (void)type;
    (void)ftw;
    return remove(path);
}

static inline void tree_free(struct tree *t)
{
    if (t->root[0] != '\0')
        nftw(t->root, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
    t->root[0] = '\0';
}

#endif
