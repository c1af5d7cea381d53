# A task that has to give way goes on from its checkpoint on a real Slurm, with the real trainer, to the very same bits.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
. "$SB_SOURCE/tests/support/slurm_cluster.sh"
cp "$SB_BUILD/bin/samebits" "$SB_BUILD/bin/samebits-data" bin/
cluster_start

if [ "${SB_TEST_SLOW-}" ]; then updates=200; else updates=800; fi
cat >real.yaml <<END
hardware: hw.yaml
data: [{name: walk, make: synth walk --size 24x16 --frames 200 --seed 1}]
defaults: {model: prednet, data: walk, updates: $updates, window: 4, channels: '3,4,8', target: copy}
studies:
  - name: r
    seeds: 1
    zip: [{backend: native, hardware: any, threads: 1}]
END
expect 0 'complete' $matrix run -f real.yaml --results local
expect 0 '1 of 1' $matrix collect -f real.yaml --results local -o local

# The trainer stands still until it is preempted, so that it cannot be done before: Slurm wakes what it ends.
hold_trainer() {
    local link
    link=$(find /proc -maxdepth 2 -name exe -lname "$PWD/bin/samebits" 2>/dev/null | grep .) || return
    kill -STOP "${link//[^0-9]/}"
}

expect 0 ' 1 results/slurm/real-cpu1-' $matrix submit --slurm -f real.yaml
read -r job _ array < <(grep ' results/slurm/' expect.out)
run=results/runs/r/walk/native/any/copy/s001
cluster_wait compgen -G "$run/*.journal"
cluster_wait hold_trainer
sbatch --quiet --partition=high --cpus-per-task=8 --output=high.log --wrap 'echo "in between"'
cluster_wait grep -q '^stopped ' "$array/0.log"
count 1 'DUE TO PREEMPTION' "$array/0.log"
cluster_wait is_empty
count 1 '^in between$' high.log
count 1 ', try 2, 1 CPUs' "$array/0.log"
count 1 'continued from update [1-9][0-9]*$' "$(compgen -G "$run/*.log")"
expect 0 '1 of 1' $matrix collect -f real.yaml -o tables
same local/cells.csv tables/cells.csv
same local/curves.csv tables/curves.csv
