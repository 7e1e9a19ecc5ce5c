#!/bin/bash
# Runs by MPI-IO with each library for files that this MPI has: views, hints, deadlines, a rank that fails, a
# full disk. The program ends by itself, with one message and the right status.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
command -v jq >/dev/null || skip_all "no jq"
export RUN_SECONDS=60
said() { printf '%s\n' "$err" | grep '^pario: '; }
can_trace() { command -v strace >/dev/null && strace -f -o /dev/null true 2>/dev/null; }

# only RANK CALLS ERROR: a script in which these system calls on testFile fail on one rank.
only()
{
    cat >only <<END
#!/bin/bash
[ "\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" = $1 ] || exec "\$@"
exec strace -f -qq -o /dev/null -P "$PWD/testFile" -P testFile -e trace=$2 -e inject=$2:error=$3 "\$@"
END
    chmod +x only
}

full=
mkdir full
if mount -t tmpfs -o size=4m pario full 2>"$scratch/why"; then
    full=yes
    trap 'cd / && umount "$scratch/work/full"; rm -rf "$scratch"' EXIT
fi

data() # NAME
{
    run mpi 4 "$pario" -a posix -b 256k -t 64k -s 3 -w -k -G 77 -o plain
    for way in "" "-c" "--mpiio.file-view" "-c --mpiio.file-view" "--mpiio.preallocate --mpiio.atomicity" "-z -c"; do
        # shellcheck disable=SC2086 # options
        run mpi 4 "$pario" -a mpiio -b 256k -t 64k -s 3 -w -W -r -R -k -G 77 $way
        is "$status:$err" "0:" "$1, '$way': a job ends well, and finds its data again"
        cmp -s testFile plain
        is "$?" 0 "$1, '$way': the file is what posix writes"
        rm -f testFile*
    done
    run mpi 4 "$pario" -a mpiio -b 256k -t 64k -s 3 -w -k -G 77 --mpiio.file-view
    run mpi 2 "$pario" -a mpiio -b 512k -t 128k -s 3 -r -R --mpiio.file-view
    is "$status:$err" "0:" "$1: half as many ranks verify it"
    rm -f testFile* plain*
    export IOR_HINT__MPI__cb_buffer_size=65536
    run mpi 2 "$pario" -a mpiio -b 256k -t 64k -w --mpiio.hint 'romio_ds_write=disable;nonsense=7' --json doc.json
    unset IOR_HINT__MPI__cb_buffer_size
    is "$(jq -c '.tests[0].backend_facts | [(."hint.cb_buffer_size" | startswith("65536")),
        (."hint.romio_ds_write" | startswith("disable"))]' doc.json)" '[true,true]' "$1: hints are read back"
    is "$(jq '.tests[0].backend_facts | has("mpi_library") and has("mpi_io")' doc.json)" true "$1: and the library is named"
}

deadlines() # NAME
{
    for way in "" "-c" "-c -e --mpiio.file-view"; do
        # shellcheck disable=SC2086 # options
        run mpi 4 "$pario" -a mpiio -b 4m -t 64k -s 1000 -w -D 1 --json doc.json $way
        is "$status:$err:$(ls -d testFile* 2>/dev/null)" "0::" "$1, '$way': a deadline is a normal end"
        is "$(jq '.tests[0].phases[0] | .operations > 0 and .operations < .operations_planned' doc.json)" true \
            "$1, '$way': and stops in the middle"
    done
}

trouble() # NAME
{
    if can_trace; then
        only 2 openat EACCES
        for way in "" "-c"; do
            # shellcheck disable=SC2086 # options
            run mpi 4 ./only "$pario" -a mpiio -b 256k -t 64k $way
            is "$status" 1 "$1, '$way': one rank may not open the shared file"
            like "$(said)" 'testFile: MPI_File_open by all ranks: rank 2 cannot open it: Permission denied' \
                "$1, '$way': the message says which, and why"
        done
        only 2 pwrite64,pwritev EIO
        run mpi 4 ./only "$pario" -a mpiio -b 256k -t 64k -e
        is "$status" 1 "$1: one rank cannot write"
        like "$(said)" 'rank 2 .*testFile, offset 524288: MPI_File_write_at .*Input/output error' "$1: the others do not wait"
        is "$(said | wc -l):$(ls -d testFile* 2>/dev/null)" "1:" "$1: one message, nothing left"
    else
        skip 7 "strace may not trace here"
    fi
    if [ "$full" ]; then
        for way in "" "-c" "-F" "-c -e --mpiio.file-view" "--mpiio.preallocate"; do
            # shellcheck disable=SC2086 # options
            run mpi 4 "$pario" -a mpiio -w -b 4m -t 64k -D 30 --reserve 0% -o full/f $way
            is "$status" 1 "$1, '$way': a full disk is a failure"
            like "$(said)" '^pario: rank [0-9] .*full/f.*MPI_File_.*No space left on device' "$1, '$way': that is named"
            is "$(said | wc -l):$(ls full)" "1:" "$1, '$way': once, and nothing is left"
        done
    else
        skip 15 "no full disk: $(cat "$scratch/why")"
    fi
}

all()
{
    data "$1"
    deadlines "$1"
    trouble "$1"
}

all "the usual library"
if [ "$PARIO_MPI" = openmpi ]; then
    romio=$(ompi_info --parsable 2>/dev/null | sed -n 's/^mca:io:\(romio[0-9]*\):version.*/\1/p' | head -n 1)
    if [ "$romio" ]; then
        export OMPI_MCA_io=$romio
        all "ROMIO in Open MPI"
    fi
fi

run mpi 2 "$pario" -a mpiio -F --mpiio.file-view
is "$status" 2 "a view of a file per process is refused"
run mpi 2 "$pario" -a mpiio -z --mpiio.file-view
is "$status" 2 "and one with transfers in random order"
run mpi 2 "$pario" -a mpiio -Y
is "$status" 2 "a sync of a shared file after each write is refused"
done_testing
