#!/bin/bash
# The command line of the program as it is built: its texts, and wrong use, which is told once, early, and
# leaves nothing behind.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"

run alone "$pario" --help all
is "$status" 0 "--help all ends well"
help=$out
is "$(printf '%s\n' "$help" | awk 'length > 100')" "" "no line of it is longer than 100 columns"
is "$err" "" "and nothing goes to standard error"

# A134: what help has is what the result document records.
if command -v jq >/dev/null; then
    program="script directives help list version help-man help-metrics help-completion"
    names=$("$pario" --help all | sed "/^Backend/,\$d" | sed -nE 's/^ {2}(-.(\|-.)?, | {2,4})--([a-z0-9-]+).*/\3/p' |
        grep -vxF "${program// /$'\n'}" | sort)
    run alone "$pario" -a null --threads 1 --json -
    is "$(printf '%s\n' "$out" | jq -r '.settings | keys[]' | grep -vF . | sort)" "$names" \
        "the result document has the options of the help"
else
    skip 1 "no jq"
fi

if command -v groff >/dev/null; then
    "$pario" --help-man >pario.1
    # A line of a narrow page that cannot be spread out evenly is no fault.
    is "$(groff -man -ww -Tascii pario.1 2>&1 >/dev/null | grep -v 'adjust line')" "" \
        "groff has nothing to say of the manual page"
else
    skip 1 "no groff"
fi
run bash -nu <("$pario" --help-completion)
is "$status$err" 0 "bash reads the completions"
run alone "$pario" --list
like "$out" '^  posix ' "--list names a backend"

run alone "$pario" --help nonsense
is "$status" 2 "help on nothing is wrong use"
is "$out" "" "and prints nothing to standard output"
run alone "$pario" -b 4x -o here
is "$status" 2 "a wrong size is wrong use"
like "$err" "^pario: option -b: '4x' is not a size" "named in one message"
is "$(printf '%s\n' "$err" | wc -l)$out" 1 "of one line, with nothing else"
run alone "$pario" –w
like "$err" 'en dash' "a dash from a document is seen"
is "$(ls)" "$(command -v groff >/dev/null && echo pario.1)" "nothing was made"

cat >two.ior <<END
IOR START
  api=null, blockSize=64k, transferSize=64k
RUN
  segmentCount=2
RUN
IOR STOP
END
run alone "$pario" -f two.ior --threads 2 --json -
is "$status" 0 "a script runs"
if command -v jq >/dev/null; then
    is "$(printf '%s\n' "$out" | jq -c '[.tests[].phases[0].bytes]')" "[131072,262144]" \
        "with its tests, the second with the block size of the first"
else
    skip 1 "no jq"
fi

if [ "$PARIO_MPI" = none ] || ! command -v "$PARIO_MPIRUN" >/dev/null; then
    skip 4 "no MPI"
else
    run mpi 3 "$pario" --blok 4m
    is "$status" 2 "wrong use ends mpirun with 2"
    is "$(printf '%s\n' "$err" | grep -c 'unknown option --blok, did you mean --block?')" 1 "told once"
    run mpi 2 "$pario" --version
    is "$(printf '%s\n' "$out" | grep -c '^pario ')" 1 "the version is told once"
    # A076: started as four, each alone.
    run env PMI_RANK=0 PMI_SIZE=4 timeout 30 "$pario" -a null
    is "$status" 2 "processes that do not find each other are refused"
fi
done_testing
