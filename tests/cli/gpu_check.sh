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
cp "$check" kit/
cat >kit/bin/samebits <<'END'
#!/usr/bin/env bash
case "$*" in
info)
    printf '  %s  here\n' native-cuda cublas
    printf '  %s\n' "cudnn  ${CUDNN:-absent: cuDNN is not here}" 'gpu  NVIDIA Made Up'
    exit
    ;;
esac
[ "$*" != 'step --help' ] || { echo '  --optimizer adam|sgd'; exit; }
case "$*" in [!b]*--backend*cu*|bench*--backend*cu*) # the real one, which has no GPU here, refuses no setting of the script
    said=$("$SB_BUILD/bin/samebits" "$@" 2>&1)
    [ $? != 2 ] || [[ $said == *'No such file'* ]] || { echo "$said" >&2; exit 2; } ;;
esac
echo "said of $*" >&2
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
for line in 'bits of native winograd,holds,0123 0123,' 'bits of native optimizer sgd,holds,0123 0123,' \
    'bits of native evolution,holds,4567 4567,' 'graph cublas,holds,0123 0123,' 'branches cublas,holds,0123 0123,' \
    'run to run cublas,holds,1 different of 5,' 'test_gpu,holds,1 passed on native-cuda,' \
    'racecheck-direct,holds,ERROR SUMMARY: 0 errors; clean,' 'ranks host,holds,4567 4567,' \
    'ranks nccl,not run,1 GPU here; NCCL wants one for each rank,'; do
    grep -q "^$line" $verdicts || { echo "FAILED: no $line"; cat $verdicts; exit 1; }
done
grep -q '^times of PyTorch,not run,' $verdicts
grep -q '^said of step .*--backend cublas' kit/results/checks/made-up/said.txt

# where cuDNN is there nothing fails, and both choices of the graph API are tried
CUDNN=here expect 0 '^golden cudnn graph-heuristic,holds,' kit/check.sh
for line in 'golden cudnn graph-deterministic' 'graph cudnn --cudnn-algorithm graph-deterministic' \
    'run to run cudnn --cudnn-algorithm graph-deterministic' 'run to run cudnn --cudnn-algorithm graph-heuristic'; do
    grep -q "^$line,holds," $verdicts || { echo "FAILED: no $line"; cat $verdicts; exit 1; }
done

# PyTorch's times where it is, and its failure is one
CUDNN=here TORCH=0 expect 0 '^times of PyTorch,holds,' kit/check.sh
CUDNN=here TORCH=1 expect 1 '^times of PyTorch,FAILS,' kit/check.sh

# other weights fail native-cuda and are told of cublas
DIFFERS=native-cuda expect 1 '^run to run native-cuda --arithmetic direct,FAILS,5 different of 5,' kit/check.sh
grep -q '^bits of native direct,FAILS,' $verdicts
grep -q '^said of bisect ' kit/results/checks/made-up/where-direct.txt # which operation it is, is asked at once
DIFFERS='--optimizer sgd' expect 1 '^bits of native optimizer sgd,FAILS,' kit/check.sh
DIFFERS=cublas expect 1 '^run to run cublas,holds,5 different of 5,' kit/check.sh

# ranks on two GPUs, of which NCCL is used or not, or that have other bits
GPUS='0 1' NCCL=2.27.3 expect 1 '^ranks nccl is used,holds,2.27.3,' kit/check.sh
also '^ranks nccl,holds,4567 4567,'
GPUS='0 1' NCCL='not used: rank 0 finds none' expect 1 '^ranks nccl is used,not run,not used: rank 0 finds none,' kit/check.sh
GPUS='0 1' OF_RANKS=89 expect 1 '^ranks nccl,FAILS,4567 89,' kit/check.sh
also '^ranks host,FAILS,4567 89,'

# nothing after what hangs
HANGS='--backend native-cuda' expect 1 '^bits of native direct: no end within its time limit' kit/check.sh
[ "$(tail -n 1 $verdicts | cut -d, -f1,2)" = 'bits of native direct,FAILS' ]
