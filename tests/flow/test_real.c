/* The main job on real files through the real clock: posix, and a queue of eight on io_uring. Times
 * are what they are; counts, bytes, data and sums are exact. */
#include "tests/flow/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* What must hold of any phase, whatever the storage. */
static void check_sums(const struct phase_result *p, double bytes, double operations)
{
    uint64_t stages_ns = 0;
    double elapsed = flow_value(p, "elapsed_s"), lower = flow_value(p, "elapsed_lower_s");
    flow_is(p, "bytes", bytes);
    flow_is(p, "operations", operations);
    flow_is(p, "operations_failed", 0);
    flow_is(p, "operations_planned", operations);
    assert_int_equal(p->latency[p->about]->count, (uint64_t)operations);
    for (int i = 0; i < STAGES; i++)
        stages_ns += p->stages[i].sum_ns;
    assert_true(lower > 0 && lower <= elapsed);
    assert_true(stages_ns <= p->ranks * p->counters[COUNTER_ELAPSED_NS]);
    assert_true(stages_ns >= p->ranks * p->counters[COUNTER_ELAPSED_MIN_NS]);
    assert_true(flow_value(p, "stonewall_s") <= elapsed);
    assert_true(flow_value(p, "stonewall_bytes") <= bytes);
    assert_true(flow_value(p, "latency_min_ns") <= flow_value(p, "latency_p50_ns"));
    assert_true(flow_value(p, "latency_p50_ns") <= flow_value(p, "latency_p99_ns"));
    assert_true(flow_value(p, "latency_p99_ns") <= flow_value(p, "latency_max_ns"));
    assert_true(flow_value(p, "latency_max_ns") / 1e9 <= lower);
}

/* The file that 4 ranks wrote, with seed 5: every byte where it belongs. */
static void check_file(const char *path, off_t bytes)
{
    struct fill_data kind = {.mode = FILL_STAMPED, .seed = 5};
    struct error e = error_none();
    struct mismatch m;
    struct stat st;
    char *data = malloc(MIB);
    struct fill *fill = fill_make(&kind, MIB, 1, &e);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &st), 0);
    assert_int_equal(st.st_size, bytes);
    for (uint64_t at = 0; at < (uint64_t)bytes; at += MIB) {
        assert_int_equal(fread(data, 1, MIB, f), MIB);
        assert_int_equal(fill_check(fill, data, 0, at, MIB, &m), 0);
    }
    fclose(f);
    fill_free(fill);
    free(data);
}

static void job(const char *words)
{
    struct flow f;
    char folder[128], path[256];
    flow_folder(folder);
    snprintf(path, sizeof path, "%s/f", folder);
    flow_run_in(&f, folder, words);
    if (f.status != STATUS_DONE)
        fail_msg("%s: %s", words, f.worst.text);
    check_sums(flow_phase(&f, "write", 0), 8 * MIB, 64);
    check_sums(flow_phase(&f, "read", 0), 8 * MIB, 64);
    check_sums(flow_phase(&f, "write", 1), 8 * MIB, 64);
    check_file(path, 8 * MIB);
    flow_free(&f);
    flow_clean(folder);
}

static void posix(void **state)
{
    (void)state;
    job("-a posix --threads 4 -b 1m -t 128k -s 2 -i 2 -k -e -G 5 -o %/f");
}

static void uring(void **state)
{
    (void)state;
    if (backend_find("uring")->unavailable)
        skip();
    job("-a uring --depth 8 --threads 4 -b 1m -t 128k -s 2 -i 2 -k -e -G 5 -o %/f");
}

static void aio(void **state)
{
    (void)state;
    if (backend_find("aio")->unavailable)
        skip();
    job("-a aio --depth 8 --threads 4 -b 1m -t 128k -s 2 -i 2 -k -e -G 5 -o %/f");
}

static void mapped(void **state)
{
    (void)state;
    job("-a mmap --threads 4 -b 1m -t 128k -s 2 -i 2 -k -e -G 5 -o %/f");
}

static void sim_with_a_store(void **state)
{
    (void)state;
    job("-a sim --sim.store --sim.service 0 --threads 4 -b 1m -t 128k -s 2 -i 2 -k -e -G 5 -o %/f");
}

/* The harness alone. */
static void null(void **state)
{
    struct flow f;
    (void)state;
    flow_run(&f, "-a null --threads 4 -b 64m -t 4k");
    assert_int_equal(f.status, STATUS_DONE);
    check_sums(flow_phase(&f, "write", 0), 256 * MIB, 65536);
    check_sums(flow_phase(&f, "read", 0), 256 * MIB, 65536);
    flow_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posix),
        cmocka_unit_test(uring),
        cmocka_unit_test(aio),
        cmocka_unit_test(mapped),
        cmocka_unit_test(sim_with_a_store),
        cmocka_unit_test(null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
