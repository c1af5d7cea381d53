# `ranks` in a matrix file: cells of several processes are started by mpiexec, in a job by srun; their runs have the bits
# of one process, and a column says how many they were.
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >ranks.yaml <<'END'
hardware: hardware.yaml
data: [{name: digits, make: synth digits --images 40 --seed 1}]
studies:
  - name: r
    seeds: 1
    options: {model: autoencoder, data: digits, hardware: any, backend: native, hidden: 8, batch: 8, shards: 4,
              updates: 4, target: copy}
    zip: [{threads: 1}]
  - name: s
    seeds: 1
    options: {model: autoencoder, data: digits, hardware: any, backend: native, hidden: 8, batch: 8, shards: 4,
              updates: 4, target: copy}
    zip: [{threads: 1, ranks: 2}]
  - name: e
    seeds: 1
    options: {model: mlp, data: digits, hardware: any, backend: native, widths: 16, batch: 8, updates: 4, target: copy,
              search: deep-ga, population: 7, truncation: 2, sigma: 0.02, noise_table: 20000}
    zip: [{threads: 1}]
  - name: f
    seeds: 1
    options: {model: mlp, data: digits, hardware: any, backend: native, widths: 16, batch: 8, updates: 4, target: copy,
              search: deep-ga, population: 7, truncation: 2, sigma: 0.02, noise_table: 20000}
    zip: [{threads: 1, ranks: 2}]
END
sed 's/ranks: 2/ranks: 32/' ranks.yaml >many.yaml
expect 2 'many.yaml:.*ranks.*a whole number in \[1, 16\]' samebits-matrix list -f many.yaml
mkdir bare
cp "$SB_BUILD/bin/samebits-matrix" "$SB_BUILD/bin/samebits-data" "$SB_BUILD/bin/samebits" bare
expect 0 's/digits/native/any/copy/s001 .* absent' env PATH="$PWD/bare:/usr/bin:/bin" samebits-matrix list -f ranks.yaml
expect 0 'needs (samebits-mpi|mpiexec.hydra) for 2 ranks' env PATH="$PWD/bare:/usr/bin:/bin" \
    samebits-matrix status -f ranks.yaml s/digits/native/any/copy/s001
rm -r bare
command -v samebits-mpi >/dev/null || { echo 'skipped: built without MPI'; exit 77; }
command -v mpiexec.hydra >/dev/null || { echo 'skipped: no mpiexec.hydra'; exit 77; }
samebits-matrix submit --slurm --print -f ranks.yaml >script.sh 2>/dev/null || true
expect 0 '^#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1$' cat script.sh
also '^#SBATCH --ntasks=2 --cpus-per-task=1$'
expect 0 '^run: 4 complete' samebits-matrix run -f ranks.yaml --data data --engine none
expect 0 '^\$ mpiexec.hydra -n 2 .*samebits train .* --ranks 2 ' cat $(find results/runs/s -name '*.log')
expect 0 '4 of 4 cells' samebits-matrix collect -f ranks.yaml --data data -o out
column=$(head -1 out/cells.csv | tr ',' '\n' | grep -nx ranks | cut -d: -f1)
[ "$(cut -d, -f "$column" out/cells.csv | tail -n +2 | paste -sd' ')" = '1 2 1 2' ]
expect 0 '^same bits over ' samebits diff $(find results/runs/r -name '*.h5') $(find results/runs/s -name '*.h5')
also '^  ranks +1 \| 2$'
expect 0 '^same parents in 4 generations' samebits diff $(find results/runs/e -name '*.h5') $(find results/runs/f -name '*.h5')
also '^  ranks +1 \| 2$'
