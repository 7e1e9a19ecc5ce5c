/* Hints for MPI-IO: from the environment, a file and the command line, the later over the earlier;
 * and what the library made of them, read back. */
#include "backends/mpiio_share.h"

#ifdef HAVE_MPI

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "IOR_HINT__MPI__"
#define LARGEST_FILE 65536

/* The text without blanks at its ends; cuts in place. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    return text;
}

/* One KEY=VALUE, which is cut up. */
static int set_pair(MPI_Info hints, char *pair, const char *source, struct error *e)
{
    char *equals = strchr(pair, '=');
    if (equals == NULL)
        return error_set(e, STATUS_USAGE, "usage", "%s: '%s' is no KEY=VALUE", source, pair);
    *equals = '\0';
    char *key = trim(pair), *value = trim(equals + 1);
    if (strncmp(key, PREFIX, sizeof PREFIX - 1) == 0)
        key += sizeof PREFIX - 1;
    if (*key == '\0' || *value == '\0')
        return error_set(e, STATUS_USAGE, "usage", "%s: hint '%s' has no %s", source,
                         *key == '\0' ? value : key, *key == '\0' ? "name" : "value");
    if (strlen(key) > MPI_MAX_INFO_KEY - 1 || strlen(value) > MPI_MAX_INFO_VAL - 1)
        return error_set(e, STATUS_USAGE, "usage", "%s: hint '%s' is too long for MPI", source,
                         key);
    if (MPI_Info_set(hints, key, value) != MPI_SUCCESS)
        return error_set(e, STATUS_USAGE, "usage", "%s: MPI takes no hint '%s'", source, key);
    return 0;
}

/* Pairs parted by a character, each up to an optional #. */
static int set_list(MPI_Info hints, const char *list, char separator, const char *source,
                    struct error *e)
{
    const char *at = list;
    while (*at != '\0') {
        const char parts[] = {separator, '\0'};
        size_t n = strcspn(at, parts);
        char *copy = strndup(at, n);
        if (copy == NULL)
            return error_errno(e, ENOMEM, "hints for MPI");
        if (separator == '\n')
            copy[strcspn(copy, "#")] = '\0';
        char *pair = trim(copy);
        int rc = *pair == '\0' ? 0 : set_pair(hints, pair, source, e);
        free(copy);
        if (rc != 0)
            return -1;
        at += n + (at[n] != '\0');
    }
    return 0;
}

static int set_environment(MPI_Info hints, struct error *e)
{
    for (char **v = environ; v != NULL && *v != NULL; v++) {
        if (strncmp(*v, PREFIX, sizeof PREFIX - 1) != 0)
            continue;
        char *copy = strdup(*v);
        if (copy == NULL)
            return error_errno(e, ENOMEM, "hints for MPI");
        int rc = set_pair(hints, copy, "environment", e);
        free(copy);
        if (rc != 0)
            return -1;
    }
    return 0;
}

/* Bytes read into text, which is ended by a NUL, or a negative errno. */
static int64_t load(const char *path, char *text)
{
    FILE *f = fopen(path, "re");
    if (f == NULL)
        return -errno;
    size_t n = fread(text, 1, LARGEST_FILE, f);
    int64_t result = ferror(f) ? -EIO : n == LARGEST_FILE ? -EFBIG : (int64_t)n;
    fclose(f);
    text[result < 0 ? 0 : n] = '\0';
    return result;
}

static int set_file(MPI_Info hints, struct comm *comm, const struct mpiio_hint_source *source,
                    struct error *e)
{
    const char *path = source->file;
    int64_t bytes = -ENOMEM;
    char *text = malloc(LARGEST_FILE + 1);
    if (comm->rank == 0 && text != NULL)
        bytes = load(path, text);
    comm->ops->broadcast(comm, 0, &bytes, sizeof bytes);
    if (bytes >= 0 && text != NULL)
        comm->ops->broadcast(comm, 0, text, (size_t)bytes + 1);
    int rc;
    if (bytes < 0)
        rc = error_set(e, STATUS_USAGE, "usage", "%s: cannot read %s: %s", source->file_option,
                       path, bytes == -EFBIG ? "longer than 64 KiB" : strerror((int)-bytes));
    else
        rc = text == NULL ? error_errno(e, ENOMEM, "hints for MPI")
                          : set_list(hints, text, '\n', path, e);
    free(text);
    return rc;
}

