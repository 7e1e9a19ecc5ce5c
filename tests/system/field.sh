#!/bin/bash
# Command lines that people run IOR with, from manuals, acceptance tests, procurement rules and job scripts, under
# the numbers that they have in the collection: planned at full size, where the bytes must be those that their
# authors reckon with, then run small. fio's and elbencho's are put in pario's words.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"

# number | ranks | files | bytes of a file | operations of the first phase | phases | options
recipes='
B01|64|1|17179869184|16384|write read|-t 1m -b 16m -s 16
B01|64|64|268435456|16384|write read|-t 1m -b 16m -s 16 -F -C -e
B02|5528|5528|104857600000|552800000|write|-w -t 1m -b 1m -s 100000 -a POSIX -F -e -g -vv -C -o file -D 45
B04|7360|7360|17179869184|30870077440|write|-w -t 4k -z -a POSIX -F -b 16g -e -g -vv -C -D 45 -o file
B05|64|64|17179869184|262144|write|-w -t 4m -k -a POSIX -F -b 16g -e -g -vv -C -D 45 -o file -O stoneWallingWearOut=1
B05|64|64|17179869184|268435456|read|-r -t 4k -z -a POSIX -F -b 16g -e -g -vv -C -D 45 -o file
B07|30720|1|13142599925760|1566720|write|-w -a MPIIO -c -C -g -b 8m -t 8m -k -v -s 51 -o file
B08|4480|1|38482906972160|73400320|write read|-a MPIIO -g -t 512k -b 8g -o file -v
B08|4480|4480|8589934592|73400320|write read|-a POSIX -F -e -g -t 512k -b 8g -o file -v
B08|4480|4480|1073741824|1174405120|write read|-a POSIX -F -e -g -t 4k -b 1g -o file -v -z
B10|240|240|4294967296|983040|write read|-f load1.ior
B11|240|1|1030792151040|983040|write read|-f load1-shared.ior
B13|240|240|4294967296|251658240|write read|-f load2.ior
B16|10|10|25769803776|61440|write|-w -k -F -C -Q 1 -t 4m -D 30 -b 24g -a MPIIO -o file --posix.odirect
B17|16|16|3221225472|1536|write read|-vvv -t 32m -b 384m -s 8 -F -C -e -o file
B19|80|1|21474836480|10240|write write-check read|-N 80 -i 3 -o file -a MPIIO -c -r -R -w -W -C -e -s 1 -b 268435456 -t 2M
B20|8|1|3221225472|3072|write read|-a HDF5 -b 32m -c -d 1 -g -i 2 -o file -r -s 12 -t 1m -v -w -Z
B20|8|8|402653184|3072|write read|-e -F -b 32m -C -d 1 -g -i 2 -o file -r -s 12 -t 1m -v -w
B22|4|1|67108864|64|write write-check read|-a HDF5 -b 16m -t 1m -i 2 -w -r -E -k -W -R --hdf5.chunkSize=1048576
B23|1536|1|32212254720|15360|write read|-N 1536 -t 2m -b 10m -s 2 -i 8 -a MPIIO -c
B25|4|1|16777216|16|write read|--mpiio.useFileView -s 4 -b 1M -t 1M -c -a MPIIO -o file
B26|100|1|47008000000|1000000|write|-C -Q 1 -g -G 27 -k -e -O stoneWallingWearOut=1 -t 47008 -b 47008 -s 10000 -w -D 300 -a POSIX -o file
B29|8|8|17179869184|131072|write|-t 1m -b 1m -s 16384 -g -v -w -i 100 -F -k -D 0 -o file
B29|8|8|8589934592|65536|read|-t 1m -b 1m -s 8192 -g -r -i 10000 -F -k -D 60 -z -o file
B31|16|16|1677721600|25600|write read|-a POSIX -w -r -o file -t 1m -b 16m -s 100 -F
B32|16|16|67108864|1024|write|-o file -w -F -C -a Posix -O useO_DIRECT=1,keepFile=1 -e -t 1m -b 64m --dataPacketType=timestamp -D 30 -O stoneWallingWearOut=1 --json w.json
B34|2880|1|12369505812480|2949120|write read|-r -w -e -g -b 4g -t 4096k -k -E -i 2 -z -D 180 --posix.odirect
B35|128|1|53687091200|25600|write read|-wr -i5 -t2m -b 400m -g -e
B35|128|128|419430400|13107200|write|-w -i5 -t4k -b 400m -F -z -g
B37|30|1|161061273600|153600|write write-check read|-a POSIX -b 5G -t 1M -v -W -w -r -R -i 1 -o file
B38|1|1|67108864|256|write|-w -k -b 64m
B38|1|1|67108864|256|read|-a MPIIO -r -k -E -b 64m
B55|4|4|4294967296|4096|write|-F -w -e -b 4g -t 4m
B64|16|16|8589934592|131072|write|-a aio --depth 8 -F -w -b 8g -t 1m --direct
B74|128|1|1099511627776|1048576|write|-w -b 8g -t 1m
B85|10|1|3092643840|47190|write|-a MPIIO -k -w -c -b 309264384 -t 64k -o file
B85|10|1|4026531840|30|write|-a MPIIO -k -w -c -b 402653184 -t 128m -o file'

