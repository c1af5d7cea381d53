# match: the runs here against reference results, cell by cell by their bits; where they differ, the operation.
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >two.yaml <<'END'
hardware: hardware.yaml
data: [{name: walk, make: synth walk --size 16x16 --frames 40 --seed 1}]
defaults: {model: prednet, data: walk, backend: native, hardware: any, channels: '3,4', window: 5, updates: 4}
studies:
  - {name: p, seeds: 2, axes: {target: [copy, shared]}}
END
match="samebits-matrix match -f two.yaml --data data"
samebits-matrix run -f two.yaml --data data >run.log 2>&1

expect 2 "ref/SHA256SUMS: No such file" $match --reference ref
expect 0 '4 of 4 cells' samebits-matrix collect -f two.yaml --data data --traces -o ref
[ "$(ls ref/traces | wc -l)" = 2 ] # one of each setting, of its first seed
expect 0 "^4 of 4 cells have the reference's bits$" $match --reference ref

# Runs of another machine: no cell here, some, one that the reference lacks.
expect 5 'no cell to compare: 4 not run here, 0 not in the reference' $match --reference ref --results none
mkdir -p some/runs/p/walk/native/any/
cp -r results/runs/p/walk/native/any/copy some/runs/p/walk/native/any/
expect 3 "^2 of 2 cells have the reference's bits; 2 not run here$" $match --reference ref --results some
expect 0 '2 of 2 cells' samebits-matrix collect -f two.yaml -n copy -o few
expect 0 "^2 of 2 cells have the reference's bits; 2 not in the reference$" $match --reference few

# Other bits: the reference's first cell as if its machine had shared the target buffer.
cell=p/walk/native/any/copy/s001
hash=$(sed -n "s,^$cell\,\([0-9a-f]*\)\,.*,\1,p" ref/cells.csv)
sed -i "s,^\($cell\,.*\)\,[0-9a-f]\{32\}\,\([0-9a-f]*\)\,runs/,\1\,0123456789abcdef0123456789abcdef\,\2\,runs/," ref/cells.csv
expect 7 'ref/cells.csv: changed since it was collected' $match --reference ref
seal ref
samebits trace --data data/walk-*.h5 --channels 3,4 --window 5 --target shared -o "ref/traces/$hash.h5"
expect 1 "^3 of 4 cells have the reference's bits$" $match --reference ref
also "^other bits than the reference's: $cell .*there 0123456789abcdef"
also '^  the first of its 139 operations that differs is number 81: loss_backward'

# Where the first update has the same bits, that is said, too; without a trace nothing is said of operations.
samebits trace --data data/walk-*.h5 --channels 3,4 --window 5 --target copy -o "ref/traces/$hash.h5"
expect 1 'the same bits in all 139 operations of update 1' $match --reference ref
rm "ref/traces/$hash.h5"
expect 1 "^3 of 4 cells" $match --reference ref
