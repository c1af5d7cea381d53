# A small study for the tests with real containers, after container_image.sh: its cells run without one, and the lock of the
# image. Sourced, not run. Afterwards: small.yaml, outside/ with its runs, $matrix, $id of the image, equal_runs.
cat >hw.yaml <<'END'
hardware: [{name: any}, {name: i5-4590, cpu: 'i5-4590( |$)'}]
END
cat >small.yaml <<'END'
hardware: hw.yaml
data:
  - {name: walk, make: synth walk --size 48x32 --frames 80 --seed 1}
  - {name: digits, make: synth digits --images 200 --test 20 --seed 1}
studies:
  - name: prednet
    options: {model: prednet, data: walk, updates: 3, window: 4, channels: '3,8'}
    seeds: 1
    axes: {target: [copy, shared]}
    zip:
      - {backend: native, hardware: any, threads: 2}
      - {backend: openblas, hardware: i5-4590, threads: 4, blas_kernel: Sandybridge}
  - name: autoencoder
    options: {model: autoencoder, data: digits, updates: 10, target: copy, backend: native, hardware: any}
    seeds: 1
END
matrix=samebits-matrix
expect 0 '^run: [0-9]+ complete$' $matrix run -f small.yaml --results outside -j 2
expect 0 '^containers/matrix.lock: 1 image, 2 data sets$' $matrix image lock -f small.yaml
id=$(sed -n 's/^ *id: //p' containers/matrix.lock)

equal_runs() { # ONE OTHER N: the N runs of the other have the bits of the one's
    local run n=0
    while read -r run; do
        expect 0 '^same bits' samebits diff "$1/$run" "$2/$run"
        n=$((n + 1))
    done < <(cd "$2" && find runs -name '*.h5')
    [ $n = $3 ] || { echo "FAILED: $n runs in $2, wanted $3"; exit 1; }
}
