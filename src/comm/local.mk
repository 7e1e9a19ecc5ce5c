# Files of src/comm, a line each, headers too.
libpario_a_SOURCES += src/comm/comm.h
libpario_a_SOURCES += src/comm/comm.c
libpario_a_SOURCES += src/comm/gate.c
libpario_a_SOURCES += src/comm/gate.h
libpario_a_SOURCES += src/comm/self.c
libpario_a_SOURCES += src/comm/threads.c
# mpi.c goes to libpario_mpi_a_SOURCES under if HAVE_MPI, nompi.c to libpario_a_SOURCES in its else.
libpario_a_SOURCES += src/comm/nompi.c
