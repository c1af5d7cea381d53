# tests/gpu/check.sh on a made-up machine: what it says where no GPU is, that it judges what the programs say, and that
# it stops at the first one that hangs.
check=$SB_SOURCE/tests/gpu/check.sh
expect 4 '^nowhere: no samebits there' "$check" nowhere
if samebits info | grep -qE '^  native-cuda +absent'; then
    expect 4 '^  native-cuda +absent: ' "$check" "$SB_BUILD"
fi

# A folder as pack.sh makes it, its programs made up: steps that match DIFFERS print other weights each time, those that
# match HANGS do not end.
mkdir -p kit/bin kit/golden kit/data
touch kit/data/digits.h5
cp "$check" "$SB_SOURCE/tests/gpu/times.sh" kit/
cat >kit/bin/samebits <<'END'
#!/usr/bin/env bash
case "$*" in
info)
    printf '  %s  here\n' native-cuda cublas
    printf '  %s\n' "cudnn  ${CUDNN:-absent: cuDNN is not here}" 'gpu  NVIDIA Made Up'
    env | sed -n "/_${LACKS:-NOTHING}=/!s/^\(SAMEBITS_CUD[A-Z_]*\)=/  env_\1  /p"
    exit
    ;;
esac
[ "$*" != 'step --help' ] || { echo '  --optimizer adam|sgd'; exit; }
case "$*" in [!b]*--backend*cu*|bench*--backend*cu*) # the real one, which has no GPU here, refuses no setting of the script
    said=$("$SB_BUILD/bin/samebits" "$@" 2>&1)
    [ $? != 2 ] || [[ $said == *'No such file'* ]] || { echo "$said" >&2; exit 2; } ;;
esac
echo "said of $*" >&2
[[ $* != *' --tiles '* ]] || printf 'kernels: %s\n' 'all, here' 'other tiles'
for file; do :; done # the last one, of -o
[[ $1 != bench || $* != *' -o '* ]] || printf '%s,,,,,,,,,,,%s,,1,%s,,\n' p device_time "${SAMEBITS_CUDA_TILES:-0}.02" p time 3 >"$file"
case "$*" in step*$DIFFERS*) [ -z "$DIFFERS" ] || { echo "$RANDOM$RANDOM"; exit; } ;; esac
[ "$1" != step ] || echo 0123
[ "$1" != diff ] || [ -z "$NCCL" ] || echo "  nccl  (absent) | $NCCL"
[[ "$1" != train && "$1" != evolve ]] || { for file; do :; done; : >"$file"; echo "weights ${WEIGHTS:-4567}"; }
END
printf '#!/bin/sh\n' >kit/bin/samebits-mpi
printf '#!/bin/sh\n[ "$1" = -n ] && shift 2\nWEIGHTS=$OF_RANKS exec "$@"\n' >kit/bin/mpiexec.hydra
printf '#!/bin/sh\n[ "$1" != -L ] || for i in $GPUS; do echo "GPU $i: Made Up"; done\n' >kit/bin/nvidia-smi
printf '#!/bin/sh\ntouch "$2"\n' >kit/bin/make_file
printf '#!/bin/sh\necho "[       OK ] by_eye, native-cuda auto direct"\n' >kit/bin/test_point
for test in lstm loss dense conv conv_weights conv_identity update gpu; do cp kit/bin/test_point kit/bin/test_$test; done
printf '#!/bin/sh\necho "ERROR SUMMARY: 0 errors, clean"\n' >kit/bin/compute-sanitizer
cat >kit/bin/timeout <<'END'
#!/bin/sh
case "$*" in *step*$HANGS*) [ -z "$HANGS" ] || exit 124 ;; esac
exec /usr/bin/timeout "$@"
END
printf '#!/bin/sh\nexit $TORCH\n' >kit/bin/python3
chmod +x kit/bin/*
verdicts=kit/results/checks/made-up/verdicts.csv
export DIFFERS= HANGS= GPUS=0 OF_RANKS= NCCL= TORCH=4

# a command with what the folder holds found first
mkdir kit/lib
expect 0 "^$PWD/kit/bin/make_file $PWD/kit/lib" \
    kit/check.sh -- bash -c 'echo "$(command -v make_file) $LD_LIBRARY_PATH"'

# one fails because cuDNN is absent, and nothing else does
expect 1 '^golden cudnn,FAILS,  cudnn  absent: cuDNN is not here,' kit/check.sh
[ "$(grep -c ',FAILS,' $verdicts)" = 1 ]
for line in 'bits of native winograd,holds,0123 0123,' 'bits of native winograd with tiles,holds,0123 0123,' \
    'bits of native resnet9 direct with all,holds,0123 0123,' 'bits of native optimizer sgd,holds,0123 0123,' \
    'bits of native evolution,holds,4567 4567,' 'kernels resnet9 all,holds,' 'timeline,not run,' \
    'graph cublas,holds,0123 0123,' 'branches cublas,holds,0123 0123,' 'priorities cublas,holds,0123 0123,' \
    'run to run cublas,holds,1 different of 5,' 'test_gpu,holds,1 passed on native-cuda,' \
    'racecheck-direct,holds,ERROR SUMMARY: 0 errors; clean,' 'ranks host,holds,4567 4567,' \
    'ranks nccl,not run,1 GPU here; NCCL wants one for each rank,'; do
    grep -q "^$line" $verdicts || { echo "FAILED: no $line"; cat $verdicts; exit 1; }
done
grep -q '^times of PyTorch,not run,' $verdicts
# bits before times, times before what only takes time
order='bits of native evolution|kernels resnet9 all|timeline|times of switches|test_gpu|racecheck-direct|graph cublas|run to run cublas'
parts=$(grep -oE "^($order)," $verdicts | tr -d '\n')
[ "$parts" = "${order//|/,}," ] ||
    { echo "FAILED: the order $parts"; exit 1; }

# four passes, there and back: the median of each switch over that of none
results=kit/results/checks/made-up
[ "$(grep -c '^prednet,tiles,[1-4],1020.0000,3000.0000$' $results/switches.csv)" = 4 ]
grep -qx 'prednet  none            20.000 ms   1.000  \[20.000 20.000\] of 4' $results/switches.txt
grep -qx 'resnet9  tiles         1020.000 ms  51.000  \[1020.000 1020.000\] of 4' $results/switches.txt
[ "$(sed -n 's/^prednet,\([a-z0-9-]*\),2,.*/\1/p' $results/switches.csv | tr '\n' ' ')" = \
    "$(sed -n 's/^prednet,\([a-z0-9-]*\),1,.*/\1/p' $results/switches.csv | tac | tr '\n' ' ')" ]

