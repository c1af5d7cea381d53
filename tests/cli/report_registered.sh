# Claims registered before their runs: from the matrix file into each run, kept when a run goes on, collected, and said.
cp "$SB_SOURCE/matrix/hardware.yaml" .
samebits-data synth walk --size 48x32 --frames 60 --seed 1 -o walk.h5 2>&1
cat >m.yaml <<'END'
hardware: hardware.yaml
claims: c.yaml
data: [{name: walk, make: synth walk --size 48x32 --frames 60 --seed 1}]
studies:
  - name: p
    options: {model: prednet, data: walk, updates: 2, channels: '3,4'}
    seeds: 2
    axes: {target: [copy, shared]}
    zip: [{backend: native, hardware: any, threads: 1}]
END
# claim NAME MARGIN: one of shared over copy
claim() {
    printf "  - {name: %s, by: me, text: %s, of: {target: shared}, over: {target: copy}, each: setting, relation: equivalent, metric: loss_last, margin: '%s', seeds: '2'}\n" "$1" "$3" "$2"
}
{ echo claims:; claim first 1.05 one; claim second 1.5 two; } >c.yaml
run() { samebits-matrix run -f m.yaml --engine none "$@" >run.log 2>&1 || { cat run.log; exit 1; }; }
collect() { samebits-matrix collect -f m.yaml -o out >run.log 2>&1 || { cat run.log; exit 1; }; }
judge() { samebits-report claims -i out --runs results --claims "$@"; }
run
collect
[ "$(wc -l <out/registrations.csv)" = 5 ] # of each claim the rule, and the four cells that it speaks of
[ "$(grep -c ',first\.4,' out/registrations.csv)" = 1 ]
[ "$(sed 1d out/registrations.csv | cut -d, -f1 | sort -u | wc -l)" = 1 ]
expect 0 '^    registered before its runs' judge c.yaml
[ "$(grep -c 'registered before its runs' expect.out)" = 2 ]

# reworded it is the same rule; with another margin, metric or number of seeds it is not
{ echo claims:; claim other 1.05 'said otherwise'; } >reworded.yaml
expect 0 '^    registered before its runs' judge reworded.yaml
for change in 's/1.05/1.06/' 's/loss_last/loss_mean/' "s/seeds: '2'/seeds: '3'/" 's/equivalent/no difference/' 's/, each: setting//'; do
    sed "$change" reworded.yaml >changed.yaml
    expect 0 '^    formulated after its runs' judge changed.yaml
done
expect 2 'name a file, not a pipe' judge <(cat reworded.yaml)
sed "s/seeds: '2'/seeds: '3'/" reworded.yaml >three.yaml
expect 0 '^undetermined' judge three.yaml
also 'needs 3 seeds; the first condition has 2, the second 2, both 2'

# cells that leave the matrix file afterwards: the claim says so; those that coverage.csv names are named elsewhere
lacks expect.out 'registered with|cells registered'
{ echo claims:; claim first 1.05 one; } >first.yaml
{ echo 'question: Is it so?'; cat first.yaml; } >asked.yaml
cp m.yaml whole.yaml
sed -i 's/seeds: 2/seeds: 1/' m.yaml
collect
expect 0 '^    registered before its runs; 2 of the 4 cells registered are not in these tables$' judge first.yaml
expect 0 'before its runs; cells registered with it are not in these tables\.$' samebits-report answer -i out --runs results --claims asked.yaml
{ cat whole.yaml; echo "    exclude: [{seed: 2, target: shared, reason: its start is odd}]"; } >m.yaml
collect
expect 0 '^    not in the tables: 1 cell excluded: its start is odd$' judge first.yaml
lacks expect.out 'cells registered|registered with'
sed 's/seeds: 2/seeds: 3/' whole.yaml >m.yaml
run
collect
expect 0 '^    registered before its runs; registered with 4 cells, which are not the 6 of these tables$' judge first.yaml
cp whole.yaml m.yaml
collect

# a claim of later is behind the runs of later alone; a run that goes on keeps what stood when it began
{ echo claims:; claim first 1.05 one; claim third 1.2 three; } >c.yaml
sed -i 's/updates: 2/updates: 3/' m.yaml
run -n s001
sed -i '/third/d' c.yaml
run
collect
[ "$(sed 1d out/registrations.csv | cut -d, -f1 | sort -u | wc -l)" = 2 ]
expect 0 '^    registered before its runs' judge c.yaml
{ echo claims:; claim third 1.2 three; } >third.yaml
expect 0 '^    registered before 2 of its 4 runs' judge third.yaml
samebits train --data walk.h5 --channels 3,4 --updates 1 --quiet --claims "a=0123456789abcdef0123456789abcdef" -o going.h5 >/dev/null
samebits train --data walk.h5 --channels 3,4 --updates 2 --quiet --claims "b=00000000000000000000000000000000" -o going.h5 >/dev/null
grep -aq 'a=0123456789abcdef0123456789abcdef' going.h5
if grep -aq 'b=00000000' going.h5; then echo 'FAILED: what stands later is in the run'; exit 1; fi

# a row that says more than its run
cp -r out forged
id=$(sed 1d out/registrations.csv | cut -d, -f1 | sort -u | head -n 1) late=$(sed 1d out/registrations.csv | cut -d, -f1 | sort -u | tail -n 1)
sed -i "s/,$id,/,@,/; s/,$late,/,$id,/; s/,@,/,$late,/" forged/cells.csv
seal forged
expect 7 'registration of p/walk/native/any/copy/s001 is' samebits-report write --only numbers -i forged --runs results -o numbers

# a rule put into the set of a registration that never had it: the set no longer makes its id
cp -r out forged2
sed -i '2s/,[0-9a-f]*$/,0123456789abcdef0123456789abcdef/' forged2/registrations.csv
seal forged2
expect 7 'registrations.csv:2: the claims of registration [0-9a-f]* are not those that were collected' \
    samebits-report claims -i forged2 --claims c.yaml
cp -r out forged3
sed -i '2d' forged3/registrations.csv
seal forged3
expect 7 'are not those that were collected' samebits-report claims -i forged3 --claims c.yaml

# wrong inputs
expect 2 "claims wants NAME=DIGEST, blanks between them, not 'a=1'" samebits train --data walk.h5 --channels 3,4 --updates 1 --claims a=1 -o w.h5
absent w.h5
sed 's/c.yaml/none.yaml/' m.yaml >m2.yaml
expect 2 'none.yaml: no such file' samebits-matrix list -f m2.yaml
sed -i "s/margin: '1.05'/margin: '0.5'/" c.yaml
expect 2 "c.yaml:[0-9]+: margin wants a ratio above 1, not '0.5'" samebits-matrix list -f m.yaml
sed -i "s/margin: '0.5'/margin: '1.05'/; s/seeds: '2'/seeds: few/" c.yaml
expect 2 "c.yaml:[0-9]+: seeds wants whole numbers from 2 on, with | between, not 'few'" samebits-matrix list -f m.yaml
