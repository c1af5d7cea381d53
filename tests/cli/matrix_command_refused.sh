# What a study with a command says that makes no sense: a sentence with the line, and a code; outputs that hold no result.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
cat >train.sh <<'EOF'
cp "output.$1" "$2"
EOF
write() { # COMMAND AXES MORE...: a matrix file of these
    printf 'studies:\n  - name: toy\n    command: %s\n    axes: {%s}\n    seeds: 2\n    metrics: [{name: loss}]\n' "$1" "$2" >bad.yaml
    shift 2
    printf '    %s\n' "$@" >>bad.yaml
}
refuse() { # SENTENCE
    expect 2 "$1" $matrix list -f bad.yaml
}

# places, axes and names
write 'sh train.sh {seed} {rte} {csv}' 'rate: [1]'
refuse "^bad.yaml:3: the place \{rte\} has no value: no axis, option or zip row sets 'rte', did you mean \{rate\}\?$|'rate' has values, and the command no place \{rate\}"
write 'sh train.sh {seed} {rate} {rte} {csv}' 'rate: [1]'
refuse "^bad.yaml:3: the place \{rte\} has no value: no axis, option or zip row sets 'rte', did you mean \{rate\}\?$"
write 'sh train.sh {seed} {csv}' 'rate: [1]'
refuse "^bad.yaml:4: 'rate' has values, and the command no place \{rate\} for them$"
write 'sh train.sh {csv}' ''
refuse "^bad.yaml:5: 'seed' has values, and the command no place \{seed\} for them$"
write 'sh train.sh {seed} {csv} {lr}' 'lr: [1]'
refuse "^bad.yaml:4: 'lr' is a setting of samebits train, which a command does not have; choose another name, such as 'my_lr'$"
write 'sh train.sh {seed} {csv} {run}' ''
refuse '^bad.yaml:3: the command wants one place for its output, \{run\}, \{csv\} or \{jsonl\}, and has several$'
write 'sh train.sh {seed}' ''
refuse '^bad.yaml:3: the command wants one place for its output, .*, and has none$'
write 'sh train.sh {seed} {csv} {hash}' 'hash: [1]'
refuse "^bad.yaml:4: the name 'hash' has a meaning of its own; choose another name, such as 'my_hash'$"
write 'sh train.sh {seed} {csv}' 'Rate: [1]'
refuse "^bad.yaml:4: a name wants small letters, digits and '_', a letter first, 31 at most, not 'Rate'$"
write 'sh train.sh {seed} {csv}' '' 'environment: [OMP NUM=1]'
refuse "^bad.yaml:7: environment wants NAME=value, not 'OMP NUM=1'$"
write 'sh train.sh {seed} {csv}' '' 'files: [absent.py]'
refuse '^bad.yaml:7: absent.py: no such file$'
write 'sh train.sh {seed} {csv}' '' 'files: [.]'
refuse '^bad.yaml:7: \.: no file; name each file in it$'
write 'sh train.sh {seed} {csv} {ulp}' '' 'model: prednet'
refuse "^bad.yaml:7: unknown key 'model'$"
write 'sh train.sh {seed} {csv}' ''
sed -i 's/{name: loss}/{name: loss, better: best}/' bad.yaml
refuse "^bad.yaml:6: better wants lower or higher, not 'best'$"
write 'sh train.sh {seed} {csv}' ''
opposite=$(sed -n 's/name: toy/name: other/; s/{name: loss}/{name: loss, better: higher}/; 2,6p' bad.yaml)
echo "$opposite" >>bad.yaml
refuse "^bad.yaml:[0-9]+: study 'toy' says the opposite of which 'loss' is better; give one of them another name$"
metrics() { seq -f "{name: $1%g}" -s ', ' "$2"; } # PREFIX N
write 'sh train.sh {seed} {csv}' ''
sed -i "s/{name: loss}/$(metrics a 20)/" bad.yaml
printf '  - {name: other, command: "sh train.sh {seed} {csv}", seeds: 2, metrics: [%s]}\n' "$(metrics a 20), $(metrics b 12)" >>bad.yaml
expect 0 '^other/s002 ' $matrix list -f bad.yaml
sed -i 's/{name: b12}/&, {name: b13}/' bad.yaml
sed -i 's/{name: a20}, {name: b1}/{name: b1}/' bad.yaml # 32 in the study, 33 in the file
refuse '^bad.yaml: more than 32 metrics in all studies together$'
printf 'claims: c.yaml\n' >>bad.yaml
echo 'claims: [{of: {study: toy}, over: {study: other}, metric: b13, relation: greater}]' >c.yaml
refuse '^bad.yaml: more than 32 metrics in all studies together$'
rm c.yaml
write 'sh train.sh {seed} {rate} {csv}' 'rate: ["a\nb"]'
refuse "^bad.yaml:[0-9]+: a value of 'rate' holds a line end or another control character$"
write 'sh train.sh {seed} {csv}' ''
sed -i '/metrics/d' bad.yaml
refuse "^bad.yaml:2: study 'toy' has a command and no metrics: name the columns of its output$"
write 'sh train.sh {seed} {csv}' '' 'options: {hardware: any}'
refuse "hardware 'any' wants a file of hardware"
write 'sh train.sh {seed} {csv}' ''
printf '  - name: ours\n    options: {}\n' >>bad.yaml
refuse "^bad.yaml:8: study 'ours' has no command, and another of this file has one; write a file for each kind$"
write 'sh train.sh {seed} {csv}' ''
printf 'claims: c.yaml\n' >>bad.yaml
refuse '^bad.yaml:8: c.yaml: no such file$'
write 'sh train.sh {seed} {csv}' '' 'metrics: [{name: output}]'
sed -i '6d' bad.yaml
refuse "^bad.yaml:6: 'output' is the name of an axis, a setting, a column or another metric, too$"

