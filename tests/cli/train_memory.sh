# Where memory is short a training ends with a sentence, on every backend; none hangs, none ignores SIGTERM. OpenBLAS maps
# memory only for the backend that computes with it.
if grep -q '^SB_SANITIZE:STRING=.' "$SB_BUILD/CMakeCache.txt"; then
    echo "skipped: the sanitizers reserve terabytes of address space"
    exit 77
fi
make_file video data.h5 48x32 60 1
train="samebits train --data data.h5 --channels 3,8,16 --window 4 --quiet"

# ---- less and less address space ----
# limited KIB COMMAND...: it ends by itself, well or with a sentence
limited() {
    local limit=$1 code=0
    shift
    (ulimit -v "$limit" && exec timeout -k 5 300 "$@") >limited.out 2>&1 || code=$?
    if [ $code -gt 1 ] || { [ $code = 1 ] && ! grep -qE 'not enough memory|Thread creation failed' limited.out; }; then
        echo "FAILED: exit code $code with $limit KiB: $*"
        cat limited.out
        exit 1
    fi
    [ $code = 0 ] && ended_well+=" $limit" || ended_short+=" $limit"
}
for backend in native openblas; do
    ended_well= ended_short=
    for kib in 1200000 600000 400000 300000 200000 150000 120000 90000 70000 60000 50000 40000; do
        rm -f run.h5*
        limited $kib $train --updates 2 -o run.h5 --backend $backend --threads 2
    done
    echo "$backend: well with$ended_well KiB, short of memory with$ended_short"
    [ "$ended_well" ]
    [ "$ended_short" ]
done

# Step by step through what is nearly enough, where HDF5 would follow null pointers; one arena, so that little is left to chance.
export MALLOC_ARENA_MAX=1
ended_well= ended_short=
for kib in $(seq 44000 1000 70000); do
    rm -f run.h5*
    limited $kib $train --updates 2 -o run.h5 --backend native --threads 2
done
[ "$ended_well" ]
[ "$ended_short" ]
unset MALLOC_ARENA_MAX

# ---- SIGTERM where OpenBLAS would not have had the memory for its threads ----
for kib in 150000 70000; do
    rm -f run.h5*
    code=0
    (ulimit -v $kib && exec timeout -s TERM -k 20 1 $train --updates 100000 -o run.h5 --backend native) || code=$?
    [ $code = 124 ] || { echo "FAILED: exit code $code, not 124, after SIGTERM with $kib KiB"; exit 1; }
done
