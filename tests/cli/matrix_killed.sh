# A study of the real trainer, killed with SIGKILL at twenty random moments (four under a sanitizer; the runner, its
# trainers, or both) and continued each time: the tables are those of an undisturbed one, byte for byte, and nothing is
# left behind.
cat >hw.yaml <<'END'
hardware: [{name: any}]
END
cat >study.yaml <<'END'
hardware: hw.yaml
data:
  - {name: walk, make: synth walk --size 32x32 --frames 120 --seed 1}
  - {name: digits, make: synth digits --images 400 --test 50 --seed 1}
defaults: {backend: native, hardware: any, threads: 1, checkpoint_every: 8}
studies:
  - name: video
    seeds: 2
    options: {model: prednet, data: walk, updates: 24, window: 5, channels: '3,8', arithmetic: direct}
    axes: {target: [copy, shared]}
  - name: images
    seeds: 2
    options: {model: autoencoder, data: digits, updates: 400, batch: 1, hidden: 8, target: copy, checkpoint_every: 150}
END
run="samebits-matrix run -f study.yaml --engine none -j 2"

expect 0 'run: 6 complete' $run --results whole
expect 0 '6 of 6 cells' samebits-matrix collect -f study.yaml --results whole -o whole

check() { # FOLDER: it is complete now, and no different
    expect 0 '6 of 6 cells' samebits-matrix collect -f study.yaml --results "$1" -o "$1"
    same whole/cells.csv "$1/cells.csv"
    same whole/curves.csv "$1/curves.csv"
    local left
    left=$(find "$1" -name '*.part' -o -name '*.journal' -o -name '*.lock' -o -name '*.failed' -o -name '*.corrupt*')
    if [ "$left" ]; then echo "FAILED: left behind: $left"; exit 1; fi
}

# the same command once more, to its end
again() {
    local code=0
    $run --results study$study >run.log 2>&1 || code=$?
    [ $code = 0 ] || { echo "FAILED: $code"; cat run.log; exit 1; }
}

seed=${SB_TEST_SEED:-$(date +%s)}
RANDOM=$seed
echo "seed $seed"
study=1 kills=0 codes=
if [ "${SB_TEST_SLOW-}" ]; then wanted=4; else wanted=20; fi
while [ $kills -lt $wanted ]; do
    $run --results study$study >run.log 2>&1 &
    runner=$!
    sleep "0.$(printf %03d $((RANDOM % 350)))"
    trainers=$(ps -o pid= --ppid $runner || true)
    case $((RANDOM % 4)) in
    0) victims=$runner ;;          # its trainers go on, and hold their cells
    1) victims=$trainers ;;        # their cells fail; the runner goes on with the others
    *) victims="$runner $trainers" ;;
    esac
    if [ "$victims" ] && kill -KILL $victims 2>/dev/null; then kills=$((kills + 1)); fi
    code=0
    wait $runner 2>/dev/null || code=$?
    codes+=" $code"
    case $code in
    0) again; check study$study; study=$((study + 1)) ;; # over already: the next one is killed
    1 | 137) ;;
    *) echo "FAILED: the runner ended with $code"; cat run.log; exit 1 ;;
    esac
done
again
check study$study
echo "$kills kills over $study studies; the runners ended with$codes"
