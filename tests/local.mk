# Tests. A line each: unit and contract tests are cmocka programs tests/<kind>/<room>/test_<file>.c and
# need nothing but their name here; the others are shell scripts on tests/support/tap.sh.
unit_tests =
unit_tests += tests/unit/base/test_error
unit_tests += tests/unit/base/test_op
unit_tests += tests/unit/base/test_rng
unit_tests += tests/unit/base/test_text
unit_tests += tests/unit/base/test_units
unit_tests += tests/unit/base/test_units_show
unit_tests += tests/unit/model/test_checkpoint
unit_tests += tests/unit/phases/test_checkpoint
unit_tests += tests/unit/model/test_checkpoint_layout
unit_tests += tests/unit/base/test_digits
unit_tests += tests/unit/model/test_histogram
unit_tests += tests/unit/model/test_metadata
unit_tests += tests/unit/model/test_tree
unit_tests += tests/unit/model/test_option
unit_tests += tests/unit/model/test_pattern
tests_unit_model_test_pattern_SOURCES = tests/unit/model/test_pattern.c $(plans_support)
unit_tests += tests/unit/model/test_plan
tests_unit_model_test_plan_SOURCES = tests/unit/model/test_plan.c $(plans_support)
unit_tests += tests/unit/model/test_reorder
unit_tests += tests/unit/phases/test_transfers
tests_unit_phases_test_transfers_SOURCES = tests/unit/phases/test_transfers.c $(plans_support)
plans_support = tests/unit/model/plans.h
unit_tests += tests/unit/model/test_sample
unit_tests += tests/unit/model/test_settings
unit_tests += tests/unit/model/test_fill
unit_tests += tests/unit/model/test_stats
unit_tests += tests/unit/model/test_timeline
unit_tests += tests/unit/model/test_topology
unit_tests += tests/contract/test_clock
unit_tests += tests/unit/backends/test_aio
unit_tests += tests/unit/backends/test_network
unit_tests += tests/unit/backends/test_uring
unit_tests += tests/unit/backends/test_uring_ring
backend_support = tests/support/backend_bench.c tests/support/backend_bench.h \
	tests/support/backend_contract.c tests/support/backend_contract.h
unit_tests += tests/contract/test_backends
tests_contract_test_backends_SOURCES = tests/contract/test_backends.c $(backend_support)
unit_tests += tests/contract/test_backend_files
tests_contract_test_backend_files_SOURCES = tests/contract/test_backend_files.c $(backend_support)
unit_tests += tests/unit/backends/test_hdf5_layout
unit_tests += tests/unit/backends/test_mmap
tests_unit_backends_test_mmap_SOURCES = tests/unit/backends/test_mmap.c $(backend_support)
unit_tests += tests/unit/backends/test_null
tests_unit_backends_test_null_SOURCES = tests/unit/backends/test_null.c $(backend_support)
unit_tests += tests/unit/backends/test_posix
tests_unit_backends_test_posix_SOURCES = tests/unit/backends/test_posix.c $(backend_support)
unit_tests += tests/unit/backends/test_sim
tests_unit_backends_test_sim_SOURCES = tests/unit/backends/test_sim.c $(backend_support)
unit_tests += tests/unit/backends/test_sim_model
unit_tests += tests/unit/backends/test_sim_queue
unit_tests += tests/contract/test_comm
tests_contract_test_comm_SOURCES = tests/contract/test_comm.c \
	tests/contract/comm_contract.c tests/contract/comm_contract.h \
	tests/contract/comm_contract_parts.h \
	tests/contract/comm_contract_notices.c tests/contract/comm_contract_messages.c
unit_tests += tests/unit/base/test_argv
unit_tests += tests/unit/run/test_tensor_list
unit_tests += tests/unit/base/test_wrap
unit_tests += tests/unit/judge/test_spread
unit_tests += tests/unit/judge/test_verdicts
unit_tests += tests/unit/model/test_metrics
unit_tests += tests/unit/model/test_result
tests_unit_model_test_result_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=reallocarray
unit_tests += tests/contract/test_formats
tests_contract_test_formats_SOURCES = tests/contract/test_formats.c \
	tests/golden/fixtures.c tests/golden/fixtures.h
