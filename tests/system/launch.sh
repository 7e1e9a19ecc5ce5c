#!/bin/bash
# Starting and ending MPI: launchers that do not know this MPI, what the library says of threads, and an end
# that does not come.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
command -v jq >/dev/null || skip_all "no jq"
job=(-a posix -b 128k -t 64k)

# srun without an interface that this MPI knows: the environment of its tasks.
step() { env SLURM_STEP_ID=0 SLURM_PROCID="$1" SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=4 "${@:2}"; }
# Whoever runs this test may have been started by srun or mpirun.
for name in $(compgen -e | grep -E '^(PMIX?_|SLURM_|OMPI_COMM_|PALS_|MV2_|FLUX_)'); do unset "$name"; done
run step 0 timeout 60 "$pario" "${job[@]}"
is "$status:$out:$(ls)" "2::" "A076: a task of srun that MPI cannot see the others of is refused, and touches nothing"
like "$err" '^pario: 4 processes were started \(SLURM_STEP_NUM_TASKS\), but each is alone for .*srun --mpi=list; .*--mpi=pmi' \
    "and told how to be started"
run step 3 timeout 60 "$pario" "${job[@]}"
is "$status:$err" "2:" "the other tasks say nothing"
case $PARIO_MPI in
openmpi) run env PMI_FD=99 PMI_RANK=0 PMI_SIZE=3 timeout 60 "$pario" "${job[@]}" ;;
*) run env PMIX_RANK=0 PMIX_NAMESPACE=none OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 timeout 60 "$pario" "${job[@]}" ;;
esac
is "$status:$(ls)" "2:" "so is a rank that the mpirun of another MPI started"
like "$err" '^pario: 3 processes were started' "before MPI_Init"
run step 0 env SLURM_STEP_NUM_TASKS=1 SLURM_NTASKS=1 timeout 60 "$pario" --threads 2 "${job[@]}"
is "$status:$err" "0:" "one task alone is nothing to complain of"

run mpi 2 "$pario" "${job[@]}" -v --json result.json
is "$status" 0 "a job by the right mpirun"
like "$out" '^ *MPI +[^ ].*, threads: asked for funneled, given (funneled|serialized|multiple)$' "-v tells the level of threads"
like "$(jq -r .environment.mpi_threads result.json)" '^asked for funneled, given ' "so does the document"

cat >end.c <<'END'
#include <unistd.h>
int MPI_Finalize(void)
{
    for (;;)
        pause();
}
END
run "${PARIO_CC:-cc}" -shared -fPIC -o end.so end.c
if [ "$status" = 0 ]; then
    run mpi 2 env LD_PRELOAD="$(preload "$PWD/end.so")" "$pario" "${job[@]}" --mpi-end-limit 1s --json result.json
    like "$out" '^read +0' "MPI_Finalize that does not come back: all results are out"
    is "$(jq -r .status result.json)" ok "and in the document"
    like "$err" 'note: MPI_Finalize does not come back' "and pario ends without it"
    note "mpirun says $status"; unlike "$status" '^124$' "in time"
else
    skip 4 "no shared library for LD_PRELOAD: $err"
fi
done_testing