grep -q '^said of step .*--backend cublas' kit/results/checks/made-up/said.txt

# some parts alone go on in the same folder; what there is no time for is named
expect 2 "^PARTS: no part 'speed'; there are: bits kernels timeline " env PARTS='bits speed' kit/check.sh
before=$(wc -l <$verdicts)
PARTS=graphs CUDNN=here expect 0 '^graph cudnn,holds,' kit/check.sh
[ "$(wc -l <$verdicts)" -gt "$before" ]
grep -q '^ranks host,' $verdicts
LIMIT=0 PARTS='kernels timeline times tests sanitizer' expect 0 '^kernels prednet none,not run,the time is over \(LIMIT=0\)' kit/check.sh
also '^sanitizer,not run,the time is over'
[ "$(grep -c ',holds,' expect.out)" = 1 ] # the files

# a switch that the program lacks is not measured as if it were none; the real program lists the variables that it reads
LACKS=NORMS PARTS='kernels times' expect 0 '^switch norms,not run,this program has no SAMEBITS_CUDA_NORMS,' kit/check.sh
grep -q '^prednet,tiles,' $results/switches.csv
[ "$(grep -c ',norms,' $results/switches.csv)" = 0 ]
LACKS=INPUTS PARTS=times CUDNN=here expect 0 '^times of cuDNN by INPUTS,not run,this program has no SAMEBITS_CUDNN_INPUTS,' kit/check.sh
also '^times of cuDNN by FRAMES,holds,'
SAMEBITS_CUDA_TILES=1 samebits info | grep -q '^  env_SAMEBITS_CUDA_TILES '

# several lines of a program are one field; a timeline of an earlier call is not taken for this one's
TILES='one two' PARTS=kernels expect 0 '^kernels prednet none,holds,all; here; other tiles,' kit/check.sh
touch kit/lib/timeline.so
echo '# launches of an earlier call' >$results/timeline-none.csv
PARTS=timeline expect 0 '^timeline none,not run,' kit/check.sh

# where cuDNN is there nothing fails, and both choices of the graph API are tried
CUDNN=here expect 0 '^golden cudnn graph-heuristic,holds,' kit/check.sh
for line in 'golden cudnn graph-deterministic' 'graph cudnn --cudnn-algorithm graph-deterministic' \
    'run to run cudnn --cudnn-algorithm graph-deterministic' 'run to run cudnn --cudnn-algorithm graph-heuristic'; do
    grep -q "^$line,holds," $verdicts || { echo "FAILED: no $line"; cat $verdicts; exit 1; }
done

# PyTorch's times where it is, and its failure is one
PARTS=times CUDNN=here TORCH=0 expect 0 '^times of PyTorch,holds,' kit/check.sh
PARTS=times CUDNN=here TORCH=1 expect 1 '^times of PyTorch,FAILS,' kit/check.sh

# other weights fail native-cuda and are told of cublas
PARTS='bits repeats' DIFFERS=native-cuda expect 1 '^run to run native-cuda --arithmetic direct,FAILS,5 different of 5,' kit/check.sh
grep -q '^bits of native direct,FAILS,' $verdicts
grep -q '^said of bisect ' kit/results/checks/made-up/where-direct.txt # which operation it is, is asked at once
PARTS=bits DIFFERS='--optimizer sgd' expect 1 '^bits of native optimizer sgd,FAILS,' kit/check.sh
PARTS='graphs repeats' DIFFERS=cublas expect 1 '^run to run cublas,holds,5 different of 5,' kit/check.sh

# ranks on two GPUs, of which NCCL is used or not, or that have other bits
PARTS=ranks GPUS='0 1' NCCL=2.27.3 expect 0 '^ranks nccl is used,holds,2.27.3,' kit/check.sh
also '^ranks nccl,holds,4567 4567,'
PARTS=ranks GPUS='0 1' NCCL='not used: rank 0 finds none' expect 0 '^ranks nccl is used,not run,not used: rank 0 finds none,' kit/check.sh
PARTS=ranks GPUS='0 1' OF_RANKS=89 expect 1 '^ranks nccl,FAILS,4567 89,' kit/check.sh
also '^ranks host,FAILS,4567 89,'

# nothing after what hangs
HANGS='--backend native-cuda' expect 1 '^bits of native direct: no end within its time limit' kit/check.sh
[ "$(tail -n 1 $verdicts | cut -d, -f1,2)" = 'bits of native direct,FAILS' ]
