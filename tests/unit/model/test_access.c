/* How operations are asked for: mixes, skews, rates; against counts and formulas. */
#include "model/access.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct settings basic(void)
{
    struct settings s;
    struct error e = error_none();
    assert_int_equal(option_defaults(settings_table, &s, &e), 0);
    s.workload = WORKLOAD_RANDOM;
    s.transfer = (struct sizes){.bytes = 4096};
    return s;
}

static void done(struct settings *s)
{
    option_free(settings_table, s);
}

static void reads_are_exactly_their_share(void **state)
{
    (void)state;
    for (unsigned percent = 0; percent <= 100; percent += 10) {
        struct access_plan a = {.read_percent = percent};
        for (uint64_t block = 0; block < 20; block++) {
            unsigned reads = 0;
            for (uint64_t i = 0; i < 100; i++)
                reads += access_is_read(&a, block * 100 + i, 7);
            assert_int_equal(reads, percent);
        }
    }
}

/* The order differs from block to block, and from key to key. */
static void reads_come_in_no_order(void **state)
{
    struct access_plan a = {.read_percent = 50};
    unsigned same_block = 0, same_key = 0;
    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        same_block += access_is_read(&a, i, 1) == access_is_read(&a, 100 + i, 1);
        same_key += access_is_read(&a, i, 1) == access_is_read(&a, i, 2);
    }
    assert_in_range(same_block, 20, 80);
    assert_in_range(same_key, 20, 80);
}

static void operations_are_due_evenly(void **state)
{
    struct access_plan a = {.rate_per_s = 1000};
    (void)state;
    assert_int_equal(access_due(&a, 0, 0, 4), 1); /* 0 would mean: not due at any time */
    assert_int_equal(access_due(&a, 1, 0, 4), 1000000);
    assert_int_equal(access_due(&a, 0, 1, 4), 250000);
    assert_int_equal(access_due(&a, 1000000, 3, 4), 1000000000000 + 750000);
    a.rate_per_s = 1e-9;
    assert_int_equal(access_due(&a, UINT64_C(1) << 60, 0, 1), INT64_MAX);
}

/* Number of draws that went to each place, most first. */
static int more(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a < b) - (a > b);
}

static uint64_t *draw(const struct access_plan *a, uint64_t places, uint64_t draws)
{
    struct skew s = skew_make(a, places, 11);
    struct rng r = rng_make(5, 0);
    uint64_t *hits = calloc(places, sizeof *hits);
    assert_non_null(hits);
    for (uint64_t i = 0; i < draws; i++) {
        uint64_t at = skew_draw(&s, &r);
        assert_true(at < places);
        hits[at]++;
    }
    qsort(hits, places, sizeof *hits, more);
    return hits;
}

/* Shares of the hottest places against k^-s / sum of all, the definition. */
static void zipf_is_as_defined(void **state)
{
    static const double exponents[] = {0.5, 0.99, 1.0, 1.1, 2.0};
    enum { PLACES = 1000, DRAWS = 2000000 };
    (void)state;
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        struct access_plan a = {.zipf = exponents[i]};
        uint64_t *hits = draw(&a, PLACES, DRAWS);
        double all = 0;
        for (int k = 1; k <= PLACES; k++)
            all += pow(k, -exponents[i]);
        for (int k = 1; k <= 10; k++) {
            double expected = DRAWS * pow(k, -exponents[i]) / all;
            /* Five standard deviations, and what sorting by hits moves among near ones. */
            assert_true(fabs((double)hits[k - 1] - expected) <
                        5 * sqrt(expected) + 0.02 * expected);
        }
        free(hits);
    }
}

static void hot_places_get_their_draws(void **state)
{
    enum { PLACES = 1000, DRAWS = 1000000 };
    struct access_plan a = {.hot_places = 0.2, .hot_draws = 0.8};
    uint64_t *hits = draw(&a, PLACES, DRAWS), hot = 0;
    (void)state;
    for (int k = 0; k < 200; k++)
        hot += hits[k];
    assert_true(fabs((double)hot - 800000) < 5 * sqrt(DRAWS * 0.8 * 0.2));
    free(hits);
}

