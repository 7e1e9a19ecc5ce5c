#!/bin/bash
# Situations that were reported of other programs, under the numbers that they have in the collection: what
# went wrong there goes right here. Bulk transfer alone; cases that a test elsewhere names are left out.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"

# job RANKS OPTIONS...: with a document.
job()
{
    rm -f doc.json
    run alone "$pario" --threads "$1" --json doc.json "${@:2}"
}
of() { jq -c "$1" doc.json; }

# A001: times are times.
begun=$(date +%s)
job 2 -w -k -b 16m -t 256k -o file
is "$status:$(stat -c %s file)" "0:33554432" "A001: the file has its size"
is "$(of ".tests[0].phases[0] | .elapsed_s > 0 and .elapsed_s <= $(date +%s) - $begun + 1 and .bandwidth_bytes_per_s > 0")" \
    true "A001: elapsed lies within the wall's time"

# A002 A004: bytes belong to a phase and repetition; best and worst are rows; stages lie within elapsed.
job 2 -F -b 64m -t 64k -D 0.05 -i 3 -o file
# shellcheck disable=SC2016 # jq's variables
is "$(of '.tests[0] | .phases as $p | [.summary[] | select(.metric == "bandwidth_bytes_per_s") | .phase as $n |
    ([$p[] | select(.phase == $n) | .bandwidth_bytes_per_s] | max) - .max | fabs < 1] | all')" true "A002: the best is a row"
# shellcheck disable=SC2016
is "$(of '[.tests[0].phases[] | .elapsed_s as $all | [.stages[] | .max_s <= $all] | all] | all')" true \
    "A004: no stage is longer than the phase"

# A005: latency by what was done, not by what was planned.
job 1 -a sim --sim.service 10ms --clock virtual -w -b 1000m -t 1m -D 0.5
is "$(of '.tests[0].phases[0] | .operations < 1000 and (.latency_ns.write.mean - 10000000 | fabs) < 200000')" true \
    "A005: the mean latency is that of an operation"

# A019 A020: both amounts and both rates, at the deadline and in the end.
job 3 -a sim --sim.service 1ms --clock virtual -w -b 64m -t 64k -D 0.1 --wear-out
is "$(of '.tests[0].phases[0] | .stonewall_bytes > 0 and .stonewall_bytes <= .bytes and
    .operations_rank_min == .operations_rank_max')" true "A019 A020: bytes at the deadline, bytes in the end"

# A034 A035
job 2 -N 0 -a null -w
is "$status:$(of '.tests[0].ranks')" "0:2" "A034: -N 0 means all"
job 3 -N 2 -w -k -b 64k -t 64k -o tasks
is "$status:$(of '.tests[0].ranks'):$(stat -c %s tasks)" "0:2:131072" "A035: -N 2 of three"

# A037 A038: what is there stays what it is.
echo mine >mine
inode=$(stat -c %i mine)
job 1 -w -b 64k -t 64k -o mine
is "$status:$(cat mine):$(stat -c %i mine)" "2:mine:$inode" "A037: a file of somebody is not replaced"
like "$err" 'mine exists and was not made by pario' "A037: and that is said"
job 2 -w -k -b 8m -t 1m -o longer
inode=$(stat -c %i longer)
job 2 -w -E -b 1m -t 1m -o longer
is "$status:$(stat -c '%i %s' longer):$(of '.tests[0].phases[0].bytes')" "0:$inode 16777216:2097152" \
    "A038: -E into a longer file: the bytes are those written"

# A041: with a deadline the size of a shared file is not what was moved.
job 2 -w -k -b 1g -t 1m -D 0.05 -o sparse --reserve 0%
is "$(of '.tests[0].phases[0] | .bytes == .operations * 1048576 and .bytes < 2147483648')" true "A041: bytes are those moved"
rm -f sparse sparse.pario

# A050 A053: failures are a status, never a count.
run alone "$pario" --no-such-option
is "$status" 2 "A053: a wrong option is status 2"
is "$(printf '%s\n' "$err" | wc -l)" 1 "A053: said once"

# A055: the hard pattern with direct I/O is refused before a file is made.
job 2 -a posix --direct -b 47008 -t 47008 -s 4 -o hard
is "$status:$(ls hard 2>/dev/null)" "2:" "A055: 47008 bytes and direct I/O: refused, and nothing made"
like "$err" 'transfer size 47008 is not a multiple of [0-9]+ bytes|cannot do direct I/O' "A055: with the reason"

# A058 A059
for size in 10x abc -1 "" 1.3 1e; do
    run alone "$pario" -a null "-b=$size"
    is "$status" 2 "A058: block '$size' is refused"
    like "$err" '^pario: option -b' "A058: by its name"
done
job 1 -a null -w -b 1.5m -t 64k
is "$status:$(of '.tests[0].phases[0].bytes')" "0:1572864" "A058: 1.5m is 1572864"
job 1 -a null -w -b 1MB -t 1000
is "$(of '.settings.block.value')" 1000000 "A058: 1MB is a million"
run alone "$pario" -a null -b 1m -t 2m
like "$err" 'block size -b 1048576 is smaller than transfer size -t 2097152' "A059: smaller comes first"
run alone "$pario" -a null -b 100k -t 64k
like "$err" 'no multiple of transfer size' "A059: and then multiples"

# A062
job 2 -a null -O "api=null,segmentCount=2" -O "blockSize=64k,transferSize=64k" -w
is "$status:$(of '[.settings.segments.value, .tests[0].phases[0].bytes]')" "0:[2,262144]" "A062: every directive counts"
run alone "$pario" -O "segmentCount=2;keepFile=1" -a null
is "$status" 2 "A062: another separator is refused"
like "$err" "the directives are separated by ';': write ','" "A062: and the right one told"
done_testing
