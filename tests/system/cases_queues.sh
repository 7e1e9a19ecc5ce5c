#!/bin/bash
# Situations that were reported of other programs, under the numbers that they have in the collection: runs that a
# deadline ends and what is read of them later, places at random, recipes of fio and IOR for small I/O.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"

# job RANKS OPTIONS...: with a document; a word random or plan may come first.
job()
{
    local ranks=$1 word=()
    shift
    [ "$1" = random ] && word=(random) && shift
    rm -f doc.json
    run alone "$pario" "${word[@]}" --threads "$ranks" --json doc.json "$@"
}
of() { jq -c "$1" doc.json; }
phases() { of '[.tests[0].phases[] | [.phase, .operations, .bytes]]'; }
queue=uring
"$pario" --list | grep -q '^  uring .*cannot be used' && queue=aio
direct=--direct
run alone "$pario" --threads 1 --direct -t 4k -b 4k -w
[ "$status" = 0 ] || direct=

# --- what a deadline left, by the sidecar and by IOR's status file
# B26: the hard pattern, its status file; pauses hold the amount down.
hard=(-C -Q 1 -g -G 27 -k -e -O stoneWallingStatusFile=status -t 47008 -b 47008 -s 10000 -a POSIX -o hard)
job 2 "${hard[@]}" -O stoneWallingWearOut=1 -w -D 0.1 --think 1ms
written=$(of '.tests[0].phases[0].operations_rank_max')
is "$status:$(cat status)" "0:$written" "B26: the status file holds the transfers of a rank"
is "$(of '.tests[0].phases[0] | .operations == 2 * .operations_rank_max and .operations < 20000')" true \
    "B26: as many of each, and not all"
is "$(stat -c %s hard)" $((written * 2 * 47008)) "B26: and the file ends there"
job 2 "${hard[@]}" -r -R
is "$status:$(of '.tests[0].phases[0].verified_bytes')" "0:$((written * 2 * 47008))" "B26: what was written is read, and right"
rm hard.pario
job 2 "${hard[@]}" -r -R
is "$status:$(of '.tests[0].phases[0].verified_bytes')" "0:$((written * 2 * 47008))" "B26: by the status file alone, too"
echo 5 >status
job 2 "${hard[@]}" -r -R
is "$status:$(of '.tests[0].phases[0].operations')" "0:10" "B26: the number in it is what counts"
for broken in "five" "5 6" "-5" "5.0" "" "99999999999999999999"; do
    echo "$broken" >status
    run alone "$pario" --threads 2 "${hard[@]}" -r -R
    is "$status:$(wc -l <<<"$err")" "2:1" "a status file with '$broken' is refused, once"
done
rm status
run alone "$pario" --threads 2 "${hard[@]}" -r
is "$status:$(wc -l <<<"$err")" "2:1" "so is none"
echo "a letter" >status
run alone "$pario" --threads 2 "${hard[@]}" -w --replace
is "$status:$(cat status)" "2:a letter" "and what is no status file is not replaced"
rm -f hard* status

# B32: several -O, mixed case, a status file that two runs share.
asked=0
[ "$direct" ] && asked=1
ior=(-F -C -a Posix -O "useO_DIRECT=$asked" -O keepFile=1 -e -t 64k -b 64m -l timestamp -O stoneWallingWearOut=1
    -O stoneWallingStatusFile=st -o f)
job 2 "${ior[@]}" -w -D 0.05 --think 1ms
written=$(of '.tests[0].phases[0].operations')
job 2 "${ior[@]}" -r -R -D 60
is "$status:$(of '.tests[0].phases[0].operations')" "0:$written" "B32: the second run reads what the first has written"

