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
job 3 -a sim --sim.service 1ms --sim.slow-rank 1 --sim.slow-factor 10 --clock virtual -w -b 640m -t 64k -D 0.1 --wear-out
like "$out" '^write 0: at the deadline ranks had done (9|10) to 1?[0-9]{2} operations .*; all went on to 1?[0-9]{2}, [0-9.]+ MiB more' \
    "A019: how far apart ranks were, and what was still to be written"

# A016: those that are left out do not wait for ever, nor does the one that works.
job 2 -N 1 -b 64k -t 64k
is "$status:$(of '[.tests[0].phases[] | .ranks]')" "0:[1,1]" "A016: one rank of two"

# A022: what was not done has no rate, and no place in the summary; what failed makes the run fail.
job 2 -a null -w -b 64k -t 64k
is "$(of '[.tests[0].summary[].phase] | unique')" '["write"]' "A022: a phase that was left out is in no summary"
truncate -s 64k short
job 2 -r -k -b 64k -t 64k -o short
is "$status:$(of '.status'):$(grep -ciE '[^a-z](nan|inf)[^a-z]' doc.json)" '1:"failed":0' "A022: one that failed fails the run, in numbers"

# A023: with a time to run for, random reads go over the whole of a file larger than what they read.
run alone "$pario" random --threads 2 -F -r -b 64m -t 4k -D 0.05 --json doc.json
is "$(of '.tests[0].phases[0] | .bytes == .operations * 4096 and .bytes < 134217728')" true "A023: bytes are those touched"
like "$out" '^ +working-set +read 0: .* per node are .* of its memory' "A023: and a warning where memory could hold them"

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
like "$out" 'hollow-file +write 0: the deadline left holes: .* of a file that spans 1\.' "A041: and that the file has holes is said"
job 2 -r -R -k -b 1g -t 1m -o sparse
is "$status:$(of '[.tests[0].phases[0].warnings[].code] | index("hollow-file")')" "0:null" "A041: which nobody reads"
rm -f sparse sparse.pario

# A040: a file of nothing reads at the speed of nothing.
truncate -s 64m hollow
job 1 -r -k -b 64m -t 1m -o hollow
like "$out" 'hollow-file +read 0: less than half of what is read lies on the storage' "A040: a file without data is told"

# A052: a full file system is an error with its place, not a crash.
mkdir full
if mount -t tmpfs -o size=8m none full 2>/dev/null; then
    job 2 -w -b 16m -t 1m -o full/file
    is "$status:$(ls full)" "1:" "A052: no room: nothing is begun"
    like "$err" 'needs 32 MiB, .* available on tmpfs at ' "A052: what is needed, what there is"
    job 2 -w -b 16m -t 1m -D 60 --reserve 0% -o full/file
    is "$status:$(ls full)" "1:" "A052: a full file system fails the run, and the files go"
    like "$err" 'full/file, offset [0-9]+: write [0-9]+ bytes: No space left on device' "A052: where, and why"
    umount full
else
    skip 4 "no right to mount a file system"
fi

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

# A068: a document on standard output is one document, whatever else is to be said.
for more in "" -v "-v -v -v" "--interval 1ms -v" "-D 5 --wear-out"; do
    read -ra words <<<"$more"
    run alone "$pario" --threads 4 -F -b 64k -t 16k -s 2 -i 3 "${words[@]}" --json -
    is "$status:$(jq -s 'length' <<<"$out")" "0:1" "A068: --json - $more"
done
done_testing
