#!/bin/bash
# Command lines such as IOR is tested with, in its letters: they run here and mean the same, which is told by the
# phases, their bytes and the names and sizes of the files that stay.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"

have_mpi=
[ "$PARIO_MPI" != none ] && command -v "$PARIO_MPIRUN" >/dev/null && have_mpi=yes
backends=$("$pario" --list)

# can API: this build has it, and it runs here.
can()
{
    case "${1,,}" in
    mpiio) [ -n "$have_mpi" ] ;;
    hdf5) [ -n "$have_mpi" ] && grep -q '^  hdf5 ' <<<"$backends" && ! grep -q '^  hdf5 .*cannot be used' <<<"$backends" ;;
    *) ! grep -q "^  ${1,,} .*cannot be used" <<<"$backends" ;;
    esac
}

# ranks | options | phase:bytes of each row | files that are there then, with their sizes
lines='
1|-a POSIX -w -z -F -Y -e -i1 -m -t 100k -b 200k|write:204800|
1|-a POSIX -w -z -F -k -e -i2 -m -t 100k -b 200k|write:204800 write:204800|f.00000000.0:204800 f.00000000.1:204800
1|-a POSIX -r -z -F -k -e -i1 -m -t 100k -b 200k|read:204800|f.00000000.0:204800 f.00000000.1:204800
1|-a POSIX -r -z -F -i2 -m -t 100k -b 200k|read:204800 read:204800|
2|-a POSIX -w -k -e -i1 -m -t 100k -b 200k|write:409600|f.0:409600
2|-a POSIX -r -C -k -i1 -m -t 100k -b 200k|read:409600|f.0:409600
2|-a POSIX -r -Z -X 7 -k -i1 -m -t 100k -b 200k|read:409600|f.0:409600
2|-a POSIX -r -R -C -Q 1 -k -i1 -m -t 200k -b 200k|read:409600|f.0:409600
2|-a POSIX -r -z -i1 -m -t 100k -b 200k|read:409600|
2|-a POSIX -W -w -k -F -t 100k -b 200k|write:409600 write-check:409600|f.00000000:204800 f.00000001:204800
2|-a POSIX -r -R -F -C -t 100k -b 200k|read:409600|
3|-a MMAP -w -k -e -t 64k -b 128k -s 2|write:786432|f:786432
3|-a POSIX -r -R -k -t 64k -b 128k -s 2|read:786432|f:786432
3|-a AIO -r -R -k -z -t 64k -b 128k -s 2|read:786432|f:786432
3|-a URING -r -R -k -C -t 128k -b 128k -s 2|read:786432|f:786432
2|-a MPIIO -r -R -k -c -t 64k -b 384k|read:786432|f:786432
3|-a POSIX -w -E -k -t 64k -b 128k|write:393216|f:786432
3|-a POSIX -r -E -t 64k -b 128k|read:393216|f:786432
3|-a POSIX -w -k -F -u -t 64k -b 64k|write:196608|0/f.00000000:65536 1/f.00000001:65536 2/f.00000002:65536
3|-a POSIX -r -F -u -t 64k -b 64k|read:196608|
3|-a POSIX -wr -N 2 -t 64k -b 64k|write:131072 read:131072|
3|-a POSIX -F -k -w -o d@f -t 64k -b 64k|write:196608|d.00000000:65536 d.00000002:65536 f.00000001:65536
3|-a POSIX -F -r -o d@f -t 64k -b 64k|read:196608|
2|-a MPIIO -w -c -k -t 64k -b 128k -s 3|write:786432|f:786432
2|-a POSIX -r -R -t 64k -b 128k -s 3|read:786432|
2|-a HDF5 -w -r -R -c -t 64k -b 128k -s 3|write:786432 read:786432|
2|-a HDF5 -w -r -W -F -t 64k -b 128k|write:262144 write-check:262144 read:262144|
2|-a DUMMY|refused
2|-a POSIX -w -g -d 1ms -T 5 -M 1m -G 42 -t 64k -b 128k|write:262144|
2|-a POSIX -wr -i 2 -O segmentCount=2,blockSize=64k -t 64k|write:262144 read:262144 write:262144 read:262144|
2|-a POSIX -wr -l random -G 3 -R -t 64k -b 64k|write:131072 read:131072|
2|-a POSIX -wr -l o -t 64k -b 64k -v -v -v|write:131072 read:131072|'

there() { find . -type f ! -name doc.json ! -name '*.pario' -printf '%P:%s\n' | sort | tr '\n' ' ' | sed 's/ $//'; }
skipped= # a line whose file the next one reads
while IFS='|' read -r ranks options phases files; do
    [ -n "$ranks" ] || continue
    read -ra words <<<"$options"
    if ! can "${words[1]}" || { [ "$skipped" ] && [[ $options == *-r* && $options != *-w* ]]; }; then
        skip 1 "$options: no such API here, or nothing that it wrote"
        skipped=1
        continue
    fi
    skipped=
    [[ $options == *-o* ]] || words+=(-o f)
    words+=(--json doc.json)
    rm -f doc.json
    if [[ $options == *MPIIO* || $options == *HDF5* ]]; then
        run mpi "$ranks" "$pario" "${words[@]}"
    else
        run alone "$pario" --threads "$ranks" "${words[@]}"
    fi
    if [ "$phases" = refused ]; then
        is "$status" 2 "$options: refused"
        like "$err" "did you mean 'null'" "and what it is called here"
        continue
    fi
    is "$status $(jq -r '[.tests[0].phases[] | "\(.phase):\(.bytes)"] | join(" ")' doc.json)|$(there)" "0 $phases|$files" "$options"
    [ "$status" = 0 ] || note "$err"
    # What is written in place stays; the next line begins anew.
    [[ $options == *-E* && $options != *-k* ]] && rm -f f f.pario
done <<<"$lines"

# The same script runs three tests, each from where the one before has left the settings.
cat >three.ior <<'END'
IOR START
    api=POSIX
    testFile=f
    blockSize=64k, transferSize=64k   # several on a line
    keepFile=1
    writeFile=1
    readFile=0
RUN
    writeFile=0
    readFile=1
    reorderTasksConstant=1
RUN
    keepFile=0
    reorderTasksConstant=0
    checkRead=1
RUN
IOR STOP
END
run alone "$pario" --threads 2 -f three.ior --json doc.json
is "$status:$(jq -c '[.tests[] | [.phases[] | .phase]]' doc.json):$(ls f* 2>/dev/null)" '0:[["write"],["read"],["read"]]:' "a script of three tests"
done_testing