# A122 B05: large pieces in order until the time is up, then small ones at random, inside of what is there.
for options in "" "-z" "-C -z" "-z -z -s 2"; do
    read -ra words <<<"$options"
    # Leaks cannot be looked for under strace.
    run alone env ASAN_OPTIONS=detect_leaks=0 strace -f -o trace "$pario" --threads 2 -r -R -F -g -k -o f -t 4k -b 64m \
        -D 0.05 "${words[@]}" --json doc.json
    if ! grep -q pread64 trace 2>/dev/null; then
        skip 2 "no strace"
        continue
    fi
    is "$status:$(of '.tests[0].phases[0] | .operations > 0 and .verified_bytes == .bytes')" "0:true" \
        "A122 B05: -r $options of what was cut short: all that is read was written"
    last=$(grep -oE '4096, [0-9]+\)' trace | tr -dc '0-9\n ' | sort -k2n | tail -1 | cut -d' ' -f2)
    is "$((last < $(stat -c %s f.00000000)))" 1 "A122: no offset is beyond the file"
done
# B28 A023: 4 KiB over the whole of files of another shape; what they touch is small, and that is said.
job 2 --data timestamp -C -Q 1 -g -G 27 -k -e -o f -F -r -D 0.05 -z -z -a POSIX -O saveRankPerformanceDetailsCSV=ranks.csv \
    -t=4096 -b=4096 -s=10000000 -O stoneWallingWearOut=1
is "$status:$(of '.tests[0].phases[0].operations > 0')" "0:true" "B28: random reads of files of another shape"
is "$(of '[.tests[0].phases[0].warnings[].code] | index("working-set") != null')" true "A023: so little is said to be no test"
is "$(wc -l <ranks.csv)" 3 "B28: a row for each rank"
rm -f f.* ranks.csv st
job 2 -w -k -t 64k -b 64m -D 0.05 --think 1ms -o f
run alone "$pario" --threads 2 -r -k -z -z -t 64k -b 64k -s 1000 -o f
is "$status" 2 "draws that would meet the holes of a shared file are refused"
job 2 -r -R -z -t 4k -b 64m -o f -D 5
is "$status:$(of '.tests[0].phases[0] | .verified_bytes == .bytes and .bytes < 1000000000')" "0:true" \
    "but -z reads what there is"
rm -f f*

# A127: the check goes by offsets, whoever reads how much.
job 2 -w -k -G 7 -b 256k -t 64k -o f
job 4 -r -k -R -G 7 -b 128k -t 64k -o f
is "$status:$(of '.tests[0].phases[0].verified_bytes')" "0:524288" "A127: right for twice as many ranks"
printf 'x' | dd of=f bs=1 seek=70001 conv=notrunc status=none
job 4 -r -k -R -G 7 -b 128k -t 64k -o f
is "$status:$(of '.tests[0].phases[0].bad_transfers')" "1:1" "A127: one byte is one transfer"
like "$err" 'f, offset 70001: ' "A127: and where it is"
# A110: comparing takes time of its own.
job 2 -r -R -G 7 -b 256k -t 64k -o f --replace
rm -f f*
job 2 -w -r -R -b 8m -t 64k -o f
is "$(of '.tests[0].phases[1] | .stages.check.sum_s > 0 and .transfer_bandwidth_bytes_per_s > .bandwidth_bytes_per_s')" true \
    "A110: the comparison is not in the transfers' time"

# A133: reads that are repeated come from memory, which is said each time.
job 2 -w -k -b 8m -t 64k -o f
job 2 -r -k -b 8m -t 64k -D 5 -i 3 -o f
is "$(of '[.tests[0].phases[] | [.warnings[].code] | index("working-set") != null] | all')" true \
    "A133: each repetition is said to fit into memory"
rm -f f*

# A103: percentiles, in every format and over time.
job 2 random -r -b 4m -t 4k --csv rows.csv --interval 50ms -D 0.2
is "$(head -1 rows.csv | tr , '\n' | grep -cE '^latency_(min|mean|p50|p90|p99|p99_9|max)_ns$')" 7 "A103: CSV has the percentiles"
is "$(of '.tests[0].phases[0].latency_ns.read | [.min, .mean, .p50, .p90, .p99, .p99_9, .max] | all')" true "A103: so has JSON"
is "$(of '[.tests[0].phases[0].timeline.latency | .p50, .p99, .max | length > 0] | all')" true "A103: and intervals"

