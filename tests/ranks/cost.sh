#!/usr/bin/env bash
# cost.sh BUILD [ROUNDS]: what an update of several ranks costs, by bytes of the gradient, ranks and network, as CSV. Each rank
# is in a network of its own (namespace). A network is RATE/DELAY_US: with no delay the namespaces are joined by a bridge and
# what leaves one passes a token bucket of the rate; with one they are joined by delay_link. `memory/0`: no network, MPI's
# shared memory. What learns is MODEL/SIZE/UPDATES: an autoencoder of so many hidden units and 16 images an update, which computes
# little, or ResNet-9 of so many images a rank, beside whose backward pass most of an exchange goes on; `ordered` and `fast` in
# turns. A line with # says what each network does by itself (link_speed). Wants root, iproute2, mpich and hdf5-tools. On two
# cores half an hour with three rounds; RANKS='2 4' NETWORKS='1gbit/50' LEARNERS='resnet9/16/6' is a part of it. Where other
# work is on the machine: `chrt -r 1 cost.sh BUILD`, for what spins beside it takes turns of milliseconds else.
#
#   rate,delay_us,learner,ranks,gradient_bytes,reduce,round,update_s,exchange_s,waited_s
#                                             a median over the updates of a run, and means over them of rank 0
set -eu
build=$(realpath "$1")
rounds=${2:-3}
ranks=${RANKS:-2 4}
networks=${NETWORKS:-memory/0 10gbit/0 1gbit/0 10gbit/50 1gbit/50}
learners=${LEARNERS:-autoencoder/64/60 autoencoder/1024/30 autoencoder/4096/12 resnet9/16/6}
export PATH=$build/bin:$PATH OMP_WAIT_POLICY=passive
for program in samebits-mpi delay_link link_speed mpiexec.hydra ip tc h5dump h5ls; do
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

# MODEL SIZE RANKS: options of what learns
options_of() {
    case $1 in
    autoencoder) echo --data digits.h5 --model autoencoder --hidden $2 --batch 16 ;;
    resnet9) echo --data shapes.h5 --model resnet9 --batch $(($2 * $3)) --groups $3 ;;
    *) echo "no learner: $1" >&2; exit 2 ;;
    esac
}

# RANKS REDUCE MODEL SIZE UPDATES: one run, into run.h5
train() {
    local inside= options
    options="train $(options_of $3 $4 $1) --shards $1 --updates $5 --reduce $2"
    rm -f run.h5*
    if [ $rate != memory ]; then inside='sh inside.sh'; fi
    timeout -s KILL 600 mpiexec.hydra -n $1 $inside samebits $options --quiet -o run.h5 >run.out 2>&1 &
    run=$!
    wait $run || { cat run.out >&2; exit 1; }
    run=
}
numbers() { h5dump -w 1 -y -d $1 run.h5 | sed -n '/DATA {/,/}/p' | grep -oE '[-0-9.]+(e[-+]?[0-9]+)?' | head -n $2; }
per_update() { numbers /exchange/$1 1 | awk -v n=$2 '{print $1 / n}'; }

# Four bytes for each number of /param.
gradient_bytes() {
    h5ls -r run.h5 | sed -n 's|^/param/.*Dataset {\(.*\)}|\1|p' |
        awk -F', ' '{n = 1; for (i = 1; i <= NF; i++) n *= $i; all += n} END {print 4 * all}'
}

measure() { # RANKS MODEL SIZE UPDATES
    local update
    for round in $(seq "$rounds"); do
        for reduce in ordered fast; do
            train $1 $reduce $2 $3 $4
            update=$(numbers /train/seconds $4 | tail -n +3 | sort -g | awk '{s[NR] = $1} END {print s[int((NR + 1) / 2)]}')
            echo "$rate,$delay,$2/$3,$1,$(gradient_bytes),$reduce,$round,$update,$(per_update seconds $4),$(per_update waited $4)"
        done
    done
}

samebits-data synth digits --images 6400 --test 100 --seed 1 -o digits.h5 2>/dev/null
samebits-data synth shapes --images 640 --test 10 --seed 1 -o shapes.h5 2>/dev/null
echo rate,delay_us,learner,ranks,gradient_bytes,reduce,round,update_s,exchange_s,waited_s
for network in $networks; do
    rate=${network%/*} delay=${network#*/}
    if [ $rate != memory ]; then open_network $rate $delay; fi
    for r in $ranks; do
        for learner in $learners; do measure $r ${learner//// }; done
    done
    close_network
done
