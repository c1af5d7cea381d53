# submit where there is no Slurm: a sentence, and the scripts all the same.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
submit="env PATH=$PWD/bin $matrix submit --slurm"

expect 4 '^sbatch: not found, so there is no Slurm on this machine; .* with --print$' $submit -f small.yaml
absent results cache
expect 0 '^#SBATCH --array=0-5$' $submit -f small.yaml --print --account mine --mem 2G --time 90
count 1 '^#SBATCH --account=mine$' expect.out
count 1 '^#SBATCH --mem=2G$' expect.out
count 1 '^#SBATCH --time=90$' expect.out
count 1 '^run=\(.*/bin/samebits-matrix run -f small.yaml\)$' expect.out
absent results cache

# the time limit: a day where nothing is known; else twice what is expected, here 1.5 s, plus ten, in whole minutes
expect 0 '^#SBATCH --time=1440$' $submit -f small.yaml --print
expect 0 'complete' $matrix run -f small.yaml -n copy/s001 --results known
expect 0 '^#SBATCH --time=11$' $submit -f small.yaml --print --results known
count 1 '^#SBATCH --array=0-4$' expect.out

# cells that need other resources are another array, and so is what does not fit into a thousand tasks
sed "s/seeds: 3/seeds: 501/; s/threads: 1}/threads: 1}, {backend: openblas, hardware: any, threads: 4}/" \
    small.yaml >large.yaml
expect 0 '^#SBATCH --array=0-999%10$' $submit -f large.yaml --print --max-parallel 10
count 2 '^#SBATCH --array=0-999%10$' expect.out
count 2 '^#SBATCH --array=0-1%10$' expect.out
count 2 '^#SBATCH .*--cpus-per-task=1$' expect.out
count 2 '^#SBATCH .*--cpus-per-task=4$' expect.out
count 4 '^#!/bin/bash$' expect.out

# A cluster that takes smaller arrays gets more of them: tasks are numbered from 0, so that MaxArraySize is their number.
# sizes MAX: an array's last task and cells, of each array
sizes() {
    printf '#!/bin/sh\necho "MaxArrayJobs = 7\nMaxArraySize            = %s\nMaxBatchRequeue = 5"\n' "$1" >bin/scontrol
    chmod +x bin/scontrol
    $submit -f small.yaml --print 2>/dev/null | sed -n 's/^#SBATCH --array=0-//p; s/^# Trains the \([0-9]*\) cells* .*/\1/p' | tr '\n' ' '
}
[ "$(sizes 4)" = '4 3 2 1 ' ]
[ "$(sizes 6)" = '6 5 ' ]
[ "$(sizes 1001)" = '6 5 ' ]
[ "$(sizes 1)" = '1 0 1 0 1 0 1 0 1 0 1 0 ' ]
[ "$(sizes unknown)" = '6 5 ' ]
sizes 0 >/dev/null || true
expect 4 '^this cluster takes no job arrays: MaxArraySize is 0 in its slurm.conf; ' $submit -f small.yaml --print
rm bin/scontrol
mkdir -p results/slurm
expect 3 '^missing +6$' env PATH="$PWD/bin" $matrix status -f small.yaml