int mpiio_hints_make(struct mpiio_hints *hints, const struct mpiio_hint_source *source,
                     struct comm *comm, struct error *e)
{
    *hints = (struct mpiio_hints){.used = MPI_INFO_NULL};
    MPI_Info_create(&hints->asked);
    if (set_environment(hints->asked, e) != 0 ||
        (source->file != NULL && set_file(hints->asked, comm, source, e) != 0) ||
        (source->list != NULL &&
         set_list(hints->asked, source->list, ';', source->option, e) != 0)) {
        MPI_Info_free(&hints->asked);
        return -1;
    }
    return 0;
}

void mpiio_hints_free(struct mpiio_hints *hints)
{
    MPI_Info_free(&hints->asked);
    if (hints->used != MPI_INFO_NULL)
        MPI_Info_free(&hints->used);
}

void mpiio_hints_read_back(struct mpiio_hints *hints, MPI_File file)
{
    if (hints->used == MPI_INFO_NULL && MPI_File_get_info(file, &hints->used) != MPI_SUCCESS)
        hints->used = MPI_INFO_NULL;
}

static void put(struct fact *fact, const char *prefix, const char *key, const char *value)
{
    size_t used = strlen(text_copy(fact->key, sizeof fact->key, prefix));
    text_copy(fact->key + used, sizeof fact->key - used, key);
    text_copy(fact->value, sizeof fact->value, value);
}

static void library(char *text, size_t bytes)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int n = 0;
    MPI_Get_library_version(version, &n);
    version[strcspn(version, "\n")] = '\0';
    for (char *c = version; *c != '\0'; c++)
        if (*c == '\t')
            *c = ' ';
    snprintf(text, bytes, "%.*s", (int)strcspn(version, ","), version);
}

/* ROMIO names its hints; Open MPI has two libraries for files and tells which only where it was
 * asked for one. */
static const char *component(const struct mpiio_hints *hints)
{
    char value[MPI_MAX_INFO_VAL + 1];
    int set = 0;
    const char *chosen = getenv("OMPI_MCA_io");
    if (chosen != NULL)
        return chosen;
    if (hints->used != MPI_INFO_NULL)
        MPI_Info_get(hints->used, "romio_filesystem_type", MPI_MAX_INFO_VAL, value, &set);
    return set ? "ROMIO" : "the library's choice";
}

/* A hint as it was asked for and as it is used; *value gets what is to be said of it. */
static void compare(MPI_Info asked, const char *key, char *used, size_t bytes)
{
    char wanted[MPI_MAX_INFO_VAL + 1];
    int set = 0;
    MPI_Info_get(asked, key, MPI_MAX_INFO_VAL, wanted, &set);
    size_t n = strlen(used);
    if (set && strcmp(wanted, used) != 0)
        snprintf(used + n, bytes - n, " (asked for: %.60s)", wanted);
}

static size_t read_back(const struct mpiio_hints *hints, struct fact *facts, size_t max)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 100];
    size_t n = 0;
    int keys = 0, set = 0;
    MPI_Info_get_nkeys(hints->used, &keys);
    for (int i = 0; i < keys && n < max; i++) {
        MPI_Info_get_nthkey(hints->used, i, key);
        MPI_Info_get(hints->used, key, MPI_MAX_INFO_VAL, value, &set);
        if (!set)
            continue;
        compare(hints->asked, key, value, sizeof value);
        put(&facts[n++], "hint.", key, value);
    }
    MPI_Info_get_nkeys(hints->asked, &keys);
    for (int i = 0; i < keys && n < max; i++) {
        MPI_Info_get_nthkey(hints->asked, i, key);
        MPI_Info_get(hints->used, key, 0, value, &set);
        if (!set)
            put(&facts[n++], "hint.", key, "not taken");
    }
    return n;
}

size_t mpiio_hints_facts(const struct mpiio_hints *hints, struct fact *facts, size_t max)
{
    size_t n = 0;
    char text[120];
    library(text, sizeof text);
    if (n < max)
        put(&facts[n++], "", "mpi_library", text);
    if (n < max)
        put(&facts[n++], "", "mpi_io", component(hints));
    if (hints->used != MPI_INFO_NULL)
        n += read_back(hints, facts + n, max - n);
    return n;
}

#endif
