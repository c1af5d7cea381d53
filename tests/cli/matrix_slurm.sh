# submit on a real Slurm: an array of forty cells with one task killed, tasks that are cancelled, GPUs, refusals.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
. "$SB_SOURCE/tests/support/slurm_cluster.sh"
cluster_start
submit="$matrix submit --slurm"

sed 's/seeds: 3/seeds: 20/' small.yaml >forty.yaml
expect 0 '40 complete' $matrix run -f forty.yaml --results local -j 4
expect 0 '40 of 40' $matrix collect -f forty.yaml --results local -o local

# ---- as many tasks as the cluster takes are one array; one more is a second one ----
sed 's/seeds: 3/seeds: 21/' small.yaml >more.yaml
$submit -f more.yaml --print 2>/dev/null | grep -o 'array=.*' >arrays.txt
[ "$(cat arrays.txt)" = $'array=0-39\narray=0-1' ]

# ---- what is printed is what is submitted, and a script ----
$submit -f forty.yaml --print --max-parallel 8 >printed.sh 2>/dev/null
bash -n printed.sh
count 1 '^#SBATCH --array=0-39%8$' printed.sh
count 1 '^#SBATCH --open-mode=append --requeue --signal=B:TERM@60$' printed.sh
absent results
export FAKE_HANG=copy/s007
expect 0 '^[0-9]+ 40 results/slurm/forty-cpu1-[0-9a-f]{8}$' $submit -f forty.yaml --max-parallel 8
read -r job _ array < <(grep ' results/slurm/' expect.out)
same printed.sh "$array/job.sh"
scontrol write batch_script "$job" submitted.sh >/dev/null
same printed.sh submitted.sh
count 40 '^[0-9]+ [0-9a-f]{64} p/walk/native/any/(copy|shared)/s0[0-9][0-9]$' "$array/cells.txt"
task=$(sed -n 's| [0-9a-f]* p/.*/copy/s007$||p' "$array/cells.txt")

# ---- a task is killed and queued again; the others run; nothing is queued twice ----
hung=results/runs/p/walk/native/any/copy/s007
cluster_wait grep -q '^started' -r $hung
expect 0 '^nothing to submit$' $submit -f forty.yaml -n copy/s007
count 1 '^1 cell: 1 running$' expect.out
scontrol requeue "${job}_$task"
cluster_wait grep -q '^stopped ' "$array/$task.log"
touch go
expect 0 '^nothing to submit$' $submit -f forty.yaml -n copy/s007
cluster_wait is_empty
expect 0 '^complete +40$' $matrix status -f forty.yaml
count 2 ' p/walk/native/any/copy/s007 on node1, try [12], 1 CPUs, GPU none$' "$array/$task.log"
grep -q '^resumed' -r $hung
expect 0 '40 of 40' $matrix collect -f forty.yaml -o tables
same local/cells.csv tables/cells.csv
same local/curves.csv tables/curves.csv
expect 0 '^nothing to submit$' $submit -f forty.yaml

# ---- told that its time is up, a task queues itself again; cancelled, it stays away until it is submitted anew ----
rm go
export FAKE_HANG=copy/s001
late="$submit -f small.yaml -n copy/s001 --results it's_late"
expect 0 " 1 it's_late/slurm/small-cpu1-[0-9a-f]{8}\$" $late
read -r job _ array < <(grep ' 1 it' expect.out)
hung="it's_late/runs/p/walk/native/any/copy/s001"
cluster_wait grep -q '^started' -r "$hung"
scancel --signal=USR2 --batch "${job}_0"
cluster_wait grep -q '^stopped ' "$array/0.log"
expect 0 "^1 cell in Slurm's queue already$" $late
cluster_wait grep -q '^resumed' -r "$hung"
expect 3 "^in Slurm: 0 waiting, 1 running\$" $matrix status -f small.yaml --results "it's_late"
scancel "${job}_0"
cluster_wait is_empty
count 2 '^stopped ' "$array/0.log"
touch go
expect 0 " 1 $array\$" $late
cluster_wait is_empty
expect 3 '^complete +1$' $matrix status -f small.yaml --results "it's_late"
count 2 ', try 1, 1 CPUs' "$array/0.log"

# ---- the GPUs of this cluster are handed over; one that it lacks is refused in Slurm's words, hinders no other ----
cat >gpus.yaml <<'END'
hardware:
  - {name: any}
  - {name: gtx-1080, gpu: 'GTX 1080$', sm: 61}
  - {name: turing, gpu: 'TITAN RTX$', sm: 75, gres: 'gpu:titan-rtx:1'}
  - {name: rtx-2080-ti, gpu: 'RTX 2080 Ti$', sm: 75}
END
cat >gpu.yaml <<'END'
hardware: gpus.yaml
data: [{name: walk, make: synth walk --seed 1}]
defaults: {model: prednet, data: walk, updates: 4, target: copy, backend: cublas}
studies:
  - name: g
    seeds: 1
    zip: [{hardware: gtx-1080}, {hardware: turing, threads: 3}, {hardware: rtx-2080-ti}, {hardware: any}]
END
expect 1 '^1 of 4 job arrays were not submitted; the same command tries them again$' $submit -f gpu.yaml
count 1 '^sbatch: exit code 1: sbatch: error: Batch job submission failed: Requested node configuration' expect.out
grep ' results/slurm/' expect.out >jobs.txt
cluster_wait is_empty
for row in 'g/walk/cublas/gtx-1080 1 0 gpu:gtx-1080:1' 'g/walk/cublas/turing 3 1 gpu:titan-rtx:1' \
    'g/walk/cublas/any 1 [01] gpu:1'; do
    read -r name cpus gpu gres <<<"$row"
    read -r job _ array < <(grep -F -- "-cpu$cpus-${gres//:/-}-" jobs.txt)
    scontrol show job "$job" >job.txt
    count 1 "TresPerNode=gres[:/]$gres\$" job.txt
    count 1 "CPUs/Task=$cpus " job.txt
    count 1 " $name/copy/s001 on node1, try 1, $cpus CPUs, GPU $gpu\$" "$array/0.log"
    count 1 '^no selected cell can run here' "$array/0.log" # the GPU is pretended, and so the trainer's host has none
done
$submit -f gpu.yaml -n gtx-1080 -n any --gres gpu:2 --print >printed.sh 2>/dev/null
count 1 '^#SBATCH --gres=gpu:2$' printed.sh
count 1 '^#SBATCH --gres=gpu:1$' printed.sh

# ---- what cannot be submitted ----
expect 1 '^sbatch: exit code 1: .* [Ii]nvalid partition' $submit -f small.yaml --results new --partition none
expect 1 '^sbatch: exit code [0-9]+: .*[Ii]nvalid.*time' $submit -f small.yaml --results new --time soon
expect 5 'no cell' $submit -f small.yaml -n nothing
expect 2 'submit: wants --slurm' $matrix submit -f small.yaml
sed 's/walk, make: synth walk --seed 1/fpsi, make: convert fpsi/; s/data: walk/data: fpsi/' small.yaml >fpsi.yaml
expect 4 'the data set fpsi cannot be made' $submit -f fpsi.yaml
