# Texts of others that try to be something else, in a matrix file, in a list of machines, in what a failing trainer says
# and in the name of a CPU: refused with a sentence, or text on the terminal, in tables, logs, job scripts and on the page
# of `watch`. Nothing in them is ever run.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
command -v perl >/dev/null || { echo "skipped: no perl"; exit 77; }
. "$SB_SOURCE/tests/support/texts.sh"
printf '#!/bin/sh\necho 7\n' >bin/sbatch
printf '#!/bin/sh\nexit 0\n' >bin/squeue
chmod +x bin/*

# must CODES COMMAND...: it ends with one of the codes, and what it prints is text
must() {
    local codes=$1 code=0
    shift
    "$@" >said 2>&1 || code=$?
    case " $codes " in *" $code "*) ;; *) echo "FAILED: $*: $code"; cat said; exit 1 ;; esac
    is_quiet said
    nothing_ran
}

# value KEY: one that is good; or the text, where it is one of $hostile_keys
hostile_keys= hostile=
value() {
    case " $hostile_keys " in *" $1 "*) echo "$hostile"; return ;; esac
    case $1 in
    data.name) echo walk ;; fetch) echo fpsi ;; make) echo synth walk --seed 1 ;; study) echo p ;; gres) echo gpu:h:1 ;;
    require) echo gpu ;; *) echo word ;;
    esac
}
write_files() {
    cat >hw.yaml <<END
hardware:
  - {name: any}
  - {name: h, cpu: $(value cpu), gpu: $(value gpu), sm: 61, gres: $(value gres), require: [$(value require)], note: $(value note)}
END
    cat >m.yaml <<END
hardware: hw.yaml
data: [{name: $(value data.name), fetch: $(value fetch), make: $(value make), from: $(value from), hint: $(value hint)}]
defaults: {model: prednet, updates: 12, window: 2, channels: '3,8'}
studies:
  - name: $(value study)
    options: {data: walk, target: copy}
    seeds: 2
    zip: [{backend: native, hardware: any, threads: 1}, {backend: cublas, hardware: h, threads: 1}]
    exclude: [{backend: cublas, seed: 2, reason: $(value reason)}]
    require: [$(value study.require)]
    tags: [$(value tag)]
END
    sed -i '/require: \[word\]/d' m.yaml
}

# ---- each key: control characters are refused, the text is refused or free ----
keys='data.name fetch make from hint study study.require reason tag cpu gpu gres require note'
yaml_controls=('"a\x01b"' '"a\e[2Jb"' '"a\u202eb"') n=0 free=
for hostile_keys in $keys; do
    n=$((n + 1))
    for hostile in "${yaml_controls[n % 3]}" "$yaml_text"; do
        write_files
        must '0 2' $matrix list -f m.yaml
        grep -qE '^(m|hw).yaml:[0-9]+: ' said && continue
        [ "$hostile" = "$yaml_text" ] || { echo "FAILED: $hostile_keys takes $hostile"; exit 1; }
        free+=" $hostile_keys"
    done
done
[ "$free" = ' from hint reason tag gres note' ] || { echo "FAILED: free keys:$free"; exit 1; }

# ---- all of them at once, and a trainer whose last words are the text ----
hostile=$yaml_text hostile_keys=$free
write_files
must '0 2' $matrix submit --slurm -f m.yaml --print
grep -q "^--gres: too long for hardware 'h'$" said
sed -i "s/gres: \"[^,]*,/gres: \"'; touch pwned; '\`touch pwned\`\", /" hw.yaml
cp bin/samebits bin/trainer
cat >bin/samebits <<END
#!/bin/bash
case " \$* " in *" --seed 2 "*) ;; *) exec "$PWD/bin/trainer" "\$@" ;; esac
printf 'samebits: %b %s %b\\n' '$controls' "\$HOSTILE" '$controls' >&2
exit 1
END
export HOSTILE=$text FAKE_CPU=$text
must '0 3 4 5' $matrix doctor -f m.yaml
must 0 $matrix plan -f m.yaml
must '0 4' $matrix submit --slurm -f m.yaml --print
bash -n said
must 1 $matrix run -f m.yaml
must '1 3' $matrix status -f m.yaml
must 0 $matrix status -f m.yaml p/walk/native/any/copy/s002
grep -qF 'touch pwned|touch pwned&&' said || { echo "FAILED: why does not say why"; cat said; exit 1; }
must 0 $matrix watch -f m.yaml --once
must '0 1 3' $matrix collect -f m.yaml -o tables
is_csv tables/*.csv
grep -qF 'touch pwned|touch pwned&&' tables/coverage.csv || { echo "FAILED: no reason in coverage.csv"; exit 1; }
must '0 1 3' $matrix status -f m.yaml --json
mv bin/trainer bin/samebits
must '0 3' $matrix run -f m.yaml

# a job script; a line end is nothing that a line of it could carry
must 0 $matrix submit --slurm -f m.yaml --results other --account "$shells"
[ "$(find other -name job.sh | wc -l)" = 2 ]
printf '#!/bin/sh\nexit 0\n' >bin/samebits-matrix
for script in $(find other -name job.sh); do
    is_quiet "$script"
    SLURM_ARRAY_TASK_ID=0 SLURMD_NODENAME=n SLURM_CPUS_PER_TASK=1 SLURM_JOB_ID=7 bash "$script" >said 2>&1
    nothing_ran
done
cp "$SB_BUILD/bin/samebits-matrix" bin/
hostile='"gpu:h:1\n#SBATCH --wrap=id"' hostile_keys=gres
write_files
must 2 $matrix submit --slurm -f m.yaml --print
