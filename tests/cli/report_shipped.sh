# The results that ship, cells of a one-ulp ensemble among them: every verb works on them as they are, without a run file.
for program in gnuplot rsvg-convert latexmk pdflatex; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
cp -r "$SB_SOURCE/results" .
ln -s "$SB_SOURCE/matrix" .
mkdir paper; cp "$SB_SOURCE/paper/"{claims.yaml,paper.tex} paper/
natural=results/natural
n_cells=$(($(wc -l <$natural/cells.csv) - 1))
grep -q '^ulp/' $natural/cells.csv

expect 0 'page/index.html' samebits-report write -i $natural -o page
[ "$(grep -c '<tr id="c-' page/index.html)" = "$n_cells" ] # a row for every run
grep -q 'So the buffer alone can produce the published figure' page/index.html
samebits-report write -i results/demo-reference -o small >/dev/null # a small network says nothing of that figure
expect 1 '^0$' grep -c 'published figure' small/index.html
expect 0 'tables/pairs.csv' samebits-report write --only tables -i $natural -o tables
expect 0 'numbers/numbers.csv' samebits-report write --only numbers -i $natural -o numbers
expect 0 'paper/out/paper.pdf' samebits-report write --only paper -i $natural -o paper/out
grep -q "^all &&&&&& $n_cells & $(grep -c '^[a-z0-9-]*ulp/' $natural/cells.csv)" paper/out/tables.tex # every run is counted
expect 0 '^[0-9]+ same bits; last-frame loss$' samebits-report compare $natural $natural -o compare

expect 0 'No study here has run on both; GPU runs are in results/gpu\.' samebits-report answer -i $natural

# What ships beside the tables is what they give.
expect 0 '^[0-9]+ reproduced, [0-9]+ supported, ' samebits-report claims -i $natural --csv claims
same claims/claims.csv $natural/claims.csv

svg_check page/figures/*.svg
grep -q "^set label '0' at graph" page/figures/spread.gp # a published spread of 0 is written, as the axis is logarithmic

# So are the pictures, from one and the same gnuplot.
if [ "$(gnuplot --version)" = 'gnuplot 5.4 patchlevel 4' ]; then
    for picture in $natural/*.svg; do same page/figures/"${picture##*/}" "$picture"; done
    expect 0 'gpu-figures' samebits-report write --only figures -i results/gpu -o gpu-figures
    for picture in results/gpu/*.svg; do same gpu-figures/"${picture##*/}" "$picture"; done
    grep -q "'CPU and GPU: native and native-cuda'" gpu-figures/devices-gpu-full-natural160.gp
fi

# The commands of results/gpu/README.md
expect 0 '^Trained on a GPU of today' samebits-report answer -i results/gpu
expect 0 '^supported +gpu-full-copy-same-bits' samebits-report claims -i results/gpu
expect 0 'printed +1.89 ' samebits-report trace gpu-full.native-cuda.shared-over-copy.loss-last -i results/gpu

# A label of each kind, the weights that one unit in the last place set apart among them.
for kind in full.native.shared-over-copy.loss-last spread.cpus.ulp.loss-last claim.cpus-alike \
    published.spread.all.cross-entropy-sd cpus.native.copy.loss-last.sd; do
    expect 0 "^$kind" samebits-report trace "$kind" -i $natural
done

# As one file, and back.
expect 0 'natural.tar.gz' samebits-report export -i $natural -o natural.tar.gz
expect 0 'again' samebits-report import natural.tar.gz -o again
same again/cells.csv $natural/cells.csv

# The tables of CIFAR-10, whose claims stood before the runs.
expect 0 '^1 supported(;|$)' samebits-report claims -i results/cifar10 --claims matrix/cifar10.claims.yaml --csv cifar10
same cifar10/claims.csv results/cifar10/claims.csv

# Those of the published size, with the two claims that wait for runs.
expect 0 '^1 supported, 2 undetermined(;|$)' samebits-report claims -i results/natural/full --claims matrix/natural/full.claims.yaml --csv full
same full/claims.csv results/natural/full/claims.csv
samebits-report write --only figures -i results/natural/full -o full
if [ "$(gnuplot --version)" = 'gnuplot 5.4 patchlevel 4' ]; then
    for picture in results/natural/full/*.svg; do same "full/${picture##*/}" "$picture"; done
fi

# The same starts by the other arithmetic, which their own tables hold.
expect 6 'mine over theirs 1.03 \[0.92, 1.40\], n = 6, adjusted p 0.812' samebits-report compare results/natural/full-direct results/natural/full --margin 1.05
expect 0 '^3 undetermined(;|$)' samebits-report claims -i results/natural/full-direct --claims matrix/natural/full.claims.yaml

