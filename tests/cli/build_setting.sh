# A hyperparameter is a row of core/rows/setting.h, and its field is read where it acts. With one row more, `trial`, that the
# learning rate is multiplied by, the trainer and the runner are built, and every place that must know it is looked at:
# help, check, run file, resume, replay of what was recorded, diff, bisect, matrix file, table.
mkdir -p core/rows train bin objects
row='LEARN(A, TRIAL, trial, "--trial", REAL, "F", "0.25", 0, 1, ANY, "", RECIPE, ALWAYS, 2, "a factor of four quarters")'
sed "s|\"seed of the initial weights and of the order of the data\")|& $row|" "$SB_SOURCE/src/core/rows/setting.h" >core/rows/setting.h
grep -q 'LEARN(A, TRIAL' core/rows/setting.h || { echo 'FAILED: the row was not added'; exit 1; }
{
    sed 's|^double sb_learner_rate(|static double rate_alone(|' "$SB_SOURCE/src/train/learner.c"
    echo 'double sb_learner_rate(const sb_learner *l, long u) { return 4 * l->settings.trial * rate_alone(l, u); }'
} >train/learner.c
grep -q '^static double rate_alone(' train/learner.c || { echo 'FAILED: the field is not read'; exit 1; }

# ---- the two programs: what includes the table is compiled again, without optimisation; the rest is the build's ----
# Operations and backends get numbers, not settings; the row is the last one, so that no field of theirs has moved.
work=$PWD
cd "$SB_BUILD"
ninja -t deps | awk '/^[^ ]/ { object = substr($1, 1, length($1) - 1) } /core\/rows\/setting\.h$/ { print object }' |
    grep -E '^(src/CMakeFiles/(sb_(core|io|net_f32|data_f32|train_f32|inspect_f32)|samebits)\.dir|matrix/)' >"$work/again"
ninja -t commands bin/samebits bin/samebits-matrix >"$work/all"
# compile OBJECT: the build's own command, with the changed files in front and the object elsewhere
: >"$work/commands"
while read -r object; do
    new=$work/objects/${object//\//_}
    echo "$new" >>"$work/objects.list"
    command=$(grep -F -- " -o $object -c " "$work/all")
    command=${command/ -o $object -c / -o $new -c }
    command=$(sed -E "s| -O[0-9]| -O0 -w|; s| -g1? | |; s| -M[DTF] [^ ]*\.o(\.d)?||g; s| -MD||; s| -I| -I$work -I|" <<<"$command")
    echo "${command/"$SB_SOURCE/src/train/learner.c"/"$work/train/learner.c"}" >>"$work/commands"
done <"$work/again"
[ "$(wc -l <"$work/commands")" -gt 60 ]
tr '\n' '\0' <"$work/commands" | xargs -0 -n 1 sh -c || { echo 'FAILED: not everything compiles with a row more'; exit 1; }
# link PROGRAM 'FOLDERS': the build's own command; in front of its archives the new objects, which then need no member
link() {
    local command object
    command=$(grep -F -- " -o bin/$1 " "$work/all")
    while read -r object; do command=${command/ $object / }; done < <(grep -F "/$1.dir/" "$work/again")
    sh -c "${command/ -o bin\/$1 / $(grep -E "$2" "$work/objects.list" | tr '\n' ' ')-o $work/bin/$1 }"
}
link samebits '/src_' >"$work/link.out" 2>&1 && link samebits-matrix '/(matrix|src_CMakeFiles_sb_(core|io))' >>"$work/link.out" 2>&1 ||
    { tail -5 "$work/link.out"; exit 1; }
cd "$work"
cp "$SB_BUILD/bin/samebits-data" bin/
old=$SB_BUILD/bin/samebits
export PATH=$PWD/bin:$PATH

# ---- command line, run file, resume, replay ----
make_file images data.h5 8 40 0 1
train="train --data data.h5 --model autoencoder --hidden 8 --batch 4 --quiet --chain-every 1"
expect 0 '^ +--trial F +a factor of four quarters \(0 to 1\) \[0\.25\]' samebits train --help
expect 0 '^ +--trial F ' samebits step --help
expect 2 "^samebits train: --trial wants a number in \[0, 1\], not '2'" samebits $train --trial 2 -o no.h5
expect 0 '^updates 6 ' samebits $train --updates 6 -o plain.h5
expect 0 '^updates 6 ' samebits $train --updates 6 --trial 0.5 -o half.h5
expect 0 '^/config trial$' list_h5 half.h5 config
expect 0 '^updates 3 ' samebits $train --updates 3 --trial 0.5 -o again.h5
expect 2 "again.h5: holds a run with trial '0.5', not '0.25'" samebits $train --updates 6 -o again.h5
expect 0 'continued from update 3' samebits $train --updates 6 --trial 0.5 -o again.h5
expect 0 '^same bits over 6 entries' samebits diff half.h5 again.h5
expect 0 '^the same bits here over 6 entries' samebits replay half.h5 --data data.h5 --quiet
expect 0 'holds' samebits verify half.h5

# a run that is older than the row has its default
expect 0 '^updates 3 ' "$old" $train --updates 3 -o old.h5
expect 0 '^the same bits here over 3 entries' samebits replay old.h5 --data data.h5 --quiet
expect 2 "old.h5: holds a run with trial '0.25', not '0.5'" samebits $train --updates 6 --trial 0.5 -o old.h5
expect 0 'continued from update 3' samebits $train --updates 6 -o old.h5
expect 0 '^same bits over 6 entries' samebits diff plain.h5 old.h5

# ---- what tells two runs apart ----
expect 1 '^ +trial +0\.25 +\| +0\.5$' samebits diff plain.h5 half.h5
expect 1 '^the only setting that differs: trial \(0\.25 \| 0\.5\)' samebits bisect plain.h5 half.h5 --data data.h5 --quiet

# ---- matrix file and table ----
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >trial.yaml <<'END'
hardware: hardware.yaml
data: [{name: digits, make: synth digits --images 40 --seed 1}]
defaults: {model: autoencoder, data: digits, backend: native, hardware: any, hidden: 8, batch: 4, updates: 4, target: copy}
studies:
  - {name: whole, seeds: 1}
  - {name: half, seeds: 1, options: {trial: 0.5}}
END
expect 0 'run: 2 complete' samebits-matrix run -f trial.yaml --data data
expect 0 '2 of 2 cells' samebits-matrix collect -f trial.yaml --data data -o out
column=$(head -1 out/cells.csv | tr ',' '\n' | grep -nx trial | cut -d: -f1)
[ -n "$column" ] || { echo 'FAILED: cells.csv has no column of the row'; exit 1; }
[ "$(grep '^half/' out/cells.csv | cut -d, -f "$column")" = 0.5 ]
[ "$(grep '^whole/' out/cells.csv | cut -d, -f "$column")" = 0.25 ]
whole=$(find results/runs/whole -name '*.h5') half=$(find results/runs/half -name '*.h5')
expect 1 '^ +trial +0\.25 +\| +0\.5$' samebits diff "$whole" "$half"
sed 's/trial: 0.5/trial: 1.5/' trial.yaml >far.yaml
expect 2 "far.yaml:.*trial.*a number in \[0, 1\]" samebits-matrix list -f far.yaml
