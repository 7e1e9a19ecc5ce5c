# hosts.sh: a test on several hosts (vhosts), with tap.sh. Source it; the hosts end with the test.
#
#     . "${PARIO_SOURCE:-.}/tests/cluster/hosts.sh"
#     need_hosts
#     hosts_up 3
#     slots node1:3 node2:1 node3:2
#     run across 6 "$pario" -b 1m          # sets status, out, err, as in tap.sh
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"

vhosts=$PARIO_SOURCE/tests/cluster/vhosts
export VHOSTS_DIR=$scratch/hosts
trap '"$vhosts" down; cd / && rm -rf "$scratch"' EXIT
# Each host's shared memory is its own. With several hosts no rank sees that it shares a core, and would spin.
unset OMPI_MCA_btl_vader_backing_directory
export OMPI_MCA_mpi_yield_when_idle=1

# Every third run of a program that does nothing but MPI_Init, MPI_Barrier and MPI_Finalize stays in the last
# for good, with MPICH 4.0.2 on UCX 1.13 (Debian 12) over TCP. PARIO_HOSTS_MPICH=1 tries all the same.
mpich_hangs="MPICH over TCP does not always come back from MPI_Finalize"

# Skips the whole test where there can be no hosts or no ranks on them.
need_hosts()
{
    need_mpi
    [ "$PARIO_MPI" != mpich ] || [ "${PARIO_HOSTS_MPICH:-}" ] || skip_all "$mpich_hangs"
    local why
    why=$("$vhosts" can)
    [ -z "$why" ] || skip_all "$why"
}

# hosts_up N: node1 to nodeN; what was up before ends.
hosts_up()
{
    hosts_down
    "$vhosts" up "$1" || exit 99
    hosts_number=$1
}
hosts_down() { "$vhosts" down; }

# on HOST COMMAND...
on() { "$vhosts" run "$@"; }

# slots HOST:N...: how many ranks each has room for, in the order in which they are filled.
slots()
{
    case $PARIO_MPI in
    openmpi) printf '%s\n' "$@" | sed 's/:/ slots=/' >"$scratch/hostfile" ;;
    *) printf '%s\n' "$@" >"$scratch/hostfile" ;;
    esac
}

# across N [-by node] [-x NAME=VALUE]... PROGRAM...: N ranks, started by mpirun on the head, host after host
# until each is full, or (-by node) one after another in turn.
across()
{
    local ranks=$1 options=()
    shift
    case $PARIO_MPI in
    openmpi) options=(--hostfile "$scratch/hostfile" --mca plm_rsh_agent "$vhosts agent") ;;
    *) options=(-f "$scratch/hostfile" -launcher ssh -launcher-exec "$scratch/agent") ;;
    esac
    while :; do
        case $PARIO_MPI:$1 in
        openmpi:-by) options+=(--map-by "$2") ;;
        openmpi:-x) options+=(-x "$2") ;;
        *:-by) sed -i 's/:.*/:1/' "$scratch/hostfile" ;;
        *:-x) options+=(-genv "${2%%=*}" "${2#*=}") ;;
        *) break ;;
        esac
        shift 2
    done
    on head timeout -k 5 "${RUN_SECONDS:-60}" "$PARIO_MPIRUN" "${options[@]}" -n "$ranks" "$@"
}

# What MPICH starts instead of ssh is one word.
printf '#!/bin/sh\nexec "%s" agent "$@"\n' "$vhosts" >"$scratch/agent"
chmod +x "$scratch/agent"
