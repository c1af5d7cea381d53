# A system call of the runner, of a trainer below it, or of collect, bundle and unbundle that fails: no wrong exit code,
# nothing half written, and the same tables from the same command afterwards.
. "$SB_SOURCE/tests/cli/faults.sh"
cat >hw.yaml <<'END2'
hardware: [{name: any}]
END2
cat >small.yaml <<'END2'
hardware: hw.yaml
data: [{name: digits, make: synth digits --images 60 --test 10 --seed 1}]
studies:
  - name: p
    options: {model: autoencoder, data: digits, updates: 12, batch: 10, hidden: 4, checkpoint_every: 5, target: copy}
    seeds: 2
    zip: [{backend: native, hardware: any, threads: 1}]
END2
cat >run-and-collect <<'END2'
#!/bin/bash
samebits-matrix run -f small.yaml --results out --data out/data --engine none || exit
samebits-matrix collect -f small.yaml --results out --data out/data -o out/tables
END2
chmod +x run-and-collect
tables="cells curves distances coverage"

# the tables are the wanted ones; "broken": each of them, or none
judge_tables() {
    local table
    for table in $tables; do
        { [ "$1" = broken ] && [ ! -e out/tables/$table.csv ]; } || cmp wanted/$table.csv out/tables/$table.csv || return 1
    done
    [ ! -e out/tables/SHA256SUMS ] || (cd out/tables && sha256sum --quiet -c SHA256SUMS)
}
prepare() { # with the trainer that is first on the path
    rm -rf out wanted
    ./run-and-collect >said 2>&1 || { cat said; exit 1; }
    mv out/tables wanted
    rm -rf out
}

# ---- a trainer that does little ----
mkdir bin
cp "$SB_BUILD/bin/samebits-matrix" "$SB_BUILD/bin/samebits-data" bin/
cp "$SB_BUILD/bin/fake_samebits" bin/samebits
real=$PATH
PATH=$PWD/bin:$PATH
prepare
walk 'run and collect, a stand-in for the trainer' 6 judge_tables ./run-and-collect

# ---- the trainer ----
PATH=$real
prepare
walk 'run and collect' 9 judge_tables ./run-and-collect

# ---- collect over the tables of before ----
rm -rf out
./run-and-collect >said 2>&1
rm -rf start; mv out start
walk 'collect' 5 judge_tables samebits-matrix collect -f small.yaml --results out --data out/data -o out/tables

# A reader that is killed, as where memory is short, says nothing about its file: no table without it.
at=$(grep -m1 ' openat .*\.ok$' calls.all | cut -d' ' -f1)
cases=0
one_case KILL "$at" judge_tables samebits-matrix collect -f small.yaml --results out --data out/data -o out/tables
case $case_text in *'-> 1') echo "ok: $case_text" ;; *) wrong "an exit code that says something else" ;; esac

# ---- collect, where other tables were: each is an old one or a new one, and a mixture does not pass for either ----
for table in $tables; do echo "of before" >start/tables/$table.csv; done
(cd start/tables && sha256sum ./*.csv | sed 's/ \.\// /' >SHA256SUMS)
judge_renewed() {
    local table
    for table in $tables; do
        { [ "$1" = broken ] && grep -qx 'of before' out/tables/$table.csv; } || cmp wanted/$table.csv out/tables/$table.csv || return 1
    done
    (cd out/tables && sha256sum --quiet --status -c SHA256SUMS) || [ "$1" = broken ]
}
walk 'collect over older tables' 5 judge_renewed samebits-matrix collect -f small.yaml --results out --data out/data -o out/tables

# ---- unbundle ----
rm -rf start; mkdir -p start made/samebits-bundle/bin
cp hw.yaml small.yaml made/samebits-bundle/
cp "$(command -v sha256sum)" made/samebits-bundle/bin/samebits
(cd made/samebits-bundle && find . -type f -printf '%P\n' | sort | xargs sha256sum >MANIFEST.new && mv MANIFEST.new MANIFEST)
sed -i '/MANIFEST/d' made/samebits-bundle/MANIFEST
tar -C made -cf study.tar samebits-bundle
make_file frame study.tar bundle
judge_folder() {
    { [ "$1" = broken ] && [ ! -e out/new ]; } || diff -r made/samebits-bundle out/new
}
walk 'unbundle' 6 judge_folder samebits-matrix unbundle study.tar -o out/new
