# Results on a disk of 1 MiB that fills up, which this test mounts: a sentence, whole tables, nothing left behind, and the
# same command goes on when there is room. matrix_faults has every call that may fail.
mkdir disk
mount -t tmpfs -o size=1m none disk 2>mount.out || { echo "skipped: no file system of its own: $(cat mount.out)"; exit 77; }
trap 'umount "$test_folder/disk"; rm -rf "$test_folder"' EXIT
. "$SB_SOURCE/tests/cli/matrix_setup.sh"

leftovers() {
    local found
    found=$(find "$1" -name "*.part" -o -name "*.failed" -o -name "*.lock")
    if [ "$found" ]; then echo "FAILED: left behind: $found"; exit 1; fi
}

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
