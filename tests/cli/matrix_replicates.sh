# `replicates: N` of a study: N runs of each cell by the factors ulp or draw, averaged within their start, and asked for by claims.
cp "$SB_SOURCE/matrix/hardware.yaml" .
matrix=samebits-matrix
count() { [ "$(grep -cE -- "$2" "$3")" = "$1" ] || { echo "FAILED: not $1 lines with /$2/:"; cat "$3"; exit 1; }; }
write() {
    cat >m.yaml <<END
hardware: hardware.yaml
data: [{name: walk, make: synth walk --size 48x32 --frames 60 --seed 1}]
studies:
  - name: moved
    options: {model: prednet, data: walk, updates: 2, channels: '3,4'}
    seeds: 2
    $1
    axes: {target: [copy, shared]}
    zip: [{backend: native, hardware: any, threads: 1}]
  - name: drawn
    options: {model: prednet, data: walk, updates: 2, channels: '3,4', target: copy}
    seeds: 1
    $1
    zip: [{backend: native, arithmetic: imitate-atomics, hardware: any, threads: 1}]
END
}
write ''
$matrix list -f m.yaml | sort >once.txt
write 'replicates: 3'
$matrix list -f m.yaml | sort >thrice.txt
count 5 . once.txt
count 15 . thrice.txt
[ "$(comm -12 once.txt thrice.txt | wc -l)" = 5 ] # the cells themselves keep names and hashes
count 8 '^moved/walk/native/any/(copy|shared)/s00[12]u0[12] ' thrice.txt
count 2 '^drawn/walk/native/any/copy/s001d0[12] ' thrice.txt

# each start is the mean of its three runs
$matrix run -f m.yaml --engine none >run.log 2>&1 || { cat run.log; exit 1; }
$matrix collect -f m.yaml -o out >run.log 2>&1 || { cat run.log; exit 1; }
count 16 . out/cells.csv
[ "$(cut -d, -f1 out/cells.csv | sed -n 2,4p | tr '\n' ' ')" = "moved/walk/native/any/copy/s001 moved/walk/native/any/copy/s001u01 moved/walk/native/any/copy/s001u02 " ]
claim() { printf "claims: [{name: c, by: us, text: T., of: {study: moved, target: shared}, over: {study: moved, target: copy}, relation: greater, metric: loss_last, replicates: '%s'}]\n" "$1" >c.yaml; }
for enough in 3 '>=3' '>=2'; do
    claim "$enough"
    expect 0 'n = 2' samebits-report claims -i out --runs results --claims c.yaml
    also '2 pairs cannot give a one-sided p below 0.25; .*runs averaged for each seed: 3 in the first condition, 3 in the second$'
done
for other in 2 4 '>=4'; do
    claim "$other"
    expect 0 "the claim needs $other runs of each seed; the first condition has 3 to 3, the second 3 to 3" samebits-report claims -i out --runs results --claims c.yaml
done
claim many
expect 2 "replicates wants a whole number from 1 on, or '>=' before it, not 'many'" samebits-report claims -i out --runs results --claims c.yaml

# what makes no sense
write 'replicates: 1001'
expect 2 "m.yaml:[0-9]+: replicates wants a whole number in \[1, 1000\], not '1001'" $matrix list -f m.yaml
write 'replicates: 3'
sed -i "s/axes: {target/axes: {ulp: [1, 2], target/" m.yaml
expect 2 'm.yaml:[0-9]+: either replicates \(how many\) or ulp and draw \(which ones\), not both' $matrix list -f m.yaml
