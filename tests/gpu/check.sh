#!/usr/bin/env bash
# What only a GPU can show, in nine minutes: goldens, bits against native with each switch, then times, then memory errors, races,
# and bits from run to run. Everything goes into one folder, results/checks/NAME.
#   tests/gpu/check.sh [BUILD [NAME]]   BUILD: a build with CUDA [build/cuda], NAME: of the folder [the GPU's]
#   ./check.sh                          in a folder that tests/gpu/pack.sh made, on a machine that builds nothing
#   .../check.sh -- COMMAND...          only that command, with the programs and libraries found as here
# PARTS: those to run, in this order [bits kernels timeline times tests sanitizer graphs repeats operations ranks engines]; a second
# call with the parts that the first one did not reach goes on in the same folder. LIMIT: seconds, after which nothing new is begun
# [520]; what is under way then has its own limit. TILES: tiles that `bench --only kernels` measures, too (--tiles).
# exit: 0 all holds, 1 something does not, 2 no such part, 4 no GPU or no such build here
set -u
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
golden=$source/tests/golden
only=()
[ "${1:-}" = -- ] && only=("${@:2}") && set --
build=${1:-$source/build/cuda}
[ -d "$here/bin" ] && source=$here golden=$here/golden build=$here
failed=0
limit=${LIMIT:-520}
all_parts="bits kernels timeline times tests sanitizer graphs repeats operations ranks engines"
parts=${PARTS:-$all_parts}
for part in $parts; do
    [[ " $all_parts " == *" $part "* ]] || { echo "PARTS: no part '$part'; there are: $all_parts" >&2; exit 2; }
done

[ -x "$build/bin/samebits" ] || { echo "$build: no samebits there; cmake --workflow --preset cuda" >&2; exit 4; }
export PATH=$build/bin:/usr/local/cuda/bin:$PATH

# cuBLAS and cuDNN may lie where the loader does not look: beside nvcc, or in the packages of a Python environment.
python=$(command -v python3 || true)
for folder in "$build/lib" /usr/local/cuda/{lib64,extras/CUPTI/lib64} "${python%/bin/*}"/lib/python3*/{site,dist}-packages/nvidia/*/lib; do
    [ -d "$folder" ] && LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder
done
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}
[ ${#only[@]} = 0 ] || exec "${only[@]}"

info=$(timeout 60 samebits info)
if ! grep -q '^  native-cuda' <<<"$info" || grep -qE '^  native-cuda +absent' <<<"$info"; then
    grep -E '^  native-cuda' <<<"$info" >&2 || echo "samebits info says nothing of native-cuda" >&2
    exit 4
fi
gpu=$(sed -n 's/^  gpu  *//p' <<<"$info")
name=${2:-$(tr 'A-Z ' 'a-z-' <<<"${gpu#NVIDIA }")}
out=$source/results/checks/$name
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
echo "$info" >"$out/info.txt"
timeout 20 nvidia-smi -q >"$out/nvidia-smi.txt" 2>&1
[ "$parts" != "$all_parts" ] || : >"$out/verdicts.csv"

# verdict WHAT STATUS DETAIL: one line of the table. What runs into its time limit hangs, and so would all that follows.
verdict() {
    echo "$1,$([ "$2" = 0 ] && echo holds || echo FAILS),$(one_field "$3"),$SECONDS s" | tee -a "$out/verdicts.csv"
    [ "$2" = 0 ] || failed=1
    [ "$2" != 124 ] || { echo "$1: no end within its time limit; everything up to here is in $out" >&2; exit 1; }
}
not_run() { echo "$1,not run,$(one_field "$2"),$SECONDS s" | tee -a "$out/verdicts.csv"; }
# one_field TEXT: the text as one field of a table; ';' stands for commas and for ends of lines
one_field() { tr ',\n' ';' <<<"$1" | sed 's/;*$//; s/;\([^ ]\)/; \1/g'; }
# enough SECONDS WHAT: is there time to begin it? If not, a line says so.
enough() { [ $((SECONDS + $1)) -le "$limit" ] || { not_run "$2" "the time is over (LIMIT=$limit); PARTS=... goes on"; return 1; }; }
least() { echo $(($1 < $2 ? $1 : $2)); }
has() { ! grep -qE "^  $1 +absent" <<<"$info"; }

