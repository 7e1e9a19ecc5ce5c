/* Which files a checkpoint has, of which sizes, and who writes and reads what of them. */
#include "model/checkpoint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define GIB (UINT64_C(1) << 30)

static struct settings defaults(void)
{
    struct settings s = {0};
    struct error e = error_none();
    assert_int_equal(option_defaults(settings_table, &s, &e), 0);
    s.workload = WORKLOAD_CHECKPOINT;
    return s;
}

static struct checkpoint_plan plan_for(const struct settings *s, uint64_t ranks)
{
    struct checkpoint_plan plan;
    struct error e = error_none();
    if (checkpoint_plan_make(&plan, s, ranks, &e))
        fail_msg("%s", e.text);
    return plan;
}

static struct checkpoint_plan plan_of_model(const char *name, uint64_t ranks, double scale)
{
    struct settings s = defaults();
    while (checkpoint_model_table[s.checkpoint_model].name &&
           strcmp(checkpoint_model_table[s.checkpoint_model].name, name) != 0)
        s.checkpoint_model++;
    assert_non_null(checkpoint_model_table[s.checkpoint_model].name);
    s.checkpoint_model++;
    s.checkpoint_scale = scale;
    struct checkpoint_plan plan = plan_for(&s, ranks);
    option_free(settings_table, &s);
    return plan;
}

/* The choices of --model are the rows of the table. */
static void models_can_be_chosen(void **state)
{
    (void)state;
    const struct option *o = option_find(settings_table, "model");
    const char *at = o->choices;
    assert_memory_equal(at, "none", 4);
    at += 4;
    for (const struct checkpoint_model *m = checkpoint_model_table; m->name; m++) {
        assert_int_equal(*at++, '|');
        assert_memory_equal(at, m->name, strlen(m->name));
        at += strlen(m->name);
    }
    assert_string_equal(at, "");
}

struct size {
    uint64_t files, bytes;
};

/* Files of exactly these sizes, found by going through all of them. */
static void assert_sizes(const struct checkpoint_layout *l, const struct size *sizes, size_t n)
{
    uint64_t found[8] = {0}, files = 0, bytes = 0;
    for (uint64_t w = 0; w < l->writers; w++) {
        assert_true(layout_files(l, w) <= l->slots);
        for (uint64_t k = 0; k < layout_files(l, w); k++) {
            uint64_t size = layout_file_bytes(l, w, k);
            size_t i = 0;
            while (i < n && sizes[i].bytes != size)
                i++;
            if (i == n)
                fail_msg("writer %ju file %ju has %ju bytes", w, k, size);
            found[i]++;
            files++;
            bytes += size;
        }
    }
    for (size_t i = 0; i < n; i++)
        assert_int_equal(found[i], sizes[i].files);
    assert_int_equal(layout_count(l), files);
    assert_int_equal(layout_bytes(l), bytes);
}

/* MLPerf Storage's checkpoints, as its rules and DLIO's formulas have them. */
static void models_have_the_published_sizes(void **state)
{
    (void)state;
    struct checkpoint_plan p = plan_of_model("llama3-8b", 8, 1);
    assert_sizes(&p.layout, (struct size[]){{8, UINT64_C(2007565312)}, {8, UINT64_C(12045637632)}},
                 2);
    assert_int_equal(p.files, 16);
    p = plan_of_model("llama3-70b", 64, 1);
    assert_sizes(&p.layout,
                 (struct size[]){{64, UINT64_C(2184120320)}, {64, UINT64_C(13103482368)}}, 2);
    assert_int_equal(p.files, 128);
    p = plan_of_model("llama3-405b", 512, 1);
    assert_sizes(&p.layout,
                 (struct size[]){{1008, UINT64_C(796983296)},
                                 {16, UINT64_C(525336576)},
                                 {8, UINT64_C(32768)},
                                 {512, UINT64_C(9513171840)}},
                 4);
    assert_int_equal(p.files, 1544);
    p = plan_of_model("llama3-1t", 1024, 1);
    assert_sizes(&p.layout,
                 (struct size[]){{1024, UINT64_C(2297744064)},
                                 {16, UINT64_C(829559808)},
                                 {8, UINT64_C(51744)},
                                 {1024, UINT64_C(13865244924)}},
                 4);
    assert_int_equal(p.files, 2072);
}

