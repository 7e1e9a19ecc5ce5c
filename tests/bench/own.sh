#!/bin/bash
# What a run costs besides its I/O, seen from outside by a preloaded library: the time from MPI_Init's return to
# MPI_Finalize's call on the null backend, and the memory that pario itself holds on a rank.
#
#     PAIRS=20 RANKS=256 tests/bench/own.sh
. "${BASH_SOURCE%/*}/pairs.sh"
here=$(cd "${BASH_SOURCE%/*}" && pwd)
RANKS=${RANKS:-256}
mpicc=${MPICC:-mpicc}
export OWN_COST=$BENCH_SCRATCH/own
export OMPI_MCA_mpi_yield_when_idle=1
"$mpicc" -O2 -shared -fPIC -o "$BENCH_SCRATCH/own_cost.so" "$here/own_cost.c" -ldl || exit 1
"$mpicc" -O2 -o "$BENCH_SCRATCH/loop_barriers" "$here/loop_barriers.c" || exit 1

# own RANKS PARIO-OPTIONS...: lines of "rank R own SECONDS heap BYTES" in $OWN_COST
own()
{
    local ranks=$1
    shift
    : >"$OWN_COST"
    mpirun -np "$ranks" env LD_PRELOAD="$BENCH_SCRATCH/own_cost.so" "$pario" "$@" -a null \
        >/dev/null 2>"$BENCH_SCRATCH/stderr" || {
        cat "$BENCH_SCRATCH/stderr" >&2
        exit 1
    }
}

file=$BENCH_SCRATCH/file
bulk=(-b 4m -t 128k -o "$file")
median() { sort -g | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

verdict() # NAME FIGURE MOST UNIT
{
    awk -v name="$1" -v figure="$2" -v most="$3" -v unit="$4" 'BEGIN {
        printf "%-52s %10.3f %s, at most %.3f: %s\n", name, figure, unit, most, figure <= most ? "enough" : "BELOW"
        exit !(figure <= most)
    }' || BENCH_FAILED=$((BENCH_FAILED + 1))
}

printf 'time between MPI_Init and MPI_Finalize, null, the slowest rank (median of %s runs)\n' "$PAIRS"
for ((i = 0; i < PAIRS; i++)); do
    own 2 "${bulk[@]}"
    awk '{ print $4 * 1000 }' "$OWN_COST" | sort -g | tail -n 1
done >"$BENCH_SCRATCH/times"
verdict "2 ranks" "$(median <"$BENCH_SCRATCH/times")" 50 ms
own "$RANKS" "${bulk[@]}"
barriers=$(mpirun -np "$RANKS" "$BENCH_SCRATCH/loop_barriers")
verdict "$RANKS ranks, against 1 s and 40 barriers ($barriers s)" \
    "$(awk '{ print $4 }' "$OWN_COST" | sort -g | tail -n 1)" \
    "$(awk -v barriers="$barriers" 'BEGIN { print 1 + barriers }')" s

printf '\nmemory of its own on the rank with most, beside the transfer buffers\n'
held() # NAME BUFFERS RANKS PARIO-OPTIONS...
{
    local name=$1 buffers=$2
    shift 2
    own "$@"
    verdict "$name" "$(awk -v buffers="$buffers" '{ m = $6 > m ? $6 : m } END { print (m - buffers) / 1048576 }' \
        "$OWN_COST")" 4 MiB
}
mib=1048576
held "2 ranks, 128 KiB" $((mib / 8)) 2 "${bulk[@]}"
held "16 ranks, 128 KiB" $((mib / 8)) 16 "${bulk[@]}"
held "2 ranks, 100 GiB a rank" $((16 * mib)) 2 -b 100g -t 16m -o "$file"
held "2 ranks, 4 KiB, depth 32, with JSON" $((mib / 8)) 2 -b 1g -t 4k --depth 32 -o "$file" --json "$file.json"
held "2 ranks, random" $((mib / 8)) 2 random -b 1g -t 128k --read-percent 70 -o "$file"
held "2 ranks, metadata, 1000 files" 0 2 metadata -n 1000 -d "$file.d"
held "2 ranks, metadata, 1000000 files" 0 2 metadata -n 1000000 -d "$file.d"
held "2 ranks, checkpoint" $mib 2 checkpoint -b 1g -t 1m -o "$file.c"
exit $((BENCH_FAILED > 0))
