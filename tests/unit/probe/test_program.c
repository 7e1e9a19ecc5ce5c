#include "probe/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_run(const char *text, const char *message)
{
    struct argv a;
    struct error e = error_none();
    assert_int_equal(argv_split(&a, text, "--x", &e), 0);
    assert_int_equal(program_run(&a, &e), message ? -1 : 0);
    assert_string_equal(e.text, message ? message : "");
    assert_int_equal(e.status, message ? STATUS_FAILED : STATUS_DONE);
}

static void its_end_is_told(void **state)
{
    (void)state;
    assert_run("true", NULL);
    assert_run("sh -c 'read x || exit 0; exit 1'", NULL); /* there is nothing to read */
    assert_run("false", "false ended with status 1");
    assert_run("sh -c 'exit 7'", "sh ended with status 7");
    assert_run("sh -c 'kill -KILL $$'", "sh was ended by signal 9 (Killed)");
    assert_run("/nowhere/to/be/found",
               "/nowhere/to/be/found: it cannot be started: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_end_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
