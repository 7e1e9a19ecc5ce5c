#!/bin/bash
# The same truth as in the flow tests, but on a real clock: a storage that really sleeps for as long as its model
# says. Elapsed, stages, rates and the mean latency have to come out within 1 % of the model's; which needs a
# machine that has time for it, so: for make check-long.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"

# near NAME FILTER EXPECTED: a figure of the document within 1 %.
near()
{
    is "$(jq "$2 | . / ($3) | . > 0.99 and . < 1.01" doc.json)" true "$1: $(jq "$2" doc.json) for $3"
}
phase() { echo ".tests[0].phases[] | select(.phase == \"$1\") | $2"; }

# 1000 transfers of 128 KiB a rank, 5 ms each and 1.31 ms for their bytes at 100 MB/s.
each=6310720
run alone "$pario" --threads 2 -a sim --sim.service 5ms --sim.rate 100MB --sim.open 50ms --sim.sync 100ms \
    --sim.close 50ms -b 125m -t 128k -e --json doc.json
is "$status" 0 "two ranks, one in flight"
for of in "write 0.2" "read 0.1"; do
    set -- $of
    near "$1 elapsed" "$(phase $1 .elapsed_s)" "1000 * $each / 1e9 + $2"
    near "$1 transfer" "$(phase $1 .stages.transfer.max_s)" "1000 * $each / 1e9"
    near "$1 latency" "$(phase $1 .latency_ns.$1.mean)" $each
    near "$1 bandwidth" "$(phase $1 .bandwidth_bytes_per_s)" "2 * 1000 * 131072 / (1000 * $each / 1e9 + $2)"
done
near "sync" "$(phase write .stages.sync.max_s)" 0.1
near "durable rate" "$(phase write .durable_bandwidth_bytes_per_s)" "2 * 1000 * 131072 / (1000 * $each / 1e9 + 0.15)"

run alone "$pario" --threads 2 -a sim --depth 8 --sim.service 40ms -b 125m -t 128k -w --json doc.json
is "$status" 0 "two ranks, eight in flight"
near "elapsed" "$(phase write .elapsed_s)" "1000 / 8 * 0.04"
near "latency" "$(phase write .latency_ns.write.mean)" 40e6

run alone "$pario" --threads 4 -a sim --sim.service 10ms --sim.slow-rank 3 --sim.slow-factor 2 -b 50m -t 128k -w \
    --json doc.json
is "$status" 0 "four ranks, one slow"
near "elapsed" "$(phase write .elapsed_s)" "400 * 0.02"
near "rate at first rank done" "$(phase write .stonewall_bandwidth_bytes_per_s)" "3.5 * 400 * 131072 / (400 * 0.01)"
near "median of ranks" "$(phase write .spread.median_per_s)" "131072 / 0.01"
near "slowest rank" "$(phase write .spread.min_per_s)" "131072 / 0.02"
is "$(jq "$(phase write '.spread.slowest[0].rank')" doc.json)" 3 "the slow rank is named"
done_testing
