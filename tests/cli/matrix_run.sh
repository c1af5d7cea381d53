# run and status: what is run, what each ending is called, and what stays behind.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
export FAKE_JOURNAL=$PWD/journal

expect 3 '^missing +6$' $matrix status -f small.yaml
cell=results/runs/p/walk/native/any/copy/s001 hash='[0-9a-f]{8}'
train="samebits train --data cache/data/walk-$hash.h5 --model prednet .*-o $cell/$hash.h5"
expect 0 "^mkdir -p $cell && .*/$train$" $matrix run -f small.yaml --dry-run
count 7 '^mkdir ' expect.out # six cells and the data set
absent results cache journal
# a shell does the same with them
$matrix run -f small.yaml --results 'by hand' --dry-run | sh -e
expect 0 '^complete +6$' $matrix status -f small.yaml --results 'by hand'
rm -rf cache journal data.log

# a failure is reported with its log and the one command that runs the cell again
FAKE_FAIL=copy/s002 expect 1 '^1 of 6 cells failed$' $matrix run -f small.yaml -j 2
count 5 '^complete  p/walk/native/any/' expect.out
count 1 '^failed    p/walk/native/any/copy/s002 /[0-9a-f]{8}  exit code 1: results/.*h5: invented failure$' expect.out
count 1 '^  log:   results/runs/p/walk/native/any/copy/s002/[0-9a-f]{8}.log$' expect.out
again=$(sed -n 's/^  again: //p' expect.out)
grep -q 'invented failure' "$(sed -n 's/^  log:   //p' expect.out)"
expect 3 '^failed p/walk/native/any/copy/s002 /[0-9a-f]{8}: exit code 1: results/.*h5: invented failure$' \
    $matrix status -f small.yaml
count 1 '^complete +5$' expect.out
expect 5 'none of the 6 selected cells is missing$' $matrix run -f small.yaml --missing
expect 0 '^complete  p/walk/native/any/copy/s002' $again
expect 0 '^complete +6$' $matrix status -f small.yaml
count 1 '^synth walk --seed 1 -o cache/data/walk-' data.log
[ -z "$(find results -name '*.failed' -o -name '*.lock' -o -name '*.part')" ]

# trained by hand since its failure, the cell is complete, and the next run removes the note and what was left of a kill
FAKE_FAIL=copy/s001 expect 1 failed $matrix run -f small.yaml --results mended -n copy/s001
$matrix run -f small.yaml --results mended -n copy/s001 --dry-run >by-hand.sh
FAKE_LATE=copy/s001 sh by-hand.sh || true
run=$(find mended -name '????????.h5')
ls "${run%.h5}.failed" "$run.journal"
expect 0 '^1 cell: 1 complete$' $matrix run -f small.yaml --results mended -n copy/s001
absent "${run%.h5}.failed" "$run.journal" "${run%.h5}.lock"

# nothing is left to do, and nothing is done
cp journal journal.before
expect 0 '^6 cells: 6 complete$' $matrix run -f small.yaml
same journal journal.before
expect 5 'none of the 6 selected cells is failed$' $matrix run -f small.yaml --failed

# other facts: the old runs are stale, and stay
sed 's/updates: 12/updates: 14/' small.yaml >changed.yaml
expect 3 '^stale +6$' $matrix status -f changed.yaml
expect 0 '^run: 1 complete$' $matrix run -f changed.yaml --stale -n copy/s001
expect 3 '^stale +5$' $matrix status -f changed.yaml
expect 0 '^complete +6$' $matrix status -f small.yaml

# a damaged run file is no run; the next attempt moves it aside
FAKE_DAMAGE=s001 expect 1 'failed .*exit code 0, but: ' $matrix run -f small.yaml --results damaged -n copy/s001
expect 7 '^failed p/.*/s001 ' $matrix status -f small.yaml --results damaged -n copy/s001
expect 0 '^moved .*corrupt.h5$' $matrix run -f small.yaml --results damaged -n copy/s001
expect 0 '^complete +1$' $matrix status -f small.yaml --results damaged -n copy/s001
[ "$(find damaged -name '*.corrupt.h5' | wc -l)" = 1 ]

# the run of another cell under this cell's name is not this cell
run=$(find damaged -name '????????.h5')
cp results/runs/p/walk/native/any/copy/s002/????????.h5 "$run"
expect 7 "holds the run of another cell" $matrix status -f small.yaml --results damaged -n copy/s001

# what this machine cannot run is not run; only where nothing can run it is an error
cat >gpu.yaml <<'END'
hardware: hw.yaml
data: [{name: walk, make: synth walk --seed 1}]
defaults: {model: prednet, data: walk, updates: 4, target: copy}
studies:
  - name: g
    seeds: 2
    require: [sm>=9999]
    zip: [{backend: cublas, hardware: gtx-1080}]
  - {name: c, seeds: 1, options: {backend: native, hardware: any}}
