# Killed and interrupted runs: the same command completes, and ends with the tables of an undisturbed run.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"

expect 0 '6 complete' $matrix run -f small.yaml --results whole
expect 0 '6 of 6' $matrix collect -f small.yaml --results whole -o whole

# the trainer dies half-way: its checkpoint is not taken for a run, and is continued
FAKE_DIE=copy expect 1 'failed .*killed by signal 9' $matrix run -f small.yaml --results died
expect 3 '^failed +3$' $matrix status -f small.yaml --results died
expect 0 'run: 3 complete' $matrix run -f small.yaml --results died
grep -q '^resumed' "$(find died -path '*copy/s001*' -name '*.log')"
expect 0 '6 of 6' $matrix collect -f small.yaml --results died -o died
same whole/cells.csv died/cells.csv
same whole/curves.csv died/curves.csv

# the trainer dies when its run is whole: that is a run, and nothing is left of the trainer
FAKE_LATE=copy/s001 expect 0 '^complete  p/walk/native/any/copy/s001 .*; trainer: killed by signal 9$' \
    $matrix run -f small.yaml --results late
count 6 '^complete ' expect.out
[ "$(find late -name '*.journal' -o -name '*.failed' -o -name '*.lock')" = '' ]
expect 0 '6 of 6' $matrix collect -f small.yaml --results late -o late
same whole/cells.csv late/cells.csv
same whole/curves.csv late/curves.csv

# SIGTERM is passed on: the trainers make a checkpoint, everything ends, the same command goes on. What terminals and batch
# systems send before the end counts as SIGTERM.
for signal in TERM INT HUP USR2 XCPU; do
    rm -rf stopped stopped.log go # of the round before
    FAKE_HANG=copy/s002 env --default-signal=HUP,INT $matrix run -f small.yaml --results stopped -j 2 >stopped.log 2>&1 &
    runner=$!
    wait_for grep -q 'complete  .*shared/s003' stopped.log
    kill -$signal $runner
    code=0
    wait $runner || code=$?
    if [ $signal = INT ]; then wanted=130; else wanted=143; fi
    [ $code = $wanted ] || { echo "FAILED: SIG$signal gave $code"; cat stopped.log; exit 1; }
    count 1 '^stopped   p/walk/native/any/copy/s002' stopped.log
    count 1 '^interrupted; the same command continues with 1 cell$' stopped.log
    expect 3 '^missing +1$' $matrix status -f small.yaml --results stopped
    expect 0 'run: 1 complete' $matrix run -f small.yaml --results stopped
    grep -q '^resumed' "$(find stopped -path '*copy/s002*' -name '*.log')"
done

# Cells that did not begin are not called stopped.
rm -f go
FAKE_HANG=copy/s002 $matrix run -f small.yaml --results half -j 1 >half.log 2>&1 &
runner=$!
wait_for grep -q 'start .*copy/s002' half.log
sleep 0.2
kill -TERM $runner
wait $runner || [ $? = 143 ]
done=$(grep -c '^complete ' half.log || true)
count 1 "^run: $done complete, 1 stopped, $((5 - done)) not begun\$" half.log
count 1 "^interrupted; the same command continues with $((6 - done)) cells\$" half.log

# A trainer that alone is told to end, as by a limit of its own, has left its checkpoint: its cell is no failure.
rm -f go
FAKE_HANG=copy/s002 $matrix run -f small.yaml --results alone -j 2 >alone.log 2>&1 &
runner=$!
wait_for grep -q 'complete  .*shared/s003' alone.log
# SIGUSR1 asks all trainers for a checkpoint, and they go on
log=$(find alone -path '*copy/s002*' -name '*.log')
kill -USR1 $runner
wait_for grep -q '^asked for a checkpoint$' "$log"
kill -XCPU "$(pgrep -P $runner)"
code=0
wait $runner || code=$?
[ $code = 143 ] || { echo "FAILED: SIGXCPU to the trainer gave $code"; cat alone.log; exit 1; }
count 1 '^stopped   p/walk/native/any/copy/s002' alone.log
count 1 '^1 of 6 cells were stopped; the same command continues with them$' alone.log
expect 3 '^missing +1$' $matrix status -f small.yaml --results alone
expect 0 'run: 1 complete' $matrix run -f small.yaml --results alone
grep -q '^resumed' "$log"

# A trainer that ignores both is killed after its time, with its group; its cell is one that was stopped.
for signal in TERM INT; do
    rm -rf deaf deaf.log
    FAKE_DEAF=copy/s002 $matrix run -f small.yaml --results deaf -j 2 --grace 1 >deaf.log 2>&1 &
    runner=$!
    wait_for grep -q 'complete  .*shared/s003' deaf.log
    wait_for sh -c "find deaf -path '*copy/s002*' -name '*.h5' | grep -q ."
    trainer=$(pgrep -P $runner)
    kill -$signal $runner
    sleep 0.3
    kill -0 $runner # it waits, as it was told
    code=0
    wait $runner || code=$?
    [ $code = $((128 + $(kill -l $signal))) ] || { echo "FAILED: SIG$signal gave $code"; cat deaf.log; exit 1; }
    if kill -0 "$trainer" 2>/dev/null; then echo "FAILED: the trainer is still there"; exit 1; fi
    killed='killed: asked to stop, it did not within 1 s; the same command continues from its last checkpoint'
    count 1 "^stopped   p/walk/native/any/copy/s002 /[0-9a-f]{8}  $killed\$" deaf.log
    count 1 '^interrupted; the same command continues with 1 cell$' deaf.log
    expect 3 '^missing +1$' $matrix status -f small.yaml --results deaf
    expect 0 'run: 1 complete' $matrix run -f small.yaml --results deaf
    grep -q '^resumed' "$(find deaf -path '*copy/s002*' -name '*.log')"
done

# SIGKILL of the runner alone: its trainer goes on and still holds the cell; the next runner waits for it
rm -f go
FAKE_HANG=copy/s001 $matrix run -f small.yaml --results killed >killed.log 2>&1 &
runner=$!
wait_for grep -q 'start     p/walk/native/any/copy/s001' killed.log
wait_for sh -c "find killed -name '*.log' -size +0 | grep -q ."
kill -KILL $runner
wait $runner || true
expect 3 '^running p/walk/native/any/copy/s001' $matrix status -f small.yaml --results killed
$matrix run -f small.yaml --results killed >killed.log 2>&1 &
runner=$!
wait_for grep -q 'waiting for 1 cell that another process runs' killed.log
touch go
wait $runner
count 1 '^complete  p/walk/native/any/copy/s001 /[0-9a-f]{8}  by another process$' killed.log
expect 0 '6 of 6' $matrix collect -f small.yaml --results killed -o killed
same whole/cells.csv killed/cells.csv