# hash SECONDS OPTIONS...: the weights after some windows, and nothing else; what is said beside it is kept
hash() { timeout "$1" samebits step "${@:2}" 2>>"$out/said.txt"; }

timeout 60 make_file video "$work/full.h5" 160x120 300 1 && timeout 60 make_file video "$work/small.h5" 32x24 40 2
status=$?
if [ -d "$here/data" ]; then
    cp "$here"/data/*.h5 "$work/"
else
    . "$here/data.sh"
    gpu_data "$work" >>"$out/said.txt" 2>&1
fi
[ $? = 0 ] || status=1
verdict "files" $status "made"
full="--data $work/full.h5"
small="--data $work/small.h5 --channels 3,8,16 --window 4"
digits="--data $work/digits.h5 --windows 3"
tests="point lstm loss dense conv conv_weights conv_identity update gpu"

. "$here/times.sh"

# together NAME SECONDS COMMAND...: started now, with others; its output in the folder, its exit code in $work/NAME. All end a
# minute after the limit.
together() {
    { timeout "$(least "$2" $((limit + 60 - SECONDS)))" "${@:3}" >"$out/$1.txt" 2>&1; echo $? >"$work/$1"; } &
}

# ---- bits ----

# Golden values; with cuDNN by the graph API, too, which takes other engines where the heuristic says so.
goldens() {
    local case log choice
    for case in "native-cuda --arithmetic direct" "native-cuda --arithmetic winograd" cublas cudnn; do
        has "${case%% *}" || { verdict "golden $case" 1 "$(grep -E "^  ${case%% *} " <<<"$info")"; continue; }
        log=$out/golden-${case// --arithmetic /-}.txt
        timeout 60 samebits check --tolerance 5e-6 --backend $case "$golden"/*.h5 >"$log" 2>&1
        verdict "golden $case" $? "$(tail -n 1 "$log")"
    done
    for choice in graph-deterministic graph-heuristic; do
        has cudnn || continue
        log=$out/golden-cudnn-$choice.txt
        timeout 60 samebits check --tolerance 5e-6 --backend cudnn --cudnn-algorithm $choice "$golden"/*.h5 >"$log" 2>&1
        verdict "golden cudnn $choice" $? "$(tail -n 1 "$log")"
    done
}

# where ARITHMETIC: the first operation of the first update in which the device diverges from the CPU, with its numbers
where() {
    local backend row=0 a=$work/native.h5 b=$work/native-cuda.h5
    for _ in find keep; do
        for backend in native native-cuda; do
            timeout 60 samebits trace $full --arithmetic "$1" --backend $backend --keep $((row - 1)) \
                -o "$work/$backend.h5" 2>>"$out/said.txt"
        done
        timeout 60 samebits bisect "$a" "$b" >"$out/where-$1.txt" 2>&1
        row=$(sed -n 's/.* is number \([0-9]*\):.*/\1/p' "$out/where-$1.txt")
        [ "$row" ] || break
    done
}

# same NAME OPTIONS...: `step` with these options has one hash on the CPU and on the device, and then with each switch
same() {
    local cpu device status switch
    cpu=$(hash 120 "${@:2}" --threads "$(nproc)")
    for switch in default ${switches:-}; do
        device=$([ $switch = default ] || export $(switch $switch); hash 60 "${@:2}" --backend native-cuda)
        status=$?
        [ $status = 0 ] && { [ "$cpu" = "$device" ]; status=$?; }
        [ $status = 0 ] || [ $status = 124 ] || [[ "$1" != direct && "$1" != winograd ]] || [ $switch != default ] || where "$1"
        [ $switch = default ] || set -- "${1% with *} with $switch" "${@:2}"
        verdict "bits of native $1" $status "$cpu $device"
    done
}

