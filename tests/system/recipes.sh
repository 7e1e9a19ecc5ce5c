#!/bin/bash
# Every line of doc/recipes.md that runs pario, at small size on a few ranks.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"

mkdir one other
lines=$(sed -nE 's/^    ((mpirun -np 256 )?pario .*)/\1/p' "$PARIO_SOURCE/doc/recipes.md")
ok $(($(printf '%s\n' "$lines" | wc -l) < 20)) "there are recipes"
"$pario" --list | grep -q '^  uring .*cannot be used' && lines=${lines//-a uring/-a aio}
# A folder without direct I/O is no fault of the recipe.
run alone "$pario" --threads 1 --direct -t 64k -b 64k -w
[ "$status" = 0 ] || lines=${lines//--direct/}
while read -r line; do
    small=$(printf '%s\n' "$line" | sed -E 's/^mpirun -np 256 pario//; s/^pario //; s/-b [0-9]+[mg]/-b 256k/; s/-t [0-9]+[mk]/-t 64k/
        s/-s [0-9]+/-s 3/; s/-D [0-9]+/-D 0.3/; s/-M 80%/-M 8m/; s/-d 10s/-d 10ms/')
    read -ra words <<<"$small"
    if [[ $line == *mpiio* ]]; then
        if [ "$PARIO_MPI" = none ] || ! command -v "$PARIO_MPIRUN" >/dev/null; then
            skip 1 "no MPI"
            continue
        fi
        run mpi 2 "$pario" "${words[@]}"
    elif [[ $line == mpirun* ]]; then
        run alone "$pario" --threads 3 "${words[@]}"
    else
        run alone "$pario" "${words[@]}"
    fi
    is "$status:$err" "0:" "$line"
done <<<"$lines"
rm -f runs.json ranks.csv plan.json
is "$(find . -type f)" "" "and nothing is left behind"
done_testing
