# Whatever paths and names are made of, no shell line that is written says more than it should: job scripts, commands of a
# dry run and of logs, advice. They are run here, with a stand-in that notes its words.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
printf '#!/bin/sh\necho 7\n' >bin/sbatch
printf '#!/bin/sh\nexit 0\n' >bin/squeue
cat >bin/noted <<'END'
#!/bin/sh
printf '%s\0' "$@" >>"$NOTES"
END
chmod +x bin/*
export NOTES=$PWD/notes
cp bin/samebits-matrix bin/real-matrix

# run_noted SCRIPT: run it with samebits-matrix as the stand-in; nothing else may happen
run_noted() {
    bash -n "$1"
    rm -f notes
    cp bin/noted bin/samebits-matrix
    SLURM_ARRAY_TASK_ID=0 SLURMD_NODENAME=n SLURM_CPUS_PER_TASK=1 SLURM_JOB_ID=7 bash "$1" >said 2>&1
    cp bin/real-matrix bin/samebits-matrix
    if find . -name 'pwned*' | grep -q .; then echo "FAILED: $1 ran a command of a name in it"; exit 1; fi
}

# noted WORD...: these were the words
noted() {
    printf '%s\0' "$@" | cmp - notes || { echo "FAILED: other words than:" "$@"; tr '\0' '\n' <notes; exit 1; }
}

bad='touch pwned'
for name in "it's" 'a b' "\$($bad)" "\`$bad\`" ";$bad;" "'; $bad; '" "\"; $bad; \"" "&& $bad #" "\\'; $bad #" '~' '*' \
    '{a,b}' '!x' $'\u00e9\u6f22' $'\xff\xc3'; do
    mkdir -p "$name"
    sed 's/hw.yaml/..\/&/' small.yaml >"$name/m.yaml"
    expect 0 '^7 6 ' $matrix submit --slurm -f "$name/m.yaml" --results "$name/r" --account "$name" --time "$name" \
        --partition "$name" --mem "$name" --data "$name/d"
    script=$(find "$name/r" -name job.sh)
    count 6 '^#SBATCH --(job-name|mem|time|partition|account|output)=' "$script"
    read -r _ hash _ <"${script%job.sh}cells.txt"
    run_noted "$script"
    noted run -f "$name/m.yaml" --results "$name/r" --data "$name/d" -n "/$hash"

    # the line of `why`, and the commands of a dry run
    $matrix status -f "$name/m.yaml" --results "$name/r" "/$hash" | sed -n 's/^to run it: //p' >line
    run_noted line
    noted run -f "$name/m.yaml" --results "$name/r" -n "/${hash:0:8}"
    rm -r "$name"/[rd]
    $matrix run -f "$name/m.yaml" --results "$name/r" --data "$name/d" --dry-run -n "/$hash" >dry 2>/dev/null
    count 2 '^mkdir -p ' dry
    run_noted dry
    rm -r "$name"/[rd]
    # the command that was run, in its log
    FAKE_FAIL=s00 expect 1 '1 failed' $matrix run -f "$name/m.yaml" --results "$name/r" --data "$name/d" -n "/$hash"
    sed -n 's/^\$ //p' "$(find "$name/r" -name '*.log')" | head -n 1 >line
    count 1 'samebits train ' line
    run_noted line
    rm -rf "$name"
done

# A line end or an escape in a word of the command line, and in the folder that it is given in.
for name in $'a\nb' $'a\x1b[2Jb' $'a\tb' $'\x7f'; do
    expect 2 'holds a line end or another control character$' $matrix submit --slurm -f small.yaml --results "$name"
    expect 2 'holds a line end or another control character$' $matrix run "$name" -f small.yaml
done
mkdir $'new\nline'
cp small.yaml hw.yaml $'new\nline'
cd $'new\nline'
expect 2 "^job.sh: '.*new line' holds a line end or another control character, which a line of a shell cannot carry$" \
    $matrix submit --slurm -f small.yaml --print
