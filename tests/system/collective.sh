#!/bin/bash
# Collective writes and reads of 4 ranks by MPI-IO: the bytes are where posix finds them, a deadline stops all
# at the same operation, and one rank that fails stops all.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
command -v jq >/dev/null || skip_all "no jq"
export RUN_SECONDS=60
said() { printf '%s\n' "$err" | grep '^pario: '; }

for n in 1 4; do
    run mpi $n "$pario" -a mpiio -c -b 512k -t 128k -s 3 -k -G 77 --json doc.json
    is "$status:$err" "0:" "$n ranks: a collective job ends well"
    is "$(jq -c '[.tests[0].phases[] | [.phase, .bytes, .operations, .operations_rank_min, .operations_rank_max]]' doc.json)" \
        "[[\"write\",$((n * 3 << 19)),$((n * 12)),12,12],[\"read\",$((n * 3 << 19)),$((n * 12)),12,12]]" \
        "$n ranks: with these bytes and calls"
    is "$(stat -c %s testFile)" $((n * 3 << 19)) "$n ranks: the file holds them"
    mv testFile collective
    rm -f testFile*
    run mpi $n "$pario" -a posix -b 512k -t 128k -s 3 -k -w -G 77
    cmp collective testFile >"$scratch/out" 2>&1
    is "$?" 0 "$n ranks: and is what posix writes, to the byte"
    rm -f testFile* collective
done

run mpi 4 "$pario" -a mpiio -c -b 4m -t 128k -s 100000 -w -D 1 --json doc.json
is "$status:$err" "0:" "a deadline"
is "$(jq -c '.tests[0].phases[0] | [.operations_rank_min == .operations_rank_max, .operations < .operations_planned,
    ([.warnings[].code] | index("cut-short"))]' doc.json)" '[true,true,null]' \
    "stops all ranks at the same operation, which is a normal end [A017]"
is "$(ls)" doc.json "and the file is gone"

# A rank that cannot read on: the others end with it.
run mpi 4 "$pario" -a mpiio -c -b 1m -t 128k -w -k
truncate -s $((3 << 20)) testFile
run mpi 4 "$pario" -a mpiio -c -b 1m -t 128k -r --json doc.json
is "$status" 1 "a rank that reads beyond the end fails"
like "$(said)" '^pario: rank 3 .*testFile, offset 3145728: ' "the message names it"
is "$(said | wc -l)" 1 "once"
is "$(jq -c '[.tests[0].phases[0].errors[] | [.first.rank, .count]]' doc.json)" '[[3,1]]' "and so does the document"
is "$(jq '.tests[0].phases[0] | .bytes == .operations * 131072' doc.json)" true "operations x size = bytes"

# A rank that cannot open its file: nobody waits in a collective call.
rm -f testFile*
mkdir testFile.00000002
run mpi 4 "$pario" -a mpiio -c -b 1m -t 128k -F
is "$status" 2 "a folder in the place of one rank's file"
like "$(said)" '^pario: .*testFile.00000002' "is refused by name"
is "$(said | wc -l):$(ls -d testFile*)" "1:testFile.00000002" "once, and nothing is made"
done_testing
