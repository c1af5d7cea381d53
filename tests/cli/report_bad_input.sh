# Bad input of samebits-report: each a sentence and the right exit code, and nothing half-written.
command -v gnuplot >/dev/null || { echo "skipped: no gnuplot"; exit 77; }
fake_results good --settings 2 --seeds 2 --updates 20
report() {
    rm -rf out
    expect "$1" "$2" samebits-report "${3:-tables}" -i bad -o out
    absent out/{arms,pairs}.csv out/index.html out/figures/*.part
}
spoil() { rm -rf bad; cp -r good bad; sed -i "$1" "bad/$2"; seal bad; }

expect 2 'wants a verb' samebits-report
expect 2 "unknown verb 'paint'" samebits-report paint
expect 2 'wants -i DIR: folder from' samebits-report write --only tables -o out
expect 2 'wants -o DIR: output folder' samebits-report write -i good
expect 2 "unknown option '--size'" samebits-report write --size 3
expect 2 "^nowhere: no such folder; 'samebits-matrix collect' makes it" samebits-report write -i nowhere -o out
mkdir -p empty
expect 5 '^empty: holds no cells.csv' samebits-report write -i empty -o out

spoil '2,$d' cells.csv;                      report 5 'bad/cells.csv: no cell has finished yet'
rm bad/curves.csv; cp good/cells.csv bad/;   report 5 '^bad: holds no curves.csv'
spoil '1s/loss_mean/loss/' cells.csv;        report 7 "^bad/cells.csv:1: no column 'loss_mean'"
spoil '1s/update/step/' curves.csv;          report 7 "^bad/curves.csv:1: no column 'update'"
spoil '4s/$/,extra/' cells.csv;              report 7 '^bad/cells.csv:4: 26 fields, the header has 25'
spoil '7s/,[^,]*$//' curves.csv;             report 7 '^bad/curves.csv:7: 3 fields, the header has 4'
spoil '5s/,emulated,/,guessed,/; 3s/,measured,/,guessed,/' cells.csv
report 7 "^bad/cells.csv:3: evidence wants one of measured\|emulated\|imitated, not 'guessed'"
spoil '3s/,copy,/,borrowed,/' cells.csv;     report 7 "^bad/cells.csv:3: target wants one of copy\|shared, not 'borrowed'"
spoil '3s/,copy,2,/,copy,two,/' cells.csv;   report 7 "^bad/cells.csv:3: seed wants a whole number, not 'two'"
awk -F, -v OFS=, 'NR == 3 { $22 = "nan" } 1' good/cells.csv >bad/cells.csv
report 7 '^bad/cells.csv:3: prednet/walk/native/here/copy/s002 has no loss, but its run file says that it did not diverge'
spoil '9s/[^,]*$/inf/' curves.csv;           report 7 '^bad/curves.csv:9: loss_mean of cell prednet/.* is inf'
spoil '9s/[^,]*$/-0.1/' curves.csv;          report 7 '^bad/curves.csv:9: loss_mean of cell prednet/.* is -0.1'
spoil '9s/^[0-9a-f]*,[0-9]*/&0/;s/^[0-9a-f]*,80,/0badc0de,8,/' curves.csv
report 7 "no cell of cells.csv has the hash '0badc0de'"
spoil '9s/,8,/,3,/' curves.csv;              report 7 '^bad/curves.csv:9: the updates of cell prednet/.* do not ascend'
spoil '1s/$/,name/; 2,$s/$/,prednet\/walk\/native\/here\/copy\/s001/' curves.csv
report 7 '^bad/curves.csv:22: the hash belongs to cell prednet/walk/native/here/copy/s002, but the name is .*s001.; collect again'
spoil '2,21d' curves.csv;                    report 7 '^bad/curves.csv: no row of cell prednet/.*/copy/s001'
spoil '3p' timing.csv;                       report 7 '^bad/timing.csv:4: .* is no cell of cells.csv, or here twice'
spoil '3d' timing.csv;                       report 7 '^bad/timing.csv: 7 rows, but cells.csv has 8'
spoil '3p' cells.csv;                        report 7 '^bad/cells.csv:4: cell .*/s002 is in line 3, too'
spoil '21d' curves.csv; rm -r bad/runs;      report 7 '19 rows of cell .*, but 20 of cell ' figures
printf 'a\0b\n' >bad/cells.csv;              report 7 'holds a zero byte'

# One arm missing: the rest is drawn, the gap is said.
rm -rf bad; cp -r good bad; sed -i '/openblas.*,shared,/d' bad/cells.csv
sed -n 's/^[^,]*openblas[^,]*shared[^,]*,\([^,]*\),.*/\1/p' good/cells.csv |
    while read -r hash; do sed -i "/^$hash,/d" bad/{curves,timing}.csv; done
seal bad
expect 0 'prednet on walk, openblas: no run with target shared' samebits-report write -i bad -o gap
[ "$(wc -l <"$(samebits-report write --only tables -i bad -o gap 2>/dev/null | tail -n 1)")" = 2 ]

# Run files that do not hold: not a run, cut off, of another cell.
first=$(awk -F, 'NR == 2 { print $25 }' good/cells.csv) second=$(awk -F, 'NR == 3 { print $25 }' good/cells.csv)
rm -rf bad; cp -r good bad; echo text >"bad/$first";        report 7 "bad/$first" html
rm -rf bad; cp -r good bad; truncate -s 3000 "bad/$first";  report 7 "bad/$first" html
rm -rf bad; cp -r good bad; cp "good/$second" "bad/$first"
report 7 'cells.csv names it for prednet/walk/native/here/copy/s001' html

# No gnuplot: which package, and no page.
mkdir -p bin; ln -sf "$(command -v samebits-report)" bin/
rm -rf out
expect 4 'gnuplot: not found; .*apt-get install gnuplot-nox' env PATH="$PWD/bin" samebits-report write -i good -o out
absent out/index.html out/figures/*.svg

# A folder that cannot be made.
touch file; expect 1 '^file/out: ' samebits-report write --only tables -i good -o file/out
