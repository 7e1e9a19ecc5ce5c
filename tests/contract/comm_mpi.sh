#!/bin/bash
# MPI keeps the contract of comm.h on 1, 2, 4 and 7 ranks; ends when a rank aborts; sees the launcher of
# another MPI.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
plan 14
program=$PARIO_BUILD/tests/contract/test_comm_mpi

for ranks in 1 2 4 7; do
    run mpi "$ranks" "$program"
    is "$status" 0 "$ranks ranks keep the contract"
    like "$out" "^ok .*\($ranks ranks\)" "there are $ranks of them"
    is "$(printf '%s\n%s' "$out" "$err" | grep -vE '^(ok|1\.\.)')" "" "nothing else is said"
done

run mpi 3 "$program" lost
is "$status" 42 "an abort of one rank ends all, with its status"

export SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=3
run alone "$program"
like "$status: $err" '^2: 3 processes were started .* each is alone' "a launcher of another MPI is noticed"
