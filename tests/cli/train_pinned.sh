# OMP_PROC_BIND and OMP_PLACES: each thread has a CPU of its own, though the program starts itself again to say how threads
# wait, and the bits stay.
[ "$(nproc)" -ge 2 ] || { echo "left out: one CPU"; exit 77; }
samebits-data synth digits --images 200 --seed 1 -o digits.h5 2>/dev/null
step="samebits step --model autoencoder --data digits.h5 --batch 50 --windows 2"
hash=$($step --threads 1 | tail -1)
export OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT='on CPUs %A'
# places N: the threads of the last command lie on so many different sets of CPUs
places() {
    got=$(grep -o 'on CPUs .*' expect.out | sort -u | wc -l)
    [ "$got" = "$1" ] || { cat expect.out; echo "FAILED: threads on $got places, wanted $1"; exit 1; }
}
for bind in close spread true; do
    OMP_PROC_BIND=$bind OMP_PLACES=threads expect 0 "$hash" $step --threads 2 --verify "$hash"
    places 2
done
OMP_PROC_BIND=true expect 0 "$hash" $step --threads 2 --verify "$hash"
places 2
# what was started on one CPU stays there
first=$(taskset -cp $$ | grep -oE '[0-9]+' | tail -n +2 | head -1)
OMP_PROC_BIND=true expect 0 "$hash" taskset -c "$first" $step --threads 2 --verify "$hash"
places 1
# more threads than places, and threads that nobody binds
OMP_PROC_BIND=close OMP_PLACES=threads expect 0 "$hash" $step --threads 5 --verify "$hash"
expect 0 "$hash" $step --threads 2 --verify "$hash"
