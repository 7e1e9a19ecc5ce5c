#!/bin/bash
# Cases of the public record about MPI-IO and HDF5, under their numbers.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
command -v jq >/dev/null || skip_all "no jq"
result() { jq -r ".tests[0] | $1" doc.json; }

mkdir D
run mpi 2 "$pario" -a mpiio -F -u -b 64k -t 64k -w -k -o D/file
is "$status:$(find D -type f -name 'file*' -size 64k ! -name '*.pario' | sort | xargs)" "0:$(printf 'D/0/file.00000000 D/1/file.00000001')" \
    "A077: directories of ranks are made by POSIX calls, whatever the files are written by"
rm -rf D

for api in mpiio hdf5; do
    if lacks $api; then
        skip 3 "no $api here"
        continue
    fi
    run mpi 2 "$pario" -a $api -b 512k -t 64k -w -r --json doc.json
    is "$status:$(result '[.phases[].bytes] | unique | join(" ")')" "0:1048576" "A082: $api runs without any option of its own"
    run mpi 2 "$pario" -a $api -b 512k -t 64k -w -e --json doc.json
    is "$status:$(result '.phases[0] | [.stages.sync.max_s > 0, .elapsed_s >= .stages.sync.min_s] | all')" "0:true" \
        "A085: -e with $api is done by the library, inside the measured time"
    is "$(jq '.tests[0].phases[0].warnings | map(select(.code == "cached-writes")) | length' doc.json)" 0 "and the writes do not count as cached"
done

if lacks hdf5; then
    skip 3 "no hdf5 here"
else
    # Open MPI has two libraries for files; others do not look at this.
    for io in ompio romio321; do
        run mpi 2 env OMPI_MCA_io=$io "$pario" -a hdf5 -c -b 1m -t 256k -w -r -R --hdf5.chunk 256k --json doc.json
        is "$status:$err" "0:" "A083: collective transfers of a chunked dataset ($io)"
    done
    is "$(result '.backend_facts | has("mpi_library") and has("mpi_io") and has("hdf5_library")')" true \
        "and the document names MPI, its part for files and HDF5"
fi

for way in "-a mpiio -c" "-a posix"; do
    # shellcheck disable=SC2086 # options
    run mpi 2 "$pario" $way -b 47008 -t 47008 -s 2000 -w -D 1 -O stoneWallingWearOut=1 --json doc.json
    is "$status" 0 "A130: $way under a deadline, worn out"
    is "$(result '.phases[0] | ((.bandwidth_bytes_per_s * .elapsed_s - .bytes) | fabs) < 1 and .bytes == .operations * 47008')" true \
        "the bytes are told beside rate and seconds, and agree with them"
done
done_testing
