#!/bin/bash
# Clocks that are wrong change no number: the wall clock of one rank is off, or is set in mid-run; hosts whose
# monotonic clocks are far apart. What other tools would have made of it is told.
. "${PARIO_SOURCE:-.}/tests/cluster/hosts.sh"
need_mpi
command -v jq >/dev/null || skip_all "no jq"
shim=$scratch/wall_shift.so
run "${PARIO_CC:-cc}" -shared -fPIC -O1 -o "$shim" "$PARIO_SOURCE/tests/cluster/wall_shift.c" -ldl
[ "$status" = 0 ] || skip_all "no shared library for LD_PRELOAD: $err"
preload=$(preload "$shim")

# 3 ranks, 20 transfers of 20 ms and 64 KiB each: 0.4 s at least, which nothing but a wrong clock makes a minute.
job=(-a sim --sim.service 20ms --sim.store -b 1280k -t 64k -w)
result() { jq -r ".tests[0].phases[0] | $1" result.json 2>&1; }

# sound NAME: the numbers are those of the job, whatever the clocks say.
sound()
{
    is "$status" 0 "$1: done"
    is "$(result '"\(.bytes) \(.operations) \(.ranks)"')" "3932160 60 3" "$1: all of it was done"
    is "$(result '.elapsed_lower_s >= 0.4 and .elapsed_s >= .elapsed_lower_s and .elapsed_s < 60')" true \
        "$1: in the time it took"
    is "$(result '(.bandwidth_bytes_per_s * .elapsed_s / .bytes - 1) | fabs < 1e-9')" true "$1: which the rate is of"
    is "$(result '.latency_ns.write | .mean >= 1.99e7 and .max < 6e10')" true "$1: latencies are the model's"
    is "$(result '[.start_spread_s, .finish_spread_s] | all(. >= 0 and . < 60)')" true "$1: so are the spreads"
    is "$(result '.timeline | (.bytes | add) == 3932160 and .interval_s * (.bytes | length) < 120')" true \
        "$1: and the timeline"
}

# shifted NAME RANK MS [FILE]: runs the job with the wall clock of a rank shifted, from when on FILE is written.
shifted()
{
    rm -f result.json
    run mpi 3 env LD_PRELOAD="$preload" SHIFT_RANK="$2" SHIFT_MS="$3" ${4:+SHIFT_WHEN="$4"} "$pario" "${job[@]}" --json result.json
    sound "$1"
}

# away SECONDS: of the wall clock that is farthest off, as the result says, to a tenth.
away() { is "$(result ".clock.wall_apart_s | (. - $1) | fabs < $1 / 10")" true "the wall clock is off by $1 s"; }
warned() { is "$(result '[.warnings[] | select(.code == "clock-offset") | .message | match("rank [0-9]+").string] | join(" ")')" "$1" "${1:-nobody} is named"; }

shifted "true wall clocks" 1 0
warned ""
shifted "one 10 ms behind" 2 -10
shifted "one 100 ms ahead" 1 100
away 0.1
warned "rank 1"
shifted "one 345 s ahead" 2 345000
away 345
warned "rank 2"
is "$(result '.clock.wall_elapsed_s > 345')" true "and what a tool that subtracts wall clocks would have said"
# A rank's own file grows after its own start and before its own end: the step comes in between for certain.
job+=(-F)
shifted "rank 0's set forward in mid-run" 0 345000 testFile.00000000
is "$(result '.clock.wall_elapsed_s > 345')" true "other tools would add 345 s"
shifted "one set back in mid-run" 1 -345000 testFile.00000001
is "$(result '.clock.wall_elapsed_s < 60')" true "other tools would not notice"

why=$("$vhosts" can)
if [ "$PARIO_MPI" != openmpi ]; then
    why="$mpich_hangs"
fi
if [ -n "$why" ]; then
    skip 16 "$why"
else
    VHOSTS_MONOTONIC="0 100 200" hosts_up 3
    slots node1:1 node2:1 node3:1
    for clock in auto monotonic; do
        rm -f result.json
        run across 3 "$pario" "${job[@]}" --clock $clock --json result.json
        sound "hosts 100 s apart, clock $clock"
        warned ""
    done
fi
done_testing
