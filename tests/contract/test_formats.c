/* What every format promises: whatever a report holds, each piece in its turn gives a document that
 * its readers take. Reports are those of the golden folder, and random ones with numbers at their
 * limits, NAN, control characters and bytes that are no UTF-8. */
#include "tests/golden/fixtures.h"

#include "base/rng.h"
#include "base/text.h"
#include "formats/format.h"
#include "model/metrics.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t some_count(struct rng *r)
{
    static const uint64_t counts[] = {0, 1, 4096, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX};
    return counts[rng_below(r, sizeof counts / sizeof *counts)];
}

static double some_number(struct rng *r)
{
    const double numbers[] = {0, 1, -1, NAN, INFINITY, -INFINITY, 1e300, 1e-300, 0.1, 1048576};
    return numbers[rng_below(r, sizeof numbers / sizeof *numbers)];
}

static void some_words(struct rng *r, char *buf, size_t bytes)
{
    static const char *const pieces[] = {
        "a",  " ",        ",",    "\"",       "\n",           "\r",
        "\t", "\x1b[31m", "\xff", "\xc3\xa4", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\\", "{",        "%s",   "'",        "\x7f"};
    buf[0] = '\0';
    for (uint64_t n = rng_below(r, 12); n > 0; n--) {
        const char *piece = pieces[rng_below(r, sizeof pieces / sizeof *pieces)];
        if (strlen(buf) + strlen(piece) < bytes)
            strcat(buf, piece);
    }
}

static void some_latency(struct rng *r, struct phase_result *p)
{
    struct histogram *h = calloc(1, sizeof *h);
    assert_non_null(h);
    histogram_clear(h);
    for (uint64_t n = rng_below(r, 3); n > 0; n--)
        histogram_add(h, some_count(r) / 2);
    free(p->latency[p->about]);
    p->latency[p->about] = h;
}

static void some_spread(struct rng *r, struct spread *s)
{
    *s = (struct spread){.ranks = some_count(r),
                         .bytes = rng_below(r, 2),
                         .min_per_s = some_number(r),
                         .median_per_s = some_number(r),
                         .max_per_s = some_number(r),
                         .sum_per_s = some_number(r),
                         .cv = some_number(r),
                         .slowest_used = rng_below(r, SPREAD_SLOWEST + 1)};
    for (size_t i = 0; i < s->slowest_used; i++) {
        s->slowest[i].rank = some_count(r);
        s->slowest[i].per_s = some_number(r);
        some_words(r, s->slowest[i].host, sizeof s->slowest[i].host);
    }
    s->modes = (struct modes){.coefficient = some_number(r), .by_explains = some_number(r)};
    some_words(r, s->modes.detail, sizeof s->modes.detail);
}

static void some_phase(struct rng *r, struct phase_result *p)
{
    static const char *const names[] = {"write", "read", "write-check", "tree-remove"};
    struct error e = error_none();
    char words[64];
    strcpy(p->phase, names[rng_below(r, 4)]);
    p->about = (enum op_kind)rng_below(r, OP_KINDS);
    p->repetition = rng_below(r, 100);
    p->ranks = some_count(r);
    for (size_t i = 0; i < COUNTERS; i++)
        p->counters[i] = some_count(r);
    p->elapsed_ns = some_count(r);
    p->stonewall_ns = some_count(r);
    p->stonewall_bytes = some_count(r);
    p->synced = rng_below(r, 2);
    p->cut = (enum cut)rng_below(r, CUT_FULL + 1);
    for (size_t i = 0; i < STAGES; i++)
        p->stages[i] = (struct stage_spread){.max_ns = some_count(r),
                                             .median_ns = some_count(r),
                                             .min_ns = some_count(r),
                                             .sum_ns = some_count(r),
                                             .slowest_rank = some_count(r)};
    some_latency(r, p);
    some_spread(r, &p->spread);
    p->cached_fraction = some_number(r);
    p->node_cpu = some_number(r);
    some_words(r, words, sizeof words);
    phase_warn(p, "straggler", some_number(r), "%s", words);
    error_set(&e, STATUS_FAILED, "EIO", "%s", words);
    error_place(&e, words, some_count(r));
    phase_error(p, &e, some_count(r), words, some_count(r));
}

/* Tests and phases as chance has it, in the place of a fixture's own. */
static struct fixture_report *some_report(uint64_t seed)
{
    const struct fixture *base = &fixture_table[0];
    struct rng r = rng_make(seed, 1);
    struct fixture_report *f = fixture_make(base);
    char words[64];
    f->settings.verbose = (int64_t)rng_below(&r, 3);
    f->report.status = (enum status)rng_below(&r, STATUS_CUT + 1);
    some_words(&r, words, sizeof words);
    assert_int_equal(report_environment(&f->report, words, words, NULL), 0);
    for (uint64_t tests = rng_below(&r, 3); tests > 0; tests--) {
        struct test_result *t = report_test(&f->report, NULL);
        assert_non_null(t);
        some_words(&r, t->name, sizeof t->name);
        some_words(&r, t->backend, sizeof t->backend);
        t->ranks = some_count(&r);
        assert_int_equal(test_fact(t, "fact", words, NULL), 0);
        for (uint64_t phases = rng_below(&r, 4); phases > 0; phases--)
            some_phase(&r, test_phase(t, NULL));
    }
    return f;
}

static void check_json(const struct text *out)
{
    json_error_t why;
    json_t *document = json_loadb(out->data, out->used, JSON_REJECT_DUPLICATES, &why);
    if (!document)
        fail_msg("line %d, column %d: %s", why.line, why.column, why.text);
    assert_string_equal(json_string_value(json_object_get(document, "schema")), "pario/1");
    assert_true(json_is_array(json_object_get(document, "tests")));
    assert_true(json_is_array(json_object_get(document, "expectations")));
    assert_true(json_is_string(json_object_get(document, "status")));
    json_decref(document);
}

/* Fields of one line as RFC 4180 counts them; -1 where it is broken. */
static int csv_fields(const char *line, size_t bytes)
{
    int fields = 1;
    bool quoted = false;
    for (size_t i = 0; i < bytes; i++) {
        if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == ',' && !quoted)
            fields++;
        else if ((unsigned char)line[i] < 0x20)
            return -1;
    }
    return quoted ? -1 : fields;
}

static void check_csv(const struct text *out, const struct report *r)
{
    int columns = csv_fields(out->data, strcspn(out->data, "\n"));
    size_t expected = 1, lines = 0;
    assert_int_equal(strncmp(out->data, "schema,", 7), 0);
    for (const char *line = out->data; *line; line += strcspn(line, "\n") + 1) {
        assert_int_equal(csv_fields(line, strcspn(line, "\n")), columns);
        if (lines++ > 0)
            assert_int_equal(strncmp(line, "pario/1,", 8), 0);
    }
    for (size_t i = 0; i < r->tests_used; i++)
        expected += r->tests[i].phases_used;
    assert_int_equal(lines, expected);
    assert_null(strstr(out->data, "nan"));
    assert_null(strstr(out->data, "inf"));
}

static void check_text(const struct text *out)
{
    for (size_t i = 0; i < out->used; i++)
        if ((unsigned char)out->data[i] < 0x20 || out->data[i] == 0x7f)
            assert_int_equal(out->data[i], '\n');
    assert_null(strstr(out->data, "nan"));
}

static void check(const struct format *f, const struct text *out, const struct report *r)
{
    assert_false(out->failed);
    assert_int_equal(strlen(out->data), out->used); /* no NUL inside */
    assert_int_equal(out->data[out->used - 1], '\n');
    if (strcmp(f->name, "json") == 0)
        check_json(out);
    else if (strcmp(f->name, "csv") == 0)
        check_csv(out, r);
    else
        check_text(out);
}

static void test_fixtures(void **state)
{
    const struct format *format = *state;
    for (const struct fixture *f = fixture_table; f->name; f++) {
        struct text out = {0};
        struct fixture_report *r = fixture_make(f);
        format_report(format, &out, &r->report);
        check(format, &out, &r->report);
        text_free(&out);
        fixture_free(r);
    }
}

static void test_chance(void **state)
{
    const struct format *format = *state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct text out = {0};
        struct fixture_report *r = some_report(seed);
        format_report(format, &out, &r->report);
        check(format, &out, &r->report);
        text_free(&out);
        fixture_free(r);
    }
}

