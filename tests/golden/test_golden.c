/* Every fixture in every format against tests/golden/<fixture>/expected.<format>. When the output
 * is meant to change, run with PARIO_REGENERATE=1 and look at what git diff says. */
#include "fixtures.h"

#include "base/text.h"
#include "formats/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static void expected_path(char *buf, size_t bytes, const char *fixture, const char *format)
{
    const char *source = getenv("PARIO_SOURCE");
    snprintf(buf, bytes, "%s/tests/golden/%s", source ? source : ".", fixture);
    if (getenv("PARIO_REGENERATE"))
        mkdir(buf, 0777);
    size_t used = strlen(buf);
    snprintf(buf + used, bytes - used, "/expected.%s", format);
}

static void read_file(struct text *into, const char *path)
{
    char buf[4096];
    size_t n;
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("%s: cannot be opened; PARIO_REGENERATE=1 writes it", path);
    while ((n = fread(buf, 1, sizeof buf, f)) > 0)
        text_append(into, buf, n);
    fclose(f);
}

static void write_file(const struct text *from, const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(from->data, 1, from->used, f), from->used);
    assert_int_equal(fclose(f), 0);
}

/* Says the first line that differs. */
static void compare(const struct text *got, const char *path)
{
    struct text expected = {0};
    int line = 1;
    size_t start = 0;
    read_file(&expected, path);
    for (size_t i = 0; i < got->used && i < expected.used; i++) {
        if (got->data[i] != expected.data[i])
            break;
        if (got->data[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    if (got->used != expected.used || memcmp(got->data, expected.data, got->used) != 0)
        fail_msg("%s, line %d: expected \"%.*s\", got \"%.*s\"", path, line,
                 (int)strcspn(expected.data + start, "\n"), expected.data + start,
                 (int)strcspn(got->data + start, "\n"), got->data + start);
    text_free(&expected);
}

static void test_format(void **state)
{
    const struct format *format = *state;
    for (const struct fixture *f = fixture_table; f->name; f++) {
        char path[1024];
        struct text out = {0};
        struct fixture_report *r = fixture_make(f);
        format_report(format, &out, &r->report);
        assert_false(out.failed);
        expected_path(path, sizeof path, f->name, format->name);
        if (getenv("PARIO_REGENERATE"))
            write_file(&out, path);
        compare(&out, path);
        text_free(&out);
        fixture_free(r);
    }
}

int main(void)
{
    struct CMUnitTest tests[16];
    size_t n = 0;
    for (const struct format *const *f = format_table; *f && n < 16; f++)
        tests[n++] = (struct CMUnitTest){(*f)->name, test_format, NULL, NULL, (void *)*f};
    return _cmocka_run_group_tests("golden", tests, n, NULL, NULL);
}
