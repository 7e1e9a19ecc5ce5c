#!/bin/bash
# The workload random through the built program: bytes as the kernel counts them, kept files, both
# directions, several sizes, damage.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"

job()
{
    rm -f doc.json
    run "$pario" random --json doc.json "$@"
    is "$status:$err" "0:" "$*: ends well"
}
phases() { jq -c '[.tests[0].phases[] | [.phase, .operations, .bytes]]' doc.json; }

job --threads 2 -b 1m -t 4k
is "$(phases)" '[["read",512,2097152],["write",512,2097152]]' "each place once, read, then written"
is "$(ls)" doc.json "and nothing is left"

job --threads 2 -b 1m -t 4k -k -r
is "$(stat -c %s pario.random)" 2097152 "-k keeps the file"
before=$(stat -c %i pario.random)
job --threads 2 -b 1m -t 4k -k -w
is "$(stat -c %i pario.random)" "$before" "and the next run uses it"
job --threads 1 -b 2m -t 8k -k -r -R
is "$(jq .tests[0].phases[0].verified_bytes doc.json)" 2097152 "what was written at random is right"
printf 'x' | dd of=pario.random bs=1 seek=1000003 conv=notrunc status=none
run "$pario" random --threads 2 -b 1m -t 4k -k -r -R
is "$status" 1 "a damaged byte fails the check"
like "$err" 'pario.random, offset 1000003: ' "and is found where it is"
rm -f pario.random pario.random.pario

job --threads 2 -b 1m -t 4k -F -C -R -r
is "$(jq .tests[0].phases[0].verified_bytes doc.json)" 2097152 "with -F -C each rank reads the other's file"
echo "of somebody else" >pario.random
run "$pario" random --threads 2 -b 1m -t 4k
is "$status" 2 "a file of others is refused"
is "$(cat pario.random)" "of somebody else" "and not touched"
run "$pario" random --threads 2 -b 1m -t 4k -r
is "$status" 2 "reading more than it has, too"
rm -f pario.random
head -c 2097152 /dev/urandom >pario.random
sum=$(cksum <pario.random)
job --threads 2 -b 1m -t 4k -r
is "$(cksum <pario.random)" "$sum" "reading alone leaves a file of others as it is"
rm -f pario.random

job --threads 2 -b 800k -t 4k --read-percent 70
is "$(jq -c '[.tests[0].phases[0].directions[].operations]' doc.json)" "[280,120]" \
    "both directions are told apart"
is "$(jq -c '.tests[0].phases[0] | [.operations, .bytes]' doc.json)" "[400,1638400]" "and together"

job --threads 2 -b 400k -t 4k -r -a sim --clock virtual --until-steady
is "$(jq '.tests[0].phases | length' doc.json)" 5 "a storage at rest needs five rounds"
job --threads 2 -b 400k -t 4k -r -a sim --clock virtual --until-steady -i 3
is "$(jq -c '[.tests[0].phases[2].warnings[] | select(.code == "not-steady")] | length' doc.json)" 1 \
    "and three do not tell"

job --threads 2 -b 1m -t 4k
is "$(jq -c '.tests[0].settings.transfer.value // .settings.transfer.value' doc.json)" 4096 "4k is said"
job --threads 2 -b 1m
is "$(phases)" '[["read",512,2097152],["write",512,2097152]]' "and is what it takes where nothing is said"

job --threads 2 -b 1m -t 4k:70,64k:30 -r -w -R -k
is "$(jq -c '[.tests[0].phases[] | .bytes == .verified_bytes or .phase == "write"] | all' doc.json)" true \
    "sizes are mixed, and what is read is right"
is "$(jq -c '[.tests[0].phases[0].sizes[] | .transfer_bytes]' doc.json)" "[4096,65536]" "each is told"
is "$(jq -c '.tests[0].phases[0] | [.operations == ([.sizes[].operations] | add), .bytes == ([.sizes[].bytes] | add)]' doc.json)" \
    "[true,true]" "and both together"
job --threads 2 -b 1m -t 16k -R -r
is "$(jq .tests[0].phases[0].verified_bytes doc.json)" 2097152 "the file is whole for the next run"
run "$pario" random --threads 2 -b 1m -t 4k:7,64k:3 --csv -
is "$status:$(cut -d, -f5 <<<"$out" | tail -n +2 | tr '\n' ' ')" "0:read read 4k read 64k write write 4k write 64k " \
    "CSV has a row for each"
for wrong in "bulk -t 4k:1,8k:1" "checkpoint -t 4k:1,8k:1" "random -t 4k:1,8k" "random -t 4k:1,4k:2" \
    "random -t 4k:0,8k:1" "random -t :1,8k:1" "random -t 4k,8k" "random -t 4k:1,3m:1 -b 1m" "random -t 4k:-1,8k:1"; do
    # shellcheck disable=SC2086 # words of a command line
    run "$pario" $wrong
    is "$status:$(wc -l <<<"$err")" "2:1" "$wrong: refused, once"
done

# Buffered writes of a queue are done by threads of the kernel's own: their CPU counts as well. 0.3: what starts
# and ends a run takes some.
for backend in posix uring; do
    if "$pario" --list | grep -q "^  $backend .*cannot be used"; then
        skip 1 "no $backend"
        continue
    fi
    rm -f doc.json
    TIMEFORMAT='%U %S'
    { time "$pario" -a $backend --threads 1 -b 64m -t 4k -w --json doc.json >/dev/null; } 2>spent.text
    is "$(jq --arg all "$(tail -1 spent.text)" '(.tests[0].phases[0].cpu | .user_s + .system_s) /
        ($all | split(" ") | map(tonumber) | add) | . > 0.3 and . < 1.05' doc.json)" true "$backend: all the CPU time is told"
done

# Intervals are merged over ranks in the document; the lines are rank 0's view.
rm -f doc.json
run "$pario" random --threads 3 -b 4m -t 4k -r -a sim --clock virtual --sim.service 1ms --depth 2 -D 1 --interval 100ms \
    --json doc.json
is "$status:$(jq -c '.tests[0].phases[0] | [.operations == (.timeline.latency.operations | add), (.timeline.latency.depth |
    .[:10] | map(. > 5.9 and . < 6.1) | all), (.timeline.latency.p99 | .[:10] | map(. == 999424) | all)]' doc.json)" \
    "0:[true,true,true]" "intervals have the operations of all ranks"
is "$(grep -c 'read  about .*6000/s; rank 0: latency 1.00 ms, p50 1.00 ms, p99 1.00 ms, most 1.00 ms, 2 in flight' <<<"$err") of $(wc -l <<<"$err")" \
    "9 of 10" "each line says what is rank 0's; the first has a round less"
like "$err" '^ +0.1 s  read ' "the first after one interval"

if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
    run strace -f -o trace "$pario" random --threads 1 -b 1600k -t 4k --read-percent 25 --json doc.json
    kernel=$(grep -cE 'pread64\(.*, 4096, [0-9]+\) = 4096' trace)
    is "$(jq '.tests[0].phases[0].directions.read.operations' doc.json)" "$kernel" "the kernel counts as many reads"
    distinct=$(grep -oE 'p(read|write)64\(.*, 4096, [0-9]+\) = 4096' trace | sed 's/.*, \([0-9]*\)) = .*/\1/' | sort -un | wc -l)
    is "$distinct" 400 "and each place is met once"
else
    skip 2 "no strace"
fi

done_testing
