/* pread or pwrite of 4 KiB in a loop, without any timing inside.
 *
 *     loop_posix FILE BYTES read|write
 *
 * Writes walk through 1 MiB of data. Prints: operations per second, CPU in ns per operation. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096u
#define POOL (1u << 20)

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

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: loop_posix FILE BYTES read|write\n");
        return 2;
    }
    uint64_t bytes = strtoull(argv[2], NULL, 10);
    int writes = strcmp(argv[3], "write") == 0;
    char *data = aligned_alloc(BLOCK, POOL);
    if (data == NULL)
        return 1;
    for (size_t i = 0; i < POOL; i++)
        data[i] = (char)(i * 2654435761u >> 13);
    int64_t start_ns = now_ns(), start_cpu_ns = cpu_ns();
    int fd = open(argv[1], writes ? O_WRONLY | O_CREAT : O_RDONLY, 0666);
    for (uint64_t at = 0; at < bytes; at += BLOCK) {
        ssize_t moved = writes ? pwrite(fd, data + at % POOL, BLOCK, (off_t)at)
                               : pread(fd, data, BLOCK, (off_t)at);
        if (moved != BLOCK) {
            perror(argv[1]);
            return 1;
        }
    }
    close(fd);
    int64_t elapsed_ns = now_ns() - start_ns, used_ns = cpu_ns() - start_cpu_ns;
    double operations = (double)(bytes / BLOCK);
    printf("%.0f %.1f\n", operations * 1e9 / (double)elapsed_ns, (double)used_ns / operations);
    free(data);
    return 0;
}
