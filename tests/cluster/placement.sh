#!/bin/bash
# The node map of ranks on several hosts: uneven, in blocks and in turn, with equal host names.
. "${PARIO_SOURCE:-.}/tests/cluster/hosts.sh"
need_hosts

# placed RANKS OPTION... -- MAP NODES MOST: how the ranks lie, as the result document records it.
placed()
{
    local ranks=$1 options=()
    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    rm -f result.json
    run across "$ranks" "${options[@]}" "$pario" -a null -b 64k -t 64k --json result.json
    is "$status$err" 0 "$ranks ranks${options[*]:+ (${options[*]})}: done, without a word to standard error"
    is "$(result '.environment.rank_map')" "$2" "and they are where they are"
    is "$(result '.tests[0] | "\(.ranks) \(.nodes)"')" "$ranks $3" "on $3 nodes"
}

result() { jq -r "$1" result.json 2>&1; }

command -v jq >/dev/null || skip_all "no jq"
hosts_up 3
slots node1:3 node2:1 node3:2
placed 6 -- "0-2:node1 3:node2 4-5:node3" 3
slots node1:2 node2:2 node3:2
placed 5 -by node -- "0:node1 1:node2 2:node3 3:node1 4:node2" 3
slots node3:1 node1:1
placed 2 -- "0:node3 1:node1" 2
slots node2:4
placed 4 -- "0-3:node2" 1

# Machines made from one image: their kernels tell them apart.
if [ "$PARIO_MPI" = openmpi ]; then
    skip 3 "Open MPI itself does not start on hosts of equal names"
else
    VHOSTS_NAMES="same same" hosts_up 2
    slots node1:2 node2:2
    placed 4 -- "0-1:same 2-3:same" 2
fi
done_testing
