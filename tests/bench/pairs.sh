# Measures ours against theirs in interleaved pairs, for the scripts beside this file.
#
#     pairs NAME RATE_LEAST CPU_MOST     calls ours and theirs $PAIRS times by turns, each of which prints
#                                        "operations/s CPU-ns/operation"; CPU_MOST -: not asked for
#
# Prints a row: medians of both, the median of the pairs' ratios with its 95 % interval (of order
# statistics), the same for CPU time, and whether that is enough. Other work on the machine hits both sides of
# a pair alike, more or less: a quiet machine is still better. BENCH_FAILED counts what was not enough.
PAIRS=${PAIRS:-20}
BENCH_FAILED=0
BENCH_SCRATCH=${BENCH_SCRATCH:-$(mktemp -d "${TMPDIR:-/tmp}/pario-bench-XXXXXX")} || exit 1
trap 'rm -rf "$BENCH_SCRATCH"' EXIT
pario=${PARIO_BUILD:-build}/pario
tools=${PARIO_BUILD:-build}/tests/bench

# Open MPI as root, and no MPI at all where ranks are threads.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none

# phase_figures NAME PARIO-OPTIONS...: runs pario; rate and CPU per operation of that phase.
phase_figures()
{
    local phase=$1
    shift
    "$pario" "$@" --json - 2>"$BENCH_SCRATCH/stderr" >"$BENCH_SCRATCH/document" || {
        cat "$BENCH_SCRATCH/stderr" >&2
        return 1
    }
    jq -r --arg phase "$phase" '[.tests[0].phases[] | select(.phase == $phase)][0] |
        "\(.operations_per_s) \((.cpu.user_s + .cpu.system_s) / .operations * 1e9)"' "$BENCH_SCRATCH/document"
}

pairs()
{
    local name=$1 least=$2 most=$3 i
    : >"$BENCH_SCRATCH/pairs"
    for ((i = 0; i < PAIRS; i++)); do
        if ((i % 2)); then
            theirs >"$BENCH_SCRATCH/theirs" && ours >"$BENCH_SCRATCH/ours" || return 1
        else
            ours >"$BENCH_SCRATCH/ours" && theirs >"$BENCH_SCRATCH/theirs" || return 1
        fi
        paste -d ' ' "$BENCH_SCRATCH/ours" "$BENCH_SCRATCH/theirs" >>"$BENCH_SCRATCH/pairs"
    done
    awk -v name="$name" -v least="$least" -v most="$most" '
        function order(list, n,    i, j, x) {
            for (i = 2; i <= n; i++) {
                x = list[i]
                for (j = i - 1; j >= 1 && list[j] > x; j--) list[j + 1] = list[j]
                list[j + 1] = x
            }
        }
        function median(list, n) { return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2 }
        function low(list, n,    k) { k = int(n / 2 - 0.98 * sqrt(n)); return list[k < 1 ? 1 : k] }
        function high(list, n,    k) { k = int(n / 2 + 0.98 * sqrt(n)) + 1; return list[k > n ? n : k] }
        { a[NR] = $1; ca[NR] = $2; b[NR] = $3; cb[NR] = $4; r[NR] = $1 / $3; cr[NR] = $2 / $4 }
        END {
            order(a, NR); order(b, NR); order(ca, NR); order(cb, NR); order(r, NR); order(cr, NR)
            ratio = median(r, NR); cpu = median(cr, NR)
            enough = ratio >= least && (most == "-" || cpu <= most)
            printf "%-44s %9.0f %9.0f  %.3f [%.3f %.3f]  %7.0f %7.0f ns  %.3f [%.3f %.3f]  %s\n", name,
                median(a, NR), median(b, NR), ratio, low(r, NR), high(r, NR), median(ca, NR), median(cb, NR),
                cpu, low(cr, NR), high(cr, NR), enough ? "enough" : "BELOW"
            exit !enough
        }' "$BENCH_SCRATCH/pairs" || BENCH_FAILED=$((BENCH_FAILED + 1))
}

pairs_title()
{
    printf '%s (%s pairs by turns)\n' "$1" "$PAIRS"
    printf '%-44s %9s %9s  %-20s  %7s %7s     %-20s\n' "" ops/s against ratio CPU/op against ratio
}