# Those of the published width, which have a figure and no claims.
samebits-report write --only figures -i results/cifar10/resnet9 -o resnet9
if [ "$(gnuplot --version)" = 'gnuplot 5.4 patchlevel 4' ]; then
    same resnet9/curves-rung9-cifar10.svg results/cifar10/resnet9/curves-rung9-cifar10.svg
fi

for chain in results/cifar10/resnet9/chains/*.h5; do expect 0 '' samebits verify "$chain"; done
samebits-report write -i results/cifar10/resnet9 -o resnet9
grep -q '1 source of variation' resnet9/index.html

# Those of large batches.
expect 0 '^1 not supported, 6 undetermined(;|$)' samebits-report claims -i results/largebatch \
    --claims matrix/largebatch.claims.yaml
expect 0 'index.html' samebits-report write -i results/largebatch -o largebatch
grep -q '<h1>Does a large batch cost accuracy, and does the optimiser buy it back?</h1>' largebatch/index.html
if grep -q 'hardware you train on' largebatch/index.html; then echo "FAILED: a page of batches asks of hardware"; exit 1; fi
expect 0 '^2 supported(;|$)' samebits-report claims -i results/largebatch/sgd \
    --claims matrix/largebatch/sgd.claims.yaml
for chain in results/largebatch/chains/*.h5; do expect 0 '' samebits verify "$chain"; done

# Each study has one name: results/NAME is of matrix/NAME.yaml, and carries matrix/NAME.claims.yaml as this file is now.
n=0
for coverage in results/*/coverage.csv results/*/*/coverage.csv; do
    folder=${coverage%/*} name=${coverage#results/}
    name=${name%/*}
    case $name in
    demo-reference) name=demo ;;              # results/demo is the reader's
    natural/full-direct) name=natural/full ;; # collected on another machine
    esac
    grep -qx "matrix,matrix/$name.yaml," "$coverage" || { echo "FAILED: $coverage is not of matrix/$name.yaml"; exit 1; }
    claims=$(sed -n 's/^claims: \(.*\.yaml\)$/\1/p' "matrix/$name.yaml")
    [ "$claims" = "$(cd "$(dirname "matrix/$name.yaml")" && ls "$(basename "$name").claims.yaml" 2>/dev/null)" ]
    if [ -z "$claims" ]; then absent "$folder/claims.yaml"; continue; fi
    same "$folder/claims.yaml" "matrix/$name.claims.yaml"
    grep -q '^question: ' "$folder/claims.yaml" || { echo "FAILED: $folder/claims.yaml names no question"; exit 1; }
    n=$((n + 1))
done
[ "$n" -ge 10 ]

# Those of Deep GA, with a claim that cannot be judged and the one that it was to be.
expect 0 '^4 supported, 1 undetermined(;|$)' samebits-report claims -i results/evolution --claims matrix/evolution.claims.yaml --csv evolution
same evolution/claims.csv results/evolution/claims.csv
expect 0 '' samebits-report write --only figures -i results/evolution -o evolution
if [ "$(gnuplot --version)" = 'gnuplot 5.4 patchlevel 4' ]; then
    for picture in results/evolution/*.svg; do same "evolution/${picture##*/}" "$picture"; done
fi

# Full batches, with a claim that names runs which claims never select.
expect 0 '^2 supported, 3 undetermined(;|$)' samebits-report claims -i results/lbfgs --claims matrix/lbfgs.claims.yaml --csv lbfgs
same lbfgs/claims.csv results/lbfgs/claims.csv
samebits-report write --only figures -i results/lbfgs -o lbfgs
if [ "$(gnuplot --version)" = 'gnuplot 5.4 patchlevel 4' ]; then same lbfgs/distance.svg results/lbfgs/distance.svg; fi

# The long one, of which figures are all there is.
expect 0 '' samebits-report write --only figures -i results/evolution/long -o long
if [ "$(gnuplot --version)" = 'gnuplot 5.4 patchlevel 4' ]; then same long/fitness.svg results/evolution/long/fitness.svg; fi

# Each folder with verdicts: its tables are those that were collected, and its claims.csv is what they give.
n=0
for csv in results/*/claims.csv results/*/*/claims.csv; do
    folder=${csv%/claims.csv}
    incomplete=
    ! grep -q '^missing,' "$folder/coverage.csv" || incomplete=--incomplete
    expect 0 '' samebits-report claims -i "$folder" $incomplete --csv "verdicts/$n"
    same "verdicts/$n/claims.csv" "$csv"
    n=$((n + 1))
done
[ $n -ge 11 ]
