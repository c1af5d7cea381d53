# compare: the runs here against reference results, cell by cell by their bits; where they differ, the operation.
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >two.yaml <<'END'
hardware: hardware.yaml
data: [{name: walk, make: synth walk --size 16x16 --frames 40 --seed 1}]
defaults: {model: prednet, data: walk, backend: native, hardware: any, channels: '3,4', window: 5, updates: 4}
studies:
  - {name: p, seeds: 2, axes: {target: [copy, shared]}}
END
compare="samebits-matrix compare -f two.yaml --data data"
samebits-matrix run -f two.yaml --data data >run.log 2>&1

expect 2 "ref/SHA256SUMS: No such file" $compare --reference ref
expect 0 '4 of 4 cells' samebits-matrix collect -f two.yaml --data data --traces -o ref
[ "$(ls ref/traces | wc -l)" = 2 ] # one of each setting, of its first seed
expect 0 "^the reference's bits: native 4 of 4$" $compare --reference ref

# Runs of another machine: no cell here, some, one that the reference lacks.
expect 5 'no cell to compare: 4 not run here, 0 not in the reference' $compare --reference ref --results none
mkdir -p some/runs/p/walk/native/any/
cp -r results/runs/p/walk/native/any/copy some/runs/p/walk/native/any/
expect 3 "^the reference's bits: native 2 of 2; 2 not run here$" $compare --reference ref --results some
expect 0 '2 of 2 cells' samebits-matrix collect -f two.yaml -n copy -o few
expect 0 "^the reference's bits: native 2 of 2; 2 not in the reference$" $compare --reference few

# The statistics come after the bits, from the tables; each part may be without anything to compare.
expect 0 '^2 same bits; last-frame loss$' $compare --reference ref --tables ref
[ "$(head -n 1 expect.out)" = "the reference's bits: native 4 of 4" ]
expect 0 '^2 same bits; window-mean loss$' $compare --reference ref --tables ref -- --metric loss_mean
expect 2 "'--metric' is an option of the statistics, which want --tables DIR" $compare --reference ref -- --metric loss_mean
expect 0 '^2 same bits' $compare --reference ref --tables ref --results none
also 'no cell to compare: 4 not run here'
expect 3 '^2 same bits' $compare --reference ref --tables ref --results some
also '^2 cells could not be compared: not run here'
mkdir empty
expect 5 '^empty: holds no cells.csv' $compare --reference ref --tables empty
also "^the reference's bits: native 4 of 4$"
$compare --reference ref --tables ref --json >document 2>said
grep -q '^2 same bits; last-frame loss$' said
[ "$(sed -n '1p;$p' document)" = "$(printf '{\n}')" ]
$compare --reference ref >now
samebits-matrix match -f two.yaml --data data --reference ref >before
same now before

# Tables of other weights: two pairs decide nothing, and a missing verdict comes before cells that did not run.
cp -r ref other
sed -i -E '2,$s/,([0-9a-f]{32}),([0-9a-f]*),runs/,0123456789abcdef0123456789abcdef,\2,runs/' other/cells.csv
seal other
expect 6 '^2 undetermined; last-frame loss$' $compare --reference ref --tables other --results some
expect 6 '"message": "samebits-report compare: exit code 6"' $compare --reference ref --tables other --json

# Statistics that are killed, or end with a code that samebits-report does not have: an error, and its sentence says so.
mkdir killed
cp "$SB_BUILD/bin/samebits-matrix" killed/
printf '#!/bin/sh\n[ "${CODE-}" ] && exit "$CODE"\nkill -KILL $$\n' >killed/samebits-report
chmod +x killed/samebits-report
killed="killed/$compare --reference ref --tables other"
expect 1 '^samebits-report compare: killed by signal 9$' $killed
expect 1 '^samebits-report compare: killed by signal 9$' $killed --fail-on nothing
expect 1 '"message": "samebits-report compare: killed by signal 9"' $killed --json
CODE=99 expect 1 '^samebits-report compare: exit code 99$' $killed
CODE=7 expect 7 "^the reference's bits: native 4 of 4$" $killed
lacks expect.out 'exit code 7'

