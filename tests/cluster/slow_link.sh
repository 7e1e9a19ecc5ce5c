#!/bin/bash
# A host on a slow link: backend network finds the rate of the link, and the node behind it.
. "${PARIO_SOURCE:-.}/tests/cluster/hosts.sh"
need_hosts
command -v jq >/dev/null || skip_all "no jq"
command -v tc >/dev/null || skip_all "no tc"
hosts_up 2
"$vhosts" slow node2 80mbit 2>"$scratch/tc" || skip_all "no token bucket here: $(head -n 1 "$scratch/tc")"
slots node1:1 node2:1

# 8 MiB each way over 10 MB/s, of which the bucket gives 256 KiB at once: no faster than 11 MB/s each way.
run across 2 "$pario" -a network -b 8m -t 256k -w --json result.json
is "$status" 0 "messages pass the link"
is "$(jq -r '.tests[0].phases[0].bytes' result.json)" 16777216 "all of them"
is "$(jq -r '.tests[0].phases[0].bandwidth_bytes_per_s < 24e6' result.json)" true "at the rate of the link, not of memory"
note "$(jq -r '.tests[0].phases[0].bandwidth_bytes_per_s' result.json) bytes/s"
done_testing
