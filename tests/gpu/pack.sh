#!/usr/bin/env bash
# What check.sh and the studies need on a machine that has a GPU but cannot build, as one archive: the programs, which
# want nothing there but glibc and, for cublas and cudnn, their libraries; golden values; the matrix of the study.
#   tests/gpu/pack.sh [BUILD [FILE [DATA...]]]
#       BUILD: with CUDA and tests [build/cuda]; FILE: [BUILD/gpu-check.tar.xz]; DATA: data sets from cache/data
# There:
#   tar xJf gpu-check.tar.xz && cd gpu-check && ./check.sh      (without xz: python3 -m tarfile -e gpu-check.tar.xz)
#   ./check.sh -- samebits-matrix run -f matrix/gpu.yaml -n '^gpu/' -j 8 --engine none
#   ./check.sh -- samebits-matrix collect -f matrix/gpu.yaml -o results/gpu        the same for matrix/gpu/long.yaml
# What comes back are the folders results/checks, verdicts and times, and results/gpu, tables; they name the run files.
# exit: 0 packed, 1 a program wants a library that may not be there, 4 nothing to pack
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$source/build/cuda}
file=${2:-$build/gpu-check.tar.xz}
shift $(($# < 2 ? $# : 2))
top=$build/gpu-check
programs="samebits samebits-matrix make_file"
[ ! -x "$build/bin/samebits-mpi" ] || programs="$programs samebits-mpi" # several ranks, where MPICH's mpiexec.hydra is
for test in point lstm loss dense conv conv_weights conv_identity update gpu; do programs="$programs test_$test"; done

rm -rf "$top"
mkdir -p "$top/bin" "$top/lib" "$top/golden" "$top/data" "$top/matrix/gpu" "$top/cache/data"
for program in $programs; do
    [ -x "$build/bin/$program" ] || { echo "$build: no $program there; cmake --build $build" >&2; exit 4; }
    strip -o "$top/bin/$program" "$build/bin/$program"
done
cp "$(ldd "$build/bin/test_point" | awk '$1 ~ /^libcmocka/ { print $3 }')" "$top/lib/"
cp "$source"/tests/gpu/{check.sh,times.sh,timeline.sh,timeline.c,pytorch.py} "$top/"
if cupti=$("$source/tests/gpu/timeline.sh" "$top/lib/timeline.so"); then
    cp -L "$cupti" "$top/lib/$(readelf -d "$cupti" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')" # the name that timeline.so asks for
fi
cp "$source"/tests/golden/*.h5 "$top/golden/"
. "$source/tests/gpu/data.sh"
PATH=$build/bin:$PATH gpu_data "$top/data"
cp "$source"/matrix/{gpu.yaml,gpu.claims.yaml,hardware.yaml} "$top/matrix/"
cp "$source"/matrix/gpu/*.yaml "$top/matrix/gpu/"
for data; do cp "$data" "$top/cache/data/"; done

wanted=$(readelf -d "$top"/bin/* | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u)
strange=$(grep -vxE 'libc\.so\.6|libm\.so\.6|ld-linux-x86-64\.so\.2|libcmocka\.so\.0' <<<"$wanted" || true)
[ -z "$strange" ] || { echo "programs want more than glibc:" $strange >&2; exit 1; }
glibc=$(readelf -V "$top"/bin/* | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)

# The programs have most of their code in common: a dictionary that spans two of them stores it once.
tar --create --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --directory "$build" gpu-check |
    xz -T1 --lzma2=preset=3,dict=64MiB >"$file"
echo "$file: $(($(stat -c %s "$file") >> 20)) MiB, for any Linux with ${glibc/_/ } or later"