static void even_draws_and_one_place(void **state)
{
    struct access_plan a = {0}, zipf = {.zipf = 1.2}, hot = {.hot_places = 0.5, .hot_draws = 0.5};
    const struct access_plan *all[] = {&a, &zipf, &hot};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        free(draw(all[i], 1, 100));
    uint64_t *hits = draw(&a, 10, 100000);
    assert_in_range(hits[9], 9500, 10000);
    assert_in_range(hits[0], 10000, 10500);
    free(hits);
}

/* Exact and quick however many places there are. */
static void huge_ranges_are_drawn_from(void **state)
{
    struct access_plan a = {.zipf = 1.1};
    struct skew s = skew_make(&a, UINT64_C(1) << 52, 3);
    struct rng r = rng_make(1, 1);
    (void)state;
    for (int i = 0; i < 100000; i++)
        assert_true(skew_draw(&s, &r) < UINT64_C(1) << 52);
}

static void rates_are_parsed(void **state)
{
    static const struct {
        const char *text;
        double per_s;
    } rows[] = {
        {"5000", 5000}, {"5000/s", 5000}, {"0.5/s", 0.5}, {"100MiB/s", 25600}, {"1e3", 1000}};
    struct access_plan a;
    struct error e = error_none();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct settings s = basic();
        s.rate = strdup(rows[i].text);
        assert_int_equal(access_make(&a, &s, 4, &e), 0);
        assert_true(fabs(a.rate_per_s - rows[i].per_s) < 1e-9);
        s.rate_total = s.rate;
        s.rate = NULL;
        assert_int_equal(access_make(&a, &s, 4, &e), 0);
        assert_true(fabs(a.rate_per_s - rows[i].per_s / 4) < 1e-9);
        done(&s);
    }
}

static void wrong_use_names_the_option(void **state)
{
    static const struct {
        const char *rate, *hot;
        double zipf;
        int64_t think_ns, depth, ramp_ns, read_percent;
        unsigned workload;
        const char *says;
    } rows[] = {
        {.rate = "fast", .workload = WORKLOAD_RANDOM, .says = "option --rate: 'fast'"},
        {.rate = "-1", .workload = WORKLOAD_RANDOM, .says = "option --rate: '-1'"},
        {.rate = "0/s", .workload = WORKLOAD_RANDOM, .says = "option --rate: '0/s'"},
        {.hot = "20", .workload = WORKLOAD_RANDOM, .says = "option --hot: '20'"},
        {.hot = "0/80", .workload = WORKLOAD_RANDOM, .says = "option --hot: '0/80'"},
        {.hot = "20/101", .workload = WORKLOAD_RANDOM, .says = "option --hot: '20/101'"},
        {.hot = "20/80", .zipf = 1, .workload = WORKLOAD_RANDOM, .says = "exclude each other"},
        {.zipf = 1, .workload = WORKLOAD_BULK, .says = "option --zipf is about draws"},
        {.hot = "20/80", .workload = WORKLOAD_BULK, .says = "option --hot is about draws"},
        {.think_ns = 1, .depth = 2, .workload = WORKLOAD_BULK, .says = "option --think"},
        {.ramp_ns = 1, .workload = WORKLOAD_BULK, .says = "option --ramp"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct settings s = basic();
        struct access_plan a;
        struct error e = error_none();
        s.rate = rows[i].rate ? strdup(rows[i].rate) : NULL;
        s.hot = rows[i].hot ? strdup(rows[i].hot) : NULL;
        s.zipf = rows[i].zipf;
        s.think_ns = rows[i].think_ns;
        s.depth = rows[i].depth ? rows[i].depth : 1;
        s.ramp_ns = rows[i].ramp_ns;
        s.workload = rows[i].workload;
        assert_int_equal(access_make(&a, &s, 1, &e), -1);
        assert_int_equal(e.status, STATUS_USAGE);
        if (!strstr(e.text, rows[i].says))
            fail_msg("row %zu: %s", i, e.text);
        done(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_are_exactly_their_share), cmocka_unit_test(reads_come_in_no_order),
        cmocka_unit_test(operations_are_due_evenly),     cmocka_unit_test(zipf_is_as_defined),
        cmocka_unit_test(hot_places_get_their_draws),    cmocka_unit_test(even_draws_and_one_place),
        cmocka_unit_test(huge_ranges_are_drawn_from),    cmocka_unit_test(rates_are_parsed),
        cmocka_unit_test(wrong_use_names_the_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
