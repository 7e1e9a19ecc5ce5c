# Tests. A line each: unit and contract tests are cmocka programs tests/<kind>/<room>/test_<file>.c and
# need nothing but their name here; the others are shell scripts on tests/support/tap.sh.
unit_tests =
unit_tests += tests/contract/test_clock

# Long tests, for make check-long only.
long_tests =

shell_tests =

if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
endif
LDADD += $(CMOCKA_LIBS)
EXTRA_DIST += tests/support/tap.sh
dist_check_SCRIPTS += $(shell_tests) $(long_tests)

TESTS += $(check_PROGRAMS) $(shell_tests)
TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
LOG_COMPILER = $(SHELL) $(srcdir)/build-aux/cmocka-tap
SH_LOG_COMPILER = $(BASH)
AM_TESTS_ENVIRONMENT = \
	PARIO_SOURCE='$(abs_top_srcdir)'; PARIO_BUILD='$(abs_top_builddir)'; \
	PARIO_MPIRUN='$(MPIRUN)'; PARIO_MPI='$(MPI_FLAVOUR)'; \
	PARIO_CC='$(CC)'; PARIO_MPI_CPPFLAGS='$(MPI_CPPFLAGS)'; \
	export PARIO_SOURCE PARIO_BUILD PARIO_MPIRUN PARIO_MPI PARIO_CC PARIO_MPI_CPPFLAGS;

check-long: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(long_tests)'
.PHONY: check-long
