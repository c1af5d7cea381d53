# A variable from outside that gives OpenBLAS other kernels than this CPU's own: the runs are emulated, not measured; the tables
# name the kernel type that computed; info, doctor and run name the variable.
own=$(samebits info | sed -n 's/^  openblas_kernel  *//p')
case $(uname -m) in x86_64) ;; *) echo 'skipped: kernel types of x86'; exit 77 ;; esac
other=Prescott
[ "$own" != Prescott ] || other=Nehalem
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >study.yaml <<'EOF'
hardware: hardware.yaml
data:
  - name: walk
    make: synth walk --size 16x16 --frames 30 --seed 1
defaults: {model: prednet, data: walk, hardware: any, channels: '3,4', updates: 2, target: copy, threads: 1}
studies:
  - {name: own, options: {backend: openblas}, seeds: 1}
  - {name: chosen, options: {backend: openblas, blas_kernel: Nehalem}, seeds: 1}
  - {name: native, options: {backend: native}, seeds: 1}
EOF

# fields FOLDER: study, evidence and kernel of each cell
fields() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["study"], $at["evidence"], $at["kernel"] }' \
        "$1/cells.csv"
}

# study FOLDER: run and collect
study() {
    expect 0 '3 complete' samebits-matrix run -f study.yaml --results "$1"
    expect 0 '' samebits-matrix collect -f study.yaml --results "$1" -o "$1-tables"
}

study plain
expect 0 '^own measured '"$own"'$' fields plain-tables
also '^chosen measured Nehalem$'
also '^native measured $'
if samebits info | grep 'OPENBLAS_CORETYPE'; then echo 'FAILED: no variable is set'; exit 1; fi

export OPENBLAS_CORETYPE=$other
expect 0 "^  openblas's kernels here: $other, because OPENBLAS_CORETYPE is set; this CPU's own: $own\$" samebits info
expect 0 "^  OPENBLAS_CORETYPE $other: .*not this CPU's own" samebits-matrix doctor -f study.yaml
expect 0 '^own/.* emulated$' samebits-matrix list -f study.yaml
also '^chosen/.* measured$'
also '^native/.* measured$'
study foreign
expect 0 '' samebits-matrix run -f study.yaml --results again
also '^OPENBLAS_CORETYPE in the environment chooses the kernels of openblas for 1 cell: emulated, not measured'
expect 0 "^own emulated $other\$" fields foreign-tables
also '^chosen measured Nehalem$'
also '^native measured $'
# a table is of the runs: it says so as well where the variable is gone
unset OPENBLAS_CORETYPE
expect 0 '' samebits-matrix collect -f study.yaml --results foreign -o later-tables
expect 0 "^own emulated $other\$" fields later-tables

# a variable that names this CPU's own type changes nothing, as the modules of clusters do
export OPENBLAS_CORETYPE=$own
expect 0 '^own/.* measured$' samebits-matrix list -f study.yaml
study same
expect 0 "^own measured $own\$" fields same-tables
unset OPENBLAS_CORETYPE

# other blocks are other sums, for any kernel type
export OPENBLAS_L2_SIZE=4096
expect 0 '^chosen/.* emulated$' samebits-matrix list -f study.yaml
study blocks
expect 0 "^own emulated $own\$" fields blocks-tables
also '^chosen emulated Nehalem$'
also '^native measured $'
# ... also where a type is named beside them, which alone would be the cell's own choice
OPENBLAS_CORETYPE=$other expect 0 '^chosen/.* emulated$' samebits-matrix list -f study.yaml
unset OPENBLAS_L2_SIZE

# a table of an older program has no such column, and is read as before
sed -i 's/,kernel,/,kernel_of_old,/' plain-tables/cells.csv
seal plain-tables
expect 0 '' samebits-report write --only tables -i plain-tables -o printed
