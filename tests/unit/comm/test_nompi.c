/* A build without MPI says so, and does nothing else. */
#include "comm/comm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void test_says_so(void **state)
{
    (void)state;
    struct error e = error_none();
    struct clock clock = clock_monotonic();
    char version[16];

    assert_int_equal(comm_mpi_start(NULL, NULL, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    assert_non_null(strstr(e.text, "without MPI"));
    e = error_none();
    assert_null(comm_mpi(&clock, &e));
    assert_int_equal(e.status, STATUS_USAGE);
    assert_string_equal(comm_mpi_version(version, sizeof version), "none");
    comm_mpi_abort(1);
    comm_mpi_end(0, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
