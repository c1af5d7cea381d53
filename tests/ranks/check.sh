#!/usr/bin/env bash
# check.sh BUILD [PART...]: what the tests show of ranks with small networks and few processes, at length: `bits`, one hash
# of weights and one chain for 1, 2, 4, 8 and 16 ranks, with 1 and 2 threads each, of every kind of network; `resume`,
# killed with 4 ranks and ended with 2; `fast`, the sums of MPI against the written order; `killed`, twenty kills at random;
# `stopped`, a rank that is paused; `versions`, a rank of another program; `slurm`, two nodes
# and a job that is queued again. A quarter of an hour on two cores; `make test-ranks`.
set -eu
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
shift
parts=${*:-bits resume fast killed stopped versions slurm}
export PATH=$build/bin:$PATH OMP_WAIT_POLICY=passive
command -v samebits-mpi mpiexec.hydra >/dev/null || { echo 'samebits-mpi or mpiexec.hydra is not here' >&2; exit 4; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ranks() { timeout -s KILL 300 mpiexec.hydra -n "$1" samebits "${@:2}"; } # R ARGUMENT...

samebits-data synth digits --images 320 --test 100 --seed 1 -o digits.h5 2>/dev/null
samebits-data synth shapes --images 320 --test 100 --seed 1 -o shapes.h5 2>/dev/null
samebits-data synth walk --size 24x16 --frames 384 --sequences 16 --seed 1 -o walks.h5 2>/dev/null
common='--shards 16 --quiet --chain-every 1 --checkpoint-every 4'
declare -A train=(
    [autoencoder]="train --data digits.h5 --model autoencoder --hidden 16 --batch 32 $common"
    [lenet]="train --data digits.h5 --model lenet --batch 32 --widths 6,8,20 $common"
    [mlp]="train --data digits.h5 --model mlp --batch 32 $common"
    [resnet9]="train --data shapes.h5 --model resnet9 --rung 9 --groups 16 --widths 4,6,6,8 --batch 32 --ema-every 2 --lr 0.01 --schedule constant $common"
    [prednet]="train --data walks.h5 --channels 3,4,8 --window 8 --batch 16 $common"
    [wide]="train --data digits.h5 --model autoencoder --hidden 1400 --batch 32 $common" # three buckets of a gradient
)
networks='autoencoder lenet mlp resnet9 prednet wide'
failures=0
wrong() { echo "FAILED: $*"; failures=$((failures + 1)); }

bits() {
    for network in $networks; do
        samebits ${train[$network]} --updates 10 -o one.h5 >one.out
        echo "$network: $(sed -n 's/^weights //p' one.out), 1 rank of 1 thread"
        samebits ${train[$network]} --updates 10 --threads 2 -o other.h5 >other.out
        samebits diff one.h5 other.h5 >diff.out || wrong "$network, 1 rank of 2 threads: $(head -1 diff.out)"
        for r in 2 4 8 16; do
            for t in 1 2; do
                rm -f other.h5*
                ranks $r ${train[$network]} --updates 10 --threads $t -o other.h5 >other.out 2>&1 || wrong "$network $r $t: $(cat other.out)"
                if samebits diff one.h5 other.h5 >diff.out && cmp -s one.out other.out; then
                    echo "  $r ranks of $t: $(head -1 diff.out)"
                else
                    wrong "$network, $r ranks of $t: $(head -1 diff.out)"
                fi
            done
        done
        rm -f one.h5 other.h5*
    done
}

# workers RUN: the processes that train it
workers() {
    local process
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/exe")" = "$(command -v samebits-mpi)" ] || continue
        if tr '\0' ' ' <"$process/cmdline" | grep -q -- "-o $1 "; then basename "$process"; fi
    done 2>/dev/null
}

kill_one() { # RUN
    local victim
    until victim=$(workers "$1" | shuf -n 1) && [ "$victim" ]; do sleep 0.05; done
    kill -KILL "$victim"
}

wait_for_updates() { # RUN N: as many records in the journal
    until [ "$(stat -c %s "$1.journal" 2>/dev/null || echo 0)" -gt $((150 * $2)) ]; do sleep 0.05; done
}

resume() {
    for network in $networks; do
        samebits ${train[$network]} --updates 12 -o one.h5 >one.out
        ranks 4 ${train[$network]} --updates 100000 -o other.h5 >killed.out 2>&1 &
        wait_for_updates other.h5 8
        kill_one other.h5
        wait $! || true
        n=$(($(stat -c %s other.h5.journal) / 150))
        rm -f one.h5
        samebits ${train[$network]} --updates $((n + 20)) -o one.h5 >one.out
        ranks 2 ${train[$network]} --updates $((n + 20)) -o other.h5 >other.out 2>&1 || wrong "$network: $(cat other.out)"
        if samebits diff one.h5 other.h5 >diff.out; then
            echo "$network: killed with 4, $(grep -o 'continued from update [0-9]*' other.out) with 2: $(head -1 diff.out)"
        else
            wrong "$network, killed with 4 ranks and ended with 2: $(head -1 diff.out)"
        fi
        rm -f one.h5 other.h5*
    done
}

