#!/bin/bash
# The letters of the main job, one by one, on 3 ranks: what they make of the files, of the phases and of the
# time, as the result document and the file system see it.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
command -v jq >/dev/null || skip_all "no jq"

# job OPTIONS...: the job on 3 ranks with a document; must end well. phases: name, repetition, bytes.
job()
{
    rm -f doc.json
    run mpi 3 "$pario" -b 1m -t 256k --json doc.json "$@"
    is "$status:$err" "0:" "$*: ends well"
    phases=$(jq -c '[.tests[0].phases[] | [.phase, .repetition, .bytes]]' doc.json)
}
all=$((3 << 20))

job -w
is "$phases" "[[\"write\",0,$all]]" "-w writes"
is "$(ls)" doc.json "and removes the file"

job -w -k
is "$(stat -c %s testFile)" $all "-k keeps it"
job -r -k
is "$phases" "[[\"read\",0,$all]]" "-r reads it"
job -w -k
is "$phases" "[[\"write\",0,$all]]" "-w -k twice works: the file is the run's own"
job -wr
is "$phases" "[[\"write\",0,$all],[\"read\",0,$all]]" "-wr does both"
is "$(ls)" doc.json "and without -k nothing is left"

job -F -k
is "$(stat -c '%n %s' testFile.0*)" "testFile.00000000 $((1 << 20))
testFile.00000001 $((1 << 20))
testFile.00000002 $((1 << 20))" "-F makes a file for each rank"
job -F -r
is "$(ls)" doc.json "-F -r without -k removes all of them"

job -s 3 -k
is "$(stat -c %s testFile)" $((3 * all)) "-s repeats the blocks"
is "$phases" "[[\"write\",0,$((3 * all))],[\"read\",0,$((3 * all))]]" "in one phase"
rm -f testFile*

job -i 3
is "$(printf '%s' "$phases" | jq -c '[.[][0:2] | join("")]')" \
    '["write0","read0","write1","read1","write2","read2"]' "-i repeats the test"
is "$(jq -c '[.tests[0].summary[] | select(.metric == "bandwidth_bytes_per_s") | [.phase, .n]]' doc.json)" \
    '[["write",3],["read",3]]' "and sums it up"
is "$(jq '.tests[0] | . as $t | [.summary[] | select(.metric == "bandwidth_bytes_per_s") | . as $s |
    [$t.phases[] | select(.phase == $s.phase) | .bandwidth_bytes_per_s] | [min == $s.min, max == $s.max]] |
    flatten | all' doc.json)" true "with a minimum and a maximum that stand in the rows"

job -o other -k
is "$(stat -c %s other)" $all "-o names the file"
rm -f other*
mkdir deep
job -o deep/er -F -k
is "$(find deep -name 'er.0*' | wc -l)" 3 "in a folder, too"
rm -rf deep

job -e -w
is "$(jq -c '.tests[0].phases[0].latency_ns.sync.count' doc.json)" 3 "-e: every rank syncs, once"
is "$(jq '.tests[0].phases[0] | .durable_bandwidth_bytes_per_s > 0 and .stages.sync.max_s > 0' doc.json)" \
    true "and the durable rate is told"
is "$(jq '[.tests[0].phases[0].warnings[].code] | index("cached-writes")' doc.json)" null \
    "and nobody calls it cached"

job -g -w
is "$(jq -c '.tests[0].phases[0].latency_ns | [.open.count, .close.count]' doc.json)" "[3,3]" "-g: same operations"
is "$(jq '.tests[0].phases[0].stages.barrier.max_s > 0' doc.json)" true "and the wait at the barriers is a stage"

begun=$(date +%s%N)
job -d 1 -w
is "$(($(date +%s%N) - begun >= 1000000000))" 1 "-d pauses"
is "$(jq '.tests[0].phases[0] | .elapsed_s < 1 or .elapsed_lower_s >= 1' doc.json)" true \
    "outside of the measured time"

job -E -w -k
is "$(stat -c %s testFile)" $all "-E makes the file where there is none"
was=$(stat -c %i testFile)
job -E -w
is "$(stat -c %i testFile)" "$was" "writes in place, and never removes"
rm -f testFile*

job -D 1 -s 100000 -w -F
is "$(jq '.tests[0].phases[0] | .operations < .operations_planned and .elapsed_s >= 1' doc.json)" true \
    "-D ends the phase early"
is "$(jq '[.tests[0].phases[0].warnings[].code] | index("cut-short")' doc.json)" null "which is a normal end"

# More words, never other figures.
run mpi 3 "$pario" -b 1m -t 256k -v
is "$status" 0 "-v"
like "$out" '^write +0 +open ' "-v has every operation's latency"
quiet=$(printf '%s\n' "$out" | wc -l)
run mpi 3 "$pario" -b 1m -t 256k -vv
is "$((quiet < $(printf '%s\n' "$out" | wc -l)))" 1 "-vv has more"
rm -f doc.json

# Documents on standard output are all there is.
run mpi 3 "$pario" -b 1m -t 256k --json -
is "$status:$err" "0:" "--json -"
is "$(printf '%s\n' "$out" | jq -s -c '[length, .[0].schema]')" '[1,"pario/1"]' "is one document, and nothing else"
run mpi 3 "$pario" -b 1m -t 256k --csv -
is "$status:$err" "0:" "--csv -"
is "$(printf '%s\n' "$out" | awk -F, '{print NF}' | sort -u | wc -l)" 1 "every row has the same columns"
is "$(printf '%s\n' "$out" | wc -l)" 3 "a heading and a row for each phase"
run mpi 3 "$pario" -b 1m -t 256k --csv rows.csv --json doc.json
is "$(wc -l <rows.csv)" 3 "both to files at once"
like "$out" '^write ' "beside the text"
is "$(jq '.tests[0].phases | length' doc.json)" 2 "which holds the same phases"
is "$(ls)" "doc.json
rows.csv" "and no half-written file is left"
is "$(jq -r '[.tests[0].phases[] | .bytes] | join(" ")' doc.json)" \
    "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bytes") k = i; next } { printf "%s%s", s, $k; s = " " }' rows.csv)" \
    "and the same figures"
done_testing
