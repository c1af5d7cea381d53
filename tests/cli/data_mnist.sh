# MNIST from its four files, and what is said when they are not right.
mkdir good
make_idx good/train-images-idx3-ubyte.gz 3 30
make_idx good/train-labels-idx1-ubyte.gz 1 30
make_idx good/t10k-images-idx3-ubyte.gz 3 10
make_idx good/t10k-labels-idx1-ubyte.gz 1 10
expect 0 'mnist.h5: written' samebits-data convert mnist --from good -o mnist.h5
expect 0 'mnist.h5: unknown, 30 images and 10 test images of 28x28, digest [0-9a-f]{32}' samebits-data verify mnist.h5
samebits-data convert mnist --from good --name unknown -o again.h5
same mnist.h5 again.h5
cp -r good kept
source=good/t10k-labels-idx1-ubyte.gz
expect 2 "^$source: the same file as the input $source; name another output\$" \
    samebits-data convert mnist --from good -o $source
absent $source.part
same $source kept/t10k-labels-idx1-ubyte.gz

# bad PATTERN: a copy of the good folder, changed by the commands on stdin, is refused and leaves nothing
bad() {
    rm -rf bad; cp -r good bad
    (cd bad && eval "$(cat)")
    expect 7 "$1" samebits-data convert mnist --from bad -o bad.h5
    absent bad.h5 bad.h5.part
}
bad 'train-images-idx3-ubyte.gz: its header promises 23520 bytes, the file holds 1000' <<'X'
make_idx train-images-idx3-ubyte.gz 3 30 1000
X
bad 'train-labels-idx1-ubyte.gz: holds more than the 30 bytes its header promises' <<'X'
make_idx train-labels-idx1-ubyte.gz 1 30 31
X
bad 'train-labels-idx1-ubyte.gz: not an IDX file of labels: it begins with 0x00000803, not 0x00000801' <<'X'
cp train-images-idx3-ubyte.gz train-labels-idx1-ubyte.gz
X
bad 'train-images-idx3-ubyte.gz holds 30 images, but train-labels-idx1-ubyte.gz 10 labels' <<'X'
cp t10k-labels-idx1-ubyte.gz train-labels-idx1-ubyte.gz
X
bad 't10k-images-idx3-ubyte.gz: the gzip ends too early' <<'X'
head -c 60 t10k-images-idx3-ubyte.gz >cut && mv cut t10k-images-idx3-ubyte.gz
X
bad 't10k-images-idx3-ubyte.gz: damaged gzip' <<'X'
printf '\377\377\377\377' | dd of=t10k-images-idx3-ubyte.gz bs=1 seek=30 conv=notrunc 2>dd.log
X
bad 't10k-labels-idx1-ubyte.gz: not an IDX file of labels: it begins with 0x00000000' <<'X'
: >t10k-labels-idx1-ubyte.gz
X

bad 'train-images-idx3-ubyte.gz holds images of 28x28, but t10k-images-idx3-ubyte.gz of 32x30; both must have one size' <<'X'
make_idx t10k-images-idx3-ubyte.gz 3 10 0 32x30
X

# a gzip is whole or refused: cut anywhere, another checksum or length, and whatever follows its end but another gzip
bad_end='t10k-labels-idx1-ubyte.gz: (the gzip ends too early|damaged gzip|not an IDX file)'
labels=good/t10k-labels-idx1-ubyte.gz
size=$(stat -c %s $labels)
for ((n = 0; n < size; n++)); do bad "$bad_end" <<<"head -c $n ../$labels >t10k-labels-idx1-ubyte.gz" >bad.log || { cat bad.log; exit 1; }; done
for back in 1 4 5 8; do # the last byte and the first of the length, those of the checksum
    bad 'damaged gzip .incorrect (data|length) check' <<X
printf '\\377' | dd of=t10k-labels-idx1-ubyte.gz bs=1 seek=$((size - back)) conv=notrunc status=none
X
done
bad 'damaged gzip .other bytes follow its end' <<<'echo >>t10k-labels-idx1-ubyte.gz'
bad 'damaged gzip .other bytes follow its end' <<<'head -c 512 /dev/zero >>t10k-labels-idx1-ubyte.gz'
bad 'the gzip ends too early' <<<'printf "\37\213" >>t10k-labels-idx1-ubyte.gz'
bad 'holds more than the 10 bytes' <<<'cat ../good/t10k-labels-idx1-ubyte.gz >>t10k-labels-idx1-ubyte.gz'

digest() { samebits-data verify "$@" | sed 's/.*digest //'; }

