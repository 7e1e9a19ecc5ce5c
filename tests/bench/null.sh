#!/bin/bash
# What pario itself costs: ns an operation on a backend that does nothing, with latency histograms; pread and pwrite
# of 4 KiB on tmpfs against a bare loop without any timing; making and checking data. Data: as pario writes it,
# stamped; in
# the loop 1 MiB that was made before.
#
#     PAIRS=20 tests/bench/null.sh
. "${BASH_SOURCE%/*}/pairs.sh"
shm=/dev/shm/pario-bench-$$
trap 'rm -rf "$BENCH_SCRATCH" "$shm"*' EXIT

# median of "cpu wall" columns over $PAIRS runs of: phase pario-options...
harness()
{
    local name=$1 phase=$2 most=$3 i
    shift 3
    for ((i = 0; i < PAIRS; i++)); do
        phase_figures "$phase" "$@" || return 1
    done | awk '{ print $2, 1e9 / $1 }' | sort -n | awk -v name="$name" -v most="$most" '
        { cpu[NR] = $1; if (NR == 1 || $2 < best) best = $2 }
        END {
            m = cpu[int((NR + 1) / 2)]
            printf "%-44s %6.1f ns of CPU an operation (median; at best %.1f ns of time), at most %s: %s\n", name, m,
                best, most, m <= most ? "enough" : "BELOW"
            exit !(m <= most)
        }' || BENCH_FAILED=$((BENCH_FAILED + 1))
}

printf 'pario itself (%s runs)\n' "$PAIRS"
harness "null, read" read 25 -a null --threads 1 -r -b 40g -t 4k -o "$shm"
harness "null through the queue, depth 32, read" read 50 -a null --threads 1 --depth 32 -r -b 20g -t 4k -o "$shm"
printf '\n'

bytes=$((512 << 20))
ours() { phase_figures "$direction" -a posix --threads 1 -b "$bytes" -t 4k $letters -k -o "$shm"; }
theirs() { "$tools/loop_posix" "$shm" "$bytes" "$direction"; }
pairs_title "pread and pwrite, 4 KiB, on tmpfs"
"$pario" -a posix --threads 1 -b "$bytes" -t 1m -w -k -o "$shm" >/dev/null 2>&1 || exit 1
direction=read letters=-r
pairs "read in order, 1 rank" 0.95 1.05
direction=write letters="-w -E"
pairs "write over in order, 1 rank" 0.95 1.05
printf '\ndata, on one core (fill and check: at least 8 GB/s; a stamp: at most 3 %% of a write)\n'
"$tools/fill_rate"
exit $((BENCH_FAILED > 0))
