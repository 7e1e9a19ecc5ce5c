#!/bin/bash
# The main job under mpirun: at 1, 2, 4 and 7 ranks it writes and reads what it says, prints a row for
# each phase, complains about nothing and leaves nothing behind.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
command -v jq >/dev/null || skip_all "no jq"

for n in 1 2 4 7; do
    run mpi $n "$pario" -a posix -b 4m -t 128k
    is "$status" 0 "$n ranks: the main job ends well"
    is "$err" "" "$n ranks: and complains about nothing"
    like "$out" "^  ranks +$n on 1 node" "$n ranks: the set-up counts them"
    like "$out" '^write +0 .*[0-9] [KMGT]iB/s' "$n ranks: a row for the write phase, with its rate"
    like "$out" '^read +0 .*[0-9] [KMGT]iB/s' "$n ranks: a row for the read phase"
    is "$(ls -A)" "" "$n ranks: nothing is left behind"

    run mpi $n "$pario" -a posix -b 4m -t 128k -k --json result.json
    is "$status" 0 "$n ranks: with -k and a document"
    is "$(stat -c %s testFile)" $((n * 4 << 20)) "$n ranks: the file holds every block"
    is "$(jq -c '[.status, .exit_status, .tests[0].ranks, .tests[0].nodes]' result.json)" \
        "[\"ok\",0,$n,1]" "$n ranks: the document says how it went"
    is "$(jq -c '[.tests[0].phases[] | [.phase, .bytes, .operations, .operations_planned, .operations_failed]]' \
        result.json)" \
        "[[\"write\",$((n * 4 << 20)),$((n * 32)),$((n * 32)),0],[\"read\",$((n * 4 << 20)),$((n * 32)),$((n * 32)),0]]" \
        "$n ranks: bytes and operations of both phases"
    is "$(jq '[.tests[0].phases[] | (.bandwidth_bytes_per_s - .bytes / .elapsed_s | fabs) < 1] | all' result.json)" \
        true "$n ranks: the headline is bytes / elapsed"
    is "$(jq '[.tests[0].phases[] | .elapsed_lower_s <= .elapsed_s] | all' result.json)" true \
        "$n ranks: elapsed encloses every rank's own time"
    rm -f result.json

    # What was kept is the run's own: read, then removed.
    run mpi $n "$pario" -a posix -b 4m -t 128k -r
    is "$status" 0 "$n ranks: -r reads what was kept"
    is "$(ls -A)" "" "$n ranks: and without -k removes it"
done

# Threads give the same, without mpirun.
run alone "$pario" --threads 7 -a posix -b 4m -t 128k --json -
is "$status" 0 "7 threads"
is "$(printf '%s' "$out" | jq -c '[.tests[0].ranks] + [.tests[0].phases[].bytes]')" \
    "[7,$((28 << 20)),$((28 << 20))]" "7 threads: the same bytes"
is "$err$(ls -A)" "" "7 threads: nothing said, nothing left"
done_testing
