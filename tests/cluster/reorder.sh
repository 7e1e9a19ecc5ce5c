#!/bin/bash
# Reading what others wrote, on several hosts: no reader shares a node with its writer where that is possible,
# and every block is read once. With PARIO_LONG=1 in all forms.
. "${PARIO_SOURCE:-.}/tests/cluster/hosts.sh"
need_hosts
command -v jq >/dev/null || skip_all "no jq"
result() { jq -r "$1" result.json 2>&1; }

# reordered NAME VERDICT OPTION...: every block is read once, checked, and by another node than wrote it, or the
# verdict same-node-read says that some are not.
reordered()
{
    local name=$1 verdict=$2
    shift 2
    run across 6 "$@" "$pario" "${order[@]}" -a posix -b 64k -t 16k -s 2 -R -w -r -o data --json result.json
    is "$status" 0 "$name, ${order[*]}: done"
    is "$(result '.tests[0].phases | map(.verified_bytes) | add')" 786432 "all that was written was read, and right"
    is "$(result '[.tests[0].phases[] | .warnings[] | select(.code == "same-node-read") | .code] | unique | join(" ")')" \
        "$verdict" "${verdict:-no reader on the node of its writer}"
}

hosts_up 3
forms=("-C -F")
[ -z "${PARIO_LONG:-}" ] || forms=("-C" "-C -F" "-Z -X 3" "-Z -X 3 -F" "-Q 2 -C" "-Q 2 -C -F")
for order in "${forms[@]}"; do
    read -r -a order <<<"$order"
    slots node1:3 node2:1 node3:2
    reordered "3, 1 and 2 ranks" ""
    slots node1:2 node2:2 node3:2
    reordered "in turn" "" -by node
done
order=(-C)
slots node1:5 node2:1
reordered "5 and 1 ranks" same-node-read
done_testing
