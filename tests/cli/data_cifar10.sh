# CIFAR-10 from its files, whole or with fewer test images where that is asked for, and what is said when they are not
# right. The real files are used where the environment says where they are (SB_TEST_CIFAR10=FOLDER); all else is zeros.
mkdir good
for i in 1 2 3 4 5; do head -c 30730000 /dev/zero >good/data_batch_$i.bin; done
head -c $((20 * 3073)) /dev/zero >good/test_batch.bin
convert="samebits-data convert cifar10 --from good -o c.h5"
expect 0 '^c.h5: 50000 images, and 20 of the 10000 test images$' $convert --test 20
expect 0 'c.h5: c, 50000 images and 20 test images of 32x32x3 of 10 classes, digest [0-9a-f]{32}$' samebits-data verify c.h5
digest=$(samebits-data verify c.h5 | sed 's/.*digest //')
mv good/test_batch.bin good/first.bin
expect 0 '10 of the 10000 test images' $convert --test 10 --test-file first.bin
tr -d '\n\0' <c.h5 | grep -aq -- '--test 10 --test-file first.bin' || { echo 'FAILED: the options are not in the file'; exit 1; }
expect 0 '50000 images and 10 test images' samebits-data verify c.h5
[ "$digest" != "$(sed 's/.*digest //' expect.out)" ]
expect 2 'c.h5: holds images of 3 channels, but autoencoder learns from images of one' \
    samebits train --model autoencoder --data c.h5 --updates 1 --quiet -o run.h5
absent run.h5
rm c.h5

refuse() { # CODE PATTERN OPTION...: the sentence, and nothing left
    local code=$1 pattern=$2
    shift 2
    expect "$code" "$pattern" $convert "$@"
    absent c.h5 c.h5.part
}
refuse 2 'good/test_batch.bin: No such file'
refuse 7 'good/first.bin: holds 20 test images, not 10000; with --test 20 they are the test set' --test-file first.bin
refuse 7 'good/first.bin: holds 20 test images, not 21' --test-file first.bin --test 21
refuse 2 "test wants a whole number in \[1, 10000\], not '0'" --test 0
refuse 2 "test-file wants the name of a file, not '../first.bin'" --test-file ../first.bin
mv good/first.bin good/test_batch.bin

# bad PATTERN: a file of the good folder, changed as stdin says
bad() {
    cp good/data_batch_5.bin kept
    (cd good && eval "$(cat)")
    refuse 7 "$1" --test 20
    mv kept good/data_batch_5.bin
}
bad 'good/data_batch_5.bin: holds 9999 images, not 10000' <<'X'
truncate -s -3073 data_batch_5.bin
X
bad 'good/data_batch_5.bin: holds 10001 images, not 10000' <<'X'
truncate -s +3073 data_batch_5.bin
X
bad 'good/data_batch_5.bin: has 30729999 bytes, which is no whole number of records of 3073' <<'X'
truncate -s -1 data_batch_5.bin
X
bad 'good/data_batch_5.bin: image 2 has label 10, and labels are 0 to 9' <<'X'
printf '\012' | dd of=data_batch_5.bin bs=1 seek=6146 conv=notrunc status=none
X

# the archive: the official one, or none
mkdir -p cache/cifar10
expect 2 'cache/cifar10: neither cifar-10-binary.tar.gz nor data_batch_1.bin in it; run .samebits-data fetch cifar10' \
    samebits-data convert cifar10 -o c.h5
tar -czf cache/cifar10/cifar-10-binary.tar.gz --transform 's,good,cifar-10-batches-bin,' good
expect 7 'cifar-10-binary.tar.gz: its sha256 is [0-9a-f]{64}, c4a38c50a1bc5f3a[0-9a-f]{48} expected: not the official' \
    samebits-data convert cifar10 --test 20 -o c.h5
mkdir mirror; mv cache/cifar10/cifar-10-binary.tar.gz mirror
expect 7 'cifar-10-binary.tar.gz: offers [0-9]+ bytes, 170052171 expected: another file' \
    samebits-data fetch cifar10 --mirror mirror --only-mirror
absent c.h5 c.h5.part cache/cifar10/cifar-10-binary.tar.gz
expect 0 '^cifar10 +images +170.1 MB +no ' samebits-data list

if [ -z "${SB_TEST_CIFAR10:-}" ]; then
    echo 'not tried: the real files (SB_TEST_CIFAR10 is not set)'
    return 0
fi
for name in "$SB_TEST_CIFAR10"/test_batch*.bin; do test_file=$(basename "$name"); done
samebits-data convert cifar10 --from "$SB_TEST_CIFAR10" --test 1000 --test-file "$test_file" -o real.h5
expect 0 'digest 421b5bf24c40b198f2d85637b6ba0265' samebits-data verify real.h5
