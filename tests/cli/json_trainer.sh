# --json of samebits: diff, bisect, bench, verify.
. "$SB_SOURCE/tests/cli/json_keys.sh"
make_file video data.h5 20x12 60 1
train() { samebits train --quiet --data data.h5 --channels 3,5 --window 4 --updates 3 -o "$1.h5" "${@:2}" >/dev/null; }
train copy
train again --threads 2
train shared --target shared --threads 2

prints 0 same.json samebits diff copy.h5 again.h5
prints 1 other.json samebits diff copy.h5 shared.h5
samebits-data synth digits --images 40 --seed 1 -o digits.h5 2>&1
for seed in 1 2; do
    samebits evolve --quiet --data digits.h5 --model mlp --widths 4 --batch 20 --population 8 --truncation 2 --noise-table 2000 \
        --generations 2 --seed $seed -o evolved$seed.h5 >/dev/null
done
prints 1 evolved.json samebits diff evolved1.h5 evolved2.h5
keys samebits diff same.json other.json evolved.json
grep -qx '"same_parents": null,' other.json
grep -qx '"first_other_parents": 0,' evolved.json
grep -qx '"same_bits": true,' same.json
grep -qx '"same_bits": false,' other.json
grep -qx '"first_difference": 1,' other.json
grep -q '{"group": "config", "name": "target", "a": "copy", "b": "shared"}' other.json
# the number of the text view, with all its digits
loss=$(samebits diff copy.h5 shared.h5 2>&1 | sed -n 's/^  loss of update 3: *\([^ ]*\) against.*/\1/p')
[ -n "$loss" ]
awk -v told="$loss" '/^"loss": / { getline; if (sprintf("%.9g", $1 + 0) == told) found = 1 } END { exit !found }' other.json

prints 0 none.json samebits bisect copy.h5 again.h5 --data data.h5 --quiet
prints 1 cause.json samebits bisect copy.h5 shared.h5 --data data.h5 --quiet
prints 1 generation.json samebits bisect evolved1.h5 evolved2.h5 --data digits.h5 --quiet
keys samebits bisect none.json cause.json generation.json
grep -qx '"first_other_parents": 0,' generation.json
grep -q '"name": "target", "a": "copy", "b": "shared", "a_with_b": "b", "b_with_a": "a"}' cause.json
grep -qx '"kind": "other input",' cause.json
grep -q 'target alone makes the difference in this update' cause.json

printf 'x' >foreign
cp copy.h5 damaged.h5
printf x | dd of=damaged.h5 bs=1 seek=2000 conv=notrunc status=none
prints 7 verify.json samebits verify copy.h5 damaged.h5 foreign
keys samebits verify verify.json
grep -qx '"held": 1,' verify.json
grep -qx '"failed": 2,' verify.json
prints 0 one.json samebits verify copy.h5

prints 0 bench.json samebits bench --quick --only autoencoder --only operations --threads 1 --backend native
keys samebits bench bench.json
