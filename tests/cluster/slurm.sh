#!/bin/bash
# A real Slurm on three hosts runs the job templates: by srun, by mpirun, as an array, and to the end of a job's
# time.
. "${PARIO_SOURCE:-.}/tests/cluster/hosts.sh"
need_hosts
[ "$PARIO_MPI" = openmpi ] || skip_all "for Open MPI, which Slurm's pmix starts"
for command in munged slurmctld slurmd srun sbatch jq; do
    PATH=$PATH:/usr/sbin command -v "$command" >/dev/null || skip_all "no $command"
done
export PATH=$PATH:/usr/sbin RUN_SECONDS=180
S=$scratch/slurm
mkdir -p "$S"/{munge,state,run,log,spool/node1,spool/node2,spool/node3}
# The keys that munged demands; its folder must be nobody else's.
chmod 755 "$scratch" "$S" "$S/munge"
head -c 1024 /dev/urandom >"$S/munge/munge.key"
chmod 400 "$S/munge/munge.key"
cat >"$S/slurm.conf" <<END
ClusterName=pario
SlurmctldHost=head(10.99.0.254)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$S/munge/munge.sock
CredType=cred/munge
SlurmctldPidFile=$S/run/slurmctld.pid
SlurmdPidFile=$S/run/slurmd-%n.pid
StateSaveLocation=$S/state
SlurmdSpoolDir=$S/spool/%n
SlurmctldLogFile=$S/log/slurmctld.log
SlurmdLogFile=$S/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=pmix
SwitchType=switch/none
SlurmdParameters=config_overrides
KillWait=10
NodeName=node1 NodeAddr=10.99.0.1 CPUs=4 RealMemory=2000
NodeName=node2 NodeAddr=10.99.0.2 CPUs=4 RealMemory=2000
NodeName=node3 NodeAddr=10.99.0.3 CPUs=4 RealMemory=2000
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverTimeLimit=0
END
echo "PMIxCliTmpDirBase=/dev/shm" >"$S/mpi.conf"
export SLURM_CONF=$S/slurm.conf
unset OMPI_MCA_orte_tmpdir_base

hosts_up 3
# On the head, so that it ends with it.
on head munged --force --key-file="$S/munge/munge.key" --socket="$S/munge/munge.sock" \
    --pid-file="$S/munge/munged.pid" --log-file="$S/munge/munged.log" --seed-file="$S/munge/munge.seed" \
    --num-threads=2 || skip_all "munged does not start: $(tail -n 1 "$S/munge/munged.log")"
on head slurmctld -f "$S/slurm.conf"
for node in node1 node2 node3; do
    on $node slurmd -f "$S/slurm.conf" -N $node
done
for i in $(seq 150); do
    [ "$(on head sinfo -h -o %t 2>/dev/null | sort -u)" = idle ] && break
    sleep 0.2
done
is "$(on head sinfo -h -o '%D %t' 2>&1)" "3 idle" "Slurm is up: three idle nodes"

mkdir data
export PARIO=$pario PARIO_BLOCK=16m
result() { jq -r "$2" "$1" 2>&1; }

# job OPTION... -- TEMPLATE: submits it and waits for its end; number is the job's, status its exit status.
job()
{
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    status=0
    number=$(on head timeout "$RUN_SECONDS" sbatch --parsable --wait "${options[@]}" \
        "$PARIO_SOURCE/scripts/slurm/$2" "$PWD/data" 2>"$scratch/err") || status=$?
    err=$(cat "$scratch/err")
}

job --nodes=3 --ntasks=6 --ntasks-per-node=2 -- pario.sbatch
is "$status$err" 0 "pario.sbatch, by srun: done"
for layout in shared -F; do
    is "$(result "pario-$number-$layout.json" '.tests[0] | "\(.ranks) \(.nodes) \(.phases | map(.bytes) | add)"')" \
        "6 3 201326592" "6 ranks on 3 nodes wrote and read (${layout})"
done
is "$(result "pario-$number-shared.json" '.environment.SLURM_JOB_ID, .environment.hosts')" "$number
node1 node2 node3" "the document names the job and its hosts"


job --nodes=3 --ntasks=6 --ntasks-per-node=2 -- pario-mpirun.sbatch
is "$status$err" 0 "pario-mpirun.sbatch: done"
is "$(result "pario-$number.json" '.tests[0] | "\(.ranks) \(.nodes)"')" "6 3" "6 ranks on 3 nodes"


job --nodes=2 --ntasks-per-node=2 -- pario-array.sbatch
is "$status$err" 0 "pario-array.sbatch: all its jobs are done"
for size in 4k 64k 1m 16m; do
    is "$(result "pario-$number-$size.json" '.status, .settings.transfer.value')" "ok
$(numfmt --from=iec "${size^^}")" "the one of $size"
done

# Two jobs of a minute, side by side: one knows when it ends and stops in time; one is not told, and Slurm ends it.
job --nodes=1 --ntasks=2 --time=1 -- pario-limit.sbatch &
cat >unaware.sbatch <<'END'
#!/bin/bash
#SBATCH --output=unaware.out
unset SLURM_JOB_END_TIME SLURM_JOB_START_TIME
srun --mpi=pmix "$PARIO" -a posix -b 16m -t 1m -i 1000000 -o data/unaware --json unaware.json
END
on head timeout "$RUN_SECONDS" sbatch --parsable --wait --nodes=2 --ntasks=2 --time=1 unaware.sbatch >unaware.id 2>&1
unaware=$?
wait
limited=$(echo data/../pario-[0-9]*.json | tr ' ' '\n' | grep -v -e shared -e -F.json | sort -V | tail -n 1)
is "$(result "$limited" '.status, (.tests[0].phases | length > 2)')" "cut-short
true" "pario-limit.sbatch: cut short by the job's end, which pario knows"
is "$(on head scontrol show job "$(basename "$limited" .json | tr -cd 0-9)" | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p')" \
    COMPLETED "before Slurm had to end it"
is "$(ls -d data/pario-* 2>/dev/null)" "" "and nothing of it is left"
is "$([ $unaware != 0 ] && echo ended)" ended "a job that does not know its end is ended by Slurm"
is "$(on head scontrol show job "$(cat unaware.id)" | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p')" TIMEOUT "by its time limit"
is "$(result unaware.json '.status, (.tests[0].phases | length > 2)')" "cut-short
true" "its document holds what was finished"
like "$(cat unaware.out)" "^pario: .*signal 15" "and it says by what it was ended"
note "$(cat unaware.out | tail -n 20)"
note "$(tail -n 20 "pario-$(basename "$limited" .json | tr -cd 0-9).out")"
done_testing