# as others leave them: unpacked, and with a dot before idx
cp -r good unpacked
gzip -d unpacked/*.gz
samebits-data convert mnist --from unpacked -o again.h5
[ "$(digest mnist.h5)" = "$(digest again.h5)" ] || { echo 'FAILED: other images'; exit 1; }
for file in unpacked/*; do mv "$file" "${file/-idx/.idx}"; done
samebits-data convert mnist --from unpacked -o again.h5
[ "$(digest mnist.h5)" = "$(digest again.h5)" ] || { echo 'FAILED: other images'; exit 1; }

# in two pieces, each a gzip, and not packed at all: the same data set
cp -r good pieces
gunzip -c $labels >whole
{ head -c 9 whole | gzip; tail -c +10 whole | gzip; } >pieces/t10k-labels-idx1-ubyte.gz
expect 0 'written' samebits-data convert mnist --from pieces -o pieces.h5
cp whole pieces/t10k-labels-idx1-ubyte.gz
expect 0 'written' samebits-data convert mnist --from pieces -o plain.h5
[ "$(digest mnist.h5 pieces.h5 plain.h5 | sort -u | wc -l)" = 1 ] || { echo 'FAILED: other content'; exit 1; }

# a pipe is no file, and nothing waits for it
rm pieces/t10k-labels-idx1-ubyte.gz; mkfifo pieces/t10k-labels-idx1-ubyte.gz
expect 2 't10k-labels-idx1-ubyte.gz: a pipe, not a regular file' timeout 20 samebits-data convert mnist --from pieces -o bad.h5

# other data in MNIST's form: not MNIST's name, authors, address and licence, but those that are given; classes are counted
not_mnist='not the content of mnist, so its name, source and licence are not recorded'
letters() { # N LABEL...: labels of EMNIST's kind, from 1 on
    printf '\0\0\10\1\0\0\0'
    printf "\\$(printf %o $#)"
    for label; do printf "\\$(printf %o $label)"; done
}
mkdir letters
make_idx letters/train-images-idx3-ubyte.gz 3 6 0 3x2
make_idx letters/t10k-images-idx3-ubyte.gz 3 2 0 3x2
letters 1 2 3 4 1 6 | gzip >letters/train-labels-idx1-ubyte.gz
letters 6 1 | gzip >letters/t10k-labels-idx1-ubyte.gz
in_file() { tr -d '\n\0' <"$1" | grep -aq -- "$2"; }
expect 0 "^letters.h5: $not_mnist" samebits-data convert mnist --from letters -o letters.h5
also '^letters.h5: no training image of class 0, 5$'
also '^letters.h5: no test image of class 0, 2, 3, 4, 5$'
also '^letters.h5: written, 6 images of 5 classes and 2 test images of 2$'
expect 0 '^letters.h5: letters, 6 images and 2 test images of 3x2,' samebits-data verify letters.h5
for claim in LeCun 'CC BY-SA' yann; do
    if in_file letters.h5 "$claim"; then echo "FAILED: letters.h5 claims $claim"; exit 1; fi
done
expect 0 written samebits-data convert mnist --from letters --name emnist --source 'G. Cohen' --url https://e.org --licence CC0 \
    --transpose -o turned.h5
lacks expect.out "$not_mnist"
for text in emnist 'G. Cohen' https://e.org CC0 -- --transpose; do in_file turned.h5 "$text" || { echo "FAILED: no $text"; exit 1; }; done
expect 0 '^turned.h5: emnist, 6 images and 2 test images of 2x3,' samebits-data verify turned.h5
upright() { # N: make_idx's N pictures of 3x2 as pictures of 2x3
    printf '\0\0\10\3\0\0\0'
    printf "\\$(printf %o $1)"
    printf '\0\0\0\3\0\0\0\2'
    for ((k = 0; k < $1; k++)); do for x in 0 1 2; do for y in 0 1; do
        printf "\\$(printf %o $(((k * 6 + y * 3 + x) * 7 % 256)))"
    done; done; done
}
cp -r letters stored
upright 6 >stored/train-images-idx3-ubyte.gz
upright 2 >stored/t10k-images-idx3-ubyte.gz
expect 0 written samebits-data convert mnist --from stored -o stored.h5
[ "$(digest stored.h5)" = "$(digest turned.h5)" ] || { echo 'FAILED: not turned'; exit 1; }

rm good/t10k-labels-idx1-ubyte.gz
expect 4 "good/t10k-labels-idx1-ubyte.gz: not there; run 'samebits-data fetch mnist'" \
    samebits-data convert mnist --from good -o bad.h5
expect 4 'cache/mnist/train-images-idx3-ubyte.gz: not there' samebits-data convert mnist -o bad.h5
expect 1 'no/such/folder/x.h5: cannot be created: No such file or directory' \
    samebits-data convert mnist --from good -o no/such/folder/x.h5
absent bad.h5 bad.h5.part