/* As while a run goes on: pieces are appended as results come, and at the end they are what is
 * written in one go; and the document of the moment, ended early, is whole after every phase. */
static void test_pieces(void **state)
{
    const struct format *format = *state;
    struct fixture_report *f = fixture_make(&fixture_table[2]);
    struct report *r = &f->report;
    struct test_result *t = &r->tests[0];
    size_t all = t->phases_used;
    struct text pieces = {0}, whole = {0};
    t->phases_used = 0;
    format->begin(&pieces, r);
    format->test(&pieces, r, t);
    while (t->phases_used < all) {
        format->row(&pieces, r, t, &t->phases[t->phases_used++]);
        text_clear(&whole);
        format_report(format, &whole, r);
        check(format, &whole, r);
    }
    format->end(&pieces, r);
    assert_int_equal(pieces.used, whole.used);
    assert_memory_equal(pieces.data, whole.data, whole.used);
    text_free(&pieces);
    text_free(&whole);
    fixture_free(f);
}

static void test_same_twice(void **state)
{
    const struct format *format = *state;
    struct text first = {0}, second = {0};
    struct fixture_report *r = some_report(7);
    format_report(format, &first, &r->report);
    format_report(format, &second, &r->report);
    assert_string_equal(first.data, second.data);
    text_free(&first);
    text_free(&second);
    fixture_free(r);
}