unit_tests += tests/unit/comm/test_node_join
unit_tests += tests/unit/run/test_axis
unit_tests += tests/unit/run/test_axis_tree
unit_tests += tests/unit/run/test_bundle
unit_tests += tests/unit/run/test_scale
tests_unit_run_test_scale_SOURCES = tests/unit/run/test_scale.c $(plans_support)
unit_tests += tests/unit/comm/test_patience
unit_tests += tests/unit/comm/test_launch
unit_tests += tests/golden/test_golden
tests_golden_test_golden_SOURCES = tests/golden/test_golden.c \
	tests/golden/fixtures.c tests/golden/fixtures.h
EXTRA_DIST += tests/golden/bulk tests/golden/empty tests/golden/extremes tests/golden/failed \
	tests/golden/repeated tests/golden/repeated-v tests/golden/verbose
unit_tests += tests/unit/cli/test_cli
tests_unit_cli_test_cli_SOURCES = tests/unit/cli/test_cli.c $(cli_support)
unit_tests += tests/unit/cli/test_launcher
unit_tests += tests/unit/cli/test_script
tests_unit_cli_test_script_SOURCES = tests/unit/cli/test_script.c $(cli_support)
unit_tests += tests/unit/cli/test_texts
tests_unit_cli_test_texts_SOURCES = tests/unit/cli/test_texts.c $(cli_support)
unit_tests += tests/unit/cli/test_wrong
tests_unit_cli_test_wrong_SOURCES = tests/unit/cli/test_wrong.c $(cli_support)
cli_support = tests/unit/cli/fixture.h tests/unit/cli/parts.h
unit_tests += tests/unit/probe/test_cache
unit_tests += tests/unit/probe/test_cgroup
unit_tests += tests/unit/probe/test_program
unit_tests += tests/unit/probe/test_counters
unit_tests += tests/unit/probe/test_device
unit_tests += tests/unit/probe/test_direct
unit_tests += tests/unit/probe/test_environment
unit_tests += tests/unit/probe/test_file
unit_tests += tests/unit/probe/test_filesystem
unit_tests += tests/unit/probe/test_memory
unit_tests += tests/unit/probe/test_mountinfo
unit_tests += tests/unit/probe/test_room
unit_tests += tests/unit/probe/test_sidecar
unit_tests += tests/unit/probe/test_sidecar_file
unit_tests += tests/unit/probe/test_slurm
unit_tests += tests/unit/probe/test_source
unit_tests += tests/unit/probe/test_treemark
EXTRA_DIST += tests/unit/probe/tree.h

flow_support = tests/flow/flow.c tests/flow/flow.h tests/flow/stream.c
unit_tests += tests/flow/test_metadata
tests_flow_test_metadata_SOURCES = tests/flow/test_metadata.c $(flow_support)
unit_tests += tests/flow/test_figures
tests_flow_test_figures_SOURCES = tests/flow/test_figures.c $(flow_support)
unit_tests += tests/flow/test_chains
tests_flow_test_chains_SOURCES = tests/flow/test_chains.c $(flow_support)
unit_tests += tests/flow/test_failures
tests_flow_test_failures_SOURCES = tests/flow/test_failures.c $(flow_support)
unit_tests += tests/flow/test_real
tests_flow_test_real_SOURCES = tests/flow/test_real.c $(flow_support)
unit_tests += tests/flow/test_waiting
tests_flow_test_waiting_SOURCES = tests/flow/test_waiting.c $(flow_support)

# Long tests, for make check-long only.
long_tests =
long_tests += tests/system/checkpoint_kills.sh
long_tests += tests/fuzz/fuzz_cli.sh
long_tests += tests/system/sleeping.sh
long_tests += tests/system/throttled.sh
long_tests += tests/fuzz/fuzz_probe.sh
EXTRA_DIST += tests/fuzz/fuzz_mountinfo.c tests/fuzz/fuzz_sidecar.c
EXTRA_DIST += tests/fuzz/fuzz_cli.c tests/fuzz/corpus
long_tests += tests/contract/comm_mpi_large.sh