END
expect 0 '^run: 1 complete' $matrix run -f gpu.yaml
expect 0 '^hardware missing +2$' $matrix status -f gpu.yaml
count 1 '^hardware missing for 2 cells: needs sm>=9999, here is [0-9none]+$' expect.out
expect 4 'no selected cell can run here' $matrix run -f gpu.yaml -n ^g
FAKE_UNABLE=c/walk expect 3 '1 of 1 cells could not run here' $matrix run -f gpu.yaml -n ^c --results elsewhere

# a data set that cannot be made: said, with what to do; its cells are left out and counted, the others run
cat >fpsi.yaml <<'END'
hardware: hw.yaml
data: [{name: fpsi, fetch: fpsi-sources, make: convert fpsi, from: fpsi, hint: put the videos into cache/fpsi}]
defaults: {model: prednet, data: fpsi, updates: 4, target: copy, backend: native, hardware: any}
studies: [{name: f, seeds: 1}]
END
try="put the videos into cache/fpsi; name a copy with --mirror DIR\|URL, or try 'make demo'"
expect 4 "fpsi-[0-9a-f]*.h5: the data set fpsi cannot be made \(exit code 4\); $try" \
    $matrix run -f fpsi.yaml --mirror /media/copy --results none
grep -qx 'fetch fpsi-sources --mirror /media/copy' data.log
mkdir -p copy/fpsi
expect 4 'fpsi cannot be made' $matrix run -f fpsi.yaml --mirror copy --results none
grep -q '^convert fpsi --from copy/fpsi -o cache/data/fpsi-' data.log
absent none
# ... and a folder of what would be fetched is taken instead
mkdir -p copy/cifar10
sed 's/fetch: [a-z-]*/fetch: cifar10/; s/from: [a-z]*/from: cifar10/; s/make: convert fpsi/make: convert cifar10/; s/fpsi/cifar10/g' fpsi.yaml >cifar10.yaml
expect 0 '^complete  f/cifar10/' $matrix run -f cifar10.yaml --mirror copy --results mirrored
grep -q '^convert cifar10 --from copy/cifar10 -o cache/data/cifar10-' data.log
count 0 '^fetch cifar10' data.log
sed 's/^data: \[/&{name: walk, make: synth walk --seed 1}, /; s/^studies: \[/&{name: w, seeds: 2, options: {data: walk}}, /' fpsi.yaml >both.yaml
expect 3 '^1 of 3 cells could not run without their data: the data set fpsi cannot be made' \
    $matrix run -f both.yaml --results part
count 2 '^complete  w/walk/' expect.out
count 1 '^run: 2 complete$' expect.out
# where a person has to bring something that is known before anything starts
sed -i 's/fetch: fpsi-sources, //' both.yaml
rm data.log
why='the data set fpsi is not here: put the videos into cache/fpsi'
expect 3 "^data missing for 1 cell: $why\$" $matrix run -f both.yaml --results part
count 1 '^3 cells: 2 complete, 1 data missing$' expect.out
count 1 "^1 of 3 cells could not run without their data: $why; 'make demo' needs none\$" expect.out
expect 3 "^data missing for 1 cell: $why\$" $matrix status -f both.yaml --results part
count 1 '^1 cell could run, if the data were here$' expect.out
expect 0 "^data missing: $why\$" $matrix status -f both.yaml --results part ^f
expect 0 "^f/fpsi/native/any .* 1 +0 +0  the data set fpsi is not here\$" $matrix plan -f both.yaml --results part
expect 0 '2 of 3 cells' $matrix collect -f both.yaml --results part -o part
count 1 "^data missing,f/fpsi/native/any/copy/s001/[0-9a-f]{8},$why\$" part/coverage.csv
expect 4 "^1 of 1 cells could not run without their data: $why" $matrix run -f both.yaml -n ^f --results part
absent data.log
mkdir -p cache/fpsi
expect 3 '^missing +1$' $matrix status -f both.yaml --results part
rm -r cache/fpsi

# a video that a person brings: where it belongs, and the option that names another folder
sed 's/^data: .*/data: [{name: film, make: convert video cache\/film.mp4 --size 48x32}]/; s/fpsi/film/' fpsi.yaml >film.yaml
bring="put that there, or name the folder that has it: --mirror DIR \(of make: MIRROR=DIR\)"
for mirror in '' '--mirror copy'; do
    expect 4 "^1 of 1 cells could not run without .* film is not here: it is made from cache/film.mp4; $bring; 'make demo'" \
        $matrix run -f film.yaml --results none $mirror
done
touch copy/film.mp4
$matrix run -f film.yaml --results none --mirror copy >film.out 2>&1 || true
grep -q '^convert video copy/film.mp4 --size 48x32 -o cache/data/film-' data.log
rm -rf none

# no room, no right: a sentence, not a crash
touch file
expect 1 'file: (Not a directory|File exists)|file/runs: Not a directory' $matrix run -f small.yaml --results file
expect 2 '^x+\.\.\.: this path is too long$' $matrix run -f small.yaml --results "$(printf 'x%.0s' $(seq 4090))"