/* 104.7, 911.2, 5292, 15426.6 GiB; and what a rank writes of them. */
static void models_have_the_published_totals(void **state)
{
    (void)state;
    assert_int_equal(plan_of_model("llama3-8b", 8, 1).bytes * 10 / GIB, 1047);
    assert_int_equal(plan_of_model("llama3-70b", 64, 1).bytes * 10 / GIB, 9112);
    assert_int_equal(plan_of_model("llama3-405b", 512, 1).bytes * 10 / GIB, 52922);
    assert_int_equal(plan_of_model("llama3-1t", 1024, 1).bytes * 10 / GIB, 154265);
    assert_in_range(model_parameters(&checkpoint_model_table[0]), 8029000000, 8031000000);
    struct checkpoint_plan p = plan_of_model("llama3-405b", 512, 1);
    uint64_t least = UINT64_MAX, most = 0, most_files = 0;
    for (uint64_t w = 0; w < 512; w++) {
        uint64_t bytes = layout_writer_bytes(&p.layout, w), files = layout_files(&p.layout, w);
        least = bytes < least ? bytes : least;
        most = bytes > most ? bytes : most;
        most_files = files > most_files ? files : most_files;
    }
    assert_int_equal(least * 100 / GIB, 885); /* 8.86 GiB, one file */
    assert_int_equal(most * 100 / GIB, 1231); /* 12.32 GiB, six */
    assert_int_equal(most_files, 6);
}

/* With another number of ranks the same parameters are divided otherwise; where that cannot be, the
 * prescribed files are dealt out. */
static void models_run_on_any_number_of_ranks(void **state)
{
    (void)state;
    struct checkpoint_plan p = plan_of_model("llama3-8b", 16, 1);
    assert_int_equal(p.layout.writers, 16);
    assert_int_equal(p.files, 32);
    assert_in_range(p.bytes, plan_of_model("llama3-8b", 8, 1).bytes,
                    plan_of_model("llama3-8b", 8, 1).bytes + GIB);
    p = plan_of_model("llama3-405b", 3, 0.000001);
    assert_int_equal(p.layout.writers, 512);
    assert_int_equal(p.files, 1544);
    assert_in_range(p.bytes, 5680900, 5682600);
    p = plan_of_model("llama3-405b", 1024, 1);
    assert_int_equal(p.files, 1024 + 1032);
    /* As quick for ten million. */
    assert_int_equal(plan_of_model("llama3-8b", 10000000, 1).files, 20000000);
}

/* Every byte of every file exactly once, whoever the workers are. The files are small. */
static void assert_covered(const struct checkpoint_layout *l, bool reading, bool coalesced,
                           uint64_t workers)
{
    uint64_t files = layout_is_shared(l) ? 1 : l->writers * l->slots;
    uint64_t largest = layout_largest(l);
    unsigned char *seen = calloc(files, largest);
    uint64_t bytes = 0;
    assert_non_null(seen);
    for (uint64_t r = 0; r < workers; r++) {
        struct checkpoint_walk walk = reading ? checkpoint_read_walk(l, coalesced, r, workers)
                                              : checkpoint_write_walk(l, coalesced, r, workers);
        uint64_t counted, transfers;
        checkpoint_walk_count(walk, 1000, &counted, &transfers);
        struct checkpoint_piece piece;
        while (checkpoint_walk_next(&walk, &piece)) {
            assert_true(piece.file < files);
            assert_true(piece.length_bytes > 0);
            assert_true(piece.offset_bytes + piece.length_bytes <= largest);
            for (uint64_t i = 0; i < piece.length_bytes; i++)
                assert_int_equal(seen[piece.file * largest + piece.offset_bytes + i]++, 0);
            bytes += piece.length_bytes;
            counted -= piece.length_bytes;
        }
        assert_int_equal(counted, 0);
    }
    assert_int_equal(bytes, layout_bytes(l));
    free(seen);
}

