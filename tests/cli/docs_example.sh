# docs/examples/read_run.py reads a run file and a table with h5py alone, and sees the losses that the trainer printed.
python=
for each in "${SB_PYTHON:-python3}" /usr/bin/python3; do # the distribution's has the package, another may come first
    if [ -z "$python" ] && "$each" -c 'import h5py' 2>/dev/null; then python=$each; fi
done
[ "$python" ] || { echo 'skipped: no Python with h5py here'; exit 77; }
samebits-data synth walk --size 48x32 --frames 60 --seed 1 -o walk.h5 >/dev/null 2>&1
samebits train --data walk.h5 --channels 3,4 --updates 6 --quiet -o run.h5 >trained 2>&1
"$python" "$SB_SOURCE/docs/examples/read_run.py" run.h5 "$SB_SOURCE/results/demo-reference/cells.csv" >read
cat read
loss=$(sed -n 's/^updates 6 *loss \([0-9.]*\) .*/\1/p' trained) # of the last fifth: of update 6
[ -n "$loss" ]
grep -q "^update 6: ${loss%?}" read
grep -q '^Training of prednet on walk by samebits ' read
grep -q '^seed 1 lr 0.001 channels \[3 4\]$' read
grep -q '^prednet, 3 8 16 32, shared, 8 runs, mean final loss 0.028315$' read
