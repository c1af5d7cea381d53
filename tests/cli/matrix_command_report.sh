# Reports about a study of commands: claims in its own names, registered before its runs; answer, claims and page in words of
# its metrics. The losses are made so that the right verdicts are known.
cat >train.sh <<'EOT'
# train.sh SEED RATE ORDER OUTPUT: "sorted" raises the loss by a half; the rate changes it by less than a thousandth
awk -v seed="$1" -v rate="$2" -v order="$3" 'BEGIN {
    loss = (1 + seed / 10) * (order == "sorted" ? 1.5 + seed / 100 : 1) * (rate == 0.5 ? 1 + seed / 10000 : 1)
    print "step,loss,hits,seed"
    printf "1,%.6f,%d,%d\n", loss, 100 - seed - (order == "sorted"), seed
}' >"$4"
EOT
cat >any.yaml <<'EOT'
claims: claims.yaml
studies:
  - name: toy
    command: sh train.sh {seed} {rate} {order} {csv}
    files: [train.sh]
    metrics: [{name: loss}, {name: score, column: hits, better: higher}]
    seeds: 8
    axes: {rate: [0.5, 0.25], order: [drawn, sorted]}
EOT
cat >claims.yaml <<'EOT'
question: Do the order and the rate change the loss?
claims:
  - name: order
    by: us
    text: Sorting raises the loss.
    of: {order: sorted}
    over: {order: drawn}
    each: setting
    relation: greater
    metric: loss
    seeds: '8'
  - name: rate
    by: us
    text: The rate changes the loss by less than one percent.
    of: {rate: 0.5, order: drawn}
    over: {rate: '0.25', order: drawn}
    relation: equivalent
    metric: loss
    margin: '1.01'
  - name: score
    by: us
    text: Sorting raises the score.
    of: {rate: '0.5', order: sorted}
    over: {rate: '0.5', order: drawn}
    relation: greater
    metric: score
  - name: bits
    by: us
    text: The order changes no bit.
    of: {order: sorted, rate: '0.25'}
    over: {order: drawn, rate: '0.25'}
    relation: same bits
    metric: loss
EOT
. "$SB_SOURCE/tests/cli/matrix_setup.sh"

# claims that name no axis, metric or margin of the study are refused before a run
refuse() { # EDIT SENTENCE
    cp claims.yaml kept.yaml
    sed -i "$1" claims.yaml
    expect 2 "$2" $matrix list -f any.yaml
    mv kept.yaml claims.yaml
}
refuse 's/of: {order: sorted}/of: {odrer: sorted}/' "^claims.yaml:6: unknown key 'odrer', did you mean 'order'\?$"
refuse 's/metric: score/metric: scores/' "^claims.yaml:[0-9]+: metric wants one of loss, score, not 'scores'$"
refuse "s/margin: '1.01'/why: none/" "^claims.yaml:[0-9]+: relation wants a margin in the same claim, not 'equivalent'$"
refuse 's/seeds: .8./pool: data/' "^claims.yaml:[0-9]+: pool wants results of samebits train, not 'data'$"

# collected, the claims lie next to the tables
expect 0 '^run: 32 complete$' $matrix run -f any.yaml -j 2
expect 0 '^out: 32 of 32 cells' $matrix collect -f any.yaml -o out
same claims.yaml out/claims.yaml
(cd out; sha256sum --quiet -c SHA256SUMS)

# each claim by the numbers that judge gives
expect 0 '^supported  order \(us\)$' samebits-report claims -i out
also '^supported  rate \(us\)$'
also '^refuted  score \(us\)$'
also '^refuted  bits \(us\)$'
also ': the bits of 8 of 8 pairs differ$'
also '^    rate=0.5 order=sorted over rate=0.5 order=drawn: 1.54 '
count 4 '^    registered before its runs$' expect.out
samebits-report judge out/cells.csv --by order --where rate=0.25 --json >judged.json
samebits-report claims -i out --json >claims.json
python3 - <<'EOT'
import json
claims = {claim["name"]: claim for claim in json.load(open("claims.json"))["claims"]}
judged = json.load(open("judged.json"))["comparisons"][0]
part = [p for p in claims["order"]["parts"] if "rate=0.25" in p["of"]][0]
assert (part["of"], part["over"]) == ("rate=0.25 order=sorted", "rate=0.25 order=drawn"), part
assert part["ratio"] == judged["effect"] and part["p"] == judged["p"] and part["low"] == judged["low"]
assert claims["score"]["metric"] == "score" and claims["score"]["parts"][0]["ratio"] < 1
EOT
samebits-report claims -i out --csv out2
grep -q '^order,us,supported,.*,order sorted,order drawn,greater,loss,registered before its runs,' out2/claims.csv

