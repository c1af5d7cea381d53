# A study of commands as a job array of a real Slurm: killed and queued again, with the tables of a local run.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
. "$SB_SOURCE/tests/support/slurm_cluster.sh"
cluster_start
cat >train.sh <<'END'
# train.sh SEED RATE OUTPUT FOLDER: seed 2 waits for the file `go` in its first attempt
mkdir -p "$4"
echo "$SLURM_CPUS_PER_TASK" >>"$4/begun"
[ "$1" != 2 ] || while [ ! -e go ]; do sleep 0.05; done
printf 'step,loss\n1,%s\n' "$2.$1" >"$3"
END
cat >any.yaml <<'END'
studies:
  - name: toy
    command: sh train.sh {seed} {rate} {csv} {folder}
    files: [train.sh]
    metrics: [{name: loss}]
    options: {threads: 2}
    environment: ['OMP_NUM_THREADS={threads}']
    seeds: 3
    axes: {rate: [1, 2]}
END
touch go
expect 0 '^run: 6 complete$' $matrix run -f any.yaml --results local -j 2
$matrix collect -f any.yaml --results local -o local
rm go

# one array, and the CPUs that `threads` says
expect 0 '^[0-9]+ 6 results/slurm/any-cpu2-[0-9a-f]{8}$' $matrix submit --slurm -f any.yaml
read -r job _ array < <(grep ' results/slurm/' expect.out)
task=$(sed -n 's| [0-9a-f]* toy/.*rate=1/s002$||p' "$array/cells.txt")
cluster_wait grep -rq . --include=begun results/runs/toy/threads=2/rate=1/s002

# killed and queued again: the folder is kept, and nothing is queued twice
scontrol requeue "${job}_$task"
cluster_wait grep -q '^stopped ' "$array/$task.log"
expect 0 '^nothing to submit$' $matrix submit --slurm -f any.yaml -n rate=1/s002
touch go
cluster_wait is_empty
expect 0 '^complete +6$' $matrix status -f any.yaml
[ "$(cat results/runs/toy/threads=2/rate=1/s002/*.folder/begun)" = $'2\n2' ]
$matrix collect -f any.yaml -o tables
same local/cells.csv tables/cells.csv
expect 0 '^nothing to submit$' $matrix submit --slurm -f any.yaml
