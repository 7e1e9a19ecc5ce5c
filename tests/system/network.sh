#!/bin/bash
# The network's own speed: the whole program on the backend network, ranks as threads and under mpirun.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"

run alone "$pario" -a network
is "$status" 2 "a single rank is wrong use"
like "$err" 'at least two ranks' "which says what is needed"

# moved WHAT: both phases moved what was asked for, whatever the options.
moved()
{
    is "$status" 0 "$1"
    if command -v jq >/dev/null; then
        is "$(printf '%s\n' "$out" | jq -c '[.tests[0].phases[] | [.phase, .bytes]]')" \
            '[["write",4194304],["read",4194304]]' "$1: every byte"
        like "$(printf '%s\n' "$out" | jq -r '.tests[0].backend_facts.network')" "$2" "$1: with whom"
    else
        skip 2 "no jq"
    fi
}

run alone "$pario" -a network --threads 4 -b 1m -t 64k --depth 4 --json -
moved "threads" '^pairwise: 4 ranks on 1 node'
run alone "$pario" -a network --threads 4 -b 1m -t 4k --depth 16 --network.pattern incast -F -g --json -
moved "incast, file per process, barriers" '^incast to rank 0: 4 ranks'
run alone "$pario" -a network --threads 3 -b 100g -t 64k -D 0.2 -r --json -
is "$status" 0 "a deadline ends it"
is "$(ls)" "" "no file is made"

if [ -n "$PARIO_MPIRUN" ]; then
    run mpi 2 "$pario" -a network -b 2m -t 256k --json -
    moved "mpirun" '^pairwise: 2 ranks'
    run mpi 4 "$pario" -a network -b 1000k -t 1000k --depth 2 -g --json -
    is "$status" 0 "mpirun, four ranks, barriers"
    run mpi 4 "$pario" -a network -b 1m -t 16k --depth 8 --network.pattern incast --json -
    moved "mpirun, incast" '^incast'
    run mpi 1 "$pario" -a network
    like "$err" 'at least two' "mpirun of a single rank is refused"
else
    skip 8 "no mpirun"
fi
done_testing
