# Ranks on a real Slurm of two nodes on this machine: four ranks in a step, a cell of a matrix in a job that is queued again
# while it trains, and a rank that is killed. Run by tests/cli/run.sh, from check.sh.
. "$SB_SOURCE/tests/support/slurm_cluster.sh"
eval "$(declare -f cluster_configure | sed '1s/cluster_configure/configure_one_node/')"
cluster_configure() { # PORT
    local here=$PWD/cluster
    configure_one_node "$1"
    mkdir -p cluster/spool/node1 cluster/spool/node2
    sed -i "/^GresTypes/d; s/^NodeName=.*/NodeName=node[1-2] NodeAddr=127.0.0.1 Port=[$(($1 + 1))-$(($1 + 2))] CPUs=2 RealMemory=1000/
        s/Nodes=node1/Nodes=node[1-2]/; s|^SlurmdSpoolDir=.*|SlurmdSpoolDir=$here/spool/%n|
        s|^SlurmdPidFile=.*|SlurmdPidFile=$here/slurmd.%n.pid|; s|^SlurmdLogFile=.*|SlurmdLogFile=$here/slurmd.%n.log|" cluster/slurm.conf
    : >cluster/gres.conf
}
cluster_start
setpriv --pdeathsig TERM slurmd -D -N node2 >>cluster.out 2>&1 &
second=$!
trap 'cluster_stop; kill $second 2>/dev/null || true; rm -rf "$test_folder"' EXIT
both_idle() { [ "$(timeout 10 sinfo -h -N -p low -o %t | grep -cx idle)" = 2 ]; }
cluster_wait both_idle

make_file images images.h5 8 64 5 1
train="samebits train --data images.h5 --model autoencoder --hidden 8 --batch 8 --shards 4 --quiet --chain-every 1"
step="timeout -s KILL 120 srun --mpi=pmi2 --kill-on-bad-exit=1"
expect 0 '^updates 6 ' $train --updates 6 -o one.h5
expect 0 '^updates 6 ' $step -N 2 --ntasks-per-node=2 -n 4 $train --updates 6 -o four.h5
expect 0 '^same bits over 6 entries' samebits diff one.h5 four.h5
expect 2 '^2 ranks do not share 1 shard' $step -n 2 $train --shards 1 --updates 6 -o no.h5
expect 2 '^started by srun as one of several tasks' timeout -s KILL 60 srun -n 2 $train --updates 6 -o no.h5

cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >ranks.yaml <<'END'
hardware: hardware.yaml
data: [{name: digits, make: synth digits --images 40 --seed 1}]
defaults: {model: autoencoder, data: digits, hardware: any, backend: native, threads: 1, hidden: 8, batch: 8, shards: 4,
           updates: 300, checkpoint_every: 20, target: copy}
studies:
  - {name: one, seeds: 1}
  - {name: four, seeds: 1, options: {ranks: 4}}
END
expect 0 '1 complete' samebits-matrix run -f ranks.yaml -n one --engine none
expect 0 '^[0-9]+ 1 results/slurm/ranks-cpu1-ranks4-' samebits-matrix submit --slurm -f ranks.yaml -n four
read -r job _ array < <(grep ' results/slurm/' expect.out)
has_checkpoint() { find results/runs/four -name '*.h5' | grep -q .; }
cluster_wait has_checkpoint
scontrol requeue "${job}_0"
cluster_wait is_empty
expect 0 '^complete +2$' samebits-matrix status -f ranks.yaml
expect 0 'try 2,' cat "$array/0.log"
expect 0 '^\$ srun --mpi=pmi2 .* --ntasks 4 ' cat $(find results/runs/four -name '*.log')
expect 0 '^same bits over ' samebits diff $(find results/runs/one -name '*.h5') $(find results/runs/four -name '*.h5')