# --- recipes of fio, small; sizes and counts are theirs
# B29: -z with a block of one transfer.
job 2 -r -w -F -t 64k -b 64k -s 32 -g -z -o f
is "$status:$(phases)" '0:[["write",64,4194304],["read",64,4194304]]' "B29: -z where a block is one transfer"
# B04 B35: writes at random, fsync in the end.
job 2 -w -t 4k -z -a POSIX -F -b 1m -e -g -C -o f
is "$status:$(phases)" '0:[["write",512,2097152]]' "B04 B35: 4 KiB at random into a file for each rank"
# B34: at random, in place, kept, two repetitions.
job 3 -r -w -e -g -b 1m -t 64k -k -E -i 2 -z $direct -o f
is "$status:$(of '[.tests[0].phases[].bytes] | unique')" "0:[3145728]" "B34: each repetition moves all of it"
is "$(stat -c '%s %b' f | awk '{ print $1, ($2 * 512 >= $1) }')" "3145728 1" "B34: and leaves no hole"
rm -f f*
# B55: large writes and a final sync.
job 4 -F -w -e -t 1m -b 4m -o f
is "$status:$(phases):$(of '.tests[0].phases[0].durable_bandwidth_bytes_per_s > 0')" '0:[["write",16,16777216]]:true' \
    "B55: a file for each, and the rate until it is safe"
# B56 B58: a matrix of ranks and sizes, files of their own; bandwidth is IOPS times size in each cell.
for cell in "1 -t 128k" "4 -t 128k" "1 -t 4k" "4 -t 4k"; do
    read -ra words <<<"$cell"
    job "${words[0]}" random -F $direct -b 1m -D 0.1 "${words[@]:1}" -o f
    is "$status:$(of '[.tests[0].phases[] | .bandwidth_bytes_per_s / .operations_per_s] | unique')" \
        "0:[$([[ $cell == *128k ]] && echo 131072 || echo 4096)]" "B56 B58: $cell: bandwidth is IOPS x size"
done
# B59: one operation at a time: what is not latency is little.
job 1 random -r -a sim --clock virtual --sim.service 1ms -b 1m -D 1
is "$(of '.tests[0].phases[0] | .operations_per_s * .latency_ns.read.mean / 1e9 | . > 0.999 and . < 1.001')" true \
    "B59: at depth 1 IOPS is one by latency"
# B61 B62: 70 % reads of 16 KiB, one shared file.
job 10 random $direct -t 16k -b 1m -D 0.2 --read-percent 70 -o f
is "$status:$(of '.tests[0].phases[0] | .directions.read.operations / .operations | . > 0.69 and . < 0.71')" "0:true" \
    "B61 B62: 70 of 100 are reads"
# B64: a file for each rank, a queue, all at once.
job 4 -a $queue --depth 8 $direct -F -w -t 64k -b 1m -o f --per-rank ranks.csv
is "$status:$(phases):$(wc -l <ranks.csv)" '0:[["write",64,4194304]]:5' "B64: each rank's rate, and all together"
# B65: without a time each place once.
job 4 random -r -a $queue --depth 128 $direct -t 4k -b 1m -o f
is "$status:$(phases)" '0:[["read",1024,4194304]]' "B65: ends after its size"
# B67: both files of a rank... each rank's file is written.
job 2 random -w -F $direct -t 4k -b 3m -k -o f
is "$status:$(stat -c %s f.00000000 f.00000001 | tr '\n' ' ')" "0:3145728 3145728 " "B67: every file is written"
rm -f f*
# B68: a day of mixed I/O that SIGTERM ends leaves a valid document.
"$pario" random --threads 2 -b 1m --read-percent 70 -D 99999 --interval 50ms --json doc.json -o f >/dev/null 2>lines &
for ((i = 0; i < 600; i++)); do
    grep -q mixed lines 2>/dev/null && break
    sleep 0.05
done
kill -TERM $!
wait $!
is "$?:$(of '.tests[0].phases[0] | [.phase, .cut, .operations > 0]')" '4:["mixed","signal",true]' \
    "B68: a run that is ended keeps what it has, and says so"
is "$(of '.tests[0].phases[0].timeline.latency.operations | length > 0')" true "B68: and its intervals"
done_testing
