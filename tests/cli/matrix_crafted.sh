# Run files whose seal holds over nonsense take nothing down: each is named, the others go on. The bytes that are put in
# make the HDF5 library itself crash; shapes and forms that no reader takes are in test_crafted_*.c.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
export FAKE_SKETCH=s00
$matrix run -f small.yaml 2>/dev/null
expect 0 '^out: 6 of 6 cells, 0 not finished, 0 damaged$' $matrix collect -f small.yaml -o out
run() { echo results/"$(grep "$1" out/cells.csv | sed 's/.*,//')"; }

# spoil FILE NAME: the size of an attribute's name becomes 65535
spoil() {
    local at
    at=$(grep -abo "$2" "$1" | head -1 | cut -d: -f1)
    printf '\377\377' | dd of="$1" bs=1 seek=$((at - 6)) conv=notrunc status=none
    "$SB_BUILD"/bin/make_file reseal "$1"
}
crash=$(run copy/s001) other=$(run shared/s002)
spoil "$other" channels
# The library lists the many attributes of a real run's /env, and on its way back frees an entry that it never filled:
# which of them it crashes over depends on what memory held.
breaks_down="the HDF5 library breaks down over it \(.*\): damaged, or made to do so"
crashed="a process that read it crashed \((signal|exit code) [0-9]+\)"
PATH=$SB_BUILD/bin:$PATH
samebits-data synth walk --size 16x16 --frames 20 -o walk.h5 2>/dev/null
samebits train --data walk.h5 --channels 3,4 --window 4 --updates 1 -o "$PWD/real.h5" --quiet >/dev/null
for name in architecture build_id compiler cpu flags hdf5 kernels memory os program revision version; do
    cp real.h5 "$crash"
    if grep -qa $name "$crash"; then spoil "$crash" $name; fi
    if samebits diff "$crash" "$crash" 2>&1 | grep -qE "$breaks_down"; then found=yes && break; fi
done
# HDF5 of 1.14 reads such names without harm: what is left is a file that was changed.
if [ "${found-}" != yes ]; then
    samebits info | grep -E '^ *hdf5  *1\.(1[4-9]|[2-9][0-9])|^ *hdf5  *[2-9]' || { echo 'FAILED: nothing broke down'; exit 1; }
    crashed='changed after it was written'
fi
PATH=$PWD/bin:$PATH

expect 7 '^out: 4 of 6 cells, 0 not finished, 2 damaged$' $matrix collect -f small.yaml -o out
also "^$crash: $crashed"
also "^$other: "
count 5 . out/cells.csv
count 2 '^failed,p/walk/native/any/(copy/s001|shared/s002)' out/coverage.csv
(cd out && sha256sum --quiet -c SHA256SUMS)
expect 7 '^complete +4$' $matrix status -f small.yaml
also '^failed +2$'
expect 0 "failed: .*$crashed" $matrix status -f small.yaml p/walk/native/any/copy/s001

# The same command trains them anew, and leaves the others as they are.
expect 0 '^run: 2 complete' $matrix run -f small.yaml
expect 0 '^out: 6 of 6 cells, 0 not finished, 0 damaged$' $matrix collect -f small.yaml -o out
