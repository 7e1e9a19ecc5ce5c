/* How fast data is made and checked, on one core: GB/s (of ten) of 64 MiB transfers, and ns per
 * stamped write of 4 KiB.
 *
 *     fill_rate        a row "name value unit" each
 */
#include "model/fill.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 15 /* the median counts */
#define LARGE (UINT64_C(64) << 20)

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, ascending);
    return values[ROUNDS / 2];
}

static struct fill *make(uint64_t bytes, uint32_t slots)
{
    struct error e = error_none();
    struct fill_data data = {.mode = FILL_STAMPED, .seed = 42};
    struct fill *f = fill_make(&data, bytes, slots, &e);
    if (f == NULL) {
        fprintf(stderr, "fill_rate: %s\n", e.text);
        exit(1);
    }
    return f;
}

/* What no check can be faster than: reading memory. */
static uint64_t sum(const uint64_t *words, uint64_t bytes)
{
    uint64_t all = 0;
    for (uint64_t i = 0; i < bytes / sizeof *words; i++)
        all += words[i];
    return all;
}

static void large(void)
{
    double made[ROUNDS], checked[ROUNDS], summed[ROUNDS];
    uint64_t total = 0;
    struct fill *f = make(LARGE, 1);
    void *read = aligned_alloc(4096, LARGE);
    memset(read, 1, LARGE);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t offset = (uint64_t)i * LARGE;
        struct mismatch m;
        int64_t start_ns = cpu_ns();
        void *data = fill_prepare(f, 0, 7, offset, LARGE);
        int64_t middle_ns = cpu_ns();
        memcpy(read, data, LARGE);
        int64_t again_ns = cpu_ns();
        if (fill_check(f, read, 7, offset, LARGE, &m) != 0)
            exit(1);
        int64_t end_ns = cpu_ns();
        total += sum(read, LARGE);
        summed[i] = (double)LARGE / (double)(cpu_ns() - end_ns);
        checked[i] = (double)LARGE / (double)(end_ns - again_ns);
        made[i] = (double)LARGE / (double)(middle_ns - start_ns);
    }
    printf("fill-64-MiB %.2f GB/s\ncheck-64-MiB %.2f GB/s\n", median(made), median(checked));
    printf("sum-64-MiB %.2f GB/s (%016" PRIx64 ")\n", median(summed), total);
    free(read);
    fill_free(f);
}

/* Through a queue of this depth, in order and in disorder. */
static void small(uint32_t slots, bool random)
{
    enum { WRITES = 200000 };
    double took[ROUNDS];
    struct fill *f = make(4096, slots);
    for (int i = 0; i < ROUNDS; i++) {
        int64_t start_ns = cpu_ns();
        for (uint64_t w = 0; w < WRITES; w++) {
            uint64_t block = random ? w * UINT64_C(0x9e3779b97f4a7c15) >> 44 : w;
            fill_prepare(f, (uint32_t)(w % slots), 7, block * 4096, 4096);
        }
        took[i] = (double)(cpu_ns() - start_ns) / WRITES;
    }
    printf("stamp-4-KiB-depth-%" PRIu32 "-%s %.1f ns\n", slots, random ? "random" : "order",
           median(took));
    fill_free(f);
}

int main(void)
{
    large();
    small(1, false);
    small(1, true);
    small(32, false);
    small(32, true);
    small(128, true);
    return 0;
}