grep -q '^rate,.*,chosen in claims.yaml,' out2/claims.csv

# seeds that one condition lacks are left out if the claim says so, and only then
cp -r out fewer
sed -i '/,toy,8,0.25,sorted,/d' fewer/cells.csv
seal fewer
fewer() { # LINE: the verdict of a claim with this line
    cat >fewer.yaml <<EOT
claims:
  - name: order
    by: us
    text: Sorting raises the loss.
    of: {order: sorted, rate: '0.25'}
    over: {order: drawn, rate: '0.25'}
    relation: no difference
    metric: loss
    $1
EOT
    samebits-report claims -i fewer --claims fewer.yaml --json
}
fewer 'pairs: common' >common.json
fewer 'why: all runs' >all.json
for pairs in common all; do
    samebits-report judge fewer/cells.csv --by order --where rate=0.25 --pairs $pairs --json >judged.json
    python3 - $pairs <<'EOT'
import json, sys
pairs = sys.argv[1]
part = json.load(open(pairs + ".json"))["claims"][0]["parts"][0]
judged = json.load(open("judged.json"))["comparisons"][0]
for key in "p", "n", "paired", "low", "high":
    assert part[key] == judged[key], (key, part, judged)
assert "1 of 8 seeds of rate=0.25 order=drawn has no run in rate=0.25 order=sorted" in part["words"], part
assert ("; they are left out" in part["words"]) == (pairs == "common"), part
EOT
done

# the name of a condition is never cut: two conditions could have one name
long() { # N: the results with so many characters in place of "sorted"
    cp -r out long
    sed -i "s/,sorted,/,$(printf "%0$1d" 0),/" long/cells.csv
    sed -i "s/order: sorted/order: '$(printf "%0$1d" 0)'/" long/claims.yaml
    seal long
}
long 239
expect 0 '^    rate=0.25 order=0{239} over rate=0.25 order=drawn: 1.54 ' samebits-report claims -i long
rm -r long
long 240
expect 2 '^long/cells.csv:[0-9]+: the axes of this run with their values have more than 255 characters; shorten the values$' samebits-report answer -i long

# the answer, and the page: nothing is said of networks, weights or target buffers
expect 0 '^Do the order and the rate change the loss\?$' samebits-report answer -i out
also '^rate=0.25 order=drawn ends within .*. 2 of the 4 claims of this study are supported, 2 refuted; all were registered before their runs.$'
also '^Supported: Sorting raises the loss. The ratio of the loss is 1.54'
also '^Refuted: Sorting raises the score. The score of rate=0.5 order=sorted is 0.9895 times that of rate=0.5 order=drawn'
cp expect.out answer
expect 0 '^page/index.html$' samebits-report write -i out -o page
sed '1,/<.style>/d; /<script>/,/<.script>/d' page/index.html >page/text
lacks answer '[Pp]red[Nn]et|[Tt]arget|[Nn]etwork|[Ww]eights|[Dd]evice|[Bb]ackend'
lacks page/text '[Pp]red[Nn]et|[Tt]arget|[Nn]etwork|[Ww]eights|[Dd]evice|[Bb]ackend'
grep -q '<h1>Do the order and the rate change the loss?</h1>' page/index.html
count 8 '<svg class="strip"' page/index.html
cp page/index.html first.html
samebits-report write -i out -o page
same first.html page/index.html
expect 0 '"written"' samebits-report write -i out -o page --json
expect 2 "have a page, and none of 'figures'$" samebits-report write -i out -o page --only figures
expect 2 "this verb does not$" samebits-report compare out out

# without claims: each condition over the first of its study, and what was changed or is missing is said
sed -i 1d any.yaml
$matrix run -f any.yaml -n rate=0.25 --results other
expect 0 '^other: 16 of 16 cells' $matrix collect -f any.yaml --results other -n rate=0.25 -o other
absent other/claims.yaml
expect 0 '^What came out of 16 runs of toy\?$' samebits-report answer -i other
also '^loss, lower is better; ratios up to 1.05 count as equal$'
also '^different: order=sorted over order=drawn: ratio 1.54 '
also '^score, higher is better; '
also '^equivalent: order=sorted over order=drawn: ratio 0.9[89][0-9]* '
expect 2 'carries no claims; name a file with --claims' samebits-report claims -i other
expect 0 '^supported  order' samebits-report claims -i other --claims claims.yaml
also '^    formulated after its runs$'
sed -i 's/^toy.*s001,[^,]*,toy,[^,]*,[^,]*,[^,]*,/&9/' other/cells.csv
expect 7 'other/cells.csv: ' samebits-report answer -i other
expect 0 'changed since it was collected' samebits-report write -i other -o changed --changed
grep -q 'class="stamp"' changed/index.html

