# judge: verdicts of plain tables, those of known truth and odd ones; the numbers of 'claims' where both judge the same runs.
judge() { samebits-report judge "$@"; }

# table FILE N EFFECT SPREAD SEED: N seeds of conditions a and b; b is a * EFFECT, and pairs spread by SPREAD
table() {
    awk -v n="$2" -v effect="$3" -v spread="$4" -v seed="$5" "$chance"'
        function normal(  i, s) { for (i = 0; i < 12; i++) s += chance(); return s - 6 }
        BEGIN {
            for (i = 0; i < 20; i++) chance()
            print "hardware,seed,loss"
            for (i = 1; i <= n; i++) {
                common = normal()
                printf "a,%d,%.9g\nb,%d,%.9g\n", i, exp(common + spread * normal()), i, effect * exp(common + spread * normal())
            }
        }' >"$1"
}
plain() { printf 'hardware,seed,loss\n'; printf '%s\n' "$@"; }

# -- tables of known truth --

table different.csv 8 1.2 0.02 1
expect 0 '^different +b over a: ratio 1\.[12][0-9]* \[1\.[0-9]+, 1\.[0-9]+\], n = 8 pairs; a is better$' judge different.csv --by hardware
also '^    p = 0\.0078'
table equal.csv 12 1.001 0.005 2
expect 0 '^equivalent +b over a: ratio ' judge equal.csv --by hardware
also 'a difference of 5 % or more is rejected'
expect 0 '^undetermined +b over a: .*' judge equal.csv --by hardware --margin 1.005
table noisy.csv 6 1.02 0.2 3
expect 0 '^undetermined +b over a: ratio ' judge noisy.csv --by hardware
also 'this comparison by itself finds a difference of [0-9.]+ % with a power of 80 %; [0-9]+ more pairs would decide'
expect 1 '1 of 1 comparisons are different' judge different.csv --by hardware --fail-on different
expect 6 '1 of 1 comparisons are undetermined' judge noisy.csv --by hardware --fail-on undetermined
expect 0 '^undetermined' judge noisy.csv --by hardware --fail-on different

# Of 200 tables without a difference at most 14 are called different: 6 pairs have p < 0.05 in 1 of 32, and 14 is three standard
# errors above. Of 20 with a large one all are.
tables=${SB_TEST_SLOW:+20}
false=0
for i in $(seq "${tables:-200}"); do
    table null.csv 6 1 0.05 "$((i * 7919))"
    judge null.csv --by hardware >said
    if grep -q '^different' said; then false=$((false + 1)); fi
done
[ "$false" -le 14 ] || { echo "FAILED: $false tables without a difference are called different"; exit 1; }
for i in $(seq 20); do
    table apart.csv 6 1.5 0.05 "$((i * 7919))"
    judge apart.csv --by hardware >said
    grep -q '^different  *b over a' said
done

# -- the same numbers as claims, of the results that ship --

natural=$SB_SOURCE/results/natural
cat >claims.yaml <<'END'
claims:
  - {name: buffer, by: me, text: The loss rises., of: {study: target, target: shared}, over: {study: target, target: copy},
     relation: equivalent, metric: loss_last, margin: '1.05'}
END
samebits-report claims -i "$natural" --claims claims.yaml --json >claims.json 2>talk
judge "$natural/cells.csv" --by target --metric loss_last --where study=target --json >judge.json
numbers() { grep -oE "\"$2\": [^,]*" "$1" | head -n 1 | sed 's/.*: //'; }
grep '"of": "target/native shared", "over": "target/native copy"' claims.json >claim.json
grep '"of": "shared", "over": "copy"' judge.json >comparison.json
for key in verdict low high p p_holm p_equivalent n n_same detectable; do
    [ "$(numbers claim.json $key)" = "$(numbers comparison.json $key)" ] || { echo "FAILED: $key is not that of claims"; exit 1; }
done
[ "$(numbers claim.json ratio)" = "$(numbers comparison.json effect)" ]
[ -n "$(numbers comparison.json effect)" ]
expect 0 '^different +shared over copy' judge "$natural/cells.csv" --by target --metric loss_last --where study=target --where backend=native

# -- the same bits, and hashes that contradict losses --