# Other bits: the reference's first cell as if its machine had shared the target buffer.
cell=p/walk/native/any/copy/s001
hash=$(sed -n "s,^$cell\,\([0-9a-f]*\)\,.*,\1,p" ref/cells.csv)
sed -i "s,^\($cell\,.*\)\,[0-9a-f]\{32\}\,\([0-9a-f]*\)\,runs/,\1\,0123456789abcdef0123456789abcdef\,\2\,runs/," ref/cells.csv
expect 7 'ref/cells.csv: changed since it was collected' $compare --reference ref
seal ref
samebits trace --data data/walk-*.h5 --channels 3,4 --window 5 --target shared -o "ref/traces/$hash.h5"
expect 1 "^the reference's bits: native 3 of 4$" $compare --reference ref
also "^other bits than the reference's: $cell .*there 0123456789abcdef"
also '^  the first of its 139 operations that differs is number 81: loss_backward'
expect 1 '^2 undetermined; last-frame loss$' $compare --reference ref --tables other
also '^1 cell of 4 has other bits than the reference$'
expect 0 "^the reference's bits: native 3 of 4$" $compare --reference ref --fail-on nothing

# Where the first update has the same bits, that is said, too; without a trace nothing is said of operations.
samebits trace --data data/walk-*.h5 --channels 3,4 --window 5 --target copy -o "ref/traces/$hash.h5"
expect 1 'the same bits in all 139 operations of update 1' $compare --reference ref
rm "ref/traces/$hash.h5"
expect 1 "^the reference's bits: native 3 of 4$" $compare --reference ref

# ---- a library: its cells are counted separately from the promised ones, with what its bits depend on ----
cat >both.yaml <<'END'
hardware: hardware.yaml
data: [{name: walk, make: synth walk --size 16x16 --frames 40 --seed 1}]
defaults: {model: prednet, data: walk, hardware: any, channels: '3,4', window: 5, updates: 4, target: copy}
studies:
  - {name: p, seeds: 2, axes: {backend: [native, openblas]}}
END
compare="samebits-matrix compare -f both.yaml --data data --reference both"
expect 0 '^run: ' samebits-matrix run -f both.yaml --data data
expect 0 '^both: 4 of 4 cells' samebits-matrix collect -f both.yaml --data data -o both
library=$(grep -o ',OpenBLAS [^,]*,' both/cells.csv | sort -u)
version=$(cut -d' ' -f2 <<<"$library") kernel=$(cut -d' ' -f3- <<<"${library%,}")
[ -n "$version" ] && [ -n "$kernel" ] || { echo "FAILED: no library in cells.csv"; exit 1; }
[ "$(grep -c ',OpenBLAS' both/cells.csv)" = 2 ] || { echo "FAILED: not only of openblas"; exit 1; }
expect 0 "^the reference's bits: native 2 of 2; openblas 2 of 2$" $compare
one_differs() { sed -i '/openblas.*s001/s/,[0-9a-f]\{32\},\([0-9a-f]*\),runs/,0123456789abcdef0123456789abcdef,\1,runs/' both/cells.csv; seal both; }
one_differs
expect 1 "^the reference's bits: native 2 of 2; openblas 1 of 2, 1 of the same version and kernel type$" $compare
also '^1 cell of 4 has other bits than the reference$'
also "^other bits than the reference's: p/walk/openblas/"
sed -i "s/,OpenBLAS $version /,OpenBLAS 0.3.1 /" both/cells.csv
seal both
expect 0 "^the reference's bits: native 2 of 2; openblas 1 of 2, of another version: $version here, 0.3.1 there, not promised$" $compare
also "^other bits than the reference's, not promised: p/walk/openblas/"
expect 0 '"state": ?"different"' $compare --json
also '"promised": ?false'
also "\"reason\": ?\"of another version: $version here, 0.3.1 there\""
also '"library_there": ?"OpenBLAS 0.3.1 '
sed -i "s/,OpenBLAS 0.3.1 [^,]*,/,OpenBLAS $version Abacus,/" both/cells.csv
seal both
expect 0 "^the reference's bits: native 2 of 2; openblas 1 of 2, of another kernel type: $kernel here, Abacus there, not promised$" $compare
sed -i '/native.*s002/s/,[0-9a-f]\{32\},\([0-9a-f]*\),runs/,0123456789abcdef0123456789abcdef,\1,runs/' both/cells.csv
seal both
expect 1 "^the reference's bits: native 1 of 2; openblas 1 of 2, .*, not promised$" $compare
also '^1 cell of 4 has other bits than the reference$'

# ---- a reference whose table does not say it: its chains do, and their program is the one that computed all of it ----
sed -i 's/,OpenBLAS [^,]*,/,,/' both/cells.csv
seal both
expect 1 'openblas 1 of 2, of an unknown version there, not promised$' $compare
mkdir both/chains
samebits chain "$(ls results/runs/p/walk/native/any/copy/s001/*.h5 | tail -1)" -o both/chains/copy-s001.h5
expect 1 "openblas 1 of 2, 1 of the same version and kernel type$" $compare
