#!/bin/sh
# Builds timeline.c, a library for CUDA_INJECTION64_PATH, where CUPTI is.
#   tests/gpu/timeline.sh OUTPUT [FLAG...]      FLAG: more flags of the compiler; CC: the compiler [cc]
# Prints the path of the libcupti that it is linked with. exit: 0 built, 1 does not compile, 77 no CUPTI here
set -eu
[ $# -ge 1 ] || { echo "usage: tests/gpu/timeline.sh OUTPUT [FLAG...]" >&2; exit 2; }
output=$1
shift
for cuda in "${CUDA_HOME:-/usr/local/cuda}" /usr/local/cuda; do
    for top in "$cuda" "$cuda/extras/CUPTI"; do
        for library in "$top/lib64/libcupti.so" "$top/lib/libcupti.so"; do
            [ -f "$top/include/cupti.h" ] && [ -f "$library" ] || continue
            "${CC:-cc}" -std=gnu17 -O2 -Wall -Wextra -shared -fPIC -pthread "$@" -I"$top/include" -I"$cuda/include" \
                -o "$output" "$(dirname "$0")/timeline.c" -L"$(dirname "$library")" -lcupti
            echo "$library"
            exit 0
        done
    done
done
echo "no cupti.h and libcupti.so below ${CUDA_HOME:-/usr/local/cuda}" >&2
exit 77
