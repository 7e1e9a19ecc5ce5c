#!/bin/bash
# Create, stat and remove of empty files on tmpfs: pario against a bare loop that counts up names relative to an
# open directory, and, where one is on PATH, against mdtest.
#
#     PAIRS=20 tests/bench/names.sh
. "${BASH_SOURCE%/*}/pairs.sh"
shm=/dev/shm/pario-bench-$$
trap 'rm -rf "$BENCH_SCRATCH" "$shm"' EXIT
mkdir "$shm" || exit 1
count=200000

# ours and theirs of one phase; both start from what that phase needs.
ours()
{
    phase_figures "$phase" metadata --threads 1 -F -n "$count" -d "$shm/ours"
}
theirs()
{
    mkdir "$shm/theirs"
    for what in create stat unlink; do
        figures=$("$tools/loop_names" "$shm/theirs" "$count" "$what") || return 1
        [ "$what" != "$phase" ] || printf '%s\n' "$figures"
    done
    rmdir "$shm/theirs"
}
pairs_title "empty files on tmpfs, 1 rank"
for phase in create stat unlink; do
    pairs "$phase" 0.95 1.05
done

if command -v mdtest >/dev/null; then
    # Rates alone: mdtest does not tell its CPU time.
    theirs()
    {
        mdtest -F -n "$count" -d "$shm/theirs" 2>/dev/null |
            awk -v name="$label" '$1 == "File" && $2 == name { print $4, 1 }'
    }
    pairs_title "the same against mdtest"
    for phase in create stat unlink; do
        case $phase in create) label=creation ;; unlink) label=removal ;; *) label=$phase ;; esac
        pairs "$phase" 1 -
    done
fi
exit $((BENCH_FAILED > 0))