printf '%s\n' hardware,seed,loss,weights a,1,0.5,11aa00cc b,1,0.5,11aa00cc a,2,0.6,22bb00dd b,2,0.6,22bb00dd >same.csv
expect 0 '^same bits +b over a: ratio 1(\.0+)?, n = 2 pairs$' judge same.csv --by hardware
also 'weights and losses of all 2 pairs are equal'
expect 0 '^undetermined +b over a' judge same.csv --by hardware --hash none
sed 's/weights/digest/' same.csv >digest.csv
expect 0 '^undetermined +b over a' judge digest.csv --by hardware
expect 0 '^same bits +b over a' judge digest.csv --by hardware --hash digest
sed 's/b,2,0.6/b,2,0.7/' same.csv >contradict.csv
expect 0 '^undetermined .*' judge contradict.csv --by hardware
also 'the tables contradict each other: in 1 of 2 pairs the weights are equal'
sed 's/b,2,0.6,.*/b,2,0.6,/' same.csv >unhashed.csv
expect 0 '^undetermined +b over a' judge unhashed.csv --by hardware

# a column of weights that holds no hashes is no such column
sed 's/[12]\([12ab]*\)00../0.5/' contradict.csv >classes.csv
expect 0 '^undetermined .*' judge classes.csv --by hardware
lacks expect.out contradict
also 'cannot give a p below'

# -- odd tables --

# 1 equal values everywhere: no effect, and no spread
plain a,{1..8},0.5 b,{1..8},0.5 >ties.csv
expect 0 '^equivalent +b over a: ratio 1' judge ties.csv --by hardware
# 2 no spread within the conditions
plain a,{1..8},0.5 b,{1..8},0.6 >constant.csv
expect 0 '^different +b over a: ratio 1\.2' judge constant.csv --by hardware
# 3 a seed is missing: the weaker of two verdicts, and it is said
grep -v '^b,3,' different.csv >missing.csv
expect 0 '^undetermined +b over a' judge missing.csv --by hardware
also '1 of 8 seeds of a has no run in b, so runs are not paired'
expect 0 '^different +b over a: .* n = 7 pairs' judge missing.csv --by hardware --pairs common
also '1 of 8 seeds of a has no run in b; they are left out'
# 4 a seed twice: averaged within the seed
sed 's/^\(b,2,\).*/&\n\11.5/' different.csv >twice.csv
expect 0 'n = 8 pairs' judge twice.csv --by hardware
also 'runs averaged for each seed: 1 to 2 in b, 1 in a'
# 5 a run diverged: the worst of all, whichever side is better, in four spellings, and never left out
for word in nan NaN inf '' NA None -Infinity; do
    sed "s/^b,4,.*/b,4,$word/" different.csv >diverged.csv
    expect 0 '^different +b over a: no ratio, n = 8 pairs; a is better' judge diverged.csv --by hardware
    also '^1 run diverged and counts as the worst$'
    also '1 of 8 runs of b and 0 of 8 of a diverged'
done
sed 's/^b,\(.*\),.*/b,\1,nan/' equal.csv >all.csv
expect 0 '^different +b over a: no ratio.*; a is better' judge all.csv --by hardware
also '12 of 12 runs of [a-z]+ and 0 of 12 of [a-z]+ diverged'
expect 0 '^different +b over a: no ratio.*; a is better' judge all.csv --by hardware --higher
expect 0 '^different +b over a: no finite difference.*; a is better' judge all.csv --by hardware --within 0.1
# 6 no pairs: no seed in common, or no column of seeds
sed 's/^b,\([0-9]*\)/b,10\1/' different.csv >unpaired.csv
expect 0 'n = 8; ?|n = 8$' judge unpaired.csv --by hardware
cut -d, -f1,3 different.csv >seedless.csv
expect 0 "runs are not paired: no column 'seed'" judge seedless.csv --by hardware
also 'n = 8'
expect 0 'runs are not paired' judge different.csv --by hardware --pair none
# 7 other names of columns
expect 2 "^different.csv:1: no column 'hardwre', did you mean 'hardware'\? \(--by\)$" judge different.csv --by hardwre
expect 2 "^different.csv:1: no column 'accuracy' \(--metric\); its columns: hardware, seed, loss$" judge different.csv --by hardware --metric accuracy
expect 2 "no column 'start' \(--pair\)" judge different.csv --by hardware --pair start
expect 2 "no column 'digest' \(--hash\)" judge different.csv --by hardware --hash digest
sed '1s/seed/Seed/' different.csv >case.csv
expect 2 "no column 'seed', did you mean 'Seed'\? \(--pair\)" judge case.csv --by hardware
expect 0 '^different' judge case.csv --by hardware --pair Seed
sed 's/^a/alpha/; s/^b/beta/' different.csv >greek.csv
expect 2 "no run has 'hardware' = 'alhpa', did you mean 'alpha'\?" judge greek.csv --by hardware --reference alhpa
# 8 tabs, semicolons, a byte order mark, line ends of Windows, blanks, empty lines at the end, quotes: not a digit differs
judge different.csv --by hardware >wanted
tr , '\t' <different.csv >tabs.tsv
tr , ';' <different.csv >semicolons.csv
{ printf '\xEF\xBB\xBF'; sed 's/$/\r/' different.csv; printf '\r\n\r\n'; } >windows.csv
sed 's/,/ , /g' different.csv >blanks.csv
sed 's/[^,]*/"&"/g' different.csv >quoted.csv
sed '1s/,seed/.0,seed/' different.csv | sed 's/^\([ab]\),\([0-9]*\)/\1,\2.0/; 1s/\.0//' >reals.csv
for file in tabs.tsv semicolons.csv windows.csv blanks.csv quoted.csv reals.csv; do
    judge $file --by hardware >said
    same wanted said