# The CPU's bits after five full-size windows: the first one by one, the others as a graph; of the other networks, of parts of a
# batch, of every optimizer, and of evolution, whose weights are rebuilt from seeds.
part_bits() {
    local model rule rules cpu device
    goldens
    for arithmetic in direct winograd; do switches=$SWITCHES same $arithmetic $full --windows 5 --arithmetic $arithmetic; done
    for arithmetic in winograd direct; do
        switches=$SWITCHES same "resnet9 $arithmetic" --model resnet9 --data "$work/shapes.h5" --batch 64 --windows 3 \
            --arithmetic $arithmetic
    done
    for model in lenet mlp autoencoder; do
        same "$model" --model $model $digits --batch 32
        same "$model in 4 shards" --model $model $digits --batch 32 --shards 4
    done
    same "autoencoder of one image" --model autoencoder $digits --batch 1
    rules=$(samebits step --help | sed -n 's/.*--optimizer \([^ ]*\).*/\1/p')
    [ "$rules" ] || verdict "optimizers" 1 "help names none"
    for rule in ${rules//|/ }; do same "optimizer $rule" --model lenet $digits --batch 32 --optimizer "$rule"; done
    cpu=$(evolved 60)
    device=$(evolved 60 --backend native-cuda)
    [ "$cpu" ] && [ "$cpu" = "$device" ]
    verdict "bits of native evolution" $? "$cpu $device"
}

evolved() { # SECONDS OPTIONS...
    timeout "$1" samebits evolve --data "$work/digits.h5" --model mlp --batch 64 --noise-table 1000000 --population 40 \
        --truncation 5 --generations 3 --quiet "${@:2}" -o "$work/evolved.h5" 2>>"$out/said.txt" | sed -n 's/^weights //p'
    rm -f "$work/evolved.h5"
}

# either NAME VARIABLE A B OPTIONS...: `step` has the same bits with the environment variable at A, "" being unset, and at B
either() {
    local a b status
    a=$([ -z "$3" ] || export "$2=$3"; hash 60 "${@:5}")
    b=$(export "$2=$4"; hash 60 "${@:5}")
    status=$?
    [ $status = 0 ] && { [ "$a" = "$b" ]; status=$?; }
    verdict "$1" $status "$a $b"
}

# A graph computes what the same work does one by one; and neither its branches nor dependent launches change a bit of a library.
part_graphs() {
    local case
    for case in "native-cuda --arithmetic winograd" cublas cudnn "cudnn --cudnn-algorithm graph-deterministic"; do
        has "${case%% *}" || continue
        enough 10 "graph $case" || return
        either "graph $case" SAMEBITS_CUDA_SYNC "" 1 $full --windows 4 --backend $case
    done
    for case in cublas cudnn; do
        has $case || continue
        enough 20 "branches $case" || return
        either "branches $case" SAMEBITS_CUDA_BRANCHES 0 1 $full --windows 5 --backend $case
        either "priorities $case" SAMEBITS_CUDA_BRANCHES 0 priorities $full --windows 5 --backend $case
        either "dependent launches $case" SAMEBITS_CUDA_DEPENDENT_LAUNCH 0 1 $full --windows 5 --backend $case
    done
    SAMEBITS_CUDA_DEPENDENT_LAUNCH=1 timeout 60 samebits step $small --windows 1 --backend native-cuda >"$out/dependent.txt" 2>&1
    if grep -q 'wants a device of compute capability' "$out/dependent.txt"; then
        not_run "dependent launches" "$(grep -o 'launches do not overlap.*' "$out/dependent.txt")"
    fi
}

# ---- tests and tools ----

# The tests of every operation, on every backend that is here.
part_tests() {
    local test status ran
    enough 60 tests || return
    for test in $tests; do together test_$test 200 env OMP_WAIT_POLICY=passive test_$test; done
    wait
    for test in $tests; do
        status=$(cat "$work/test_$test")
        [ "$status" != 124 ] || { not_run "test_$test" "no end when the time was over"; continue; }
        ran=$(grep -c ' OK .*native-cuda' "$out/test_$test.txt")
        [ "$status" = 0 ] && { [ "$ran" -gt 0 ]; status=$?; }
        verdict "test_$test" "$status" "$ran passed on native-cuda"
    done
}

# Memory and races, on a network small enough for the tools; the work one by one, so that a report names its kernel; once with all
# switches on.
part_sanitizer() {
    local case log status switches
    enough 40 sanitizer || return
    command -v compute-sanitizer >/dev/null || { verdict "compute-sanitizer" 1 "not on PATH"; return; }
    for case in memcheck-direct memcheck-winograd racecheck-direct racecheck-winograd memcheck-winograd-all racecheck-winograd-all; do
        switches=none arithmetic=${case#*-}
        [[ $case != *-all ]] || switches=all arithmetic=${arithmetic%-all}
        together $case 120 env $(switch $switches) SAMEBITS_CUDA_SYNC=1 compute-sanitizer --tool ${case%%-*} \
            --error-exitcode 9 samebits step $small --windows 2 --backend native-cuda --arithmetic $arithmetic
    done
    wait
    for log in "$work"/*check-*; do
        [ -f "$log" ] || break
        status=$(cat "$log") case=$(basename "$log")
        [ "$status" != 124 ] || { not_run "$case" "no end when the time was over"; continue; } # a slow tool says nothing
        verdict "$case" "$status" "$(tail -n 1 "$out/$case.txt")"
    done
}

# Bits from run to run: which are stable is a finding, not a failure; native-cuda's must be.
part_repeats() {
    local case status n
    for case in "native-cuda --arithmetic direct" "native-cuda --arithmetic winograd" cublas cudnn \
        "cudnn --cudnn-algorithm heuristic" "cudnn --cudnn-algorithm graph-deterministic" "cudnn --cudnn-algorithm graph-heuristic"; do
        has "${case%% *}" || continue
        enough 15 "run to run $case" || return
        status=0
        : >"$work/repeats"
        for _ in 1 2 3 4 5; do
            hash 60 $full --windows 3 --backend $case >>"$work/repeats" || { status=$?; break; }
        done
        n=$(sort -u "$work/repeats" | wc -l)
        [ $status = 0 ] && [[ $case == native-cuda* ]] && { [ "$n" = 1 ]; status=$?; }
        verdict "run to run $case" $status "$n different of $(wc -l <"$work/repeats")"
    done
}

# ---- ranks ----

trained() { # FILE SECONDS COMMAND...: the hash of the weights of a small training of several buckets
    timeout "$2" "${@:3}" train --data "$work/images.h5" --model autoencoder --hidden 30000 --batch 16 --shards 2 --updates 3 \
        --backend native-cuda --quiet -o "$work/$1.h5" 2>>"$out/said.txt" | sed -n 's/^weights //p'
    return "${PIPESTATUS[0]}"
}

ranks() { # NAME SECONDS COMMAND...: the bits of one process?
    local among status
    among=$(trained "$@")
    status=$?
    [ $status = 0 ] && { [ "$alone" = "$among" ]; status=$?; }
    verdict "ranks $1" $status "$alone $among"
}

# Two on the GPUs that are here, gradients through the host; by NCCL where each has one of its own and NCCL is there.
part_ranks() {
    local n_gpus said
    if ! command -v samebits-mpi >/dev/null || ! command -v mpiexec.hydra >/dev/null; then
        not_run "ranks" "no samebits-mpi or no mpiexec.hydra here"
        return
    fi
    enough 10 ranks || return
    n_gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU ')
    timeout 60 make_file images "$work/images.h5" 8 64 5 1
    alone=$(trained alone 60 samebits)
    SAMEBITS_NCCL=none ranks host 120 mpiexec.hydra -n 2 samebits
    if [ "$n_gpus" -lt 2 ]; then
        not_run "ranks nccl" "$n_gpus GPU here; NCCL wants one for each rank"
    elif ranks nccl 120 mpiexec.hydra -n 2 samebits; [ -f "$work/nccl.h5" ]; then
        # what the run says of itself: a version, or why NCCL was not used
        timeout 60 samebits diff "$work/alone.h5" "$work/nccl.h5" >"$out/ranks-nccl.txt" 2>&1
        said=$(sed -n 's/^  nccl .*| //p' "$out/ranks-nccl.txt")
        if [[ $said == [0-9]* ]]; then verdict "ranks nccl is used" 0 "$said"; else not_run "ranks nccl is used" "$said"; fi
    fi
}

for part in $parts; do part_$part; done
echo "everything is in $out, in $SECONDS s"
exit $failed
