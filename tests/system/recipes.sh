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
# figures: what reports read off stands in the document of each phase.
figures='[.tests[0].phases[] | (if .phase == "mixed" then ["read", "write"] else [.phase] end) as $kinds | .operations > 0 and
    .bandwidth_bytes_per_s > 0 and .operations_per_s > 0 and
    (.bandwidth_bytes_per_s / .operations_per_s - .bytes / .operations | fabs) < 1 and
    ([.latency_ns[$kinds[]] | .mean, .p50, .p99, .max, (.sd >= 0), (.histogram | length > 0)] | all) and
    (.phase != "mixed" or (.directions | .read.operations > 0 and .write.operations > 0)) and
    (.cpu | .user_s + .system_s > 0 and has("context_switches") and has("node_share"))] | all'
reports=$(sed -n '/^## Tests from reports/,/^## Before/p' "$PARIO_SOURCE/doc/recipes.md")
loops=()
trap 'losetup -d "${loops[@]}" 2>/dev/null; cd / && rm -rf "$scratch"' EXIT
for i in 0 1; do
    truncate -s 8m "$scratch/disk$i"
    loops+=("$(losetup -f --show "$scratch/disk$i" 2>/dev/null)")
done
while read -r line; do
    small=$(printf '%s\n' "$line" | sed -E 's/^mpirun -np 256 pario//; s/^pario //; s/-b [0-9]+[mg]/-b 256k/; s/-t [0-9]+[mk]/-t 64k/
        s/-s [0-9]+/-s 3/; s/-D [0-9]+/-D 0.3/; s/--ramp 1/--ramp 0.1/; s/--interval 1/--interval 0.1/; s/-M 80%/-M 8m/; s/-d 10s/-d 10ms/; s/--compute [0-9]+s/--compute 10ms/; s/--staging 1g/--staging 256k/')
    read -ra words <<<"$small"
    if [[ $line == */dev/* ]]; then
        if [ ! -b "${loops[1]}" ]; then
            skip 2 "no loop devices"
            continue
        fi
        words=("${words[@]//\/dev\/nvme0n1/${loops[0]}}")
        words=("${words[@]//\/dev\/nvme1n1/${loops[1]}}")
    fi
    if [[ $line == *mpiio* ]]; then
        if [ "$PARIO_MPI" = none ] || ! command -v "$PARIO_MPIRUN" >/dev/null; then
            skip 1 "no MPI"
            continue
        fi
        run mpi 2 "$pario" "${words[@]}"
    elif [[ $line == mpirun* ]]; then
        run alone "$pario" "${words[@]}" --threads 3
    else
        run alone "$pario" "${words[@]}" --json doc.json
    fi
    is "$status:$(grep -v 'in flight; CPU of its node' <<<"$err")" "0:" "$line"
    if grep -qxF "    $line" <<<"$reports" && command -v jq >/dev/null; then
        is "$(jq "$figures" doc.json)" true "and has what reports read off"
    fi
    rm -f doc.json
done <<<"$lines"
rm -f runs.json ranks.csv plan.json
is "$(find . -type f)" "" "and nothing is left behind"
done_testing
