# The three verbs on made-up results: what they write, that the page needs nothing else, and repeats to the byte.
need() { command -v "$1" >/dev/null || { echo "skipped: no $1"; exit 77; }; }
need gnuplot
need xmllint

fake_results results --settings 2 --seeds 3 --updates 200 --autoencoder

expect 0 'samebits-report VERB' samebits-report --help
expect 0 'usage: samebits-report write' samebits-report write --help

expect 0 'tables/pairs.csv' samebits-report write --only tables -i results -o tables
# The verbs of release 0.1 are the same, and several kinds are one call.
expect 0 'old/pairs.csv' samebits-report tables -i results -o old
same tables/pairs.csv old/pairs.csv
expect 0 'usage: samebits-report write' samebits-report html --help
expect 0 '^both/numbers.csv$' samebits-report write --only tables,numbers -i results -o both
also '^both/pairs.csv$'
same tables/arms.csv both/arms.csv
expect 2 "wants tables, numbers, figures, page or paper, with commas between them, not 'tables,frames'" \
    samebits-report write --only tables,frames -i results -o none
absent none
[ "$(wc -l <tables/arms.csv)" = 6 ]  # a header, 2 settings with 2 targets, the autoencoder with one
[ "$(wc -l <tables/pairs.csv)" = 3 ]
grep -q '^prednet,walk,native,ordered,here,measured,2,,1,200,copy,3,0\.' tables/arms.csv
grep -q '^prednet,walk,openblas,gemm,i5-4590,emulated,4,Haswell,1,200,3,1\.' tables/pairs.csv
# The mean of the first arm, by hand.
by_hand=$(awk -F, '$5 == "native" && $3 == "prednet" && $11 == "copy" { sum += $22; n++ }
    END { printf "%.6g", sum / n }' results/cells.csv)
[ "$by_hand" = "$(awk -F, 'NR == 2 { print $13 }' tables/arms.csv)" ]

expect 0 'has no run with target shared' samebits-report write --only figures -i results -o figures
for name in {effect,final,curves}-prednet-walk {final,curves}-autoencoder-mnist; do
    for file in $name.svg $name-narrow.svg; do grep -q '</svg>' figures/$file; done
    [ -s figures/$name.gp ]
done
absent figures/effect-autoencoder-mnist.svg figures/grid-autoencoder-mnist.png figures/*.part
[ "$(head -c 4 figures/grid-prednet-walk.png | tail -c 3)" = PNG ]
# No label over another, beyond the picture, under a mark or a line; also with GPUs, whose names are longer.
svg_check figures/*.svg
fake_results gpus --settings 8 --seeds 8 --updates 20 --no-runs
expect 0 'figures-gpus' samebits-report write --only figures -i gpus -o figures-gpus --published "$SB_SOURCE/results/published"
svg_check figures-gpus/*.svg
# What it would find, it finds.
bad() {
    echo "<svg viewBox=\"0 0 200 90\"><defs></defs><g transform=\"translate(50,40)\" font-size=\"14.00\"><text>words</text></g>$2</svg>" >bad.svg
    expect 1 "$1" svg_check bad.svg
}
bad 'beyond the picture' '<g transform="translate(180,40)" font-size="14.00"><text>words</text></g>'
bad 'one over the other' '<g transform="translate(60,45)" font-size="14.00"><text>words</text></g>'
bad 'a line goes through' "<path d='M10,36 L150,37 '/>"
bad 'a mark lies over' "<use transform='translate(60,36) scale(4)'/>"

# A reader's own gnuplot draws the very same lines, marks and words from the script.
drawn() { grep -oE " (d|points|transform) ?= ?['\"][^'\"]*['\"]|<text>[^<]*" "$1" | grep -v "d='M-\|d='M0,"; }
for name in answer effect-prednet-walk final-prednet-walk curves-prednet-walk; do
    drawn figures/$name.svg >kept
    (cd figures && gnuplot -d $name.gp)
    drawn figures/$name.svg >again
    [ "$(wc -l <kept)" -gt 20 ]
    same kept again
done
# The data of a figure as a table: as many rows as runs, pairs or points, each with the run it comes from.
[ "$(head -n 1 figures/effect-prednet-walk.csv)" = panel,row,series,ratio,low,high,seed,words ]
[ "$(grep -c '^last-frame loss,native,measured,1\.' figures/effect-prednet-walk.csv)" = 3 ]
run=$(awk -F, '$5 == "native" && $11 == "shared" && $12 == 2 { print substr($2, 1, 8) }' results/cells.csv)
grep -q "^last-frame loss,native,measured,.*,2,.*seed 2: .* runs $run over" figures/effect-prednet-walk.csv
grep -q "<g class=\"tip\"><title>seed 2: .*; runs $run over" figures/effect-prednet-walk-narrow.svg
# Light or dark by the reader's scheme.
grep -q "^<style>@media (prefers-color-scheme:dark){\$" figures/answer-narrow.svg

expect 0 'index.html' samebits-report write -i results -o page
page=page/index.html
grep -q 'Made-up CPU &lt;8 cores&gt; &amp; caches' $page
# The first screen says what 'answer' says, in the same words.
samebits-report answer -i results 2>/dev/null | sed -n 2p >answer.txt
xmllint --xpath 'string(//p[@class="answer"])' $page >first.txt
same answer.txt first.txt
# What it links to beside it is there.
grep -oE 'href="figures/[^"]+' $page | sed 's/href="//' >beside
[ "$(grep -c '\.csv$' beside)" = 6 ]
while read -r file; do [ -s "page/$file" ] || { echo "FAILED: no page/$file"; exit 1; }; done <beside
[ "$(grep -c '<figure' $page)" = 7 ]
[ "$(grep -o '<svg' $page | wc -l)" = 12 ]
# A screen reader finds the points: each is named, in a picture that is a group of them. tests/look presses the keys.
[ "$(xmllint --xpath 'count(//*[@class="tip"])' $page)" -gt 20 ]
[ "$(xmllint --xpath 'count(//*[@class="tip"][not(@role="img") or string(*[local-name()="title"])="" or
    not(ancestor::*[local-name()="svg"][@role="group"][@aria-label])])' $page)" = 0 ]
# It is XML, so that nothing in it is left to a browser's repairs; one script, which its own policy lets run.
xmllint --noout $page
[ "$(xmllint --xpath 'concat(count(//script), " ", count(//@*[starts-with(name(), "on")]))' $page)" = '1 0' ]
policy=$(xmllint --xpath 'string(//meta[@http-equiv]/@content)' $page)
digest=$(perl -0ne 'print $1 if m|<script>(.*?)</script>|s' $page | sha256sum)
own=$(printf "$(sed 's/../\\x&/g' <<<"${digest%% *}")" | base64)
[ "${policy##*; }" = "script-src 'sha256-$own'" ]
# Nothing from elsewhere, no name twice, no link into nothing.
if grep -qE '<script[^>]|<link|(src|href)="?https?:' $page; then
    echo "FAILED: the page asks for something elsewhere"
    exit 1
fi
[ -z "$(grep -oE ' id=["'\''][^"'\'']+' $page | sort | uniq -d)" ]
grep -oE "(href=[\"']|url\()#[^\"')]+" $page | sed 's/.*#//' | sort -u >links
grep -oE " id=[\"'][^\"']+" $page | sed "s/ id=[\"']//" | sort -u >names
[ -z "$(comm -23 links names)" ]
# Every number of the tables of arms and pairs leads to its entry, which says the same.
sed -n '/<table class="\(arms\|pairs\|hardware\|spread\)"/,/<\/table>/p' $page >tables.html
if grep -qE '<td class="number">[0-9.]*\.[0-9]' tables.html; then echo "FAILED: a number without a link"; exit 1; fi
# five arms with two losses of 5, two settings of 8, one hardware of 2, three sources of 4
[ "$(grep -o '<a class="n"' tables.html | wc -l)" = 80 ]
label=$(sed -n 's/.*href="#n-\([^"]*shared-over-copy.loss-last\)".*/\1/p' $page | head -1)
printed=$(sed -n "s|.*<tr id=\"n-$label\"><td><code>$label</code></td><td class=\"number\">\([^<]*\)<.*|\1|p" $page)
expect 0 "^  printed   $printed$" samebits-report trace "$label" -i results

# PDF where there is the program for it; else no link, no picture of before, and a note.
if command -v rsvg-convert >/dev/null; then
    [ "$(grep -c '\.pdf$' beside)" = 6 ]
    [ "$(head -c 5 page/figures/answer.pdf)" = %PDF- ]
    mkdir -p few && ln -sf "$(command -v samebits-report)" "$(command -v gnuplot)" few/
    cp -r page page6
    expect 0 'skipped: the figures as PDF: rsvg-convert: not found' \
        env PATH="$PWD/few" samebits-report write -i results -o page6
    absent page6/figures/*.pdf
    if grep -q '\.pdf"' page6/index.html; then echo "FAILED: a link to a PDF that is not there"; exit 1; fi
fi

# Rows in another order, another place: the same bytes.
mkdir -p elsewhere
{ head -n 1 results/cells.csv; tail -n +2 results/cells.csv | tac; } >elsewhere/cells.csv
cp results/{curves,timing,coverage}.csv elsewhere/
seal elsewhere
cp -r results/runs elsewhere/runs
samebits-report write -i elsewhere -o page2 >/dev/null 2>&1
sed 's/elsewhere/results/g' page2/index.html >page2/renamed.html
same $page page2/renamed.html

# Pairs whose weights are the same at every update: a panel with a key and no curve.
mkdir -p equal && cp results/{cells,curves,timing,coverage}.csv equal/
pair=$(awk -F, 'NR == 2 || NR == 3 { printf "%s,", $2 }' results/cells.csv)
{ echo a,b,differs,update,distance,relative; for update in 1 2 4; do echo "${pair}setting,$update,0,0"; done; } >equal/distances.csv
seal equal
expect 0 'figures-equal' samebits-report write --only figures -i equal -o figures-equal
grep -q 'range of pairs' figures-equal/distance.svg
absent figures-equal/distance.csv

# Run files that lie elsewhere than the tables.
mv elsewhere/runs runs
expect 0 'index.html' samebits-report write -i elsewhere -o page4 --runs .
[ -s page4/figures/grid-prednet-walk.png ]
expect 2 '^nowhere: no such folder of run files' samebits-report write -i elsewhere -o page5 --runs nowhere

# No run files: no grid, no machine facts, everything else; and that is said.
expect 0 'skipped: no pictures of predicted frames: .* 15 of 15 are not here$' samebits-report write -i elsewhere -o page3
absent page3/figures/grid-prednet-walk.png
grep -q 'so the machines are unknown' page3/index.html
grep -q 'The machines: there are no run files to describe them' page3/index.html
[ "$(grep -c 'pictures of predicted' expect.out)" = 1 ]
