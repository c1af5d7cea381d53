# What a matrix file says has an effect, or is refused with file, line and the choice that has it; see train_settings.sh.
cp "$SB_SOURCE/matrix/hardware.yaml" .
# study DEFAULTS OPTIONS [LINE...]: a study in study.yaml
study() {
    cat >study.yaml <<EOF
hardware: hardware.yaml
data:
  - name: digits
    make: synth digits --images 96 --test 8 --seed 1
defaults: {data: digits, hardware: any, backend: native, updates: 2$1}
studies:
  - name: s
    seeds: 1
    options: {$2}
EOF
    shift 2
    [ $# = 0 ] || printf '%s\n' "$@" >>study.yaml
}
list="samebits-matrix list -f study.yaml"

study ', target: copy' 'model: lenet, window: 5'
expect 2 '^study.yaml:9: window: model lenet has no window; model prednet has it$' $list
study ', target: copy' 'model: lenet' '    axes:' '      window: [5, 10]'
expect 2 '^study.yaml:11: window: model lenet has no window' $list
study ', target: copy' 'model: mlp' '    zip:' '      - {optimizer: momentum, momentum: 0.5}' '      - {optimizer: sgd, momentum: 0.5}'
expect 2 '^study.yaml:12: momentum: optimizer sgd has no momentum; optimizers momentum-buffer' $list
study ', target: copy' 'model: mlp' '    include:' '      - {search: deep-ga, lr: 0.1}'
expect 2 '^study.yaml:11: lr: search deep-ga has no lr; search gradient has it$' $list
study '' 'model: lenet, target: shared'
expect 2 '^study.yaml:9: target: model lenet has no target; model prednet has it$' $list
study ', target: copy' 'model: mlp, patience: 3'
expect 2 '^study.yaml:9: patience: without validate_every it has no effect$' $list
study ', target: copy' 'model: mlp, backend: openblas, arithmetic: direct'
expect 2 '^study.yaml:9: arithmetic: backend openblas has no arithmetic' $list

# what the run does anyway, and a cell that is excluded
study ', target: copy' 'model: mlp, optimizer: sgd, momentum: 0, patience: 5, early_stop: off, lr_knots: auto'
expect 2 '^study.yaml:9: lr_knots wants at most 16 numbers' $list # auto is for command lines
study ', target: copy' 'model: mlp, optimizer: sgd, momentum: 0, patience: 5, early_stop: off, tf32: off'
expect 0 '^s/digits/native/any/copy/s001' $list
study '' 'model: lenet' '    axes:' '      target: [copy, shared]' '    exclude:' '      - {target: shared, reason: one step}'
expect 0 '^s/digits/native/any/copy/s001' $list

# a default is for the cells that have it: the others train without, and keep it in their record
study ', target: copy, beta1: 0.5' 'model: mlp' '    zip:' '      - {optimizer: adam, batch: 8}' '  - name: t' '    seeds: 1' \
    '    options: {model: mlp, optimizer: sgd, batch: 8}'
expect 0 '^t/digits/native/any/copy/s001' $list
samebits-matrix run -f study.yaml --dry-run >commands.txt 2>&1
grep -q -- '--optimizer adam .*--beta1 0.5' commands.txt
grep '^.*--optimizer sgd' commands.txt | sed 's/--record.*//' >sgd.txt
[ -s sgd.txt ]
lacks sgd.txt '--beta1'
expect 0 '2 complete' samebits-matrix run -f study.yaml
expect 0 'beta1' samebits-matrix list -f study.yaml --json

# one that no cell has is refused
study ', target: copy, beta1: 0.5' 'model: mlp, optimizer: sgd'
expect 2 '^study.yaml:5: beta1 has an effect in no cell: optimizer sgd has no beta1; optimizers adam, ' $list

# two files of published results set what has no effect: as they are, and not when edited
for file in largebatch lbfgs; do
    expect 0 'mnist/native' samebits-matrix list -f "$SB_SOURCE/matrix/$file.yaml"
    sed "s|^claims:.*||" "$SB_SOURCE/matrix/$file.yaml" >edited.yaml
    expect 2 '^edited.yaml:[0-9]*: (weight_decay: optimizer adam has no weight_decay|hold_out has an effect in no cell)' \
        samebits-matrix list -f edited.yaml
done
