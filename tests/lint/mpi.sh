#!/bin/bash
# MPI is spoken by the MPI comm and the MPI backends alone.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
plan 1
bad=$(cd "$PARIO_SOURCE" && find src backends tests -name '*.[ch]' \
    ! -path 'src/comm/mpi*.c' ! -path 'tests/bench/*.c' ! -path 'backends/mpiio*.[ch]' ! -path 'backends/hdf5*.[ch]' ! -path 'backends/pnetcdf*.[ch]' -print0 |
    xargs -0 grep -nE '#include *[<"](mpi|hdf5|pnetcdf)\.h|\bMPI_(Init|Comm_|File_|COMM_|Info_|Finalize)[A-Za-z_]*\(')
is "$bad" "" "mpi.h and MPI calls stand where they may"
