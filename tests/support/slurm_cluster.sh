# A cluster for one test: Slurm's controller and one node with eight pretended CPUs and two pretended GPUs, as whoever
# runs the test, in the folder ./cluster, on ports of its own, with job arrays of forty tasks at most. Sourced, not run.
# Two partitions: `low` (the default) gives way to `high`, its tasks are queued again.
#
#     . "$SB_SOURCE/tests/support/slurm_cluster.sh"
#     cluster_start        # or the test is skipped
#     ...                  # sbatch and squeue speak to this cluster; it ends with the test

PATH=$PATH:/usr/sbin
for program in slurmctld slurmd sbatch; do
    command -v $program >/dev/null || { echo "skipped: no $program here"; exit 77; }
done
for variable in $(compgen -e | grep -E '^(SLURM|SBATCH|SQUEUE|SCANCEL)_' || true); do unset "$variable"; done
export SLURM_CONF=$PWD/cluster/slurm.conf

# cluster_configure PORT: this and the next one are the daemons'
cluster_configure() {
    local here=$PWD/cluster
    mkdir -p cluster/state cluster/spool
    # cred_expire: how many seconds a task waits that is queued again, else 120; less than 5 is refused
    cat >cluster/slurm.conf <<END
ClusterName=samebits
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$(($1 + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool
SlurmctldPidFile=$here/slurmctld.pid
SlurmdPidFile=$here/slurmd.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdLogFile=$here/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
GresTypes=gpu
MaxArraySize=40
NodeName=node1 NodeAddr=127.0.0.1 CPUs=8 RealMemory=1000 Gres=gpu:gtx-1080:1,gpu:titan-rtx:1
PartitionName=low Nodes=node1 Default=YES PriorityTier=1
PartitionName=high Nodes=node1 PriorityTier=10 PreemptMode=OFF
END
    cat >cluster/gres.conf <<END
NodeName=node1 Name=gpu Type=gtx-1080 File=/dev/null
NodeName=node1 Name=gpu Type=titan-rtx File=/dev/zero
END
}

# while_alive COMMAND...: until it succeeds, as long as the daemons live, two minutes at most
while_alive() {
    local end=$((SECONDS + 120))
    while [ $SECONDS -lt $end ]; do
        if "$@" >/dev/null 2>&1; then return 0; fi
        kill -0 "$slurmctld" 2>/dev/null && kill -0 "${slurmd:-$slurmctld}" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}

is_known() {
    timeout 10 scontrol show node node1
}

is_idle() {
    timeout 10 sinfo -h -o %t | grep -qx idle
}

is_empty() {
    local queue
    queue=$(timeout 10 squeue -h) || return
    [ -z "$queue" ]
}

# cluster_wait COMMAND...: until it succeeds, or the test has failed
cluster_wait() {
    if while_alive "$@"; then return 0; fi
    echo "FAILED: waited in vain for: $*"
    timeout 10 squeue -r || true
    tail -n 20 cluster/slurmctld.log
    exit 1
}

# Tasks first: they would outlive their daemons.
cluster_stop() {
    if [ "$slurmd" ]; then
        timeout 10 scancel --quiet --user="$(id -un)" || true
        while_alive is_empty || true
    fi
    kill $slurmd $slurmctld 2>/dev/null || true
    wait $slurmd $slurmctld 2>/dev/null || true
}

# The daemons end with this shell even where it is killed and its trap does not run.
cluster_start() {
    local try
    trap 'cluster_stop; rm -rf "$test_folder"' EXIT
    for try in 1 2 3; do # a port may be taken
        rm -rf cluster
        slurmd=
        cluster_configure $((20000 + RANDOM % 12000))
        setpriv --pdeathsig TERM slurmctld -D >cluster.out 2>&1 &
        slurmctld=$!
        if while_alive is_known; then
            setpriv --pdeathsig TERM slurmd -D -N node1 >>cluster.out 2>&1 &
            slurmd=$!
            if while_alive is_idle; then return; fi
        fi
        cluster_stop
    done
    cat cluster.out
    echo "skipped: Slurm's daemons do not start here, see above"
    exit 77
}
