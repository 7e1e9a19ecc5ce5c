#include "probe/environment.h"

#include "probe/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define MOST_VARIABLES 64

struct adder { /* where facts go; the first failure ends it */
    struct report *report;
    const char *root;
    struct error *e;
    int status;
};

static void add(struct adder *a, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(struct adder *a, const char *key, const char *format, ...)
{
    char value[sizeof((struct fact_text *)0)->value + 8];
    char clean[sizeof value];
    va_list arguments;
    if (a->status != 0)
        return;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    if (value[0] != '\0')
        a->status = report_environment(a->report, key, text_copy(clean, sizeof clean, value), a->e);
}

static void add_known(struct adder *a, const char *key, uint64_t value)
{
    if (value != PROBE_UNKNOWN)
        add(a, key, "%llu", (unsigned long long)value);
}

/* The first line of a file. */
static void add_line(struct adder *a, const char *key, const char *path)
{
    char line[256];
    if (source_line(a->root, path, line, sizeof line))
        add(a, key, "%s", line);
}

static void add_answer(struct adder *a, const char *key, enum answer answer)
{
    if (answer != ANSWER_UNKNOWN)
        add(a, key, "%s", answer == ANSWER_YES ? "yes" : "no");
}

/* What follows "name", blanks and the separator in the first line that begins so: without quotes.
 */
static bool value_of(const char *text, const char *name, char separator, char *buf, size_t bytes)
{
    size_t n = strlen(name);
    for (const char *at = text; *at != '\0'; at += *at == '\n') {
        size_t length = strcspn(at, "\n");
        const char *p = at + n;
        if (strncmp(at, name, n) == 0) {
            p += strspn(p, " \t");
            if (*p == separator) {
                p += 1 + strspn(p + 1, " \t\"");
                const char *end = at + length;
                while (end > p && (end[-1] == '"' || end[-1] == ' '))
                    end--;
                snprintf(buf, bytes, "%.*s", end > p ? (int)(end - p) : 0, p);
                return buf[0] != '\0';
            }
        }
        at += length;
    }
    return false;
}

static void add_value(struct adder *a, const char *key, const char *path, const char *name,
                      char separator)
{
    struct text t = {0};
    char value[256];
    if (source_read(a->root, path, &t, NULL) == 0 &&
        value_of(t.data, name, separator, value, sizeof value))
        add(a, key, "%s", value);
    text_free(&t);
}

static void add_system(struct adder *a)
{
    struct utsname u;
    char line[256], word[64];
    if (uname(&u) == 0) {
        add(a, "host", "%s", u.nodename);
        add(a, "kernel", "%s %s %s", u.sysname, u.release, u.machine);
        add(a, "kernel_version", "%s", u.version);
    }
    add_value(a, "os", "/etc/os-release", "PRETTY_NAME", '=');
    add_value(a, "cpu", "/proc/cpuinfo", "model name", ':');
    add_line(a, "cpu_governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    add_line(a, "clock_source", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    add(a, "page_bytes", "%ld", sysconf(_SC_PAGESIZE));
    if (source_line(a->root, "/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line)) {
        source_chosen(line, word, sizeof word);
        add(a, "transparent_huge_pages", "%s", word);
    }
    add_line(a, "vm_dirty_ratio_percent", "/proc/sys/vm/dirty_ratio");
    add_line(a, "vm_dirty_background_percent", "/proc/sys/vm/dirty_background_ratio");
    add_line(a, "vm_dirty_expire_cs", "/proc/sys/vm/dirty_expire_centisecs");
    add_line(a, "io_uring_disabled", "/proc/sys/kernel/io_uring_disabled");
    add_value(a, "umask", "/proc/self/status", "Umask", ':'); /* umask() cannot ask only */
}

static void add_memory(struct adder *a)
{
    struct memory_facts m;
    memory_read(a->root, &m);
    add(a, "cores", "%u", m.cores_online);
    add(a, "cores_allowed", "%u", m.cores_allowed);
    add(a, "cores_usable", "%g", m.cores_usable);
    add(a, "cores_node", "%g", m.cores_node);
    add_known(a, "memory_bytes", m.node_bytes);
    add_known(a, "memory_usable_bytes", m.usable_bytes);
    add_known(a, "memory_available_bytes", m.available_bytes);
    add_known(a, "swap_bytes", m.swap_bytes);
    add_known(a, "huge_page_bytes", m.huge_page_bytes);
    add_known(a, "huge_pages", m.huge_pages);
    add_known(a, "huge_pages_free", m.huge_pages_free);
    if (m.limits.memory_where[0] != '\0') {
        add_known(a, "cgroup_memory_bytes", m.limits.memory_bytes);
        add(a, "cgroup_memory_from", "%s", m.limits.memory_where);
    }
    if (!isnan(m.limits.cores)) {
        add(a, "cgroup_cores", "%g", m.limits.cores);
        add(a, "cgroup_cores_from", "%s", m.limits.cores_where);
    }
}

static void add_limit(struct adder *a, const char *key, rlim_t limit)
{
    if (limit == RLIM_INFINITY)
        add(a, key, "unlimited");
    else
        add(a, key, "%llu", (unsigned long long)limit);
}

static void add_limits(struct adder *a)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        add_limit(a, "limit_open_files", limit.rlim_cur);
    if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0)
        add_limit(a, "limit_locked_memory_bytes", limit.rlim_cur);
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0)
        add_limit(a, "limit_file_size_bytes", limit.rlim_cur);
}

