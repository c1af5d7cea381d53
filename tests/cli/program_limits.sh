# Started without standard streams, with few files or small stacks: a program works, or a sentence says what it lacks. A
# good file is never called damaged, and nothing is printed into one.
for fd in 3 4 5 6 7 8 9; do eval "exec $fd>&-"; done # files of the shell that started the test count, too
make_file video data.h5 48x32 60 1
train="samebits train --data data.h5 --channels 3,8 --window 4 --updates 4"
expect 0 '^weights' $train --quiet -o whole.h5

# ---- closed standard streams ----
# closed_out COMMAND: the files are whole, and without standard output the exit code says that the result was not printed
closed_out() {
    local code=0 wanted=0
    case " $closed" in *' >&-'*) wanted=1 ;; esac
    bash -c "$1 $closed" >/dev/null 2>&1 || code=$?
    [ $code = $wanted ] || { echo "FAILED: $1 $closed: exit code $code, wanted $wanted"; exit 1; }
}
for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- >&- 2>&-'; do
    rm -f run.h5
    closed_out "$train -o run.h5"
    expect 0 'same bits over 4 entries' samebits diff whole.h5 run.h5
    closed_out "samebits verify run.h5 data.h5"
    rm -f walk.h5
    bash -c "samebits-data synth walk --size 48x32 --frames 4 -o walk.h5 $closed" >/dev/null 2>&1
    expect 0 'walk.h5: .*holds' samebits verify walk.h5
done
# what is printed is not in a file that has the number of a stream
[ -z "$(grep -la 'weights [0-9a-f]\{32\}$' run.h5)" ]

# ---- few open files ----
# few N COMMAND...: it ends well, or says what it lacks
few() {
    local n=$1 code=0
    shift
    prlimit --nofile="$n" "$@" >few.out 2>&1 </dev/null || code=$?
    case $code in
    0) well+=" $n" ;;
    1) grep -qE 'Too many open files' few.out || { echo "FAILED: with $n files: $*"; cat few.out; exit 1; } ;;
    127) grep -q 'error while loading shared libraries' few.out ;; # a dynamic program does not even start
    *) echo "FAILED: exit code $code with $n files: $*"; cat few.out; exit 1 ;;
    esac
    lacks few.out 'damaged|truncated|not an HDF5|not a video|made to do so|FAILS'
}
if ! grep -q '^SB_SANITIZE:STRING=.' "$SB_BUILD/CMakeCache.txt"; then
    mkdir pictures
    { printf 'P5 16 16 255\n'; head -c 256 /dev/zero; } >pictures/1.pgm
    for command in "samebits verify data.h5" "samebits diff whole.h5 whole.h5" "samebits-data verify walk.h5" \
        "$train --quiet -o few.h5" "samebits-data synth walk --size 48x32 --frames 4 -o few.h5" \
        "samebits replay whole.h5 --data data.h5" "samebits-data convert video pictures -o few.h5"; do
        well=
        for n in 3 4 5 6 8 32; do
            rm -f few.h5*
            few $n $command
        done
        [ "$well" ] || { echo "FAILED: never well: $command"; exit 1; }
        echo "ok: $command: well with$well files"
    done
    expect 0 'holds' prlimit --nofile=5 samebits verify data.h5
fi

# ---- a disk that fails while a file is read: each read in turn, or some of them ----
mkdir read
samebits-data synth walk --size 48x32 --frames 60 -o read/walk.h5 2>/dev/null
reading="samebits train --data read/walk.h5 --channels 3,8 --window 2 --updates 2 --quiet -o read.h5"
expect 0 '^weights' $reading
mv read.h5 undisturbed.h5
if "$SB_BUILD/bin/fault" --below "$PWD" --log calls -- true 2>/dev/null; then
    "$SB_BUILD/bin/fault" --below "$PWD/read" --log calls --reads yes -- $reading >/dev/null
    n_reads=$(wc -l <calls) told=0
    if [ "${SB_TEST_EVERY-}" ]; then step=1; else step=9; fi
    for at in $(seq $((RANDOM % step + 1)) $step "$n_reads"); do
        rm -f read.h5*
        code=0
        "$SB_BUILD/bin/fault" --below "$PWD/read" --log calls --reads yes --at "$at" --error EIO -- $reading >eio.out 2>&1 || code=$?
        if [ $code = 1 ]; then
            grep -q '^read/walk.h5: .*Input/output error$' eio.out || { echo "FAILED: read $at:"; cat eio.out; exit 1; }
            told=$((told + 1))
        else
            [ $code = 0 ] || { echo "FAILED: exit code $code where read $at fails:"; cat eio.out; exit 1; }
            samebits diff undisturbed.h5 read.h5 >/dev/null || { echo "FAILED: other bits where read $at fails"; exit 1; }
        fi
    done
    echo "ok: $told of the reads that failed were told, none as damage"
    [ $told -gt 3 ]
fi

# ---- small stacks ----
for variable in OMP_STACKSIZE=512k OMP_STACKSIZE=16k GOMP_STACKSIZE=512; do
    name=${variable%=*}
    expect 1 "^not enough memory for a stack of 1.5 MiB: threads have [0-9.]+ MiB by $name; make it 2 MiB or more\$" \
        env $variable $train --quiet --threads 2 -o small.h5
    absent small.h5
done
expect 0 '^weights' env OMP_STACKSIZE=512k $train --quiet --threads 1 -o one.h5
expect 0 '^weights' env OMP_STACKSIZE=2M $train --quiet --threads 2 -o two.h5
expect 0 '^weights' env OMP_STACKSIZE=garbage $train --quiet --threads 2 -o three.h5
expect 0 'same bits over 4 entries' samebits diff one.h5 three.h5
expect 1 "^not enough memory for a stack of 1.5 MiB; 'ulimit -s' says" bash -c "ulimit -s 1024; $train --quiet -o small.h5"

# ---- a limit on the size of files, and a reader that has read enough ----
expect 1 'File too large' bash -c "ulimit -f 4; $train --quiet -o large.h5"
for command in 'samebits-data list' 'samebits-matrix --help' 'samebits diff whole.h5 run.h5'; do
    $command 2>pipe.out | true
    [ ! -s pipe.out ] || { echo "FAILED: $command says:"; cat pipe.out; exit 1; }
done
expect 1 '^samebits-data: cannot write to standard output$' bash -c 'samebits-data list >/dev/full'
