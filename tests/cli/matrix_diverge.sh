# A study in which trainings diverge, from `run` to the page: they are results, counted next to the others and not trained
# again; the study is complete; and the tables say what was left out, and why.
fail() { echo "FAILED: $*"; exit 1; }
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >study.yaml <<'END'
hardware: hardware.yaml
data:
  - {name: digits, make: synth digits --images 200 --test 100 --seed 1}
defaults: {model: mlp, data: digits, epochs: 2, batch: 20, optimizer: momentum, momentum: 0.99, target: copy}
studies:
  - name: calm
    options: {lr: 0.01}
    seeds: 3
    zip: &here [{backend: native, hardware: any}]
    exclude: [{seed: 3, reason: 'its start is odd, and'}]
  - name: wild
    options: {lr: 100}
    seeds: 2
    zip: *here
END
matrix="samebits-matrix"

# ---- trained once ----
expect 0 '^run: 4 complete \(2 of them diverged\)$' $matrix run -f study.yaml
also '^diverged  wild/digits/native/any/copy/s001 /[0-9a-f]{8}  .*, at update 4$'
find results -name '*.h5' | sort | xargs sha256sum >before.txt
expect 0 '^4 cells: 2 complete, 2 diverged$' $matrix run -f study.yaml
also '^run: 0 complete$'
expect 5 'none of the 4 selected cells is failed' $matrix run -f study.yaml --failed
find results -name '*.h5' | sort | xargs sha256sum >after.txt
same before.txt after.txt
expect 0 '^repeated +wild/.*s002 .*the same bits$' $matrix run -f study.yaml -n 'wild/.*s002' --again

# ---- shown ----
status() {
    expect 0 '^complete +2$' $matrix status -f study.yaml "$@"
    also '^diverged +2$'
    also '^diverged wild/digits/native/any/copy/s002 /[0-9a-f]{8}: at update 4$'
}
status
status --verify
rm -r results/runs/stamps.ok
status
find results -name '*.ok' -exec rm {} +
status
expect 0 '"state": ?"diverged"' $matrix status -f study.yaml --json
also '"why": ?"at update 4"'
also '"updates": ?4'
expect 0 '^diverged: at update 4$' $matrix status -f study.yaml 'wild/.*s001'
also '^run: .*, 4 updates in '
also '^to run it once more: .* --again$'
expect 0 '^diverged +wild/digits/native/any/copy/s001 +4  at update 4$' $matrix watch -f study.yaml --once
also '^4 cells: 2 complete, 2 diverged$'
expect 0 '^wild/digits/native/any +measured +2 +2 +0' $matrix plan -f study.yaml

# ---- collected ----
expect 0 '^tables: 4 of 4 cells, 0 not finished, 0 damaged$' $matrix collect -f study.yaml -o tables
also '^tables: 2 of them diverged$'
# field FILE NAME COLUMN: of the row that begins with the name
field() { awk -F, -v name="$2" -v column="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i } $1 == name { print $at }' "$1"; }
for fact in updates,20 diverged,4 loss_last,nan loss_mean,nan accuracy,; do
    [ "$(field tables/cells.csv wild/digits/native/any/copy/s001 ${fact%,*})" = "${fact#*,}" ] || fail "cells.csv: $fact"
done
[ -z "$(field tables/cells.csv calm/digits/native/any/copy/s001 diverged)" ] || fail 'a finite run is said to have diverged'
wild=$(field tables/cells.csv wild/digits/native/any/copy/s001 hash)
[ "$(grep -c "^$wild," tables/curves.csv)" = 3 ] || fail "the curve of three losses: $(grep "^$wild" tables/curves.csv)"
lacks tables/curves.csv 'nan|inf'
lacks tables/distances.csv 'nan|inf'
grep -qx 'complete,4,' tables/coverage.csv && grep -qx 'diverged,2,' tables/coverage.csv || fail "$(cat tables/coverage.csv)"
grep -qE '^excluded,calm/digits/native/any/copy/s003/[0-9a-f]{8},"?its start is odd, and"?$' tables/coverage.csv ||
    fail "no excluded cell: $(cat tables/coverage.csv)"
expect 0 '^calm: 2 of 2 cells' $matrix collect -f study.yaml -n calm -o calm
lacks calm/coverage.csv '^diverged,'
[ "$(grep -cE '^not selected,wild/digits/native/any/copy/s00[12]/[0-9a-f]{8},$' calm/coverage.csv)" = 2 ] || fail "$(cat calm/coverage.csv)"
expect 0 '^far: 2 of them diverged$' $matrix collect -f study.yaml --results nowhere --with tables -o far
for table in cells curves; do same tables/$table.csv far/$table.csv; done
grep -qx 'diverged,2,' far/coverage.csv || fail 'those that were collected elsewhere are not counted'

# ---- reported: nothing is missing ----
for runs in nowhere results; do
    mkdir -p nowhere
    expect 0 '^page-of-'$runs'/index.html$' samebits-report write -i tables --runs $runs -o page-of-$runs
    also 'skipped: wild on digits, .*: 2 of 2 runs diverged, so there is no mean'
    [ "$(grep -o '<td>diverged at update 4</td>' page-of-$runs/index.html | wc -l)" = 4 ] || fail 'no runs that diverged in the table'
    grep -q '1 cell, excluded: its start is odd, and' page-of-$runs/index.html || fail 'no excluded cell on the page'
    lacks page-of-$runs/index.html '>-?(nan|inf)'
done

# ---- tables of older programs have no such column: a loss that is no number says it ----
cp -r tables old
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "diverged") at = i }
    { line = ""; for (i = 1; i <= NF; i++) if (i != at) line = line (line == "" ? "" : ",") $i; print line }' tables/cells.csv >old/cells.csv
lacks old/cells.csv '(^|,)diverged'
seal old
expect 0 '^page-of-old/index.html$' samebits-report write -i old --runs nowhere -o page-of-old
[ "$(grep -o '<td>diverged</td>' page-of-old/index.html | wc -l)" = 4 ] || fail 'an old table is read otherwise'

# ---- a table that contradicts its run, or itself ----
cp -r tables bad
sed -i 's/,nan,nan,,,,4,/,nan,nan,,,,3,/' bad/cells.csv
seal bad
expect 7 'diverged of wild/.* is 3, but its run file says 4' samebits-report write -i bad --runs results -o no
sed -i 's/,nan,nan,,,,3,/,nan,nan,,,,21,/' bad/cells.csv
seal bad
expect 7 'diverged at update 21 of 20' samebits-report write -i bad --runs nowhere -o no
