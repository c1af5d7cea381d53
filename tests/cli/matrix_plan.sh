# plan, why and doctor: what is predicted and on what that rests, why a cell is in its state, what this machine can run.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
cpu=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1)
as_pattern=$(sed 's/[].[*^$()+?{|\\]/\\&/g' <<<"$cpu") # "Intel(R) Xeon(R)"
cat >two.yaml <<'END'
hardware: hw.yaml
data:
  - {name: walk, make: synth walk --seed 1}
  - {name: digits, make: synth digits --seed 1}
  - {name: clip, make: convert video no/such.mp4}
defaults: {model: prednet, target: copy, backend: native, hardware: any, threads: 1}
studies:
  - {name: p, seeds: 3, options: {data: walk, updates: 12}}
  - {name: long, seeds: 2, options: {data: walk, updates: 24}}
  - {name: a, seeds: 2, options: {data: digits, model: autoencoder, epochs: 1}}
  - {name: g, seeds: 2, options: {data: walk, updates: 12}, require: [sm>=9999]}
  - {name: c, seeds: 1, options: {data: clip, updates: 12}}
END

# ---- plan ----
mkdir no
touch no/such.mp4
expect 0 '^p/walk/native/any +measured +3 +0 +3 +unknown +unknown +nothing near it has run$' $matrix plan -f two.yaml
count 1 '^g/walk/native/any +absent +2 +0 +0 +needs sm>=9999, here is ' expect.out
count 1 '^all +10 +0 +8$' expect.out
count 1 '^time: unknown for 8 cells' expect.out
absent results cache
rm no/such.mp4
expect 0 '^c/clip/native/any +measured +1 +0 +0 +the data set clip is not here$' $matrix plan -f two.yaml
count 1 '^all +10 +0 +7$' expect.out
touch no/such.mp4

FAKE_CPU=$cpu $matrix run -f two.yaml -n '^p/.*s001' -n '^a/.*s001' 2>/dev/null # 1.5 s each, whatever they computed
expect 0 '^p/walk/native/any +measured +3 +1 +2 +1.5 s +3.0 s +1 run of it$' $matrix plan -f two.yaml
count 1 '^long/walk/native/any +measured +2 +0 +2 +3.0 s +6.0 s +as fast as p/walk/native/any$' expect.out
count 1 '^a/digits/native/any +measured +2 +1 +1 +1.5 s +1.5 s +1 run of it$' expect.out
count 1 '^c/clip/.* unknown +unknown +nothing near it has run$' expect.out
count 1 '^time: 11 s with -j 1 for 5 cells, if each runs as fast as those before it$' expect.out
count 1 '^time: unknown for 1 cell' expect.out
count 1 '^disk: [0-9.]+ KiB for 5 cells, unknown for the others; [0-9.]+ [KMGT]iB free in results$' expect.out
expect 0 '^time: 6.0 s with -j 2 for 5 cells' $matrix plan -f two.yaml -j 2
expect 0 '^p/walk/native/any +measured +3 +1 +3 +1.5 s +4.5 s' $matrix plan -f two.yaml -n ^p --again
expect 5 'none of the 3 selected cells is failed' $matrix plan -f two.yaml -n ^p --failed

# runs of another machine say less, and where there are both the own ones count
FAKE_CPU='Another CPU' $matrix run -f two.yaml -n '^p/.*s001' --results elsewhere 2>/dev/null
expect 0 '1.5 s +3.0 s +1 run of it, on another CPU$' $matrix plan -f two.yaml -n ^p --results elsewhere
FAKE_CPU=$cpu $matrix run -f two.yaml -n '^p/.*s002' --results elsewhere 2>/dev/null
expect 0 '1.5 s +1.5 s +1 run of it$' $matrix plan -f two.yaml -n ^p --results elsewhere

# ---- one cell ----
expect 0 '^complete$' $matrix status -f two.yaml p/walk/native/any/copy/s001
count 1 '^run: results/runs/p/walk/native/any/copy/s001/[0-9a-f]{8}.h5, 12 updates in 1.5 s on ' expect.out
count 1 '^to run it once more: samebits-matrix run -f two.yaml -n /[0-9a-f]{8} --again$' expect.out
expect 0 '^missing$' $matrix status -f two.yaml '^p.*s002'
expect 0 '^missing$' $matrix status -f two.yaml "$($matrix list -f two.yaml -n '^p.*s002' 2>/dev/null | cut -d' ' -f2)"
expect 0 '^hardware missing: needs sm>=9999, here is ' $matrix status -f two.yaml '^g.*s001'
count 1 "^here: $as_pattern" expect.out
count 1 '^to run it, on such a machine: ' expect.out
FAKE_FAIL=s002 $matrix run -f two.yaml -n '^p.*s002' 2>/dev/null || [ $? = 1 ]
expect 0 '^failed: exit code 1: .*invented failure$' $matrix status -f two.yaml '^p.*s002'
count 1 '^  \| \$ .*/samebits train ' expect.out
count 1 '^  \| .*invented failure$' expect.out
eval "$(sed -n 's/^to run it: //p' expect.out)" 2>/dev/null
expect 0 '^complete$' $matrix status -f two.yaml '^p.*s002'
sed 's/updates: 12/updates: 14, lr: 0.5/; s/, threads: 1//' two.yaml >changed.yaml
expect 0 '^stale$' $matrix status -f changed.yaml '^p.*s001'
count 1 '^  updates +12 -> 14$' expect.out
count 1 '^  lr +\(not set\) -> 0.5$' expect.out
count 1 '^  threads +1 -> \(not set\)$' expect.out
count 3 '^  .* -> ' expect.out
expect 2 "status: 'copy' means 10 cells, the first of them p/.*; name one" $matrix status -f two.yaml copy
expect 5 'no cell selected' $matrix status -f two.yaml nothing
expect 0 '^complete$' $matrix why -f two.yaml p/walk/native/any/copy/s001 # its name in release 0.1

# ---- doctor ----
rm -r no
expect 0 '^7 of 10 cells of two.yaml can run here$' $matrix doctor -f two.yaml
count 1 "^  cpu +$as_pattern$" expect.out
count 1 '^  walk +cache/data/walk-[0-9a-f]{8}.h5$' expect.out
count 1 '^  clip +not here: it is made from no/such.mp4; put that there, or name the folder that has it: --mirror DIR ' expect.out
count 1 '^  measured +7$' expect.out
count 1 '^ +2: needs sm>=9999' expect.out
count 1 '^ +1: the data set clip is not here and cannot be made$' expect.out
for group in tools engines machine disk data cells; do count 1 "^$group$" expect.out; done
expect 4 '^none of the 2 cells of two.yaml can run here' $matrix doctor -f two.yaml -n ^g
mkdir no
touch no/such.mp4
expect 0 '^8 of 10 cells' $matrix doctor -f two.yaml
expect 0 '^  walk +not here; run makes it$' $matrix doctor -f two.yaml --data nowhere
absent nowhere
mkdir alone
cp bin/samebits-matrix alone/
PATH=/usr/bin:/bin expect 4 'samebits, the trainer, is not here: make build' alone/samebits-matrix doctor -f two.yaml