deck()
{
    printf 'IOR START\n'
    printf '    %s\n' numTasks=240 segmentCount=4096 memoryPerNode=80% transferSize=1M blockSize=1M testFile=datafile.dat \
        keepFile=0 reorderTasksConstant=1 intraTestBarriers=1 repetitions=1 verbose=2 fsync=1 api=POSIX filePerProc=1 \
        randomOffset=0 writeFile=1 readFile=1 "$@" RUN
    printf 'IOR STOP\n'
}
deck >load1.ior
deck api=MPIIO filePerProc=0 collective=1 >load1-shared.ior
deck transferSize=4K blockSize=4K segmentCount=1048576 randomOffset=1 >load2.ior # A028: one transfer a block

# Whatever -a the recipe has: which of them can run here.
backends=$("$pario" --list)
can_run()
{
    case "$1" in
    *aio*) ! grep -q '^  aio .*cannot be used' <<<"$backends" ;;
    *HDF5*) ! grep -q '^  hdf5 .*cannot be used' <<<"$backends" && can_run MPIIO ;;
    *MPIIO* | *load1-shared*) [ "$PARIO_MPI" != none ] && command -v "$PARIO_MPIRUN" >/dev/null ;;
    esac
}
direct=
run alone "$pario" --threads 1 --direct -t 64k -b 64k -w
[ "$status" = 0 ] && direct=yes

# The same at small size: blocks of two or four transfers, two segments, short deadlines.
small()
{
    local less
    less=$(sed -E 's/-b ?[0-9]+[kmgMG]?/-b 256k/; s/-t ?[0-9]+[kmMK]/-t 64k/; s/-b 256k(.*)-t 47008|-t 47008 -b 256k/-t 47008 -b 94016\1/
        s/-s [0-9]+/-s 2/; s/-D [1-9][0-9]*/-D 0.2/; s/-i ?[0-9]+/-i 2/; s/-N [0-9]+/-N 2/; s/-d 1/-d 1ms/; s/chunkSize=[0-9]+/chunkSize=65536/' <<<"$1")
    [ -n "$direct" ] || less=$(sed -E 's/useO_DIRECT=1,//; s/--posix.odirect|--direct//' <<<"$less")
    printf '%s\n' "$less"
}

while IFS='|' read -r number ranks files bytes operations phases options; do
    [ -n "$number" ] || continue
    read -ra words <<<"$options"
    if ! can_run "$options"; then
        skip 1 "$number: no $options here"
        continue
    fi
    run alone "$pario" plan --ranks "$ranks" "${words[@]}" --json plan.json
    is "$status $(jq -r '.tests[0] | "\(.files) \(.file_bytes) \(.phases[0].operations) \([.phases[].phase] | join(" "))"' plan.json)" \
        "0 $files $bytes $operations $phases" "$number planned: $options"
    rm -f plan.json
    # mpirun takes its time: one run of each kind.
    [[ $options == -f* || ($options == *MPIIO* && $number != B1[69] && $number != B25) ]] && continue
    read -ra words <<<"$(small "$options")"
    # -r alone reads what the recipe before it has kept; a file of another shape is in the way.
    [[ $phases == read ]] || rm -f file* testFile*
    [[ $phases == read && $number == B29 ]] && words+=(-i 1)
    if [[ $options == *MPIIO* || $options == *HDF5* ]]; then
        run mpi 2 "$pario" "${words[@]}"
    else
        run alone "$pario" --threads 2 "${words[@]}"
    fi
    is "$status" 0 "$number run: ${words[*]}"
    [ "$status" = 0 ] || note "$err"
done <<<"$recipes"
done_testing
