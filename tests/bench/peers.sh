#!/bin/bash
# 4 KiB transfers in order on tmpfs, one rank, against whatever of ior, fio and elbencho is on PATH. The rate is what each
# reports of itself, the CPU time that of the whole process (start and end, too: so it is a guide only).
#
#     PAIRS=10 tests/bench/peers.sh
. "${BASH_SOURCE%/*}/pairs.sh"
shm=/dev/shm/pario-bench-$$
trap 'rm -rf "$BENCH_SCRATCH" "$shm"*' EXIT
bytes=$((1 << 30))
operations=$((bytes / 4096))

# spent COMMAND...: its output to $BENCH_SCRATCH/said; prints its CPU time in ns an operation
spent()
{
    local TIMEFORMAT='%U %S'
    { time "$@" >"$BENCH_SCRATCH/said" 2>/dev/null; } 2>"$BENCH_SCRATCH/spent" || return 1
    awk -v n="$operations" '{ print ($1 + $2) / n * 1e9 }' "$BENCH_SCRATCH/spent"
}

ours()
{
    local cpu
    cpu=$(spent "$pario" -a posix --threads 1 -b "$bytes" -t 4k $letters -k -o "$shm" --json -) || return 1
    echo "$(jq --arg phase "$direction" '[.tests[0].phases[] | select(.phase == $phase)][0].operations_per_s' \
        "$BENCH_SCRATCH/said") $cpu"
}

with_ior()
{
    local cpu
    cpu=$(spent ior -a POSIX -b "$bytes" -t 4k $letters -k -o "$shm.ior") || return 1
    echo "$(awk -v direction="$direction" '$1 == direction { print $3; exit }' "$BENCH_SCRATCH/said") $cpu"
}

with_fio()
{
    local cpu
    cpu=$(spent fio --name=bench --ioengine=psync --rw="$direction" --bs=4k --size="$bytes" --filename="$shm.fio" \
        --overwrite=1 --fallocate=none --invalidate=0 --output-format=json) || return 1
    echo "$(jq ".jobs[0].$direction.iops" "$BENCH_SCRATCH/said") $cpu"
}

with_elbencho()
{
    local cpu
    cpu=$(spent elbencho "--$direction" -t 1 -b 4k -s "$bytes" --nolive --csvfile "$BENCH_SCRATCH/csv" "$shm.elbencho") ||
        return 1
    echo "$(awk '$1 == "IOPS" { print $NF; exit }' "$BENCH_SCRATCH/said") $cpu"
}

pairs_title "4 KiB in order on tmpfs, 1 rank, against others"
for direction in write read; do
    letters=-r
    [ "$direction" = write ] && letters="-w -E"
    for peer in ior fio elbencho; do
        if command -v "$peer" >/dev/null; then
            # The first writes lay the files out.
            letters_now=$letters direction_now=$direction
            letters="-w" direction=write
            ours >/dev/null && "with_$peer" >/dev/null || exit 1
            letters=$letters_now direction=$direction_now
            theirs() { "with_$peer"; }
            pairs "$direction, against $peer" 1 -
        else
            echo "$peer is not on PATH"
        fi
    done
done
exit $((BENCH_FAILED > 0))
