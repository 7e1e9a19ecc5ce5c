/* Creates (and closes), looks up, or removes files by names counted up digit by digit, relative to
 * an open directory, without any timing inside.
 *
 *     loop_names DIRECTORY COUNT create|stat|unlink
 *
 * Prints: operations per second, CPU in ns per operation. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t cpu_ns(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return ((int64_t)u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
           ((int64_t)u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}

static int once(int directory, const char *name, char what)
{
    struct stat s;
    if (what == 's')
        return fstatat(directory, name, &s, AT_SYMLINK_NOFOLLOW);
    if (what == 'u')
        return unlinkat(directory, name, 0);
    int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return fd < 0 ? -1 : close(fd);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: loop_names DIRECTORY COUNT create|stat|unlink\n");
        return 2;
    }
    char name[] = "file.0.00000000";
    char *last = name + strlen(name) - 1;
    uint64_t count = strtoull(argv[2], NULL, 10);
    int directory = open(argv[1], O_PATH | O_DIRECTORY);
    int64_t start_ns = now_ns(), start_cpu_ns = cpu_ns();
    for (uint64_t i = 0; i < count; i++) {
        if (once(directory, name, argv[3][0]) != 0) {
            perror(name);
            return 1;
        }
        char *digit = last;
        while (*digit == '9')
            *digit-- = '0';
        ++*digit;
    }
    int64_t elapsed_ns = now_ns() - start_ns, used_ns = cpu_ns() - start_cpu_ns;
    close(directory);
    printf("%.0f %.1f\n", (double)count * 1e9 / (double)elapsed_ns,
           (double)used_ns / (double)count);
    return 0;
}
