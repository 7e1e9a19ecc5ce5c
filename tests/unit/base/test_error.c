#include "base/error.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static int not_there(struct error *e)
{
    return error_errno(e, ENOENT, "open '%s'", "a/b");
}

static void nothing_is_set_at_first(void **state)
{
    (void)state;
    struct error e = error_none();
    assert_int_equal(e.status, STATUS_DONE);
    assert_string_equal(e.text, "");
    assert_true(e.offset == ERROR_NO_OFFSET);
    assert_int_equal(error_wrap(&e, "rank %d", 3), -1);
    assert_string_equal(e.text, "");
    error_place(&e, "p", 1);
    assert_string_equal(e.path, "");
}

static void the_first_error_wins(void **state)
{
    (void)state;
    struct error e = error_none();
    assert_int_equal(error_set(&e, STATUS_USAGE, "usage", "no %s", "good"), -1);
    assert_int_equal(error_set(&e, STATUS_FAILED, "EIO", "later"), -1);
    assert_int_equal(not_there(&e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    assert_string_equal(e.kind, "usage");
    assert_string_equal(e.text, "no good");
    assert_int_equal(e.errno_value, 0);
    assert_int_equal(error_set(NULL, STATUS_USAGE, "usage", "nobody listens"), -1);
    assert_int_equal(error_errno(NULL, EIO, "nobody listens"), -1);
    assert_int_equal(error_wrap(NULL, "nobody listens"), -1);
}

static void an_errno_brings_name_and_text(void **state)
{
    (void)state;
    struct error e = error_none();
    errno = EBUSY;
    assert_int_equal(not_there(&e), -1);
    assert_int_equal(errno, EBUSY);
    assert_int_equal(e.status, STATUS_FAILED);
    assert_int_equal(e.errno_value, ENOENT);
    assert_string_equal(e.kind, "ENOENT");
    assert_string_equal(e.text, "open 'a/b': No such file or directory");
    error_wrap(&e, "phase %s", "write");
    error_wrap(&e, "rank %d on %s", 3, "n1");
    assert_string_equal(e.text, "rank 3 on n1: phase write: open 'a/b': No such file or directory");
}

static void the_first_place_wins(void **state)
{
    (void)state;
    struct error e = error_none();
    not_there(&e);
    error_place(&e, NULL, 4096);
    error_place(&e, "a/b", 7);
    error_place(&e, "c", 8);
    assert_string_equal(e.path, "a/b");
    assert_int_equal(e.offset, 4096);
    assert_string_equal(e.text, "open 'a/b': No such file or directory");
}

static void long_texts_lose_their_middle(void **state)
{
    (void)state;
    char path[6000];
    struct error e = error_none();
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    memcpy(path, "/begin/", 7);
    memcpy(path + sizeof path - 5, "/end", 4);
    error_errno(&e, ENAMETOOLONG, "open '%s'", path);
    error_place(&e, path, 0);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    assert_non_null(strstr(e.text, "open '/begin/xx"));
    assert_non_null(strstr(e.text, "xx...xx"));
    assert_non_null(strstr(e.text, ": File name too long"));
    assert_int_equal(strlen(e.path), sizeof e.path - 1);
    assert_non_null(strstr(e.path, "/begin/xx"));
    assert_string_equal(e.path + strlen(e.path) - 4, "/end");
    for (int i = 0; i < 100; i++)
        error_wrap(&e, "level %d of a call that went very deep", i);
    assert_int_equal(memcmp(e.text, "level 99 of", 11), 0);
    assert_non_null(strstr(e.text, ": File name too long"));
    error_wrap(&e, "%s", path);
    assert_non_null(strstr(e.text, ": File name too long"));
}

static void no_half_character_is_left(void **state)
{
    (void)state;
    char path[1200];
    for (unsigned shift = 0; shift < 3; shift++) {
        struct error e = error_none();
        memset(path, 'x', shift);
        for (size_t i = shift; i + 3 < sizeof path; i += 3)
            memcpy(path + i, "\xe2\x82\xac", 4);
        error_set(&e, STATUS_FAILED, "EIO", "x");
        error_place(&e, path, 0);
        const char *cut = strstr(e.path, "...");
        assert_non_null(cut);
        assert_int_equal((cut - e.path - (int)shift) % 3, 0);
        assert_int_equal(strlen(cut + 3) % 3, 0);
    }
}

static void control_characters_do_not_reach_a_terminal(void **state)
{
    (void)state;
    struct error e = error_none();
    error_set(&e, STATUS_USAGE, "usage", "no file '%s'", "a\nb\033[2Jc\x7f");
    assert_string_equal(e.text, "no file 'a?b?[2Jc?'");
    error_wrap(&e, "in\n%s", "x");
    assert_string_equal(e.text, "in?x: no file 'a?b?[2Jc?'");
}

static void names_of_errnos(void **state)
{
    (void)state;
    char buf[24];
    assert_string_equal(error_errno_name(ENOSPC, buf, sizeof buf), "ENOSPC");
    assert_string_equal(error_errno_name(EDQUOT, buf, sizeof buf), "EDQUOT");
    assert_string_equal(error_errno_name(EWOULDBLOCK, buf, sizeof buf), "EAGAIN");
    assert_string_equal(error_errno_name(4321, buf, sizeof buf), "E4321");
    assert_string_equal(error_errno_name(-5, buf, sizeof buf), "E-5");
}

static void the_worse_status(void **state)
{
    (void)state;
    static const enum status order[] = {STATUS_USAGE, STATUS_FAILED, STATUS_CUT, STATUS_UNMET,
                                        STATUS_DONE};
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++)
            assert_int_equal(status_worse(order[i], order[j]), order[i < j ? i : j]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_set_at_first),
        cmocka_unit_test(the_first_error_wins),
        cmocka_unit_test(an_errno_brings_name_and_text),
        cmocka_unit_test(the_first_place_wins),
        cmocka_unit_test(long_texts_lose_their_middle),
        cmocka_unit_test(no_half_character_is_left),
        cmocka_unit_test(control_characters_do_not_reach_a_terminal),
        cmocka_unit_test(names_of_errnos),
        cmocka_unit_test(the_worse_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
