# Files of src/comm, a line each, headers too.
libpario_a_SOURCES += src/comm/comm.h
libpario_a_SOURCES += src/comm/comm.c
libpario_a_SOURCES += src/comm/gate.c
libpario_a_SOURCES += src/comm/gate.h
libpario_a_SOURCES += src/comm/launch.c
libpario_a_SOURCES += src/comm/launch.h
libpario_a_SOURCES += src/comm/mailbox.c
libpario_a_SOURCES += src/comm/mailbox.h
libpario_a_SOURCES += src/comm/node_join.c
libpario_a_SOURCES += src/comm/node_join.h
libpario_a_SOURCES += src/comm/node_map.c
libpario_a_SOURCES += src/comm/node_map.h
libpario_a_SOURCES += src/comm/patience.c
libpario_a_SOURCES += src/comm/patience.h
libpario_a_SOURCES += src/comm/self.c
libpario_a_SOURCES += src/comm/threads.c
libpario_a_SOURCES += src/comm/threads_parts.h
libpario_a_SOURCES += src/comm/threads_split.c
if HAVE_MPI
libpario_mpi_a_SOURCES += src/comm/mpi.c
libpario_mpi_a_SOURCES += src/comm/mpi_message.c
libpario_mpi_a_SOURCES += src/comm/mpi_message.h
libpario_mpi_a_SOURCES += src/comm/mpi_must.h
libpario_mpi_a_SOURCES += src/comm/mpi_neighbours.c
libpario_mpi_a_SOURCES += src/comm/mpi_neighbours.h
libpario_mpi_a_SOURCES += src/comm/mpi_notice.c
libpario_mpi_a_SOURCES += src/comm/mpi_notice.h
libpario_mpi_a_SOURCES += src/comm/mpi_start.c
else
libpario_a_SOURCES += src/comm/nompi.c
endif