struct memory { /* of jansson: calls that succeed from now on */
    long left;
};

static struct memory *memory_of_jansson(void)
{
    static struct memory memory;
    return &memory;
}

static void *scarce(size_t bytes)
{
    return memory_of_jansson()->left-- > 0 ? malloc(bytes) : NULL;
}

/* Whichever allocation fails, the text says so: no document with a hole in it passes as whole. */
static void test_memory_runs_out(void **state)
{
    const struct format *json = format_find("json");
    struct fixture_report *r = fixture_make(&fixture_table[0]);
    struct text whole = {0};
    bool failed = true;
    (void)state;
    format_report(json, &whole, &r->report);
    json_set_alloc_funcs(scarce, free);
    for (long n = 0; failed; n += n < 200 ? 1 : 97) {
        struct text out = {0};
        memory_of_jansson()->left = n;
        format_report(json, &out, &r->report);
        failed = out.failed;
        if (!failed)
            assert_string_equal(out.data, whole.data);
        text_free(&out);
    }
    json_set_alloc_funcs(malloc, free);
    text_free(&whole);
    fixture_free(r);
}

static void test_table(void **state)
{
    (void)state;
    for (const struct format *const *f = format_table; *f; f++) {
        assert_ptr_equal(format_find((*f)->name), *f);
        assert_true((*f)->sentence && (*f)->begin && (*f)->test && (*f)->row && (*f)->end);
    }
    assert_non_null(format_find("text"));
    assert_non_null(format_find("csv"));
    assert_null(format_find("xml"));
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(void **state);
    } each[] = {{"fixtures", test_fixtures},
                {"chance", test_chance},
                {"pieces", test_pieces},
                {"same twice", test_same_twice}};
    struct CMUnitTest tests[64] = {cmocka_unit_test(test_table),
                                   cmocka_unit_test(test_memory_runs_out)};
    char names[64][48];
    size_t n = 2;
    for (const struct format *const *f = format_table; *f; f++) {
        for (size_t i = 0; i < sizeof each / sizeof *each && n < 64; i++, n++) {
            snprintf(names[n], sizeof names[n], "%s: %s", (*f)->name, each[i].name);
            tests[n] = (struct CMUnitTest){names[n], each[i].run, NULL, NULL, (void *)*f};
        }
    }
    return _cmocka_run_group_tests("formats", tests, n, NULL, NULL);
}
