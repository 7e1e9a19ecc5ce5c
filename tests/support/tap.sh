# tap.sh: a test in shell in the Test Anything Protocol. Source it; it makes an empty folder of its own,
# goes there, and removes it at the end:
#
#     . "${PARIO_SOURCE:-.}/tests/support/tap.sh"
#     plan 2
#     run mpi 2 "$pario" -a posix -b 1m -t 64k     # sets status, out, err
#     is "$status" 0 "the main job ends well"
#     like "$out" 'write +[0-9]' "and prints a row for the write phase"
#
# Leave plan out and say done_testing at the end where the number is not known beforehand.

PARIO_SOURCE=${PARIO_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
PARIO_BUILD=${PARIO_BUILD:-$PARIO_SOURCE/build}
PARIO_MPIRUN=${PARIO_MPIRUN-mpirun}
PARIO_MPI=${PARIO_MPI-openmpi}
pario=$PARIO_BUILD/pario
tap_count=0
tap_failed=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/pario-test.XXXXXX") || exit 99
trap 'cd / && rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/mpi" "$scratch/work"
cd "$scratch/work" || exit 99

# Open MPI as root, on fewer cores than ranks, leaving nothing behind.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_orte_tmpdir_base="$scratch/mpi" OMPI_MCA_btl_vader_backing_directory="$scratch/mpi"

plan() { echo "1..$1"; }
done_testing() { echo "1..$tap_count"; }

# ok STATUS NAME: passes where STATUS is 0.
ok()
{
    tap_count=$((tap_count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tap_count - $2"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $2"
    fi
}

# note TEXT: lines of comment in the log.
note() { printf '%s\n' "$1" | sed 's/^/# /'; }

is()
{
    if [ "$1" = "$2" ]; then
        ok 0 "$3"
    else
        ok 1 "$3"
        note "got:      $1"
        note "expected: $2"
    fi
}

# like TEXT EXTENDED-REGEX NAME: some line of the text matches.
like()
{
    if printf '%s\n' "$1" | grep -Eq -e "$2"; then
        ok 0 "$3"
    else
        ok 1 "$3"
        note "no line matches: $2"
        note "in: $1"
    fi
}

unlike()
{
    if printf '%s\n' "$1" | grep -Eq -e "$2"; then
        ok 1 "$3"
        note "some line matches: $2"
        note "in: $1"
    else
        ok 0 "$3"
    fi
}

# skip N WHY: N checks that cannot be made here.
skip()
{
    tap_left=$1
    while [ "$tap_left" -gt 0 ]; do
        tap_count=$((tap_count + 1))
        tap_left=$((tap_left - 1))
        echo "ok $tap_count # SKIP $2"
    done
}

# skip_all WHY: the whole test cannot run here; ends it.
skip_all()
{
    echo "1..0 # SKIP $1"
    exit 0
}

# run COMMAND...: into status, out (stdout) and err (stderr). A command that takes longer than
# RUN_SECONDS (60) hangs: it is ended, with status 124.
run()
{
    status=0
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    out=$(cat "$scratch/out")
    err=$(cat "$scratch/err")
}

# mpi N PROGRAM...: on N ranks with the MPI of this build.
mpi()
{
    tap_ranks=$1
    shift
    timeout -k 5 "${RUN_SECONDS:-60}" "$PARIO_MPIRUN" -n "$tap_ranks" "$@"
}

# alone PROGRAM...: without mpirun, ended when it hangs.
alone() { timeout -k 5 "${RUN_SECONDS:-60}" "$@"; }

# preload LIBRARY: what LD_PRELOAD must be for pario. A sanitizer's run-time library has to come before any other.
preload()
{
    { ldd "$pario" | sed -n 's/.* => \(.*\/lib[a-z]*san\.so[^ ]*\) .*/\1/p'; echo "$1"; } | paste -s -d :
}

# lacks BACKEND: this build has it not.
lacks() { "$pario" -a "$1" --dry-run 2>&1 | grep -q 'cannot be used'; }

need_mpi()
{
    [ "$PARIO_MPI" != none ] || skip_all "built without MPI"
    command -v "$PARIO_MPIRUN" >/dev/null || skip_all "no mpirun"
}
