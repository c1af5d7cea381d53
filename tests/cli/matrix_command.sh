# A study of another program: a command with places in the matrix file, from the list of its cells to a verdict. The
# program is a script: its loss is a function of seed and rate, so that equal cells have equal bits.
cat >train.sh <<'EOF'
# train.sh SEED RATE OUTPUT: five steps; the table that was asked for
[ "$FAIL" != "$1" ] || { echo "no memory left" >&2; exit 3; }
[ "$SILENT" != "$1" ] || exit 0
[ "$WAIT" != "$1" ] || while [ ! -e go ]; do sleep 0.05; done
awk -v seed="$1" -v rate="$2" 'BEGIN {
    print "step,loss,hits"
    for (i = 1; i <= 5; i++) printf "%d,%.6f,%d\n", i, (1 + seed / 10) * exp(-rate * i), seed + i
}' >"$3"
echo "threads $OMP_NUM_THREADS in $PWD"
EOF
cat >any.yaml <<'EOF'
studies:
  - name: toy
    command: >
        sh train.sh {seed} {rate} {csv}
    environment: ['OMP_NUM_THREADS={threads}']
    files: [train.sh]
    metrics: [{name: loss}, {name: score, column: hits, better: higher}]
    seeds: 3
    axes: {rate: [0.5, 0.25], threads: [1, 2]}
    exclude: [{rate: 0.25, threads: 2, reason: too slow}]
EOF
. "$SB_SOURCE/tests/cli/matrix_setup.sh"

# names and hashes: of the cell alone, so that a value more on an axis changes none of them
expect 0 '^toy/threads=1/rate=0.5/s001 /[0-9a-f]{8} measured$' $matrix list -f any.yaml
cp expect.out listed
count 9 '^toy/' listed
expect 0 '^toy/threads=2/rate=0.25/s003 /[0-9a-f]{8} too slow$' $matrix list -f any.yaml --excluded
sed 's/\[0.5, 0.25\]/[0.75, 0.5, 0.25]/' any.yaml >more.yaml
$matrix list -f more.yaml 2>/dev/null | grep -v rate=0.75 >more
sort listed >listed.sorted
sort more >more.sorted
same listed.sorted more.sorted
expect 0 '"record": *"\{\\"command\\":\\"sh train.sh \{seed\} \{rate\} \{csv\}\\",.*\\"files\\":\{\\"train.sh\\":\\"[0-9a-f]{64}' \
    $matrix list -f any.yaml --json
expect 0 "env -C $PWD OMP_NUM_THREADS=2 sh train.sh 2 0.5 $PWD/results/runs/.*.csv\$" $matrix run -f any.yaml -n threads=2 --dry-run
absent results