shell_tests =
shell_tests += tests/system/bytes.sh
shell_tests += tests/system/checkpoint.sh
shell_tests += tests/system/cli.sh
shell_tests += tests/system/collective.sh
shell_tests += tests/system/conformance.sh
shell_tests += tests/system/field.sh
shell_tests += tests/system/keeping.sh
shell_tests += tests/system/verify.sh
shell_tests += tests/system/plan.sh
shell_tests += tests/system/cases_bulk.sh
shell_tests += tests/system/cases_queues.sh
shell_tests += tests/system/cases_reports.sh
shell_tests += tests/system/recipes.sh
shell_tests += tests/system/results.sh
shell_tests += tests/system/compress.sh
shell_tests += tests/system/failures.sh
shell_tests += tests/system/launch.sh
shell_tests += tests/system/main_job.sh
shell_tests += tests/system/options.sh
shell_tests += tests/system/random.sh
shell_tests += tests/system/signals.sh
shell_tests += tests/system/metadata.sh
shell_tests += tests/system/devices.sh
shell_tests += tests/system/network.sh
shell_tests += tests/system/wrong.sh
shell_tests += tests/contract/comm_mpi.sh
shell_tests += tests/unit/backends/mpiio.sh
shell_tests += tests/system/hdf5.sh
shell_tests += tests/system/pnetcdf.sh
shell_tests += tests/system/mpiio.sh
shell_tests += tests/system/cases_mpiio.sh
shell_tests += tests/cluster/placement.sh
shell_tests += tests/cluster/clocks.sh
shell_tests += tests/cluster/reorder.sh
long_tests += tests/cluster/reorder_long.sh
long_tests += tests/cluster/slurm.sh
long_tests += tests/cluster/moosefs.sh
long_tests += tests/cluster/glusterfs.sh
long_tests += tests/cluster/large.sh
shell_tests += tests/cluster/failures.sh
shell_tests += tests/cluster/slow_link.sh
EXTRA_DIST += tests/cluster/wall_shift.c
EXTRA_DIST += tests/cluster/hosts.sh tests/cluster/filesystem.sh tests/cluster/vhosts

lint_tests =
lint_tests += tests/lint/arrows.sh
lint_tests += tests/lint/clang.sh
lint_tests += tests/lint/cppcheck.sh
lint_tests += tests/lint/format.sh
lint_tests += tests/lint/globals.sh
lint_tests += tests/lint/headers.sh
lint_tests += tests/lint/lengths.sh
lint_tests += tests/lint/mpi.sh
lint_tests += tests/lint/packed.sh
lint_tests += tests/lint/shell.sh
lint_tests += tests/lint/words.sh
EXTRA_DIST += tests/lint/arrows.list tests/lint/globals.list tests/lint/cppcheck.list

if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
endif

# The contract of comm for mpirun; alone it is a test too.
tests_contract_test_comm_mpi_SOURCES = tests/contract/test_comm_mpi.c \
	tests/contract/comm_contract.c tests/contract/comm_contract.h \
	tests/contract/comm_contract_parts.h \
	tests/contract/comm_contract_notices.c tests/contract/comm_contract_messages.c
# The mpiio backend, likewise.
tests_unit_backends_test_mpiio_SOURCES = tests/unit/backends/test_mpiio.c \
	tests/unit/backends/mpiio_failures.c tests/unit/backends/mpiio_transfers.c \
	tests/unit/backends/mpiio_world.c tests/unit/backends/mpiio_world.h
tests_unit_backends_test_mpiio_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
mpi_tests =
if HAVE_MPI
mpi_tests += tests/contract/test_comm_mpi
mpi_tests += tests/unit/backends/test_mpiio
check_PROGRAMS += $(mpi_tests)
else
unit_tests += tests/unit/comm/test_nompi
endif
LDADD += $(CMOCKA_LIBS)
EXTRA_DIST += tests/support/document.h tests/support/queue.h tests/support/tap.sh tests/support/lsan.supp \
	tests/support/keep_plugins.c
