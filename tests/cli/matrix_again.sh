# run --again: a complete cell is trained once more beside its run, and held against it.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
export FAKE_JOURNAL=$PWD/journal

expect 0 'run: 2 complete' $matrix run -f small.yaml -n s001
run=$(find results -path '*copy/s001*' -name '*.h5')
cp "$run" before.h5
expect 0 '^complete  p/walk/native/any/copy/s002' $matrix run -f small.yaml -n copy --again # trained, as without
count 1 '^repeated  p/walk/native/any/copy/s001 /[0-9a-f]{8}  .* s, the same bits$' expect.out
count 1 '^run: 3 complete$' expect.out
same "$run" before.h5
grep -q '^same bits$' "${run%.h5}.again.log"
absent "${run%.h5}.again.h5" "${run%.h5}.again.ok" "${run%.h5}.again.lock"

# other bits: both stay, the command that shows where is printed, and a third attempt begins anew
for attempt in 1 2; do
    FAKE_DRIFT=s001 expect 1 '^1 of 3 cells did not repeat their bits$' $matrix run -f small.yaml -n copy --again -j 2
    count 1 '^differs   p/walk/native/any/copy/s001 /[0-9a-f]{8}  .* s, not the same bits$' expect.out
    count 2 '^repeated ' expect.out
    where=$(sed -n 's/^  where: //p' expect.out)
    case $where in *"/samebits diff $run ${run%.h5}.again.h5") ;; *) echo "FAILED: $where"; exit 1 ;; esac
    expect 1 differs $where
    same "$run" before.h5
done
expect 3 '^complete +4$' $matrix status -f small.yaml
expect 0 '^repeated  p/walk/native/any/copy/s001' $matrix run -f small.yaml -n copy/s001 --again
absent "${run%.h5}.again.h5"
expect 0 " -o ${run%.h5}.again.h5$" $matrix run -f small.yaml -n copy/s001 --again --dry-run
count 3 '^p/' <($matrix list -f small.yaml -n copy 2>/dev/null)

# a repetition that fails says so, and leaves the run and its state alone; killed half-way, it goes on
FAKE_FAIL=s001 expect 1 '^  log:   .*again.log$' $matrix run -f small.yaml -n copy/s001 --again
expect 0 '^complete +1$' $matrix status -f small.yaml -n copy/s001
FAKE_DIE=s001 expect 1 'killed by signal 9' $matrix run -f small.yaml -n copy/s001 --again
expect 0 '^repeated ' $matrix run -f small.yaml -n copy/s001 --again
grep -q '^resumed' "${run%.h5}.again.log"
FAKE_LATE=s001 expect 0 '^repeated ' $matrix run -f small.yaml -n copy/s001 --again # killed when it was whole
FAKE_LATE=s001 FAKE_DRIFT=s001 expect 1 '^differs ' $matrix run -f small.yaml -n copy/s001 --again
expect 0 '^repeated ' $matrix run -f small.yaml -n copy/s001 --again
same "$run" before.h5
[ "$(find results -name '*again*' ! -name '*.log')" = '' ]
