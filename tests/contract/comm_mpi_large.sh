#!/bin/bash
# A gather of more bytes than an int counts; needs 6 GiB of memory.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
[ "$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -ge 7 ] || skip_all "less than 7 GiB of memory"
plan 1
RUN_SECONDS=200
run mpi 3 "$PARIO_BUILD/tests/contract/test_comm_mpi" large
is "$status" 0 "a gather of more than 2 GiB"
