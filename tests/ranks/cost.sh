#!/usr/bin/env bash
# cost.sh BUILD [ROUNDS]: what an update of several ranks costs, by bytes of the gradient, ranks and network, as CSV. Each rank
# is in a network of its own (namespace). A network is RATE/DELAY_US: with no delay the namespaces are joined by a bridge and
# what leaves one passes a token bucket of the rate; with one they are joined by delay_link. `memory/0`: no network, MPI's
# shared memory. An autoencoder of one image a shard, so that little is computed; `ordered` and `fast` in turns. A line with
# # says what each network does by itself (link_speed). Wants root, iproute2, mpich and hdf5-tools. On two cores a quarter
# of an hour with three rounds; RANKS='2 4' NETWORKS='1gbit/50' is a part of it. Where other work is on the machine: `chrt -r 1
# cost.sh BUILD`, for what spins beside it takes turns of milliseconds else.
#
#   rate,delay_us,ranks,gradient_bytes,reduce,round,update_s,exchange_s     medians over the updates of a run, and means of rank 0
set -eu
build=$(realpath "$1")
rounds=${2:-3}
ranks=${RANKS:-2 4}
networks=${NETWORKS:-memory/0 10gbit/0 1gbit/0 10gbit/50 1gbit/50}
export PATH=$build/bin:$PATH OMP_WAIT_POLICY=passive
for program in samebits-mpi delay_link link_speed mpiexec.hydra ip tc h5dump; do
    command -v $program >/dev/null || { echo "$program is not here" >&2; exit 4; }
done
folder=$(mktemp -d)
most=0 link= run=
for r in $ranks; do most=$((r > most ? r : most)); done
last=$((most - 1))
close_network() {
    if [ "$link" ]; then kill "$link" && wait "$link" || :; fi
    link=
    for i in bridge $(seq 0 $last); do ip netns del sbr$i 2>/dev/null || :; done
}
finish() {
    trap '' TERM INT # timeout sends its signal twice
    if [ "$run" ]; then kill "$run" && wait "$run" || :; fi
    close_network
    rm -rf "$folder"
} 2>/dev/null
trap finish EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
cd "$folder"

# A rank's end of the network is net0 in its namespace.
set_up_ends() {
    for i in $(seq 0 $last); do
        ip -n sbr$i link set lo up
        ip -n sbr$i address add 10.77.0.$((i + 1))/24 dev net0
        ip -n sbr$i link set net0 up
    done
}

join_by_bridge() { # RATE
    ip netns add sbrbridge
    ip -n sbrbridge link add br0 type bridge
    ip -n sbrbridge link set br0 up
    for i in $(seq 0 $last); do
        ip -n sbr$i link add net0 type veth peer name port$i netns sbrbridge
        ip netns exec sbr$i tc qdisc replace dev net0 root tbf rate $1 burst 1mb latency 50ms
        ip -n sbrbridge link set port$i master br0 up
    done
}

join_by_delay() { # RATE DELAY_US
    local mbit=${1%mbit}
    case $1 in *gbit) mbit=$((${1%gbit} * 1000)) ;; esac
    rm -f link.out
    timeout 3600 delay_link $2 $mbit $(seq -f sbr%.0f 0 $last) >link.out &
    link=$!
    until grep -qs ready link.out; do
        kill -0 $link || exit 1
        sleep 0.05
    done
}

open_network() { # RATE DELAY_US
    for i in $(seq 0 $last); do ip netns add sbr$i; done
    if [ $2 = 0 ]; then join_by_bridge $1; else join_by_delay $1 $2; fi
    set_up_ends
    sleep 1
    link_speed sbr0 sbr1 10.77.0.1 | tail -1 |
        sed "s|\(.*\),\(.*\),\(.*\),\(.*\)|# $1, $2 us: a round trip takes \1 us, of 98 % \2 to \3; a stream has \4 MB/s|"
}

# Of the MPIs of Debian, UCX below MPICH goes through net0; all ranks are taken for other machines' ones.
cat >inside.sh <<'END'
export UCX_TLS=tcp,self UCX_NET_DEVICES=net0 MPIR_CVAR_NOLOCAL=1
exec ip netns exec sbr$PMI_RANK "$@"
END

# RANKS REDUCE HIDDEN UPDATES: one run, into run.h5
train() {
    local inside= options="train --data digits.h5 --model autoencoder --hidden $3 --batch 16 --shards $1 --updates $4 --reduce $2"
    rm -f run.h5*
    if [ $rate != memory ]; then inside='sh inside.sh'; fi
    timeout -s KILL 600 mpiexec.hydra -n $1 $inside samebits $options --quiet -o run.h5 >run.out 2>&1 &
    run=$!
    wait $run || { cat run.out >&2; exit 1; }
    run=
}
numbers() { h5dump -w 1 -y -d $1 run.h5 | sed -n '/DATA {/,/}/p' | grep -oE '[0-9.]+(e[-+]?[0-9]+)?' | head -n $2; }

measure() { # RANKS HIDDEN UPDATES
    local update exchange
    for round in $(seq "$rounds"); do
        for reduce in ordered fast; do
            train $1 $reduce $2 $3
            update=$(numbers /train/seconds $3 | tail -n +3 | sort -g | awk '{s[NR] = $1} END {print s[int((NR + 1) / 2)]}')
            exchange=$(numbers /exchange/seconds 1 | awk -v n=$3 '{print $1 / n}')
            echo "$rate,$delay,$1,$((4 * (2 * 784 * $2 + $2 + 784))),$reduce,$round,$update,$exchange"
        done
    done
}

samebits-data synth digits --images 6400 --test 100 --seed 1 -o digits.h5 2>/dev/null
echo rate,delay_us,ranks,gradient_bytes,reduce,round,update_s,exchange_s
for network in $networks; do
    rate=${network%/*} delay=${network#*/}
    if [ $rate != memory ]; then open_network $rate $delay; fi
    for r in $ranks; do
        measure $r 64 60
        measure $r 1024 30
        measure $r 4096 12
    done
    close_network
done
