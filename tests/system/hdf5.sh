#!/bin/bash
# Runs by HDF5 on several ranks: other tools read what was written, any number of ranks verify it, what HDF5
# really did is told, and trouble ends all ranks with one message.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
if lacks hdf5; then
    run alone "$pario" -a hdf5
    is "$status" 2 "without HDF5 the backend is refused"
    like "$err" '^pario: .*hdf5 cannot be used: built with' "and says what is missing"
    done_testing
    exit 0
fi
command -v jq >/dev/null || skip_all "no jq"
export RUN_SECONDS=60
said() { printf '%s\n' "$err" | grep '^pario: '; }
fact() { jq -r ".tests[0].backend_facts.$1" doc.json; }

# The same bytes as a plain file of the same run would have: DATASET FILE BYTES-TO-SKIP NAME.
same_bytes()
{
    if command -v h5dump >/dev/null; then
        h5dump -d "$1" -b LE -o raw "$2" >/dev/null 2>&1
        cmp -s raw "$3"
        is "$?" 0 "$4"
        rm -f raw
    else
        skip 1 "no h5dump"
    fi
}

run mpi 4 "$pario" -a posix -b 512k -t 64k -s 2 -w -k -G 77 -o plain
for way in "" "-c" "--hdf5.chunk 128k" "-c --hdf5.chunk 128k" "-c --hdf5.create-together" "-c --hdf5.collective-metadata"; do
    # shellcheck disable=SC2086 # options
    run mpi 4 "$pario" -a hdf5 -b 512k -t 64k -s 2 -w -W -r -R -k -G 77 --json doc.json $way
    is "$status:$err" "0:" "'$way': a job ends well, and finds its data again"
    same_bytes /data testFile plain "'$way': h5dump sees the bytes of a plain file"
    rm -f testFile*
done
run mpi 4 "$pario" -a hdf5 -b 512k -t 64k -s 2 -w -k -G 77 --hdf5.dataset-per-segment -c
head -c 2m plain >first
same_bytes /segment.00000000 testFile first "a dataset per segment"
run mpi 2 "$pario" -a hdf5 -b 1m -t 128k -s 2 -r -R -k
is "$status:$err" "0:" "half as many ranks verify it, without being told of its layout"
rm -f testFile* first

run mpi 4 "$pario" -a hdf5 -b 512k -t 64k -s 2 -w -k -c -e --hdf5.variables 4 --json doc.json
is "$status:$err" "0:" "four variables per step"
like "$(fact hdf5_datasets)" '^8 x 524288 bytes \(/step.00000000/variable.0' "are eight datasets of two steps"
is "$(fact hdf5_transfers)" collective "written by collective calls, as HDF5 says"
like "$(fact hdf5_library)" '^HDF5 [0-9.]+, parallel$' "the document names the library"
is "$(jq '[.tests[0].phases[0].stages | .open, .transfer, .sync, .close | .max_s > 0] | all' doc.json)" true \
    "the times of open, transfers, flush and close stand apart"
if command -v h5ls >/dev/null; then
    is "$(h5ls -r testFile | grep -c 'variable.[0-3] Dataset {524288}')" 8 "h5ls sees them"
else
    skip 1 "no h5ls"
fi
run mpi 2 "$pario" -a hdf5 -b 512k -t 64k -s 4 -r -R -k
is "$status:$err" "0:" "two ranks verify them"
run mpi 2 "$pario" -a hdf5 -b 512k -t 64k -s 5 -r -k
is "$status" 1 "a read beyond the datasets fails"
like "$(said)" 'rank (0 .*testFile, offset 4194304|1 .*testFile, offset 4718592): H5Dread of 65536 bytes: the datasets end at byte 4194304' "and says where they end"
truncate -s 3000000 testFile
run mpi 2 "$pario" -a hdf5 -b 512k -t 64k -r -k
is "$status" 1 "a file that was cut off fails"
like "$(said)" 'H5Fopen: truncated file' "in the words of HDF5's error stack"
is "$(said | wc -l)" 1 "once for all ranks"
rm -f testFile*

run mpi 4 "$pario" -a hdf5 -F -c -b 512k -t 64k -w -W -r -R -k -G 77 --hdf5.chunk 64k --hdf5.compress 1 --json doc.json
is "$status:$err:$(find . -name 'testFile.0*' | wc -l)" "0::4" "a file per process, compressed"
run mpi 4 "$pario" -a posix -F -b 512k -t 64k -w -k -G 77 -o plain2
same_bytes /data testFile.00000003 plain2.00000003 "h5dump decompresses what a plain file would hold"
rm -f testFile* plain* doc.json

run mpi 4 "$pario" -a hdf5 -b 4m -t 64k -s 1000 -w -D 1 -c --json doc.json
is "$status:$err:$(ls)" "0::doc.json" "a deadline stops collective transfers"
is "$(jq '.tests[0].phases[0] | .operations_rank_min == .operations_rank_max' doc.json)" true "all ranks at the same one"

refused() # OPTIONS MESSAGE
{
    # shellcheck disable=SC2086 # options
    run mpi 2 "$pario" -a hdf5 -b 512k -t 64k $1
    is "$status:$(find . -name 'testFile*')" "2:" "refused: $1"
    like "$(said)" "$2" "$1: says why"
}
refused "--hdf5.compress 3" 'compress: .*--hdf5.chunk'
refused "--hdf5.compress 3 --hdf5.chunk 64k" 'compress: .*add -c'
refused "--hdf5.variables 3" 'use -b 589824'
refused "--hdf5.chunk 2m" 'chunk: 2097152 bytes are more than a dataset holds'
refused "-c -z --hdf5.dataset-per-segment -s 2" 'random order'
refused "-Y" 'option -Y: backend hdf5'
refused "--hdf5.libver v999" 'libver'
refused "--threads 2" 'MPI ranks'

# One rank cannot open the file that all share: the others do not wait for it.
cat >only <<'END'
#!/bin/bash
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 2 ] || exec "$@"
exec strace -f -qq -o /dev/null -P testFile -e trace=openat -e inject=openat:error=EACCES "$@"
END
chmod +x only
if command -v strace >/dev/null && strace -f -o /dev/null true 2>/dev/null; then
    run mpi 4 ./only "$pario" -a hdf5 -b 512k -t 64k
    is "$status" 1 "one rank may not open the shared file"
    like "$(said)" 'pario: rank 0 .*testFile: H5Fopen by all ranks: it failed on rank 2: Permission denied' \
        "the message says which, and why"
    is "$(find . -name 'testFile*')" "" "and nothing is left behind"
else
    skip 3 "strace may not trace here"
fi

mkdir full
if mount -t tmpfs -o size=8m pario full 2>"$scratch/why"; then
    trap 'cd / && umount "$scratch/work/full"; rm -rf "$scratch"' EXIT
    for way in "" "-c" "-F" "-c --hdf5.chunk 64k -e"; do
        # shellcheck disable=SC2086 # options
        run mpi 4 "$pario" -a hdf5 -w -b 8m -t 64k -D 30 --reserve 0 -o full/f $way
        is "$status" 1 "'$way' on a full disk fails"
        like "$(said)" '^pario: rank [0-9] .*H5(Dwrite|Fclose|Fflush|Fcreate).*(No space left on device|ENOSPC)' "'$way': and says why"
        is "$(said | wc -l):$(ls full)" "1:" "'$way': once, and leaves nothing behind"
    done
else
    skip 12 "no full disk: $(cat "$scratch/why")"
fi
done_testing