done
sed '1s/hardware/"the ""machine"", or its name"/' different.csv >names.csv
expect 0 '^different' judge names.csv --by 'the "machine", or its name'
# 9 empty tables, one without a row, one with one condition
: >empty.csv
expect 7 '^empty.csv: empty' judge empty.csv --by hardware
echo hardware,seed,loss >header.csv
expect 5 '^header.csv: no run below its header$' judge header.csv --by hardware
grep -v '^b' different.csv >one.csv
expect 5 "^one.csv: 'hardware' is 'a' in all runs: nothing to compare$" judge one.csv --by hardware
# 10 negative values, and 0
awk -F, 'NR > 1 { $3 = $3 * 10 - 30 + ($1 == "b") * 5 } 1' OFS=, equal.csv >negative.csv
expect 0 '^different +b over a: difference (4\.|5\.)[0-9]* \[' judge negative.csv --by hardware
also 'some values are negative, and ratios need positive ones: differences are judged'
expect 0 '; b is better' judge negative.csv --by hardware --higher
awk -F, 'NR > 1 { $3 -= 30 } 1' OFS=, noisy.csv >undecided.csv
expect 0 '^undetermined +b over a: difference' judge undecided.csv --by hardware --within 0.0001
also 'for a difference, p = [0-9.]+ for equivalence within 0.0001 \(90 % interval -?[0-9.]+ to -?[0-9.]+\); this comparison by itself finds a difference of [0-9.]+'
lacks expect.out ' [0-9.]+ % (or more|would)'
expect 0 '^equivalent +b over a: difference' judge undecided.csv --by hardware --within 1000
sed 's/^\([ab],1\),.*/\1,0/' different.csv >zero.csv
expect 0 'b over a: no ratio, n = 8 pairs' judge zero.csv --by hardware
also '2 values of 0, which have no ratio: ranks are judged there'
# 11 fields that are none: file and line
sed '4s/.*/a,,0.5/' different.csv >hole.csv
expect 7 '^hole.csv:4: seed is empty$' judge hole.csv --by hardware
sed '5s/.*/,2,0.5/' different.csv >nameless.csv
sed 's/^a/none/' different.csv >none.csv
expect 0 '^different +b over none' judge none.csv --by hardware
expect 7 '^nameless.csv:5: hardware is empty$' judge nameless.csv --by hardware
sed '6s/.*/a,3,low/' different.csv >words.csv
expect 7 "^words.csv:6: loss wants a number, not 'low'$" judge words.csv --by hardware
sed '6s/.*/a,3/' different.csv >short.csv
expect 7 '^short.csv:6: 2 fields, the header has 3$' judge short.csv --by hardware
sed '1s/seed/loss/' different.csv >double.csv
expect 7 "^double.csv:1: the column 'loss' is here twice$" judge double.csv --by hardware
awk -F, '{ print $1 ";" $2 ";" $3 }' different.csv | sed 's/\./,/' >comma.csv
expect 7 'comma.csv:2: loss wants a number, not ' judge comma.csv --by hardware
# 12 conditions: too many, three of them with Holm's adjustment, a reference
plain c{1..40},1,0.5 >many.csv
expect 2 "^many.csv: 'hardware' has more than 32 values" judge many.csv --by hardware
{ cat different.csv; sed -n 's/^a/c/p' different.csv; } >three.csv
expect 0 '^different +b over a' judge three.csv --by hardware
also '^different +c over b'
also '^equivalent +c over a|^undetermined +c over a|^same'
also 'p = 0\.0078[0-9]*, adjusted 0\.0(156|234)'
expect 0 '^different +a over b' judge three.csv --by hardware --reference b
also '^different +c over b'
lacks expect.out 'over a'
# 13 files that are none
expect 2 '^nowhere.csv: ' judge nowhere.csv --by hardware
expect 2 '' judge . --by hardware
expect 7 'zero byte' judge "$SB_BUILD/bin/samebits-report" --by hardware
expect 2 'wants -b COLUMN' judge different.csv
expect 2 'not both' judge different.csv --by hardware --lower --higher
expect 2 '--margin wants a ratio above 1' judge different.csv --by hardware --margin 1
# a file that is named twice would count its runs twice: by its name, another path, a link; a copy is reported
expect 2 '^different.csv: named twice; name it once$' judge different.csv one.csv different.csv --by hardware
expect 2 '^different.csv and ./different.csv: the same file, named twice; name it once$' judge different.csv ./different.csv --by hardware
ln -s different.csv symbolic.csv
ln different.csv hard.csv
expect 2 '^different.csv and symbolic.csv: the same file, named twice' judge different.csv symbolic.csv --by hardware
expect 2 '^different.csv and hard.csv: the same file, named twice' judge different.csv hard.csv --by hardware
sed 's/$/\r/' different.csv >copied.csv
expect 0 '^different.csv and copied.csv hold the same rows, and both are counted' judge different.csv copied.csv --by hardware
# one column for two things, an option twice, numbers that are none
expect 2 "^different.csv:1: --by and --metric name the same column 'loss'$" judge different.csv --by loss --metric loss
expect 2 "^different.csv:1: --by and --pair name the same column 'seed'$" judge different.csv --by seed
expect 2 '^samebits-report judge: --by is given twice; give it once$' judge different.csv --by hardware -b seed
expect 2 '^samebits-report judge: --margin is given twice' judge different.csv --by hardware --margin 1.1 --margin=1.2
expect 2 "margin wants a number in .1, 100., not '0x10'" judge different.csv --by hardware --margin 0x10
expect 2 "within wants .*, not '1e-400'" judge different.csv --by hardware --within 1e-400
sed '6s/.*/a,3,0x1p-1/' different.csv >hexadecimal.csv
expect 7 "^hexadecimal.csv:6: loss wants a number, not '0x1p-1'$" judge hexadecimal.csv --by hardware
# comments and empty lines, as in the tables that ship
{ echo '# made by hand; two conditions;'; echo; sed '4s/^/# a comment, with commas\n\n/' different.csv; } >commented.csv
judge commented.csv --by hardware >said
same wanted said
sed '9s/.*/a,,0.5/' commented.csv >hole.csv
expect 7 '^hole.csv:9: seed is empty$' judge hole.csv --by hardware
expect 2 "^commented.csv:3: no column 'machine'" judge commented.csv --by machine
expect 0 ' values of .backend.' judge "$SB_SOURCE/results/bench/bench.csv" --by backend --metric median --where measure=time
# another encoding; and standard output that is closed
iconv -t UTF-16 different.csv >wide16.csv
expect 7 "^wide16.csv:1: not in UTF-8: in UTF-16; 'iconv -f UTF-16 -t UTF-8 FILE >NEW' converts it$" judge wide16.csv --by hardware
sed 's/^a/\xE9/' different.csv >latin.csv
expect 7 "^latin.csv:2: not in UTF-8: perhaps in Latin-1; 'iconv -f ISO-8859-1 " judge latin.csv --by hardware
expect 1 'cannot write to standard output' sh -c 'samebits-report judge different.csv --by hardware 2>said >&-; code=$?; cat said; exit $code'
# 14 values that are large or small
awk -F, 'NR > 1 { $3 = $3 "e300" } 1' OFS=, different.csv >large.csv
awk -F, 'NR > 1 { $3 = $3 "e-300" } 1' OFS=, different.csv >small.csv
expect 0 '^different +b over a: ratio 1\.' judge large.csv --by hardware
expect 0 '^different +b over a: ratio 1\.' judge small.csv --by hardware
expect 0 '^different +b over a: difference' judge large.csv --by hardware --within 1e290

