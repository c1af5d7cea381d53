# A training whose loss or weights are no finite numbers is a result: the run ends there, its file is complete and says at
# which update, the exit code is 1, and the same command trains nothing more. On every road that trains.
samebits-data synth digits --images 200 --test 100 --seed 1 -o digits.h5 2>/dev/null
samebits-data synth walk --size 32x24 --frames 60 -o walk.h5 2>/dev/null
fail() { echo "FAILED: $*"; exit 1; }
has_attribute() { list_h5 "$1" train final | grep -qx "/$2 diverged"; } # FILE GROUP
mlp="samebits train --model mlp --data digits.h5 --quiet"
wild="$mlp --batch 20 --lr 100 --optimizer momentum --momentum 0.99"
long="$wild --epochs 2"
says='the loss is nan; the run ends there, and is complete; try a smaller --lr$'

# ---- one run ----
expect 1 "^d.h5: diverged at update 4: $says" $long -o d.h5
also '^updates 4  diverged$'
absent d.h5.journal
expect 0 '^d.h5: run: holds, 4 updates' samebits verify d.h5
has_attribute d.h5 train && has_attribute d.h5 final || fail 'no attribute'
before=$(sha256sum d.h5)
expect 1 "^d.h5: finished before, nothing to do" $long -o d.h5
also "^d.h5: diverged at update 4: $says"
[ "$(sha256sum d.h5)" = "$before" ] || fail 'a diverged run was trained again'
expect 1 'diverged at update 4' $wild --epochs 5 -o d.h5
[ "$(sha256sum d.h5)" = "$before" ] || fail 'a diverged run was gone on with'
rm -f x.h5
expect 1 'diverged at update 4' $long --threads 2 --chain-every 1 -o x.h5
expect 0 '^the same bits here over 4 entries, up to update 4' samebits replay x.h5 --data digits.h5 --quiet
expect 0 '^the same bits here over 1 entry, up to update 4' samebits replay d.h5 --data digits.h5 --quiet
expect 0 '^same bits over 1 entry, up to update 4' samebits diff d.h5 x.h5

# ---- a journal that was left: its last loss is NaN, and the same NaN is no other result ----
mkdir j.h5.part
expect 1 'j.h5' $long -o j.h5
rmdir j.h5.part
[ -s j.h5.journal ] || fail 'no journal was left'
expect 1 "^j.h5: diverged at update 4: $says" $long -o j.h5
absent j.h5.journal
expect 0 '^same bits over 1 entry' samebits diff d.h5 j.h5

# ---- weights: the loss of black pictures does not show that their weights overflow, until infinity times 0 is NaN ----
mkdir black
pictures() { # NAME N, below 64
    local count; printf -v count '\\0\\0\\0\\%o' "$2"
    { printf "\0\0\10\3$count\0\0\0\34\0\0\0\34"; head -c $((784 * $2)) /dev/zero; } | gzip >"black/$1-images-idx3-ubyte.gz"
    { printf "\0\0\10\1$count"; yes | head -c "$2" | tr 'y\n' '\0\1'; } | gzip >"black/$1-labels-idx1-ubyte.gz"
}
pictures train 40
pictures t10k 10
samebits-data convert mnist --from black -o black.h5 2>/dev/null
echo 'dense classes' >one.layers
black="samebits train --model layers --layers one.layers --data black.h5 --normalise none --hold-out 0 --batch 20 --lr 100
    --optimizer sgd --weight-decay 1 --decay-by-kind 1,1,1,0 --quiet"
expect 0 '^updates 20  loss' $black --updates 20 -o w20.h5
if has_attribute w20.h5 train || has_attribute w20.h5 final; then fail 'a finite run has the attribute'; fi
expect 1 '^w21.h5: diverged at update 21: a weight is no finite number; the run ends there' $black --updates 21 -o w21.h5
has_attribute w21.h5 final || fail 'weights that are no numbers are taken for a result'
expect 0 '^w21.h5: run: holds, 21 updates' samebits verify w21.h5
expect 1 "^w30.h5: diverged at update 22: $says" $black --updates 30 -o w30.h5

# ---- other roads ----
expect 1 "^one.h5: diverged at update 4: $says" $mlp --batch 1 --lr 100 --optimizer momentum --momentum 0.99 --updates 50 -o one.h5
expect 1 "^local.h5: diverged at update 2: $says" $mlp --batch 20 --shards 2 --sync-every 2 --optimizer sgd --lr 100 \
    --updates 50 -o local.h5
expect 0 '^the same bits here over 1 entry, up to update 2' samebits replay local.h5 --data digits.h5 --quiet
expect 1 "^stop.h5: diverged at update 4: $says" $long --hold-out 140 --validate-every 1 --early-stop on -o stop.h5
absent stop.h5.best
expect 1 "^shards.h5: diverged at update 4: $says" $long --shards 4 --input prefetch -o shards.h5

# ---- several processes: all of them end with the same update, and one of them says so ----
if command -v samebits-mpi >/dev/null && command -v mpiexec.hydra >/dev/null; then
    rm -f shards.h5
    expect 1 "^ranks.h5: diverged at update 4: $says" timeout 120 mpiexec.hydra -n 2 samebits ${long#samebits } --shards 4 -o ranks.h5
    [ "$(grep -c 'diverged at update' expect.out)" = 1 ] || fail "said by more than one rank: $(cat expect.out)"
    expect 1 'diverged at update 4' $long --shards 4 -o shards.h5
    expect 0 '^same bits over 1 entry, up to update 4' samebits diff ranks.h5 shards.h5
    expect 1 '^ranks.h5: diverged at update 4' timeout 120 mpiexec.hydra -n 2 samebits ${long#samebits } --shards 4 -o ranks.h5
    also '^ranks.h5: finished before, nothing to do'
    expect 1 "^black2.h5: diverged at update 21: a weight is no finite number" \
        timeout 120 mpiexec.hydra -n 2 samebits ${black#samebits } --shards 2 --updates 21 -o black2.h5
fi
