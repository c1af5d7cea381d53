#!/usr/bin/env bash
# What only a GPU can show of the recorder for PyTorch, in about 90 seconds: hashes on the device, bits of recorded runs, findings,
# and CPU compared with GPU. Builds nothing. Needs Python with PyTorch and NumPy.
#   tests/gpu/recorder.sh BUILD_DIR OUT_DIR   BUILD_DIR: lib/libsamebits.so and bin/samebits are there
# Prints a line for each check, "holds NAME: facts" or "fails NAME: facts", and keeps them in OUT_DIR/recorder.txt.
# SB_PYTHON: the Python [python3]. SB_DEVICE=cpu: without a GPU, to try the script itself.
# exit: 0 all holds, 1 something does not, 77 no GPU or no PyTorch here
set -u
[ $# = 2 ] || { echo "usage: tests/gpu/recorder.sh BUILD_DIR OUT_DIR" >&2; exit 2; }
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
mkdir -p "$2"
out=$(cd "$2" && pwd) || exit 2
rm -rf "$out"/*.h5 "$out/zoo" # of an earlier run: a recording is never overwritten
export SAMEBITS_LIBRARY=$build/lib/libsamebits.so PATH=$build/bin:$PATH
export PYTHONPATH=$source/python:$source/tests/zoo PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
export CUBLAS_WORKSPACE_CONFIG=:4096:8 # else cuBLAS may give other bits in a second run
for file in "$SAMEBITS_LIBRARY" "$build/bin/samebits"; do
    [ -e "$file" ] || { echo "$file: is missing" >&2; exit 2; }
done
set -o pipefail
"${SB_PYTHON:-python3}" "$source/tests/gpu/recorder.py" "$out" | tee "$out/recorder.txt"
