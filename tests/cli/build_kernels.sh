# nvcc reads the kernels as C++, which no build without CUDA does.
if ! command -v clang >/dev/null; then echo "skipped: no clang here"; exit 77; fi
# reads OPTION...: the kernels
reads() { echo '#include "ops/kernels/all.h"' | clang -x c++ -std=c++17 -nostdinc++ -Werror=c11-extensions -fsyntax-only "$@" -; }
reads -I "$SB_SOURCE/src" || { echo 'FAILED: the kernels are not C++'; exit 1; }
mkdir c
cp -r "$SB_SOURCE/src/ops" "$SB_SOURCE/src/core" c/
sed -i 's/^static_assert/_Static_assert/' c/ops/optimizer/lbfgs.h
expect 1 '_Static_assert.*C11' reads -I c