static void assert_covered_by_all(const struct checkpoint_layout *l)
{
    for (uint64_t workers = 1; workers <= 11; workers++)
        for (int coalesced = 0; coalesced < 2; coalesced++) {
            assert_covered(l, false, coalesced, workers);
            assert_covered(l, true, coalesced, workers);
        }
}

static void every_byte_is_written_and_read_once(void **state)
{
    (void)state;
    struct checkpoint_layout l = {.shape = CHECKPOINT_FILES,
                                  .writers = 5,
                                  .slots = 3,
                                  .writer_bytes = 40001,
                                  .align_bytes = 1,
                                  .scale_ppb = 1000000000,
                                  .model = CHECKPOINT_NO_MODEL};
    assert_covered_by_all(&l);
    for (int sizes = 0; sizes < TENSORS_SIZES; sizes++)
        for (l.tensors = 1; l.tensors < 16; l.tensors += 7)
            for (int safe = 0; safe < 2; safe++) {
                l.tensor_sizes = (enum tensor_sizes)sizes;
                l.safetensors = safe;
                assert_covered_by_all(&l);
            }
    l.align_bytes = 4096;
    assert_covered_by_all(&l);
    l = (struct checkpoint_layout){.shape = CHECKPOINT_SHARED,
                                   .writers = 4,
                                   .slots = 1,
                                   .writer_bytes = 20011,
                                   .tensors = 7,
                                   .tensor_sizes = TENSORS_MIXED,
                                   .align_bytes = 1,
                                   .model = CHECKPOINT_NO_MODEL};
    assert_covered_by_all(&l);
    l.shape = CHECKPOINT_STRIDED;
    l.chunk_bytes = 5003;
    l.writer_bytes = 4 * 5003;
    assert_covered_by_all(&l);
    l = (struct checkpoint_layout){.shape = CHECKPOINT_SHARDS,
                                   .writers = 3,
                                   .slots = 1,
                                   .total_bytes = 100000,
                                   .align_bytes = 1,
                                   .model = CHECKPOINT_NO_MODEL};
    assert_covered_by_all(&l);
    struct checkpoint_plan p = plan_of_model("llama3-405b", 4, 0.0000001);
    assert_covered(&p.layout, false, false, 4);
    assert_covered(&p.layout, true, false, 600);
}

/* Three writers and one shard: rank 0 writes it, as the one process of a script would. */
static void one_file_is_written_by_rank_0(void **state)
{
    (void)state;
    struct checkpoint_layout l = {.shape = CHECKPOINT_SHARDS, .writers = 1, .slots = 1};
    uint64_t first, end;
    for (uint64_t rank = 0; rank < 3; rank++) {
        layout_share(&l, rank, 3, &first, &end);
        assert_int_equal(end - first, rank == 0 ? 1 : 0);
    }
}

/* The header is JSON that describes tensors back to back, however it is cut when it is made. */
static void a_header_describes_its_tensors(void **state)
{
    (void)state;
    struct checkpoint_layout l = {.shape = CHECKPOINT_FILES,
                                  .writers = 1,
                                  .slots = 1,
                                  .writer_bytes = 100000,
                                  .tensors = 13,
                                  .tensor_sizes = TENSORS_TRANSFORMER,
                                  .safetensors = true,
                                  .align_bytes = 1,
                                  .model = CHECKPOINT_NO_MODEL};
    uint64_t header = layout_header_bytes(&l);
    assert_int_equal(header % 8, 0);
    char *text = calloc(1, header + 1), *pieces = calloc(1, header + 1);
    layout_header(&l, 100000, 0, header, text);
    for (uint64_t at = 0; at < header; at += 17)
        layout_header(&l, 100000, at, header - at < 17 ? header - at : 17, pieces + at);
    assert_memory_equal(text, pieces, header);
    assert_int_equal((unsigned char)text[0] + 256 * (unsigned char)text[1], header - 8);
    uint64_t next = 0;
    const char *at = text + 8;
    for (int i = 0; i < 13; i++) {
        char name[32];
        uint64_t length, begin, end;
        snprintf(name, sizeof name, "\"tensor.%08d\"", i);
        assert_int_equal(*at++, i == 0 ? '{' : ',');
        assert_memory_equal(at, name, strlen(name));
        assert_int_equal(sscanf(at + strlen(name),
                                ":{\"dtype\":\"U8\",\"shape\":[%ju],\"data_offsets\":[%ju,%ju]}",
                                &length, &begin, &end),
                         3);
        at = strchr(at, '}') + 1;
        assert_int_equal(begin, next);
        assert_int_equal(length, end - begin);
        struct checkpoint_piece piece = layout_piece(&l, 0, 0, (uint64_t)i + 1, false);
        assert_int_equal(piece.offset_bytes, header + begin);
        assert_int_equal(piece.length_bytes, length);
        next = end;
    }
    assert_int_equal(*at++, '}');
    assert_int_equal(strspn(at, " "), text + header - at);
    assert_int_equal(next, 100000 - header);
    free(text);
    free(pieces);
}

