#!/bin/bash
# pario plan: what a run would do, for any ranks, in no time, touching nothing; and what runs tell of each
# rank, refuse to go on with, or count as a failure when asked to.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"

run alone "$pario" plan -b 4m -t 128k --ranks 100000 --ranks-per-node 100 --node-memory 512GiB --assume 10GiB/s
is "$status:$err" "0:" "a plan for 100000 ranks"
like "$out" 'ranks +100000 on 1000 nodes' "its nodes"
like "$out" 'file size +390.63 GiB \(419430400000 bytes\)' "its file"
like "$out" 'offsets +0 to 419430268928, each once' "its offsets"
like "$out" 'write: 3200000 operations, 390.63 GiB, 39.1 s' "its operations"
like "$out" '128 KiB of buffers and at most 4 MiB more per rank' "its memory"
like "$out" 'at 10.00 GiB/s: 78.1 s in all' "its time"
like "$out" '^ +working-set +write 0' "and what a run would be warned of"
like "$out" 'same-node-read' "reads on the same nodes"
run alone "$pario" plan -C -e -b 64g -t 1m -D 300 --ranks 1000 --ranks-per-node 10 --node-memory 64GiB
unlike "$out" 'same-node-read|working-set|cached-writes' "no warning where there is no reason"
like "$out" 'time +by the deadline: (600 s|10.0 min) in all' "a deadline sets the time"
run alone "$pario" plan -F -u -m -i 2 -k -o "a/f@b/g" --ranks 10000000
like "$out" 'last file +b/9999999/g.09999999.0' "files by name"
# A056: 240 ranks, 10^7 segments of 47008 bytes.
run alone "$pario" plan --ranks 240 -b 47008 -t 47008 -s 10000000
like "$out" 'offsets +0 to 112819199952992, ' "A056: offsets beyond 2^31 x anything"
run alone "$pario" --dry-run --threads 3 -b 8m
like "$out" 'ranks +3, ' "--dry-run plans for the ranks at hand"
is "$(ls)" "" "nothing was made"
refused()
{
    run alone "$pario" "${@:2}"
    is "$status:$out" "2:" "${*:2}: refused"
    like "$err" "$1" "${*:2}: and why"
}
refused 'no multiple of transfer size' plan -b 3 -t 2
refused 'option --ranks belongs to pario plan' --ranks 3
run alone "$pario" plan --per-rank rows.csv
is "$status:$(ls)" "0:" "options of a run can be planned as they stand"
like "$err" 'note: --per-rank: a plan has no results' "and what is not written is said"
refused 'option --json: .*No such file' plan --json no/such/file
refused 'option --assume: ' plan --assume fast
refused 'a rate is as in 20000/s' plan metadata -n 3 --assume 10GiB/s
refused 'only .* ranks in all|there are only 4 ranks' plan --ranks 4 --ranks-per-node 5
refused 'Give --ranks-per-node' plan --ranks 4 --node-memory 1g

# What a plan says is what a run does: phases, operations, bytes.
if command -v jq >/dev/null; then
    while read -r line; do
        read -ra words <<<"$line"
        run alone "$pario" plan "${words[@]}" --json -
        planned=$(printf '%s' "$out" | jq -c '[.tests[0].phases[] | [.phase, .operations, .bytes]]')
        [[ $line == *mix* ]] && planned=${planned%,\[*}
        run alone "$pario" "${words[@]}" --json doc.json
        is "$status:$planned" "0:$(jq -c '[.tests[0].phases[] | [.phase, .operations, .bytes]]' doc.json |
            if [[ $line == *--mix* ]]; then sed 's/,\["mixed.*//'; else cat; fi)" "the plan of $line is what is done"
        rm -f doc.json
    done <<'LINES'
