# Results that are not as they were collected, or not complete: refused with the table, the row and what to do; built
# when told so, and then stamped.
fake_results good --settings 2 --seeds 2 --updates 20
fresh() { rm -rf bad; cp -r good bad; }
report() { rm -rf out; expect "$1" "$2" samebits-report write --only numbers -i bad -o out "${@:3}"; [ "$1" = 0 ] || absent out; }

fresh; report 0 numbers.csv
grep -qF '\newcommand*\sbstamp{}' out/numbers.tex

# One number changed by hand: the table, and where its run file is there, the row and both numbers.
row=$(awk -F, 'NR == 3 { print $22 }' good/cells.csv)
change() { fresh; sed -i "3s/,$row,/,0.0123,/" bad/cells.csv; }
change; report 7 '^bad/cells.csv: changed since it was collected; its SHA-256 is not the one in SHA256SUMS'
second=prednet/walk/native/here/copy/s002
grep -qE "^bad/cells.csv:3: loss_last of $second is 0.0123, but its run file says $row" expect.out
change; rm -r bad/runs; report 7 '^bad/cells.csv: changed since it was collected'
change; rm -r bad/runs; report 0 '^samebits-report: changed: bad/cells.csv' --changed
grep -qF '\newcommand*\sbstamp{built from tables changed after they were collected}' out/numbers.tex

# With the digests made anew the run files still know.
change; seal bad; report 7 '^bad/cells.csv:3: loss_last of .* is 0.0123, but its run file says'
fresh; sed -i '3s/,0.001,feedfeed,/,0.002,feedfeed,/' bad/cells.csv; seal bad
report 7 "^bad/cells.csv:3: lr of .* is '0.002', but its run file says '0.001'"
fresh; sed -i '3s/,feedfeed,/,deadbeef,/' bad/cells.csv; seal bad
report 7 "^bad/cells.csv:3: data_digest of .* is 'deadbeef', but its run file says 'feedfeed'"
fresh; sed -i '9s/,[^,]*$/,0.5/' bad/curves.csv; seal bad
report 7 '^curves.csv: loss_mean of .*/s001 at update 8 is 0.5, but its run file says'
fresh; sed -i '2s/,4.2,/,4.3,/' bad/timing.csv # changed by hand it is noticed, like any table
report 7 '^bad/timing.csv: changed since it was collected'
fresh; sed -i '2s/,[0-9a-f]*,runs/,01234567,runs/' bad/cells.csv; seal bad
report 7 'hash of the weights of .*/s001 is not the one'

# Digests that are absent, or none.
fresh; rm bad/SHA256SUMS; report 7 '^bad/SHA256SUMS: absent, so nothing says that the tables are as collected'
fresh; echo text >bad/SHA256SUMS; report 7 "^bad/SHA256SUMS:1: not 'DIGEST  NAME', as sha256sum writes it"
fresh; rm bad/coverage.csv; report 7 '^bad/coverage.csv: absent, but SHA256SUMS names it'

# A run that is gone from the tables, a cell that was never run, one that lacked its hardware.
fresh; sed -i '2d' bad/cells.csv; hash=$(sed -n '2s/,.*//p' good/curves.csv)
sed -i "/^$hash,/d" bad/{curves,timing}.csv; (cd bad && sha256sum ./*.csv | sed 's/ \.\// /' >SHA256SUMS)
report 7 'bad/coverage.csv: says 8 complete cells, but cells.csv has 7'
lacking() { fresh; echo "data missing,p/fpsi/native/here/copy/s001/12345678,the data set fpsi is not here" >>bad/coverage.csv; }
lacking; sed -i 's/^selected,8,/selected,9,/' bad/coverage.csv; (cd bad && sha256sum ./*.csv | sed 's/ \.\// /' >SHA256SUMS)
report 3 'bad: 1 of 9 cells could not run without their data: the data set fpsi is not here; say --incomplete'
third=prednet/walk/native/here/copy/s003/12345678
fresh; echo "missing,$third," >>bad/coverage.csv; sed -i 's/^selected.*/selected,9,/' bad/coverage.csv; seal bad
report 3 "^bad: 1 of 9 cells that could run are not here, the first of them $third \(missing\); say --incomplete"
report 0 '^samebits-report: incomplete: 1 of 9 cells' --incomplete
grep -qF '\newcommand*\sbstamp{built from incomplete or stale results}' out/numbers.tex
fresh; echo 'hardware missing,prednet/walk/cudnn/gtx-1080/copy/s001/12345678,no GPU' >>bad/coverage.csv
sed -i 's/^selected.*/selected,9,/' bad/coverage.csv; seal bad
report 0 '1 of 9 cells lacked their hardware where this was collected'
grep -qF '\newcommand*\sbstamp{}' out/numbers.tex

# Stale: the matrix file changed since, or the run files are of another schema.
fresh; echo one >made-up.yaml
sed -i "/^matrix,/a matrix_sha256,$(sha256sum <made-up.yaml | cut -c -64)," bad/coverage.csv; seal bad
report 0 numbers.csv
echo two >>made-up.yaml; report 3 '^bad: made-up.yaml: changed since these results were collected; collect again'
sed -i 's/^cells,.*/cells,20,/' bad/coverage.csv; seal bad # an excerpt is still the excerpt that it was
report 0 '12 of 20 cells of made-up.yaml were not asked for'
fresh; sed -i 's/^run_schema,2/run_schema,3/' bad/coverage.csv; seal bad
report 3 'collected from run files of schema 3, this program reads 1 to 2'
fresh; run=bad/$(sed -n '2s/.*,//p' good/cells.csv); fake_results new --settings 2 --seeds 2 --updates 20 --schema 3
cp "new${run#bad}" "$run"
report 7 "^$run: run file of schema 3, this program reads 1 to 2; run its cell again"

# More cells than one process reads: a note of the last one is kept, a damaged file named, and what was trained again is
# counted in all. Under a sanitizer such processes read the few of above.
[ -z "${SB_TEST_SLOW-}" ] || exit 0
fake_results good --settings 2 --seeds 40 --updates 20
[ "$(grep -c . good/cells.csv)" = 161 ]
fresh; sed -i '160s/,0.001,feedfeed,/,0.002,feedfeed,/; 3s/,0.001,feedfeed,/,0.003,feedfeed,/' bad/cells.csv; seal bad
report 7 "^bad/cells.csv:160: lr of .* is '0.002', but its run file says '0.001'"
fresh; run=bad/$(sed -n '150s/.*,//p' good/cells.csv); truncate -s -100 "$run"; report 7 "^$run: .*cut short"
fresh; sed -i '20s/,4.2,/,4.3,/; 100s/,4.2,/,4.3,/; 161s/,4.2,/,4.3,/' bad/timing.csv; seal bad
first=$(grep ",$(sed -n '20s/,.*//p' good/timing.csv)," good/cells.csv | cut -d, -f1)
report 0 "3 cells were trained again since this was collected, with the same bits, the first of them $first: timing.csv"
