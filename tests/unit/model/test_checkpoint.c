/* Names, the marker, and how often to save. */
#include "model/checkpoint.h"

#include "base/op.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static struct checkpoint_layout layout(enum checkpoint_shape shape)
{
    return (struct checkpoint_layout){.shape = shape,
                                      .writers = 4,
                                      .slots = 1,
                                      .writer_bytes = 1 << 20,
                                      .total_bytes = 5000,
                                      .chunk_bytes = 4096,
                                      .align_bytes = 1,
                                      .scale_ppb = 1000000000,
                                      .model = CHECKPOINT_NO_MODEL};
}

static void assert_path(struct checkpoint_plan *p, uint64_t object, const char *expected)
{
    char path[64];
    assert_int_equal(checkpoint_path(p, object, path, sizeof path), 0);
    assert_string_equal(path, expected);
    assert_int_equal(checkpoint_path(p, object, path, strlen(expected)), -1);
}

static void everything_has_a_name(void **state)
{
    (void)state;
    struct checkpoint_plan p = {.layout = layout(CHECKPOINT_FILES), .path = "/d/ck"};
    assert_path(&p, checkpoint_directory(), "/d/ck");
    assert_path(&p, checkpoint_marker(), "/d/ck/latest");
    assert_path(&p, checkpoint_marker() | OBJECT_TEMPORARY, "/d/ck/latest.tmp");
    assert_path(&p, checkpoint_step_directory(12), "/d/ck/step-00000012");
    assert_path(&p, checkpoint_file(12, 3), "/d/ck/step-00000012/rank-00000003");
    assert_path(&p, checkpoint_file(12, 3) | OBJECT_TEMPORARY,
                "/d/ck/step-00000012/rank-00000003.tmp");
    p.layout.slots = 2;
    p.layout.safetensors = true;
    assert_path(&p, checkpoint_file(1, 5), "/d/ck/step-00000001/rank-00000002.1.safetensors");
    p.layout = layout(CHECKPOINT_SHARDS);
    assert_path(&p, checkpoint_file(1, 3), "/d/ck/step-00000001/model-00004-of-00004");
    p.layout = layout(CHECKPOINT_STRIDED);
    assert_path(&p, checkpoint_file(1, 0), "/d/ck/step-00000001/shared");
    p.path = "";
    assert_path(&p, checkpoint_step_directory(CHECKPOINT_STEPS_MOST), "/step-16777215");
}

static struct checkpoint_marker marker(void)
{
    struct checkpoint_marker m = {
        .seed = UINT64_MAX, .ranks = 3, .oldest = 4, .latest = 5, .layout = layout(2)};
    m.layout.tensors = 7;
    m.layout.tensor_sizes = TENSORS_TRANSFORMER;
    m.layout.safetensors = true;
    return m;
}

static int parse(const char *text, size_t bytes, struct checkpoint_marker *m)
{
    struct error e = error_none();
    int failed = checkpoint_marker_parse(text, bytes, "D/latest", m, &e);
    if (failed) {
        assert_int_equal(e.status, STATUS_USAGE);
        assert_non_null(strstr(e.text, "D/latest"));
    }
    return failed;
}

static void a_marker_is_read_as_it_was_written(void **state)
{
    (void)state;
    char text[CHECKPOINT_MARKER_BYTES];
    struct checkpoint_marker m = marker(), back;
    checkpoint_marker_format(&m, text);
    assert_memory_equal(text, "pario-checkpoint 1\nseed 18446744073709551615\n", 45);
    assert_int_equal(text[sizeof text - 1], '\n');
    assert_int_equal(parse(text, sizeof text, &back), 0);
    assert_int_equal(back.seed, m.seed);
    assert_int_equal(back.ranks, 3);
    assert_int_equal(back.oldest, 4);
    assert_int_equal(back.latest, 5);
    assert_int_equal(back.layout.shape, CHECKPOINT_STRIDED);
    assert_int_equal(back.layout.writers, 4);
    assert_int_equal(back.layout.writer_bytes, 1 << 20);
    assert_int_equal(back.layout.chunk_bytes, 4096);
    assert_int_equal(back.layout.tensors, 7);
    assert_int_equal(back.layout.tensor_sizes, TENSORS_TRANSFORMER);
    assert_true(back.layout.safetensors);
    assert_int_equal(back.layout.model, CHECKPOINT_NO_MODEL);
}

/* Each bit of it, and wherever it is cut. */
static void a_damaged_marker_is_none(void **state)
{
    (void)state;
    char text[CHECKPOINT_MARKER_BYTES];
    struct checkpoint_marker m = marker(), back;
    checkpoint_marker_format(&m, text);
    size_t used = strlen("proof ") + (size_t)(strstr(text, "proof ") - text);
    while (text[used] != '\n')
        used++;
    for (size_t i = 0; i <= used; i++)
        for (int bit = 0; bit < 8; bit++) {
            text[i] ^= (char)(1 << bit);
            assert_int_equal(parse(text, sizeof text, &back), -1);
            text[i] ^= (char)(1 << bit);
        }
    for (size_t n = 0; n <= used; n++)
        assert_int_equal(parse(text, n, &back), -1);
    assert_int_equal(parse(text, used + 1, &back), 0);
    m.layout.chunk_bytes = 0;
    checkpoint_marker_format(&m, text);
    assert_int_equal(parse(text, sizeof text, &back), -1);
    m = marker();
    m.layout.model = 77;
    checkpoint_marker_format(&m, text);
    assert_int_equal(parse(text, sizeof text, &back), -1);
}

/* Cost 60 s and a failure a day: every 3220 s, 3.7 % lost; and so on. */
static void intervals_are_those_of_young_and_daly(void **state)
{
    (void)state;
    assert_true(fabs(checkpoint_young_s(60, 86400) - 3219.94) < 0.01);
    assert_true(fabs(checkpoint_waste(60, 3219.94, 86400) - 0.03727) < 0.00001);
    assert_true(fabs(checkpoint_young_s(300, 86400) - 7200) < 0.001);
    assert_true(fabs(checkpoint_waste(300, 7200, 86400) - 0.08333) < 0.00001);
    assert_true(fabs(checkpoint_young_s(60, 1800) - 464.76) < 0.01);
    assert_true(fabs(checkpoint_waste(60, 464.76, 1800) - 0.2582) < 0.0001);
    /* 464.758 (1 + sqrt(1/60)/3 + 1/540) - 60 */
    assert_true(fabs(checkpoint_daly_s(60, 1800) - 425.619) < 0.01);
    assert_true(checkpoint_daly_s(100, 50) == 50);
    assert_true(isnan(checkpoint_young_s(0, 86400)));
    assert_true(isnan(checkpoint_daly_s(60, 0)));
    assert_true(isnan(checkpoint_waste(60, 0, 86400)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_has_a_name),
        cmocka_unit_test(a_marker_is_read_as_it_was_written),
        cmocka_unit_test(a_damaged_marker_is_none),
        cmocka_unit_test(intervals_are_those_of_young_and_daly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