--threads 3 -wr -W -b 256k -t 64k -s 2
--threads 2 -F -b 256k -t 64k --most-transfers 3
--threads 2 -w -b 256k -t 4k -z
random --threads 2 -b 64k -t 4k
random --threads 2 -b 64k -t 4k --read-percent 70 -F
metadata --threads 4 -n 31 -z 2 -b 3 -w 100 -e 50
metadata --threads 3 -n 12 -u -F -I 5
metadata --threads 3 -n 12 -L -z 1 -b 2 -D
metadata --threads 3 -n 4 -S
metadata --threads 3 -n 6 -c -d a@b
metadata --threads 2 -n 6 -F --phases create,write,list,rename,chmod,read,unlink -w 64 -e 64
LINES
    run alone "$pario" plan --ranks 1000 -F -b 1g -t 1m -s 4 --ranks-per-node 50 --node-memory 256g --json plan.json
    is "$status:$(jq -c '.schema, (.tests[0] | .files, .file_bytes, .nodes, .data_bytes_per_node, .room.bytes,
        .estimated_s, ([.warnings[].code] | unique))' plan.json | tr '\n' ' ')" \
        '0:"pario-plan/1" 1000 4294967296 20 214748364800 4294967296000 null ["cached-writes","same-node-read","working-set"] ' \
        "--json: the figures of a plan"
    like "$out" '^ +file size +4 GiB' "beside the text"
    rm -f plan.json
else
    skip 13 "no jq"
fi
run alone "$pario" plan metadata --ranks 1000000 -n 1000 -z 3 -b 10 -w 3901 -F --assume 50000/s
is "$status:$err" "0:" "a plan of metadata for a million ranks"
like "$out" 'create: 1000000000 operations, 3.55 TiB' "its files"
like "$out" 'room +3.55 TiB and 1000001113 inodes' "and all that is there at once"
is "$(ls)" "" "nothing was made"

run alone "$pario" --threads 300 -a null -b 1m -t 256k -i 2 --per-rank rows.csv
is "$status:$(wc -l <rows.csv)" "0:1201" "--per-rank: a row for each rank, phase and repetition"
is "$(awk -F, 'NR > 1 { if (NF != n) bad++; bytes += $6 } NR == 1 { n = NF } END { print bad + 0, bytes }' rows.csv)" \
    "0 $((1200 << 20))" "all of the same columns, with all the bytes"
is "$(cut -d, -f2-4 rows.csv | sort -u | wc -l)" 1201 "each of them once"
refused 'option --per-rank: ' -a null --per-rank no/such/folder
refused 'option --per-rank: standard output' -a null --per-rank -

run alone "$pario" -a null --threads 2 --warnings-as-errors
is "$status" 3 "--warnings-as-errors: status 3"
run alone "$pario" --threads 2 -w -k -b 1m -t 64k --most-transfers 5 -o some
is "$status:$(grep ^written some.pario)" "0:written 0 2 5" "--most-transfers: so many of each rank"
run alone "$pario" --threads 2 -r -R -b 1m -t 64k -o some --csv rows.csv
is "$status:$err" "0:" "and what was written is read"
run alone "$pario" --help-metrics
is "$status" 0 "--help-metrics"
like "$out" '^bandwidth_bytes_per_s \[bytes / s\]' "says what numbers mean"
like "$out" '^working-set$' "and warnings"

# With a deadline the reserve is guarded; needs a file system of its own, and a rate that leaves time to look.
mkdir small
if mount -t tmpfs -o size=256m none small 2>/dev/null; then
    run alone "$pario" --threads 2 -w -k -b 10g -t 256k --think 5ms -D 30 --reserve 50% -o small/file
    left=$(df --output=avail -k small | tail -1)
    umount small
    is "$status" 4 "a file system that fills up: status 4"
    like "$err" 'cut short: the file system is full but for what --reserve keeps' "and why"
    is "$((left > 64 << 10))" 1 "well before it is full"
else
    skip 3 "no right to mount a file system"
fi
run alone "$pario" plan --ranks 10000000 -F -b 1t -t 1m -s 1000
like "$out" '^  volume +9536\.74 EiB a phase in [0-9]+ operations, 1000 TiB per rank$' "more than 16 EiB together"
done_testing
