# Backends: a line each makes one. backends/<file>.c defines const struct backend backend_<file>, with -
# as _; the table is generated in this order, which is that of --list. Those that call MPI stand in
# the second list, to be compiled with its options; without their library all of them still
# compile, to an entry that says why it is unavailable.
backends_parts =
backends_parts += backends/posix.c
backends_parts += backends/mmap.c
backends_parts += backends/null.c
backends_parts += backends/sim.c
backends_parts += backends/uring.c
backends_parts += backends/aio.c
backends_parts += backends/network.c
backends_mpi_parts =
backends_mpi_parts += backends/mpiio.c
backends_mpi_parts += backends/hdf5.c
backends_mpi_parts += backends/pnetcdf.c

libpario_a_SOURCES += backends/backend.h
libpario_a_SOURCES += $(backends_parts)
libpario_a_SOURCES += backends/hdf5_layout.h
libpario_a_SOURCES += backends/hdf5_layout.c
libpario_a_SOURCES += backends/mmap_guard.h
libpario_a_SOURCES += backends/mmap_guard.c
libpario_a_SOURCES += backends/network_server.h
libpario_a_SOURCES += backends/network_server.c
libpario_a_SOURCES += backends/posix_file.h
libpario_a_SOURCES += backends/posix_file.c
libpario_a_SOURCES += backends/posix_name.c
libpario_a_SOURCES += backends/sim_model.h
libpario_a_SOURCES += backends/sim_model.c
libpario_a_SOURCES += backends/sim_options.c
libpario_a_SOURCES += backends/sim_queue.h
libpario_a_SOURCES += backends/sim_queue.c
libpario_a_SOURCES += backends/uring_ring.h
libpario_a_SOURCES += backends/uring_call.c
libpario_a_SOURCES += backends/uring_ring.c
libpario_mpi_a_SOURCES += $(backends_mpi_parts)
libpario_mpi_a_SOURCES += backends/hdf5_datasets.c
libpario_mpi_a_SOURCES += backends/hdf5_explain.c
libpario_mpi_a_SOURCES += backends/hdf5_facts.c
libpario_mpi_a_SOURCES += backends/hdf5_file.h
libpario_mpi_a_SOURCES += backends/hdf5_open.c
libpario_mpi_a_SOURCES += backends/hdf5_properties.c
libpario_mpi_a_SOURCES += backends/hdf5_transfer.c
libpario_mpi_a_SOURCES += backends/mpiio_cause.c
libpario_mpi_a_SOURCES += backends/mpiio_explain.c
libpario_mpi_a_SOURCES += backends/mpiio_file.h
libpario_mpi_a_SOURCES += backends/mpiio_name.h
libpario_mpi_a_SOURCES += backends/mpiio_hints.c
libpario_mpi_a_SOURCES += backends/mpiio_share.h
libpario_mpi_a_SOURCES += backends/mpiio_transfer.c
libpario_mpi_a_SOURCES += backends/pnetcdf_explain.c
libpario_mpi_a_SOURCES += backends/pnetcdf_file.h
libpario_mpi_a_SOURCES += backends/pnetcdf_open.c
libpario_mpi_a_SOURCES += backends/pnetcdf_transfer.c

nodist_libpario_a_SOURCES += backends/table.c
CLEANFILES += backends/table.c
backends/table.c: Makefile $(srcdir)/build-aux/make-table
	@$(MKDIR_P) backends
	$(AM_V_GEN)$(make_table) backend backends/backend.h strcasecmp \
		$(backends_parts) $(backends_mpi_parts) >$@.new && mv $@.new $@
