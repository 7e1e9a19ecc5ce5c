#!/bin/bash
# The mpiio backend on several ranks, with each library for files that this MPI has; and on a full disk
# where a file system can be mounted.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
program=$PARIO_BUILD/tests/unit/backends/test_mpiio
full=
mkdir "$scratch/full"
if mount -t tmpfs -o size=256k pario "$scratch/full" 2>"$scratch/err"; then
    full=$scratch/full
    trap 'cd / && umount "$scratch/full"; rm -rf "$scratch"' EXIT
else
    note "no full disk: $(cat "$scratch/err")"
fi

# ranks N NAME COMPONENT: the whole program; what it says in detail is shown where it fails.
ranks()
{
    if [ "$3" ]; then export OMPI_MCA_io=$3; else unset OMPI_MCA_io; fi
    run mpi "$1" "$program" "$scratch/work" ${full:+"$full"}
    is "$status" 0 "$2, $1 ranks"
    [ "$status" = 0 ] || note "$out
$err"
    like "$out" "^1\.\.$([ "$full" ] && echo 12 || echo 10)\$" "$2, $1 ranks: all checks were made"
}

for n in 1 2 4; do
    ranks $n "the usual library" ""
done
if [ "$PARIO_MPI" = openmpi ]; then
    romio=$(ompi_info --parsable 2>/dev/null | sed -n 's/^mca:io:\(romio[0-9]*\):version.*/\1/p' | head -n 1)
    if [ "$romio" ]; then ranks 4 "ROMIO in Open MPI" "$romio"; else skip 2 "no ROMIO"; fi
fi
done_testing
