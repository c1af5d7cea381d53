# gradients: it trains as train does, and its file has a row for the network and for each tensor before the updates asked
# for. What stands in them: tests/test_gradients.c.
make_file video data.h5 16x8 40 1
form="--data data.h5 --channels 3,5 --window 4"

for target in copy shared; do
    expect 0 '^updates 7 ' samebits train $form --target $target --updates 7 --quiet -o $target.h5
    hash=$(sed -n 's/^weights //p' expect.out)
    for every in 1 3; do
        expect 0 "^updates 7  weights $hash\$" \
            samebits gradients $form --target $target --updates 7 --every $every --hold-out-windows 3 --quiet -o $target-$every.csv
        also '^compared [0-9]+  cosine mean '
    done
done
expect 0 '^1 3 6 $' awk -F, 'NR > 1 && $4 == "all" { printf "%s ", $3 }' copy-3.csv
expect 0 '^[0-9]+ 1$' awk -F, 'NR > 1 { n[$3]++; if (NF != 16) exit 1 } END { print n[1], n[1] == n[3] && n[3] == n[6] }' copy-3.csv
# of ten windows the last three: learned from when the training is beyond the seventh
expect 0 '^updates 10 ' samebits gradients $form --updates 10 --every 1 --hold-out-windows 3 --quiet -o all.csv
expect 0 '^0 0 0 0 0 0 0 0 1 2 $' awk -F, 'NR > 1 && $4 == "all" { printf "%s ", $16 }' all.csv

# of another data set: the same frames give the same losses, and nothing is ever learned from them
cp data.h5 twin.h5
expect 0 '^updates 10 ' samebits gradients $form --updates 10 --every 1 --hold-out-windows 3 --hold-out-data twin.h5 --quiet -o twin.csv
expect 0 '^0 0 0 0 0 0 0 0 0 0 $' awk -F, 'NR > 1 && $4 == "all" { printf "%s ", $16 }' twin.csv
cut -d, -f1-15 all.csv >all.columns
cut -d, -f1-15 twin.csv >twin.columns
same all.columns twin.columns
make_file video other.h5 16x8 20 2
expect 0 '^updates 10 ' samebits gradients $form --updates 10 --every 5 --hold-out-windows 3 --hold-out-data other.h5 --quiet -o other.csv
expect 1 . cmp all.csv other.csv
make_file video large.h5 32x16 20 2
expect 2 'large.h5: holds no video of 16x8, as data.h5 does' samebits gradients $form --hold-out-data large.h5 -o no.csv
expect 2 'data.h5: is what it learns from' samebits gradients $form --hold-out-data data.h5 -o no.csv
expect 2 'other.h5: has 5 windows; --hold-out-windows takes at most 4' samebits gradients $form --hold-out-data other.h5 -o no.csv

# no hold-out: its columns are empty
expect 0 '^updates 1 ' samebits gradients $form --updates 1 --hold-out-windows 0 --quiet -o none.csv
expect 0 ',,,,0$' grep ',all,' none.csv
# a window of one frame has one target, so that both gradients and both updates are the same
expect 0 'cosine mean 1.0000  smallest 1.0000  largest 1.0000' \
    samebits gradients --data data.h5 --channels 3,5 --window 1 --updates 4 --every 1 --hold-out-windows 2 --quiet -o one.csv
expect 0 '^4$' awk -F, '$4 == "all" && $7 == 1 && $11 == $12 && $14 == $15 { n++ } END { print n }' one.csv

# misuse, and nothing is left behind
make_file images images.h5 8 40 0 1
expect 2 '^--search deep-ga finds weights without gradients$' samebits gradients $form --search deep-ga -o no.csv
expect 2 'autoencoder has one target in an update' samebits gradients --data images.h5 --model autoencoder -o no.csv
expect 2 'data.h5: has 10 windows; --hold-out-windows takes at most 9' samebits gradients $form --hold-out-windows 10 -o no.csv
expect 2 'samebits gradients: wants -o FILE.csv' samebits gradients $form
expect 1 'no/such/folder/file.csv' samebits gradients $form --updates 1 --hold-out-windows 0 --quiet -o no/such/folder/file.csv
absent no.csv no.csv.part
