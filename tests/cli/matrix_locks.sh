# Results and data on a file system without locks: two runners could train one cell, so that run and submit say what to do
# instead; what only looks goes on.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
fault=$SB_BUILD/bin/fault
"$fault" --below "$PWD" --log calls -- true 2>fault.out || { cat fault.out; exit 77; }
expect 0 '6 complete' $matrix run -f small.yaml --results done --data data
told='its file system has no locks \(.*\), and without them two processes could make the same file; use a folder elsewhere: --results DIR, --data DIR'

for error in ENOLCK EOPNOTSUPP ENOSYS; do
    lockless="$fault --below $PWD --log calls --locks $error --"
    expect 1 "^results/runs/.*/[0-9a-f]*.lock: $told\$" $lockless $matrix run -f small.yaml --data data
    [ "$(find results -type f -name '*.lock' -o -type f -name '*.failed')" = '' ]
    expect 1 "^elsewhere/walk-[0-9a-f]*.h5.lock: $told\$" $lockless $matrix run -f small.yaml --data elsewhere
    [ "$(find elsewhere -type f)" = "" ]
    expect 0 '^complete +6$' $lockless $matrix status -f small.yaml --results done --data data
    expect 0 '6 of 6' $lockless $matrix collect -f small.yaml --results done -o tables
    expect 0 '' $lockless $matrix run -f small.yaml --results done --data data
done

# before anything is submitted
cat >bin/sbatch <<'END'
#!/bin/sh
echo "$*" >>sbatch.log
echo 1
END
chmod +x bin/sbatch
expect 1 "^new/locks.[0-9]+: $told\$" $lockless $matrix submit --slurm -f small.yaml --results new --data data
[ "$(grep -vc version sbatch.log)" = 0 ]
absent new/slurm new/locks.*