# One step of rate 64 along the gradient: then weights differ as gradients do, and by more than they are rounded. Where MPI
# chooses the order of the written tree itself, it is told to go round a ring.
fast() {
    for network in $networks; do
        for r in 2 4 8; do
            one="${train[$network]} --optimizer sgd --lr 64 --lr-by-kind 1,1,1,1 --weight-decay 0 --schedule constant --updates 1"
            [[ prednet.autoencoder.wide = *$network* ]] || one="$one --ema-momentum 0"
            [[ prednet.autoencoder.wide != *$network* ]] || one=${one/--lr-by-kind 1,1,1,1 /}
            samebits ${one/--lr 64/--lr 0} -o start.h5 >/dev/null
            ranks $r $one -o ordered.h5 >/dev/null
            ranks $r $one --reduce fast -o fast.h5 >fast.out
            ranks $r $one --reduce fast -o again.h5 >again.out
            MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM=tsp_ring ranks $r $one --reduce fast -o ring.h5 >/dev/null
            cmp -s fast.out again.out || wrong "$network, $r ranks: fast does not repeat"
            for way in fast ring; do
                near_h5 start.h5 ordered.h5 $way.h5 1e-5 >near.out || wrong "$network, $r ranks, $way: $(cat near.out)"
                echo "$network, $r ranks, $way: $(cat near.out)"
            done
            rm -f start.h5 ordered.h5 fast.h5 again.h5 ring.h5
        done
    done
}

killed() {
    for i in $(seq 20); do
        ranks 4 ${train[autoencoder]} --updates 100000 -o k.h5 >killed.out 2>&1 &
        wait_for_updates k.h5 1
        sleep "0.$((RANDOM % 10))"
        kill_one k.h5
        code=0 && wait $! || code=$?
        grep -qE '^rank [0-3] of 4 \(process [0-9]+ on .*\) was killed by signal 9' killed.out && [ $code = 1 ] &&
            [ "$(wc -l <killed.out)" -le 2 ] || wrong "kill $i: code $code, $(cat killed.out)"
    done
    timeout -s TERM 5 mpiexec.hydra -n 2 samebits ${train[autoencoder]} --updates 100000 -o k.h5 >last.out 2>&1 || true
    sed 's/^/  /' last.out
    n=$(sed -n 's/.*stopped after update \([0-9]*\) of.*/\1/p' last.out)
    samebits ${train[autoencoder]} --updates "$n" -o one.h5 >/dev/null
    samebits diff one.h5 k.h5 >diff.out || wrong "after twenty kills: $(head -1 diff.out)"
    echo "after twenty kills and a stop: $(head -1 diff.out)"
    rm -f k.h5* one.h5
}

stopped() {
    for i in 0 1 2 3; do
        ranks 4 ${train[lenet]} --updates 100000 --rank-timeout 5 -o s.h5 >stopped.out 2>&1 &
        wait_for_updates s.h5 2
        kill -STOP $(workers s.h5 | sed -n $((i + 1))p)
        code=0 && wait $! || code=$?
        [ $code = 1 ] && [ "$(grep -c 'did not answer for 5 s' stopped.out)" = 1 ] || wrong "stop $i: $code $(cat stopped.out)"
        cat stopped.out
        rm -f s.h5*
    done
}

# A rank of another program: the same but for the revision that it says.
versions() {
    local revision
    revision=$(samebits --version | sed 's/.*revision \(.*\))/\1/')
    mkdir other
    cp "$build/bin/samebits" "$build/bin/samebits-mpi" other
    LC_ALL=C sed -i "s/$revision/$(tr 0-9a-f f0-9a-e <<<"$revision")/g" other/samebits other/samebits-mpi
    code=0
    timeout -s KILL 60 mpiexec.hydra -n 1 samebits ${train[mlp]} --updates 2 -o v.h5 : \
        -n 1 other/samebits ${train[mlp]} --updates 2 -o v.h5 >versions.out 2>&1 || code=$?
    cat versions.out
    [ $code = 2 ] && grep -q "^rank 1 of 2 .* has revision '.*', and rank 0 has revision '$revision'" versions.out ||
        wrong "versions: $code"
}

slurm() {
    local code=0
    "$here/../cli/run.sh" "$here/slurm.sh" "$build" >slurm.out 2>&1 || code=$?
    grep -E '^ok: |^FAILED|^skipped' slurm.out
    [ $code = 0 ] || [ $code = 77 ] || wrong "slurm: $(tail -3 slurm.out)"
}

for part in $parts; do
    echo "== $part"
    $part
done
[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
echo 'all hold'
