# tests/gpu/timeline.c: it compiles where CUPTI is, and with a CUPTI of made-up records it writes one launch of a graph.
got=0
cupti=$("$SB_SOURCE/tests/gpu/timeline.sh" timeline.so -Werror) || got=$?
[ $got != 77 ] || { echo "no CUPTI here: skipped"; exit 77; }
[ $got = 0 ]
nm -D --defined-only timeline.so | grep -q ' InitializeInjection$'
CUDA_HOME=$PWD expect 2 '^usage: ' "$SB_SOURCE/tests/gpu/timeline.sh"

top=$(dirname "$(dirname "$cupti")")
cc -std=gnu17 -Wall -Wextra -pthread -fsanitize=undefined -fno-sanitize-recover -I"$top/include" -I/usr/local/cuda/include \
    -o traced "$SB_SOURCE/tests/support/fake_cupti.c" "$SB_SOURCE/tests/gpu/timeline.c"
SAMEBITS_TIMELINE=one.csv ./traced
# 40 nodes of 8 us; one on the second stream begins 4 us before its predecessor ends; the last ends at 390 + 8 + 100 - 6
grep -qx '# launches 40, span 492.0 us, busy 280.0 us, gaps 212.0 us (43.1 %), kernels 320.0 us, overlap 1.143' one.csv
[ "$(grep -c '^# gap of ' one.csv)" = 8 ]
grep -qx '# gap of 108.0 us before sb_relu_backward at 300.0 us' one.csv
[ "$(grep -vc '^#' one.csv)" = 41 ]
grep -qx 'start_us,end_us,kernel,grid,threads,registers,stream,channel' one.csv
grep -qx '0.000,8.000,sb_relu_backward,3x2x1,256,40,7,0' one.csv
grep -qx '24.000,32.000,a_library<int  3>,3x2x1,256,40,8,0' one.csv
grep -v '^#' one.csv | awk -F, 'NR > 2 && $1 < last { exit 1 } { last = $1 }'

FAKE_CUPTI_EMPTY=1 SAMEBITS_TIMELINE=none.csv expect 0 '^timeline: none of 0 records is of a graph of 32 kernels or more$' ./traced
FAKE_CUPTI_ABSENT=1 SAMEBITS_TIMELINE=none.csv expect 0 '^timeline: CUPTI does not start: made-up error$' ./traced
absent none.csv
SAMEBITS_TIMELINE=nowhere/one.csv expect 0 '^nowhere/one.csv: No such file' ./traced
