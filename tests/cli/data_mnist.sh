# MNIST from its four files, and what is said when they are not right.
mkdir good
make_idx good/train-images-idx3-ubyte.gz 3 30
make_idx good/train-labels-idx1-ubyte.gz 1 30
make_idx good/t10k-images-idx3-ubyte.gz 3 10
make_idx good/t10k-labels-idx1-ubyte.gz 1 10
expect 0 'mnist.h5: written' samebits-data convert mnist --from good -o mnist.h5
expect 0 'mnist.h5: mnist, 30 images and 10 test images of 28x28, digest [0-9a-f]{32}' samebits-data verify mnist.h5
samebits-data convert mnist --from good -o again.h5
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

rm good/t10k-labels-idx1-ubyte.gz
expect 2 "good/t10k-labels-idx1-ubyte.gz: not there; run 'samebits-data fetch mnist'" \
    samebits-data convert mnist --from good -o bad.h5
expect 2 'cache/mnist/train-images-idx3-ubyte.gz: not there' samebits-data convert mnist -o bad.h5
expect 1 'no/such/folder/x.h5.part: cannot be created: No such file or directory' \
    samebits-data convert mnist --from good -o no/such/folder/x.h5
absent bad.h5 bad.h5.part