# -- which side is better --

expect 0 '; b is better' judge different.csv --by hardware --higher
also 'ratio 1\.'
sed 's/^b,4,.*/b,4,nan/' different.csv >diverged.csv
expect 0 '^undetermined +b over a: no ratio' judge diverged.csv --by hardware --higher
also '1 of 8 runs of b and 0 of 8 of a diverged'

# -- rows that are steps, and exports --

# long: three steps for each run, the last counts; a step without a value, as trackers write them
awk -F, 'NR == 1 { print "run,step," $0; next } { for (s = 1; s < 4; s++) print $1 $2 "," s * 10 "," $1 "," $2 "," (s == 2 ? "" : s == 3 ? $3 : 9); print $1 $2 ",40," $1 "," $2 "," }' different.csv >long.csv
expect 0 '^64 rows; of each run the last value by .step.$' judge long.csv --by hardware
grep '^different' wanted >verdict
grep '^different' expect.out >long.out
same verdict long.out
sed 's/^b3,30,b,3,.*/b3,30,b,3,nan/' long.csv >ended.csv
expect 0 '^1 run diverged' judge ended.csv --by hardware
sed 's/^b3,10,b,3,.*/b3,10,b,3,nan/' long.csv >recovered.csv
expect 0 '^1 value before the last step is not finite; if runs are mixed, name their column with --run$' judge recovered.csv --by hardware
cut -d, -f2- long.csv >unnamed.csv
sed -n '2,5p' unnamed.csv >>unnamed.csv
expect 7 '^unnamed.csv:6[0-9]: a second value of step 10' judge unnamed.csv --by hardware
# final rows with a column of steps that says nothing are runs
sed '1s/$/,epoch/; 2,$s/$/,40/' twice.csv >final.csv
expect 0 'runs averaged for each seed: 1 to 2 in b, 1 in a' judge final.csv --by hardware