# two studies with one metric each: a study that lacks the metric of a claim is no side of a comparison
cat >two.yaml <<'EOT'
claims: two-claims.yaml
studies:
  - name: losses
    command: sh train.sh {seed} 0.25 {order} {csv}
    files: [train.sh]
    metrics: [{name: loss}]
    seeds: 8
    axes: {order: [drawn, sorted]}
  - name: scores
    command: sh train.sh {seed} 0.25 {order} {csv}
    files: [train.sh]
    metrics: [{name: score, column: hits, better: higher}]
    seeds: 8
    axes: {order: [drawn, sorted]}
EOT
cat >two-claims.yaml <<'EOT'
claims:
  - {name: order, by: us, text: Sorting raises the loss., of: {order: sorted}, over: {order: drawn}, each: setting, relation: greater, metric: loss}
  - {name: none, by: us, text: Scores have a loss., of: {study: scores, order: sorted}, over: {order: drawn}, relation: greater, metric: loss}
EOT
$matrix run -f two.yaml --results two-runs
$matrix collect -f two.yaml --results two-runs -o two
expect 0 '^supported  order' samebits-report claims -i two
also '^    1 of 1 comparison supported$'
also '^    study=losses order=sorted over study=losses order=drawn: 1.54 '
also '^undetermined  none'
also '^    0 runs of one side, 8 runs of the other, and no two conditions to compare$'
lacks expect.out 'diverged'
samebits-report write -i two -o two-page
count 4 '<svg class="strip"' two-page/index.html

# runs that diverged, and a metric of values below 0
cat >train.sh <<'EOT'
awk -v seed="$1" -v order="$3" 'BEGIN {
    print "step,loss,hits"
    if (order == "sorted" && seed == 3) print "1,nan,1"
    else printf "1,%.6f,%d\n", -seed - (order == "sorted"), seed
}' >"$4"
EOT
$matrix run -f any.yaml -n rate=0.25 --results below
$matrix collect -f any.yaml --results below -n rate=0.25 -o below
expect 0 '^undetermined: order=sorted over order=drawn: no finite difference, n = 8 pairs$' samebits-report answer -i below
also '; 1 of 8 runs of order=sorted and 0 of 8 of order=drawn diverged$'
samebits-report write -i below -o below-page
grep -q '1 of these diverged: they are results without a value' below-page/index.html

# values below 0 are compared as differences, in words, in tables and in JSON
sed -i 's/ && seed == 3) print "1,nan,1"/) printf "1,%.6f,%d\\n", -1.01 * seed - 1, seed/; s/-seed - (order == "sorted")/-seed/' train.sh
$matrix run -f any.yaml -n rate=0.25 --results minus
$matrix collect -f any.yaml --results minus -n rate=0.25 -o minus
cat >minus.yaml <<'EOF'
claims:
  - {name: less, by: us, text: Sorting lowers the loss., of: {order: drawn}, over: {order: sorted}, relation: greater, metric: loss}
  - {name: alike, by: us, text: Sorting moves the loss by at most 5 %., of: {order: sorted}, over: {order: drawn}, relation: equivalent, margin: '1.05', metric: loss}
EOF
expect 0 '^supported  less' samebits-report claims -i minus --claims minus.yaml --csv minus-csv
also '^    order=drawn over order=sorted: 1.05 \[1.02, 1.07\], n = 8, p = 0.00781, measured$'
also '^undetermined  alike'
also '^        undetermined: values are compared as differences, which the margin of a ratio does not judge$'
grep -q '^name,.*,margin_source,why,measure$' minus-csv/claims.csv
grep -q '^alike,.*,8,-1.045,-1.06548,-1.02452,-1.06141,-1.02859,.*,difference$' minus-csv/claims.csv
samebits-report claims -i minus --claims minus.yaml --json >claims.json
samebits-report judge minus/cells.csv --by order --json >judged.json
python3 - <<'EOF'
import json
part = json.load(open("claims.json"))["claims"][1]["parts"][0]
judged = json.load(open("judged.json"))["comparisons"][0]
assert (part["measure"], part["of"], judged["of"]) == ("difference", "order=sorted", "sorted"), part
assert [part[k] for k in ("ratio", "low", "high")] == [judged[k] for k in ("effect", "low", "high")], part
EOF
expect 0 '^Supported: Sorting lowers the loss\. The loss of order=drawn minus that of order=sorted is 1.05 \(95 % interval 1.02 to 1.07, 8 pairs\)\.' \
    samebits-report answer -i minus --claims minus.yaml
lacks expect.out 'is not decided'
