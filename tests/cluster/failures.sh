#!/bin/bash
# A host that is gone in mid-run, and a link that is cut for a while: a message, no hang, results kept.
. "${PARIO_SOURCE:-.}/tests/cluster/hosts.sh"
need_hosts
command -v jq >/dev/null || skip_all "no jq"
hosts_up 3
slots node1:2 node2:1 node3:2
export RUN_SECONDS=120

# started PHASE: waits until the result document has a finished phase of that name.
started()
{
    local i
    for i in $(seq 300); do
        jq -e ".tests[0].phases | map(.phase) | index(\"$1\")" result.json >/dev/null 2>&1 && return
        sleep 0.1
    done
    return 1
}

# The write phase is short, each transfer of the read phase takes a second: there is time to do something.
slow_read=(-a sim --sim.service 1s -b 8k -t 1k -i 2)

across 5 "$pario" "${slow_read[@]}" --json result.json >"$scratch/out" 2>"$scratch/err" &
job=$!
started write
ok $? "a phase is finished, the next under way"
"$vhosts" crash node3
wait $job
is "$([ $? != 0 ] && echo failed)" failed "a host is gone: the job ends, and not well"
like "$(cat "$scratch/err")" '^pario: signal 15 \(Terminated\)' "what ended the others is said"
like "$(cat "$scratch/out")" '^write +0 ' "the row of the finished phase is there"
is "$(jq -r '.status' result.json)" cut-short "the document is whole, and says that it was cut short"
is "$(jq -r '[.tests[0].phases[] | .phase] | index("write")' result.json)" 0 "with the phase that was finished"

hosts_up 2
slots node1:1 node2:1
rm -f result.json
across 2 "$pario" -a sim --sim.service 250ms -b 8k -t 1k -w --json result.json >"$scratch/out" 2>"$scratch/err" &
job=$!
sleep 1.5
"$vhosts" cut node2
sleep 3
"$vhosts" mend node2
wait $job
is $? 0 "a link that is cut for a while costs time, no more"
is "$(jq -r '.status, .tests[0].phases[0].operations' result.json | xargs)" "ok 16" "all of it was done"
done_testing