# a command that is not there: no cell can run here
write './trainer {seed} {csv}' ''
expect 4 '^no selected cell can run here' $matrix run -f bad.yaml
expect 4 'needs the program ./trainer$' $matrix doctor -f bad.yaml
expect 0 '^here: ' $matrix status -f bad.yaml s001
also '^hardware missing: needs the program ./trainer$'

# outputs: each its own sentence; the last field of a column counts, also where later rows leave it empty
write 'sh train.sh {seed} {csv}' ''
printf 'step,accuracy\n1,0.5\n' >output.1
printf 'step,loss\n1,\n' >output.2
expect 1 "s001 .*exit code 0, but: .*csv: .*'loss'" $matrix run -f bad.yaml
also "s002 .*exit code 0, but: .*csv: has no value of 'loss', which metrics of study 'toy' promises$"
printf 'step,loss\n1,high\n' >output.1
printf 'step,loss\n1,2,3\n' >output.2
expect 1 "s001 .*exit code 0, but: .*csv:2: .*'high'" $matrix run -f bad.yaml
also 's002 .*exit code 0, but: .*csv:2: '
printf 'step,loss\n1,0.5\n2,\n' >output.1
printf 'step;loss\n1;0.25\n2;nan\n' >output.2
expect 0 '^run: 2 complete \(1 of them diverged\)$' $matrix run -f bad.yaml
also '^diverged .*s002 .*at update 2$'
$matrix collect -f bad.yaml -o out
count 1 '^toy/s001,[0-9a-f]*,toy,1,0.5,2,,' out/cells.csv
count 1 '^toy/s002,[0-9a-f]*,toy,2,nan,2,yes,' out/cells.csv

# lines of JSON: the last line that has the key; NaN as Python writes it; what is no JSON
write 'sh train.sh {seed} {jsonl}' ''
printf '{"loss": 0.5, "text": "NaN"}\n{"step": 2}\n\n' >output.1
printf '{"loss": 0.5}\n{"loss": NaN}\n' >output.2
expect 0 '^run: 2 complete \(1 of them diverged\)$' $matrix run -f bad.yaml --results json
$matrix collect -f bad.yaml --results json -o json
count 1 '^toy/s001,[0-9a-f]*,toy,1,0.5,2,,' json/cells.csv
count 1 '^toy/s002,[0-9a-f]*,toy,2,nan,2,yes,' json/cells.csv
printf '{"loss": 0.5\n' >output.1
printf '{"step": 1}\n' >output.2
expect 1 's001 .*exit code 0, but: .*jsonl: line 1 is no JSON object$' $matrix run -f bad.yaml --results json2
also "s002 .*exit code 0, but: .*jsonl: has no value of 'loss'"

# a recording that is none
write 'sh train.sh {seed} {run}' ''
expect 1 's001 .*exit code 0, but: .*run: ' $matrix run -f bad.yaml --results run

# a metric that never changes is told
write 'sh train.sh {seed} {csv}' ''
printf 'step,loss\n1,0.5\n' >output.1
cp output.1 output.2
expect 0 '^run: 2 complete$' $matrix run -f bad.yaml --results same
expect 0 "^bad.yaml: the metric 'loss' is 0.5 in all 2 cells; does the program use its seed and its axes\?$" \
    $matrix collect -f bad.yaml --results same -o same
