# What happens around a run: its file is edited, another file holds the same cell, the disk is full.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
export FAKE_JOURNAL=$PWD/journal

# ---- edited during the run: it goes on with what it read, and says so ----
FAKE_HANG=copy/s001 $matrix run -f small.yaml >edited.log 2>&1 &
runner=$!
wait_for grep -q '^start     p/walk/native/any/copy/s001' edited.log
sed -i 's/updates: 12/updates: 14/' small.yaml
touch go
code=0
wait $runner || code=$?
[ $code = 3 ]
count 6 '^complete ' edited.log
edited='edited during the run, which went on with what it said at the start'
count 1 "^small.yaml: $edited; 'samebits-matrix status -f small.yaml' shows what is left to run$" edited.log
expect 3 '^stale +6$' $matrix status -f small.yaml
sed -i 's/updates: 14/updates: 12/' small.yaml
expect 0 '^complete +6$' $matrix status -f small.yaml
rm -rf results journal go

# ---- the same cell in two matrix files, run at once: trained once ----
sed 's/\[copy, shared\]/[copy]/; s/seeds: 3/seeds: 2/' small.yaml >part.yaml
FAKE_HANG=copy/s001 $matrix run -f small.yaml >one.log 2>&1 &
one=$!
wait_for grep -q '^start     p/walk/native/any/copy/s001' one.log
$matrix run -f part.yaml >two.log 2>&1 &
two=$!
wait_for grep -q '^waiting for 1 cell that another process runs$' two.log
touch go
wait $one
wait $two
count 6 '^begin ' journal
count 1 '^complete  p/walk/native/any/copy/s001 /[0-9a-f]{8}  by another process$' two.log
expect 0 '^complete +2$' $matrix status -f part.yaml

leftovers() {
    local found
    found=$(find "$1" -name "*.part" -o -name "*.failed" -o -name "*.lock")
    if [ "$found" ]; then echo "FAILED: left behind: $found"; exit 1; fi
}

# ---- a disk of 1 MiB ----
mkdir disk
if ! mount -t tmpfs -o size=1m none disk 2>mount.out; then
    echo "left out: a file system of its own: $(cat mount.out)"
    exit 0
fi
trap 'umount "$test_folder/disk"; rm -rf "$test_folder"' EXIT
expect 0 'run: 2 complete' $matrix run -f small.yaml --results disk -n s001
expect 0 '2 of 6' $matrix collect -f small.yaml --results disk -o disk/out
cp -r disk/out out.before
dd if=/dev/zero of=disk/filler bs=1k 2>/dev/null || true
expect 1 '^disk: no space left on the disk; make room, and the same command continues with 4 cells$' \
    $matrix run -f small.yaml --results disk
expect 1 'disk/out/.*: No space left on device' $matrix collect -f small.yaml --results disk -o disk/out -n copy
for table in cells curves timing; do same out.before/$table.csv disk/out/$table.csv; done
expect 3 '^complete +2$' $matrix status -f small.yaml --results disk
count 1 '^failed +0$' expect.out
leftovers disk
# room to begin, but not to end
rm disk/filler
dd if=/dev/zero of=disk/filler bs=1k count=$(($(df --output=avail -k disk | tail -1) - 24)) 2>/dev/null
expect 1 '^stopped   p/.*: No space left on device$' $matrix run -f small.yaml --results disk
count 1 '^disk: no space left on the disk; make room, and the same command continues with [1-4] cells$' expect.out
leftovers disk
rm disk/filler
expect 0 'run: [1-4] complete' $matrix run -f small.yaml --results disk
expect 0 '6 of 6' $matrix collect -f small.yaml --results disk -o disk/out
