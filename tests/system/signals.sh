#!/bin/bash
# A signal in the middle of a run: it ends within a second with status 4, shows what was done so far and
# marks it, in its documents too, and removes its files.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"

# Real files, at a pace that would need half an hour.
# shellcheck disable=SC2086 # options, and pids
slow="-a sim --sim.store --sim.service 20ms -b 256m -t 4k"
export RUN_SECONDS=${RUN_SECONDS:-60}

# begin COMMAND...: in the background, until its file is there and something is written; pid is the command's.
begin()
{
    # A shell's background jobs ignore SIGINT, and so would the program.
    env --default-signal=INT "$@" >"$scratch/out" 2>"$scratch/err" </dev/null &
    pid=$!
    for _ in $(seq 600); do
        [ "$(stat -c %s file 2>/dev/null || echo 0)" -gt 65536 ] && break
        sleep 0.1
    done
}

# end: waits for it; sets status, out, err and how long it took after the signal, in ms.
end()
{
    local from
    from=$(date +%s%N)
    status=0
    wait "$pid" || status=$?
    took=$((($(date +%s%N) - from) / 1000000))
    out=$(cat "$scratch/out")
    err=$(cat "$scratch/err")
}
# A job has little more than half a second to come to its end before it takes its last words: ranks of a machine
# that is busy with other work may not get a core in that time.
too_busy()
{
    printf '%s\n' "$err" | grep -q 'does not return' &&
        awk -v cores="$(nproc)" '{ exit !($1 > 2 * cores) }' /proc/loadavg
}
said() { printf '%s\n' "$err" | grep '^pario: '; }
document()
{
    if too_busy; then
        skip 1 "$1: the machine is busy"
        rm -f doc.json
        return
    fi
    is "$(jq -c '[.status, .exit_status, (.tests[0].phases[0] | .operations > 0, .operations < .operations_planned,
        ([.warnings[].code] | index("cut-short") != null))]' doc.json)" '["cut-short",4,true,true,true]' \
        "$1: the document has what was done, and says that it was cut short"
    rm -f doc.json
}
nothing_left()
{
    if too_busy; then
        skip 1 "$1: the machine is busy"
        find . -type f -delete
    else
        is "$(find . -type f)" "" "$1: nothing is left behind"
    fi
}

for signal in TERM INT HUP; do
    begin "$pario" --threads 3 $slow -o file --json doc.json
    kill -$signal $pid
    end
    is "$status" 4 "SIG$signal: status 4"
    is "$((took < 10000))" 1 "SIG$signal: soon ($took ms)"
    like "$(said)" "^pario: cut short by signal [0-9]+ " "SIG$signal: says so"
    is "$(said | wc -l)" 1 "SIG$signal: once"
    like "$out" '^write\* +0 ' "SIG$signal: the row is there, and marked"
    like "$out" '^The run was cut short \(exit status 4\)' "SIG$signal: so is the end"
    document "SIG$signal"
    nothing_left "SIG$signal"
done

# Who was started with nohup lives on when the terminal goes. (UCX, which MPICH loads, takes SIGHUP for
# itself whatever was asked for.)
nohup "$pario" --threads 2 -a sim --sim.service 2ms -b 2m -t 4k -o file >"$scratch/out" 2>"$scratch/err" </dev/null &
pid=$!
sleep 0.5
kill -HUP $pid
end
if [ "$PARIO_MPI" = mpich ]; then
    skip 1 "MPICH takes SIGHUP"
else
    is "$status" 0 "nohup: SIGHUP is ignored"
fi

# What -k has to keep, a signal does not take away; it is the run's own later on.
begin "$pario" --threads 3 $slow -o file -k
kill -TERM $pid
end
is "$status" 4 "-k: status 4"
is "$([ -s file ] && echo 1)" 1 "-k: the file stays"
run alone "$pario" --threads 3 -a posix -b 64k -t 4k -w -o file
is "$status" 0 "-k: and is the run's own afterwards"
nothing_left "-k"

# An operation that does not come back: the last words come in time.
begin "$pario" --threads 3 $slow -o file --sim.stall 60s --sim.stall-at 30 --json doc.json
sleep 1
kill -TERM $pid
end
is "$status" 4 "a stuck operation: status 4"
is "$((took < 10000))" 1 "a stuck operation: soon ($took ms)"
like "$(said)" 'signal 15 .* an operation does not return' "a stuck operation: says so"
is "$(said | wc -l)" 1 "a stuck operation: once"
is "$(jq -c '[.status, .exit_status]' doc.json)" '["cut-short",4]' "a stuck operation: the document, too"
rm -f file doc.json

# Between phases, too.
"$pario" --threads 2 -a null -b 1m -t 4k -d 60 >"$scratch/out" 2>"$scratch/err" </dev/null &
pid=$!
sleep 1
kill -TERM $pid
end
is "$status" 4 "in a pause: status 4"
is "$((took < 10000))" 1 "in a pause: soon ($took ms)"

if [ "$PARIO_MPI" = none ] || ! command -v "$PARIO_MPIRUN" >/dev/null; then
    skip 13 "no MPI"
    done_testing
    exit
fi

# One rank hears of it, and all stop. A job whose processes end with 4 ends with 4.
cat >"$scratch/noted" <<'END'
#!/bin/bash
echo $$ >"$PIDS/${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
exec "$@"
END
chmod +x "$scratch/noted"
# MPICH's mpirun kills the others as soon as one has ended with a status, and now and then answers 9.
flags=
[ "$PARIO_MPI" != mpich ] || flags=-disable-auto-cleanup
export PIDS=$scratch/pids
mkdir "$PIDS"
for rank in 0 2; do
    begin timeout -k 5 "$RUN_SECONDS" "$PARIO_MPIRUN" $flags -n 3 "$scratch/noted" "$pario" $slow -o file --json doc.json
    kill -TERM "$(cat "$PIDS/$rank")"
    end
    is "$status" 4 "rank $rank of three is told to end: status 4"
    is "$((took < 20000))" 1 "rank $rank: soon ($took ms)"
    is "$(said | wc -l)" 1 "rank $rank: one message"
    document "rank $rank"
    nothing_left "rank $rank"
done

# All of them at once, as a batch system does it; and then mpirun, which has a status of its own.
begin timeout -k 5 "$RUN_SECONDS" "$PARIO_MPIRUN" $flags -n 3 "$scratch/noted" "$pario" $slow -o file --json doc.json
cat "$PIDS"/* | xargs kill -TERM
end
is "$status" 4 "all ranks are told to end: status 4"
document "all ranks"
nothing_left "all ranks"
begin "$PARIO_MPIRUN" -n 3 "$pario" $slow -o file --json doc.json
kill -TERM $pid
end
if [ "$PARIO_MPI" = mpich ]; then
    skip 1 "MPICH's mpirun sometimes answers 0 to that"
else
    is "$((status != 0))" 1 "mpirun is told to end: it does not end well"
fi
is "$((took < 20000))" 1 "mpirun: soon ($took ms)"
if too_busy; then
    skip 1 "mpirun: the machine is busy"
else
    is "$(jq -c '[.status, .exit_status]' doc.json)" '["cut-short",4]' "mpirun: the document is there"
fi
done_testing
