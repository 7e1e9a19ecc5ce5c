# Files of src/comm, a line each, headers too.
libpario_a_SOURCES += src/comm/comm.h
# mpi.c goes to libpario_mpi_a_SOURCES under if HAVE_MPI, nompi.c to libpario_a_SOURCES in its else.
