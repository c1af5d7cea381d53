#!/usr/bin/env bash
# cost.sh BUILD [ROUNDS]: what an update of several ranks costs, by bytes of the gradient, ranks and network, as CSV. Each rank
# is in a network of its own (namespace), joined to the others by a bridge; what leaves it passes a token bucket of the rate.
# Rate `memory`: no network, MPI's shared memory. An autoencoder of one image a shard, so that little is computed; `ordered`
# and `fast` in turns. Wants root, iproute2, mpich and hdf5-tools. On two cores some ten minutes with three rounds.
#
#   rate,ranks,gradient_bytes,reduce,round,update_s,exchange_s     medians over the updates of a run, and means of rank 0
set -eu
build=$(realpath "$1")
rounds=${2:-3}
ranks=${RANKS:-2 4 8}
rates=${RATES:-memory 10gbit 1gbit}
export PATH=$build/bin:$PATH OMP_WAIT_POLICY=passive
for program in samebits-mpi mpiexec.hydra ip tc h5dump; do
    command -v $program >/dev/null || { echo "$program is not here" >&2; exit 4; }
done
folder=$(mktemp -d)
most=0
clean() {
    for i in bridge $(seq 0 $((most - 1))); do ip netns del sbr$i 2>/dev/null || :; done
    rm -rf "$folder"
}
trap clean EXIT
cd "$folder"
for r in $ranks; do most=$((r > most ? r : most)); done

ip netns add sbrbridge
ip -n sbrbridge link add br0 type bridge
ip -n sbrbridge link set br0 up
for i in $(seq 0 $((most - 1))); do
    ip netns add sbr$i
    ip -n sbr$i link set lo up
    ip -n sbr$i link add net0 type veth peer name port$i netns sbrbridge
    ip -n sbr$i address add 10.77.0.$((i + 1))/24 dev net0
    ip -n sbr$i link set net0 up
    ip -n sbrbridge link set port$i master br0 up
done
cat >inside.sh <<'END'
exec ip netns exec sbr$PMI_RANK "$@"
END

# RANKS REDUCE HIDDEN UPDATES: one run, into run.h5
train() {
    local inside= options="train --data digits.h5 --model autoencoder --hidden $3 --batch 16 --shards $1 --updates $4 --reduce $2"
    rm -f run.h5*
    if [ $rate != memory ]; then inside='sh inside.sh'; fi
    timeout -s KILL 600 mpiexec.hydra -n $1 $inside samebits $options --quiet -o run.h5 >run.out 2>&1 || { cat run.out >&2; exit 1; }
}
numbers() { h5dump -w 1 -y -d $1 run.h5 | sed -n '/DATA {/,/}/p' | grep -oE '[0-9.]+(e[-+]?[0-9]+)?' | head -n $2; }

samebits-data synth digits --images 6400 --test 100 --seed 1 -o digits.h5 2>/dev/null
echo rate,ranks,gradient_bytes,reduce,round,update_s,exchange_s
for rate in $rates; do
    if [ $rate != memory ]; then
        # what the two MPIs of Debian take their ways and interfaces from; ranks are taken for other machines' ones
        export UCX_TLS=tcp,self UCX_NET_DEVICES=net0 FI_PROVIDER=tcp FI_TCP_IFACE=net0 MPIR_CVAR_NOLOCAL=1
        for i in $(seq 0 $((most - 1))); do
            ip netns exec sbr$i tc qdisc replace dev net0 root tbf rate $rate burst 1mb latency 50ms
        done
    fi
    for r in $ranks; do
        for size in '64 60' '1024 30' '4096 12'; do
            read -r hidden updates <<<"$size"
            for round in $(seq "$rounds"); do
                for reduce in ordered fast; do
                    train $r $reduce $hidden $updates
                    update=$(numbers /train/seconds $updates | tail -n +3 | sort -g | awk '{s[NR] = $1} END {print s[int((NR + 1) / 2)]}')
                    exchange=$(numbers /exchange/seconds 1 | awk -v n=$updates '{print $1 / n}')
                    echo "$rate,$r,$((4 * (2 * 784 * hidden + hidden + 784))),$reduce,$round,$update,$exchange"
                done
            done
        done
    done
done
