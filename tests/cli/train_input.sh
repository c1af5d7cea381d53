# The input pipeline changes no bit: batches made as they are taken, or ahead by any number of workers in a queue of any
# depth; of video and of images, straight or after an interruption. A run that is fed with one batch alone is marked.
make_file video video.h5 20x12 60 1
make_file images images.h5 8 60 0 1
video='samebits train --data video.h5 --channels 3,4 --window 5 --quiet'
images='samebits train --data images.h5 --model autoencoder --hidden 8 --batch 4 --shards 2 --chain-every 1 --quiet'

expect 0 '^updates 20 ' $video --input sync --updates 20 -o video_sync.h5
expect 0 '^updates 40 ' $images --input sync --updates 40 -o images_sync.h5
for how in '1 1' '1 50' '3 2' '4 8'; do
    set -- $how
    prefetch="--input prefetch --input-workers $1 --queue-depth $2"
    for data in 'video 20' 'images 40'; do
        set -- $data
        rm -f "$1.h5.run"
        expect 0 "^updates $2 " ${!1} $prefetch --updates $2 -o run.h5
        expect 0 "^same bits over $2 entries" samebits diff "$1_sync.h5" run.h5
        rm run.h5
    done
done

for data in 'video 20' 'images 40'; do
    set -- $data
    for backend in native cuda-on-cpu; do
        expect 0 "^updates $2 " ${!1} --input resident --backend $backend --updates $2 -o run.h5
        expect 0 "^same bits over $2 entries" samebits diff "$1_sync.h5" run.h5
        rm run.h5
    done
done

# Where a device works, images lie there, and it makes the batches: those that the chain has no link of, for of the others
# the host makes the numbers that are hashed. Each element of the mlp's images has a table of its own.
samebits-data synth digits --images 40 --test 8 --seed 1 -o digits.h5 2>&1
classes='samebits train --data digits.h5 --model mlp --widths 6 --batch 8 --shards 2 --chain-every 4 --quiet'
augmented="$classes --normalise mnist --crop 2 --flip on"
coded='samebits train --data images.h5 --model autoencoder --hidden 8 --batch 4 --shards 2 --chain-every 7 --quiet'
for how in classes augmented coded; do
    expect 0 '^updates 20 ' ${!how} --input sync --updates 20 -o ${how}_sync.h5
    expect 0 '^updates 20 ' ${!how} --backend cuda-on-cpu --updates 20 -o $how.h5
    expect 0 '^same bits over [0-9]+ entries, up to update 20$' samebits diff ${how}_sync.h5 $how.h5
done

# mode, workers and depth are no part of what a run is: it goes on with others
expect 0 '^updates 7 ' $video --input prefetch --updates 7 -o run.h5
expect 0 'continued from update 7' $video --updates 13 -o run.h5
expect 0 'continued from update 13' $video --input resident --updates 16 -o run.h5
expect 0 'continued from update 16' $video --input prefetch --input-workers 3 --queue-depth 2 --updates 20 -o run.h5
expect 0 '^same bits over 20 entries' samebits diff video_sync.h5 run.h5
expect 0 '^the same bits here over 20 entries' samebits replay run.h5 --data video.h5 --quiet
expect 0 'holds' samebits verify run.h5

# what input cost stands in the file, a row for each epoch, of images 15 updates
expect 0 '^/input/wait$' list_h5 images_sync.h5
for column in epoch updates bytes queue_least queue_mean queue_later wait wait_workers copy; do also "^/input/$column$"; done

# one batch alone: marked, of no data set, and in no study
expect 0 '^updates 20 ' $video --input fake --updates 20 -o fake.h5
expect 1 'data_digest' samebits diff video_sync.h5 fake.h5
expect 2 "fake.h5: learned from .* \(digest fake\), and video.h5 is another data set" samebits replay fake.h5 --data video.h5
expect 2 "fake.h5: holds a run with data_digest 'fake', not" $video --updates 25 -o fake.h5
expect 2 'no.h5: --input fake learns from one batch alone, and is no cell of a matrix' \
    $video --input fake --record text --updates 2 -o no.h5
expect 2 "input wants one of auto\|sync\|prefetch\|resident\|fake, not 'ahead'" $video --input ahead --updates 2 -o no.h5
expect 2 "input-workers wants a whole number in \[1, 64\], not '0'" $video --input-workers 0 --updates 2 -o no.h5
expect 2 "queue-depth wants a whole number in \[1, 4096\], not '0'" $video --queue-depth 0 --updates 2 -o no.h5
absent no.h5

# damage that comes to light while workers read: the sentence, and what was learned until then
cp video.h5 damaged.h5
printf 'XXXX' | dd of=damaged.h5 bs=1 seek=$(($(stat -c %s damaged.h5) / 2)) conv=notrunc status=none
make_file reseal damaged.h5
for input in sync prefetch resident; do
    expect 7 'damaged.h5: ' samebits train --data damaged.h5 --channels 3,4 --window 5 --quiet --input $input \
        --updates 11 -o no.h5
done
absent no.h5

# stopped while others make batches: a checkpoint, and nothing hangs
$images --input prefetch --updates 1000000 -o stopped.h5 &
pid=$!
while [ ! -s stopped.h5.journal ]; do kill -0 $pid; sleep 0.02; done
kill -TERM $pid
code=0
wait $pid || code=$?
[ $code = 143 ]
[ -s stopped.h5 ]
