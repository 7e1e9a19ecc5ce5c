#!/bin/bash
# The main job, as users write it, on 256 ranks: 16 hosts with 16 each.
. "${PARIO_SOURCE:-.}/tests/cluster/hosts.sh"
need_hosts
command -v jq >/dev/null || skip_all "no jq"
export RUN_SECONDS=900
hosts_up 16
hosts=()
for n in $(seq 16); do hosts+=("node$n:16"); done
slots "${hosts[@]}"
run across 256 "$pario" -a posix -b 4m -t 128k --json result.json
is "$status$err" 0 "256 ranks: done, without a word to standard error"
is "$(jq -r '.tests[0] | "\(.ranks) \(.nodes)", (.phases[] | "\(.phase) \(.bytes) \(.operations) \(.operations_failed)")' \
    result.json)" "256 16
write 1073741824 8192 0
read 1073741824 8192 0" "on 16 nodes, and all of it was done"
like "$out" '^write +0 .* 1 GiB$' "the row says so"
is "$(ls)" result.json "the file is gone"
note "$out"
done_testing