static void assert_refused(struct settings *s, const char *word)
{
    struct checkpoint_plan plan;
    struct error e = error_none();
    assert_int_equal(checkpoint_plan_make(&plan, s, 4, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    if (!strstr(e.text, word))
        fail_msg("\"%s\" is not in: %s", word, e.text);
    option_free(settings_table, s);
    *s = defaults();
}

static void what_says_nothing_is_refused(void **state)
{
    (void)state;
    struct settings s = defaults();
    s.checkpoint_shape = CHECKPOINT_SHARDS;
    assert_refused(&s, "--shards N and --total SIZE");
    s.checkpoint_total = 5;
    assert_refused(&s, "--shape shards");
    s.checkpoint_model = 1;
    s.checkpoint_shape = CHECKPOINT_SHARED;
    assert_refused(&s, "--model");
    s.checkpoint_files = 2;
    s.checkpoint_shape = CHECKPOINT_STRIDED;
    assert_refused(&s, "--files-per-rank");
    s.checkpoint_chunk = 4096;
    assert_refused(&s, "--chunk");
    s.checkpoint_shape = CHECKPOINT_STRIDED;
    s.checkpoint_chunk = 47008;
    assert_refused(&s, "47008");
    s.checkpoint_shape = CHECKPOINT_SHARED;
    s.checkpoint_safetensors = true;
    assert_refused(&s, "--safetensors");
    s.checkpoint_coalesce = true;
    assert_refused(&s, "--tensors");
    s.checkpoint_tensors = 2000000;
    assert_refused(&s, "2000000");
    s.checkpoint_tensors = 10000;
    s.checkpoint_safetensors = true;
    assert_refused(&s, "header");
    option_free(settings_table, &s);
}

/* While the newest is written the retained ones are still there. */
static void room_is_needed_for_one_more_than_is_retained(void **state)
{
    (void)state;
    struct settings s = defaults();
    uint64_t bytes, files;
    s.checkpoint_steps = 5;
    struct checkpoint_plan p = plan_for(&s, 4);
    assert_int_equal(p.bytes, 4 << 20);
    checkpoint_plan_most(&p, &bytes, &files);
    assert_int_equal(bytes, 3 * (4 << 20));
    assert_int_equal(files, 3 * 5 + 3);
    s.checkpoint_steps = 2;
    p = plan_for(&s, 4);
    checkpoint_plan_most(&p, &bytes, &files);
    assert_int_equal(bytes, 2 * (4 << 20));
    option_free(settings_table, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_can_be_chosen),
        cmocka_unit_test(models_have_the_published_sizes),
        cmocka_unit_test(models_have_the_published_totals),
        cmocka_unit_test(models_run_on_any_number_of_ranks),
        cmocka_unit_test(every_byte_is_written_and_read_once),
        cmocka_unit_test(one_file_is_written_by_rank_0),
        cmocka_unit_test(a_header_describes_its_tensors),
        cmocka_unit_test(what_says_nothing_is_refused),
        cmocka_unit_test(room_is_needed_for_one_more_than_is_retained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
