# How many threads a training has: OpenBLAS starts its own only for the backend that computes with it.
make_file video data.h5 48x32 60 1
train="samebits train --data data.h5 --channels 3,8,16 --window 4 --quiet"

# threads N OPTIONS...: so many threads run once the training does
threads() {
    local wanted=$1 i
    shift
    OPENBLAS_NUM_THREADS=5 $train --updates 100000 -o run.h5 "$@" >train.out 2>&1 &
    for i in $(seq 500); do [ -s run.h5.journal ] && break; sleep 0.02; done
    local got
    got=$(find /proc/$!/task -mindepth 1 -maxdepth 1 | wc -l)
    kill -TERM $!
    wait $! || [ $? = 143 ]
    rm -f run.h5*
    [ "$got" = "$wanted" ] || { echo "FAILED: $got threads, not $wanted: $*"; cat train.out; exit 1; }
    echo "ok: $wanted threads: $*"
}
watcher=0 # the thread sanitizer's own thread
if grep -q '^SB_SANITIZE:STRING=thread' "$SB_BUILD/CMakeCache.txt"; then watcher=1; fi
threads $((1 + watcher)) --backend native --threads 1
threads $((1 + watcher)) --backend openblas --threads 1
own=$(($(nproc) < 3 ? $(nproc) : 3)) # no more threads of OpenMP than CPUs
threads $((own + 2 + watcher)) --backend openblas --threads 3 # two of its own beside them