unit_tests += tests/unit/phases/test_metadata_phases
EXTRA_DIST += tests/support/metadata_world.h tests/support/stream.h
EXTRA_DIST += tests/support/document.h tests/support/queue.h tests/support/tap.sh tests/support/lsan.supp
dist_check_SCRIPTS += $(shell_tests) $(lint_tests) $(long_tests)

TESTS += $(check_PROGRAMS) $(shell_tests) $(lint_tests)
TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
LOG_COMPILER = $(SHELL) $(srcdir)/build-aux/cmocka-tap
SH_LOG_COMPILER = $(BASH)
AM_TESTS_ENVIRONMENT = \
	PARIO_SOURCE='$(abs_top_srcdir)'; PARIO_BUILD='$(abs_top_builddir)'; \
	PARIO_MPIRUN='$(MPIRUN)'; PARIO_MPI='$(MPI_FLAVOUR)'; \
	PARIO_CC='$(CC)'; MPICC='$(MPICC)'; PARIO_MPI_CPPFLAGS='$(HDF5_CPPFLAGS) $(MPI_CPPFLAGS)'; \
	export PARIO_SOURCE PARIO_BUILD PARIO_MPIRUN PARIO_MPI PARIO_CC MPICC PARIO_MPI_CPPFLAGS;

# Speed against bare loops; never a part of check. See the head of each script.
bench_programs = tests/bench/loop_posix tests/bench/loop_names tests/bench/fill_rate
tests_bench_loop_posix_LDADD =
tests_bench_loop_names_LDADD =
tests_bench_loop_uring_LDADD = $(URING_LIBS)
bench_scripts = tests/bench/null.sh tests/bench/names.sh tests/bench/peers.sh
EXTRA_PROGRAMS = tests/bench/loop_posix tests/bench/loop_names tests/bench/fill_rate tests/bench/loop_uring
if HAVE_LIBURING
bench_programs += tests/bench/loop_uring
bench_scripts += tests/bench/uring.sh
endif
if HAVE_MPI
bench_scripts += tests/bench/own.sh
endif
EXTRA_DIST += tests/bench/pairs.sh tests/bench/null.sh tests/bench/names.sh tests/bench/uring.sh
EXTRA_DIST += tests/bench/peers.sh tests/bench/own.sh tests/bench/own_cost.c tests/bench/loop_barriers.c
bench: all $(bench_programs)
	@for script in $(bench_scripts); do \
		$(AM_TESTS_ENVIRONMENT) $(BASH) $(srcdir)/$$script || status=1; echo; \
	done; exit $${status:-0}
.PHONY: bench

# Parts of make check, and what takes too long for it.
lint: all
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(lint_tests)'
check-unit: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(check_PROGRAMS)'
check-quick: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(check_PROGRAMS) $(shell_tests)'
# What differs from one MPI library to another.
check-programs: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(mpi_tests) $(shell_tests)'
# Is all packed that the build and the tests need? Built in full, tested in part.
distcheck-quick: all
	$(MAKE) $(AM_MAKEFLAGS) distcheck TESTS='$(unit_tests) tests/system/cli.sh'
check-long: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(long_tests)'
.PHONY: lint check-unit check-quick check-programs check-long distcheck-quick

# For tests/lint/packed.sh.
print-packed:
	@echo $(DISTFILES)
.PHONY: print-packed
unit_tests += tests/unit/model/test_access
unit_tests += tests/unit/model/test_sizes
unit_tests += tests/flow/test_checkpoint
tests_flow_test_checkpoint_SOURCES = tests/flow/test_checkpoint.c $(flow_support)
unit_tests += tests/flow/test_random
tests_flow_test_random_SOURCES = tests/flow/test_random.c $(flow_support)
unit_tests += tests/unit/model/test_series
unit_tests += tests/unit/judge/test_steady
