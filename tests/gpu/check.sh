#!/usr/bin/env bash
# What only a GPU can show, in under ten minutes: goldens, bits against native, bits from run to run, memory errors and
# races, times. Everything goes into one folder, results/gpu/NAME.
#   tests/gpu/check.sh [BUILD [NAME]]      BUILD: a build with CUDA [build/cuda], NAME: of the folder [the GPU's]
# exit: 0 all holds, 1 something does not, 4 no GPU or no such build here
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$source/build/cuda}
failed=0

[ -x "$build/bin/samebits" ] || { echo "$build: no samebits there; cmake --workflow --preset cuda" >&2; exit 4; }
export PATH=$build/bin:/usr/local/cuda/bin:$PATH
info=$(samebits info)
if grep -qE '^  native-cuda +absent' <<<"$info"; then
    grep -E '^  native-cuda' <<<"$info" >&2
    exit 4
fi
gpu=$(sed -n 's/^  gpu  *//p' <<<"$info")
name=${2:-$(tr 'A-Z ' 'a-z-' <<<"${gpu#NVIDIA }")}
out=$source/results/gpu/$name
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
echo "$info" >"$out/info.txt"
: >"$out/verdicts.csv"

# verdict WHAT STATUS DETAIL: one line of the table
verdict() {
    echo "$1,$([ "$2" = 0 ] && echo holds || echo FAILS),$3" | tee -a "$out/verdicts.csv"
    [ "$2" = 0 ] || failed=1
}
has() { ! grep -qE "^  $1 +absent" <<<"$info"; }

make_file video "$work/full.h5" 160x120 300 1
make_file video "$work/small.h5" 32x24 40 2
full="--data $work/full.h5"
small="--data $work/small.h5 --channels 3,8,16 --window 4"

# Golden values and the tests of every operation.
for backend in native-cuda/direct native-cuda/winograd cublas cudnn; do
    arithmetic=${backend#*/}
    [ "$arithmetic" = "$backend" ] && arithmetic=direct
    has "${backend%/*}" || { verdict "golden $backend" 1 absent; continue; }
    samebits check --backend "${backend%/*}" --arithmetic "$arithmetic" "$source"/tests/golden/*.h5 \
        >"$out/golden-${backend//\//-}.txt" 2>&1
    verdict "golden $backend" $? "$(tail -1 "$out/golden-${backend//\//-}.txt" | tr ',' ';')"
done
for test in test_point test_lstm test_loss test_dense test_conv test_adam test_gpu; do
    "$build/bin/$test" >"$out/$test.txt" 2>&1
    verdict "$test" $? "$(grep -c '       OK' "$out/$test.txt") passed"
done

# The CPU's bits after five full-size windows.
for arithmetic in direct winograd; do
    cpu=$(samebits step $full --windows 5 --arithmetic $arithmetic --threads "$(nproc)")
    device=$(samebits step $full --windows 5 --arithmetic $arithmetic --backend native-cuda 2>&1)
    [ "$cpu" = "$device" ]
    verdict "bits of native $arithmetic" $? "$cpu $device"
done

# Bits from run to run: which are stable is a finding, not a failure; native-cuda's must be.
for case in "native-cuda" "native-cuda --arithmetic winograd" "cublas" "cudnn" "cudnn --cudnn-algorithm atomics" \
    "cudnn --cudnn-algorithm heuristic" "cudnn --cudnn-algorithm timed"; do
    for _ in 1 2 3 4 5; do samebits step $full --windows 3 --backend $case; done 2>&1 | sort | uniq -c >"$work/repeats"
    n=$(wc -l <"$work/repeats")
    [ "$n" = 1 ] || [[ $case != native-cuda* ]]
    verdict "run to run $case" $? "$n different of 5"
done

# Memory and races, on a network small enough for the tools; the work one by one, so that a report names its kernel.
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck; do
        for arithmetic in direct winograd; do
            SAMEBITS_CUDA_SYNC=1 timeout 150 compute-sanitizer --tool $tool --error-exitcode 9 samebits step $small --windows 2 \
                --backend native-cuda --arithmetic $arithmetic >"$out/$tool-$arithmetic.txt" 2>&1
            verdict "$tool $arithmetic" $? "$(tail -1 "$out/$tool-$arithmetic.txt" | tr ',' ';')"
        done
    done
else
    verdict "compute-sanitizer" 1 "not on PATH"
fi

# Median seconds of one window of 20 frames at 160x120, as `samebits bench` measures it.
samebits bench --only prednet --backend native-cuda/direct --backend native-cuda/winograd --backend cublas \
    --backend cudnn --threads 1 --rounds 9 -o "$out/windows.csv" >"$out/windows.txt" 2>&1
verdict "times" $? "windows.csv"
cat "$out/windows.txt"
echo "everything is in $out"
exit $failed