# run: complete, failed with the last line of its log, silent, and then what was missing
export FAIL=2 SILENT=3 WAIT=0
expect 1 '^failed .*threads=1/rate=0.5/s002.*exit code 3: no memory left$' $matrix run -f any.yaml -n threads=1/rate=0.5
also '^failed .*s003 .*exit code 0, but: .*csv: not there; the command promises a table in place of \{csv\}$'
also '^run: 1 complete, 2 failed$'
expect 0 '^failed: exit code 0, but: ' $matrix status -f any.yaml 'threads=1/rate=0.5/s003'
FAIL=0 SILENT=0
expect 0 '^9 cells: 1 complete, 2 failed, 6 missing$' $matrix run -f any.yaml -j 2
also '^run: 8 complete$'
expect 0 '^run: 0 complete$' $matrix run -f any.yaml
grep -q "^threads 2 in $PWD\$" results/runs/toy/threads=2/rate=0.5/s001/*.log
expect 0 '^complete +9$' $matrix status -f any.yaml
expect 0 '^toy/threads=1/rate=0.5 +measured +3 +3 +0' $matrix plan -f any.yaml
expect 0 '^complete +toy/threads=1/rate=0.5/s001 +5/5$' $matrix watch -f any.yaml --once
expect 0 '^run: .*s001/[0-9a-f]{8}.result, 5 updates in ' $matrix status -f any.yaml threads=1/rate=0.5/s001

# again: the same bits, and others
expect 0 '^repeated .*, the same bits$' $matrix run -f any.yaml -n rate=0.25/s001 --again
absent results/runs/*/*/*/*/*.again.csv
output=$(ls results/runs/toy/threads=1/rate=0.25/s001/*.csv)
cp "$output" kept
result=${output%.csv}.result
cp "$result" kept.result
echo 6,0,0 >>"$output"
expect 0 '^complete +9$' $matrix status -f any.yaml
expect 7 'csv: changed since its program ended; move it away and run the cell again$' $matrix collect -f any.yaml -o damaged
mv kept "$output"
sed 's/"updates":5/"updates":6/' kept.result >"$result"
touch "$result"
expect 7 '^failed +1$' $matrix status -f any.yaml
mv kept.result "$result"

# tables: axes and metrics are columns, values are the last of each column; a verdict from them
expect 0 '^out: 9 of 9 cells, 0 not finished, 0 damaged$' $matrix collect -f any.yaml -o out
head -n 1 out/cells.csv >head
echo name,hash,study,threads,seed,rate,loss,score,updates,diverged,output,evidence >wanted
same wanted head
grep -q '^toy/threads=1/rate=0.5/s002,[0-9a-f]*,toy,1,2,0.5,0.098502,7,5,,[0-9a-f]*,measured$' out/cells.csv
grep -q '^excluded,toy/threads=2/rate=0.25/s001/[0-9a-f]*,too slow$' out/coverage.csv
(cd out; sha256sum --quiet -c SHA256SUMS)
cp out/cells.csv first
$matrix collect -f any.yaml -o out
same first out/cells.csv
expect 0 '^same bits .*2 over 1: ' samebits-report judge out/cells.csv --by threads --where rate=0.5 --hash output
expect 0 '^undetermined  0.25 over 0.5: ratio 3.49, n = 3 pairs$' samebits-report judge out/cells.csv --by rate --where threads=1
expect 0 '; score, higher is better;' samebits-report judge out/cells.csv --by rate --metric score --where threads=1
expect 0 '; score, lower is better;' samebits-report judge out/cells.csv --by rate --metric score --where threads=1 --lower
expect 0 '; loss, lower is better;' samebits-report judge out/cells.csv --by rate --metric loss --where threads=1
expect 2 'with and --traces are for cells of samebits train' $matrix collect -f any.yaml -o out --traces
expect 2 'its cells are commands; ' $matrix match -f any.yaml --reference out

# claims of any form: each run has the digest of what they were, and collect says where they changed since
echo 'a smaller rate has the larger loss' >claims.txt
echo 'claims: claims.txt' >>any.yaml
expect 0 '^any.yaml: 9 of 9 runs ended before claims.txt was as it is now$' $matrix collect -f any.yaml -o out
grep -q '^name,.*,output,claims,evidence$' out/cells.csv
$matrix run -f any.yaml --results later -n s001
expect 0 '^later: 3 of 3 cells' $matrix collect -f any.yaml --results later -n s001 -o later
count 0 'ended before' expect.out
count 3 ",$(sha256sum <claims.txt | cut -c -64),measured\$" later/cells.csv

# stale: a file of the command is another one now; why says which
echo '# changed' >>train.sh
expect 3 '^stale +9$' $matrix status -f any.yaml
expect 0 '^  files        \{"train.sh": "' $matrix status -f any.yaml threads=1/rate=0.5/s001
expect 0 '^9 cells: 9 stale$' $matrix run -f any.yaml

# stopped and killed: the same command continues with what is not complete
begun() { # until the second cell waits
    tries=0
    until grep -q "start .*s002" run.log; do sleep 0.05; tries=$((tries + 1)); [ $tries -lt 400 ]; done
}
WAIT=2 $matrix run -f any.yaml --again -n threads=1/rate=0.5 >run.log 2>&1 &
runner=$!
begun
kill -TERM $runner
got=0
wait $runner || got=$?
[ $got = 143 ]
count 1 '^stopped .*s002' run.log

# so does a batch system that ends the program before its runner
WAIT=2 $matrix run -f any.yaml --again -n threads=1/rate=0.5/s002 >run.log 2>&1 &
runner=$!
begun
until pkill -TERM -P $runner; do sleep 0.05; done
got=0
wait $runner || got=$?
[ $got = 143 ]
count 1 '^stopped .*s002' run.log
count 0 '^failed' run.log
mkdir other
(cd other; cp ../train.sh ../any.yaml ../claims.txt .)
cd other
WAIT=2 $matrix run -f any.yaml -n threads=1/rate=0.5 >run.log 2>&1 &
runner=$!
begun
expect 3 '^running +1$' $matrix status -f any.yaml -n threads=1/rate=0.5
kill -KILL $runner
got=0
wait $runner || got=$?
[ $got = 137 ]
touch go
expect 0 '^run: 2 complete$' $matrix run -f any.yaml -n threads=1/rate=0.5
expect 0 '^out: 3 of 9 cells, 6 not finished|^out: 3 of 3 cells' $matrix collect -f any.yaml -n threads=1/rate=0.5 -o out