bool environment_variable_counts(const char *name)
{
    static const char *const prefixes[] = {"SLURM_JOB_",  "SLURM_STEP_",   "SLURM_NTASKS",
                                           "SLURM_CPUS_", "SLURM_SUBMIT_", "SLURM_MEM_"};
    static const char *const names[] = {"SLURM_JOBID",
                                        "SLURM_NNODES",
                                        "SLURM_NPROCS",
                                        "SLURM_TASKS_PER_NODE",
                                        "SLURM_NODELIST",
                                        "SLURM_PARTITION",
                                        "SLURM_DISTRIBUTION",
                                        "SLURM_CLUSTER_NAME",
                                        "SLURM_CPU_BIND",
                                        "SLURM_TIMELIMIT",
                                        "PBS_JOBID",
                                        "PBS_QUEUE",
                                        "LSB_JOBID",
                                        "LSB_QUEUE",
                                        "PJM_JOBID",
                                        "FLUX_JOB_ID",
                                        "LD_PRELOAD",
                                        "ROMIO_HINTS",
                                        "MPICH_MPIIO_HINTS",
                                        "OMPI_MCA_io",
                                        "HDF5_USE_FILE_LOCKING"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void add_variables(struct adder *a, char *const *variables)
{
    char name[sizeof((struct fact_text *)0)->key];
    int added = 0;
    for (; variables != NULL && *variables != NULL && added < MOST_VARIABLES; variables++) {
        size_t n = strcspn(*variables, "=");
        if ((*variables)[n] != '=' || n == 0 || n >= sizeof name)
            continue;
        memcpy(name, *variables, n);
        name[n] = '\0';
        if (!environment_variable_counts(name))
            continue;
        add(a, name, "%s", *variables + n + 1);
        added++;
    }
}

char *environment_time(char *buf, int64_t unix_s)
{
    struct tm tm;
    time_t t = (time_t)unix_s;
    buf[0] = '\0';
    if (gmtime_r(&t, &tm) != NULL &&
        strftime(buf, ENVIRONMENT_TIME, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
        buf[0] = '\0';
    return buf;
}

int probe_environment(struct report *r, const char *root, const struct environment_given *given,
                      struct error *e)
{
    struct adder a = {.report = r, .root = root, .e = e};
    char started[ENVIRONMENT_TIME];
    if (given->started_s != 0)
        add(&a, "started", "%s", environment_time(started, given->started_s));
    add_system(&a);
    add_memory(&a);
    add_limits(&a);
    if (given->mpi != NULL)
        add(&a, "mpi", "%s", given->mpi);
    if (given->mpi_threads != NULL)
        add(&a, "mpi_threads", "%s", given->mpi_threads);
    for (size_t i = 0; i < given->versions_used; i++)
        add(&a, given->versions[i].key, "%s", given->versions[i].value);
    add_variables(&a, given->variables);
    return a.status;
}

static void add_device(struct adder *a, const struct device *d)
{
    if (d->name[0] == '\0')
        return;
    add(a, "device", "%s", d->name);
    add(a, "device_model", "%s", d->model);
    add(a, "device_scheduler", "%s", d->scheduler);
    add_answer(a, "device_rotational", d->rotational);
    add_known(a, "device_bytes", d->bytes);
    add_known(a, "device_logical_block_bytes", d->logical_block_bytes);
    add_known(a, "device_physical_block_bytes", d->physical_block_bytes);
}

int environment_filesystem(struct report *r, const struct filesystem *fs, struct error *e)
{
    struct adder a = {.report = r, .e = e};
    add(&a, "file_system", "%s", fs->type);
    add(&a, "file_system_mount", "%s", fs->mount_point);
    add(&a, "file_system_source", "%s", fs->source);
    add(&a, "file_system_options", "%s", fs->options);
    add(&a, "file_system_directory", "%s", fs->parent);
    add_answer(&a, "file_system_network", fs->network);
    add_answer(&a, "file_system_memory", fs->memory);
    add_known(&a, "file_system_bytes", fs->total_bytes);
    add_known(&a, "file_system_available_bytes", fs->available_bytes);
    add_known(&a, "file_system_inodes", fs->total_inodes);
    add_known(&a, "file_system_free_inodes", fs->free_inodes);
    add_known(&a, "file_system_block_bytes", fs->block_bytes);
    add_device(&a, &fs->device);
    return a.status;
}
