# The paper from made-up results: the same bytes twice, what is missing or wrong in a sentence.
for program in gnuplot rsvg-convert latexmk pdflatex; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
text=$SB_SOURCE/paper/paper.tex
fake_results results --settings 8 --seeds 2 --updates 20
first=$(awk -F, 'NR == 2 { print $2 }' results/cells.csv) second=$(awk -F, 'NR == 3 { print $2 }' results/cells.csv)
printf 'a,b,differs,update,distance,relative\n' >results/distances.csv
for update in 1 2 4 8; do echo "$first,$second,setting,$update,0.0$update,0.00$update"; done >>results/distances.csv
sum() { (cd results && sha256sum ./*.csv | sed 's| \./| |' >SHA256SUMS); }
sum
cat >results/layers-autoencoder.csv <<'END'
name,kind,inputs,in_channels,out_channels,height,width,kernel,activation,parameters
input,input,,1,1,1,784,,,0
encoder,dense,input,784,64,1,1,,relu,50240
decoder,dense,encoder,64,784,1,1,,relu,50960
END
samebits layers --model prednet >results/layers-prednet.csv

paper() {
    samebits-report write --only paper -i results --text "$text" --published "$SB_SOURCE/results/published" \
        --claims "$SB_SOURCE/paper/claims.yaml" "$@"
}

expect 0 '^one/paper.pdf' paper -o one
for name in devices-prednet-walk configurations-prednet-walk distance architecture-{prednet,autoencoder}; do
    grep -q '</svg>' one/figures/$name.svg
    [ "$(head -c 5 one/figures/$name.pdf)" = %PDF- ]
done
grep -q 'GPU: cudnn' one/figures/devices-prednet-walk.gp
# Published machines that nobody ran are counted, and have no row.
grep -q "'gtx-1080, cuDNN on'" one/figures/configurations-prednet-walk.gp
if grep -q 'gtx-970' one/figures/configurations-prednet-walk.gp; then echo "FAILED: an empty row"; exit 1; fi
grep -q '[0-9] published machines\? without runs ha' one/figures.tex
grep -q 'decoder' one/figures/architecture-autoencoder.gp
# The network as the trainer lists it: 4 modules on each of 4 levels, but the first has an input for a convolution.
[ "$(grep -c 'set object rectangle' one/figures/architecture-prednet.gp)" = 16 ]
grep -q "'ConvLSTM, 3x3'" one/figures/architecture-prednet.gp
# Another folder, another day.
mkdir -p deep/er
expect 0 '^deep/er/two/paper.pdf' paper -o deep/er/two
same one/paper.pdf deep/er/two/paper.pdf
# A number of the results stands in the PDF.
if command -v pdftotext >/dev/null; then
    ratio=$(sed -n 's/^prednet.native.shared-over-copy.loss-last[^"]*"\([0-9.]*\) .*/\1/p' one/numbers.csv)
    pdftotext one/paper.pdf one/paper.txt
    grep -qF "$ratio" one/paper.txt
    # The first figure is the paired effect; no slot is left open; the supplement has every claim by its name.
    grep -q '^Figure 1: The target buffer and the hardware, each comparison once: the last-frame loss of ' one/paper.txt
    tr '\n' ' ' <one/paper.txt | grep -qE 'native, shared minus copy, (2|4|8|16|32|64) times'
    if grep -nw 'nan\|TODO\|NaN' one/paper.txt; then echo "FAILED: an open slot"; exit 1; fi
    grep '^  - name: ' "$SB_SOURCE/paper/claims.yaml" | while read -r _ _ name; do
        grep -qF "{$name}{" one/supplement.tex || { echo "FAILED: no claim $name"; exit 1; }
    done
    [ "$(tr '\n' ' ' <one/paper.txt | grep -o '(paper, \|(samebits, \|(retraction, ' | wc -l)" = \
        "$(grep -c '^  - name: ' "$SB_SOURCE/paper/claims.yaml")" ]
fi
if command -v pdfinfo >/dev/null; then
    pdfinfo one/paper.pdf >one/info
    released=$(sed -n 's/^date-released: //p' "$SB_SOURCE/CITATION.cff")
    author=$(sed -n 's/^  - name: //p' "$SB_SOURCE/CITATION.cff")
    grep -q "^Title: *The same bits" one/info
    grep -q "^Author: *$author" one/info
    grep -q '^Keywords: *reproducibility, ' one/info
    [ "$(TZ=UTC date -u -d "$(sed -n 's/^CreationDate: *//p' one/info)" +%F)" = "$released" ]
fi

# Without claims, records of others, networks and distances the text has to do with less.
rm -rf bare
mkdir bare
cp -r results/{cells,curves,timing,coverage}.csv bare/
(cd bare && sha256sum ./*.csv | sed 's| \./| |' >SHA256SUMS)
expect 0 '^less/paper.pdf' samebits-report write --only paper -i bare --text "$text" -o less
grep -q '^.newcommand.sbclaimsnote{No claim was judged' less/supplement.tex
# A file of claims that names none, and claims that nothing here can be held against.
echo 'claims: []' >none.yaml
sed 's/^    \(of\|over\): {/&hardware: nowhere, /' "$SB_SOURCE/paper/claims.yaml" | sed 's/nowhere, \(.*\), hardware: [^,}]*/nowhere, \1/' >absent.yaml
for claims in none:'No claim was judged' absent:'None of these [0-9]* claims has runs'; do
    expect 0 '^less/paper.pdf' samebits-report write --only paper -i bare --text "$text" --claims ${claims%%:*}.yaml -o less
    grep -q "^.newcommand.sbclaimsnote{${claims#*:}" less/supplement.tex
    if command -v pdftotext >/dev/null; then pdftotext less/paper.pdf - | tr '\n' ' ' | grep -q "every claim ${claims#*:}"; fi
done

# An error in the text: file and line, and no paper of before.
with() { sed "$1" "$text" >bad.tex; }
bad() { text=bad.tex expect "$1" "$2" paper -o one; absent one/paper.pdf; }
with 's/^\\begin{document}/&\\oops/';                bad 2 '^one/paper.tex:[0-9]+: Undefined control sequence'
with 's/^\\begin{document}/&\\sbnum{no.such}/'
bad 2 "^one/paper.tex:[0-9]+: Package samebits Error: no number 'no.such'"
with '/^\\end{document}/d';                         bad 2 '^one/paper.tex: Emergency stop'
text=nowhere.tex expect 2 '^nowhere.tex: no such file; --text names' paper -o none
absent none/paper.pdf

# Tables that make no sense.
spoil() { sed -i "$1" "results/$2"; sum; }
spoil '3s/^[^,]*,[^,]*/0badc0de,0badc0de/' distances.csv
expect 7 "^results/distances.csv:3: no cell of cells.csv has the hash '0badc0de'" paper -o one
spoil '3s/.*/'"$first,$second"',colour,2,1,1/' distances.csv
expect 7 "^results/distances.csv:3: differs wants one of target\|setting\|ulp, not 'colour'" paper -o one
spoil '3d' distances.csv
spoil '3s/input/nothing/' layers-autoencoder.csv
expect 7 '^results/layers-autoencoder.csv:3: encoder reads nothing, which is no layer' paper -o one

# A program that is not there, by the name of its package.
rm results/layers-autoencoder.csv
sum
mkdir -p bin
ln -sf "$(command -v samebits-report)" "$(command -v gnuplot)" bin/
expect 4 '^rsvg-convert: not found; apt-get install librsvg2-bin' \
    env PATH="$PWD/bin" samebits-report write --only paper -i results --text "$text" -o none
ln -sf "$(command -v rsvg-convert)" bin/
expect 4 '^latexmk: not found; apt-get install latexmk texlive-latex-recommended' \
    env PATH="$PWD/bin" samebits-report write --only paper -i results --text "$text" -o none
absent none/paper.pdf