# a chart of Weights & Biases: a column for each run, with two more of its own
awk -F, 'NR > 1 { name[n++] = "hardware=" $1 ",seed=" $2; value[n - 1] = $3 }
    END {
        printf "\"Step\""
        for (i = 0; i < n; i++) printf ",\"%s - loss\",\"%s - loss__MIN\",\"%s - loss__MAX\"", name[i], name[i], name[i]
        printf "\n\"10\""
        for (i = 0; i < n; i++) printf ",\"7\",\"7\",\"7\""
        printf "\n\"20\""
        for (i = 0; i < n; i++) printf ",\"%s\",\"1\",\"9\"", value[i]
        printf "\n\"30\""
        for (i = 0; i < n; i++) printf ",\"\",\"\",\"\""
        print ""
    }' different.csv >wandb.csv
expect 0 'of each run the last value by .Step.' judge wandb.csv --by hardware
grep '^different' expect.out >wide.out
same verdict wide.out
expect 2 "^wandb.csv:1: run 'hardware=a,seed=1' has no 'machine=VALUE' in its name" judge wandb.csv --by machine
# the runs table of MLflow
sed '1s/.*/params.hardware,params.seed,metrics.loss/' different.csv >mlflow.csv
judge mlflow.csv --by hardware >said
same wanted said
printf 'run_id,key,value,step,timestamp\n1,loss,0.5,1,1\n' >chart.csv
expect 2 'this export of an MLflow chart has no .hardware.; judge what mlflow.search_runs' judge chart.csv --by hardware
# TensorBoard: a file for each run
mkdir board
awk -F, 'NR > 1 { file = "board/run-hardware=" $1 "_seed=" $2 "-tag-loss.csv"; printf "Wall time,Step,Value\n1.5,1,9\n2.5,2,%s\n", $3 >file; close(file) }' different.csv
expect 0 'of each run the last value by .Step.' judge board/*.csv --by hardware
grep '^different' expect.out >board.out
same verdict board.out
cp board/run-hardware=a_seed=1-tag-loss.csv board/other.csv
expect 2 "^board/other.csv:1: run 'board/other.csv' has no 'hardware=VALUE' in its name" judge board/*.csv --by hardware
# several tables of one form
{ echo hardware,seed,loss; grep '^b' different.csv; } >b.csv
judge one.csv b.csv --by hardware >said
same wanted said
expect 5 "'hardware' is 'a' in all runs" judge three.csv --by hardware --where hardware=a
expect 5 'no run has the values of --where' judge three.csv --by hardware --where hardware=d
expect 2 "no column 'machine' \(--where\)" judge three.csv --by hardware --where machine=d
expect 2 "wants COLUMN=VALUE, not 'a'" judge three.csv --by hardware --where a
