# verify: one line a file for each kind of file, folders, what is not ours; and files of the first release, sealed.
. "$SB_SOURCE/tests/cli/verify_setup.sh"
expect 0 '^sealed/run.h5: run: holds, 4 updates, weights [0-9a-f]{32}$' samebits verify sealed tables
also '^sealed/checkpoint.h5: checkpoint: holds, [0-9]+ updates, weights [0-9a-f]{32}$'
also '^sealed/data.h5: data set: holds, digest [0-9a-f]{32}$'
also '^sealed/trace.h5: trace: holds, [0-9]+ operations of update 1$'
also '^sealed/bundle.tar: bundle of a study: holds, [0-9]+ bytes$'
also '^sealed/results.tar.gz: archive of results: holds, [0-9]+ bytes$'
also '^tables/cells.csv: table: holds, as its SHA256SUMS says$'
also '^tables/SHA256SUMS: digests of tables: holds, 4 files$'
[ "$(wc -l <expect.out)" = "$(find sealed tables -type f | wc -l)" ] # one line a file

# archives are what any tar unpacks
tar -tf sealed/bundle.tar | head -n 1 | grep -qx samebits-bundle/SEAL
tar -xzf sealed/results.tar.gz
(cd samebits-results && sha256sum --quiet -c SHA256SUMS)

# what is not ours: named, and a failure only where it was asked for
mkdir mixed
echo text >mixed/text
ln -s text mixed/link
cp sealed/run.h5 mixed/
expect 0 '^mixed/text: not of this package$' samebits verify mixed
expect 7 '^mixed/text: FAILS: not of this package$' samebits verify mixed/text
rm mixed/run.h5

# a link is the file it leads to; one to a folder, or to nothing, is none of ours
mkdir links
ln -s ../sealed/run.h5 links/run.h5
ln -s ../sealed links/folder
ln -s nowhere links/broken
expect 0 '^links/run.h5: run: holds, 4 updates' samebits verify links
also '^links/folder: not of this package$'
also '^links/broken: not of this package$'
[ "$(wc -l <expect.out)" = 3 ]
expect 5 '^mixed: no file of this package that could be checked$' samebits verify mixed
expect 2 '^nowhere: No such file or directory$' samebits verify nowhere
mkfifo pipe
expect 2 '^pipe: not a regular file$' timeout 200 samebits verify pipe

# damage: the others are checked all the same
printf 'X' | dd of=sealed/run.h5 bs=1 seek=2000 conv=notrunc status=none
truncate -s -1 sealed/data.h5
cp tables/cells.csv whole.csv
echo >>tables/cells.csv
sed -i 2d tables/SHA256SUMS
expect 7 '^sealed/run.h5: run: FAILS: damaged: the SHA-256 of its bytes is' samebits verify sealed tables
also '^sealed/data.h5: data set: FAILS: has [0-9]+ bytes, and its seal says [0-9]+: cut short$'
also '^sealed/trace.h5: trace: holds'
also '^tables/cells.csv: table: FAILS: '
also '^tables/curves.csv: table: FAILS: .*not named in SHA256SUMS$'
also '^[0-9] files are not as they were written$'
expect 7 '^links/run.h5: run: FAILS: damaged' samebits verify links
cp whole.csv tables/cells.csv # a line of the list is gone, and nothing else is wrong
expect 7 'not named in SHA256SUMS' samebits-report write --only numbers -i tables -o never

# a file of the first release: a sentence that says what to do, then a seal, then as any other
old=old.h5
unseal() { tail -c +513 "sealed/$1.h5" >$old; } # the seal is all that stands before such a file
unseal trace
expect 7 "^$old: an HDF5 file without a seal, .*'samebits verify --seal FILE'" samebits bisect $old sealed/trace.h5
samebits train $auto --updates 4 -o sealed/new.h5 >/dev/null
for kind in new checkpoint trace; do
    unseal $kind
    expect 7 "^$old: sealed file: FAILS: an HDF5 file without a seal" samebits verify $old
    expect 0 "^$old: [a-z ]+: sealed; " samebits verify --seal $old
    expect 0 "^$old: [a-z ]+: holds, " samebits verify $old
    expect 0 'it had its seal before, which holds$' samebits verify --seal $old
done
samebits-data synth walk --size 16x16 --frames 12 -o sealed/data.h5 >/dev/null 2>&1
unseal data
expect 7 "^$old: an HDF5 file without a seal" samebits train $small --data $old --updates 1 --quiet -o never.h5
digest=$(samebits-data verify sealed/data.h5 | sed 's/.*digest //')
expect 0 "data set: sealed; .*the digest of its content is $digest" samebits verify --seal $old
expect 0 "digest $digest" samebits-data verify $old --digest "$digest"
# what does not hold is not sealed
unseal new
place=$(grep -abo 'autoencoder' $old | head -1 | cut -d: -f1)
printf 'X' | dd of=$old bs=1 seek="$place" conv=notrunc status=none
cp $old before
expect 7 "^$old: changed after it was written: the hash of its content" samebits verify --seal $old
same $old before
expect 7 'nothing was changed$' samebits verify --seal "$SB_SOURCE/tests/golden/prednet_16x8_bprop4_f4.h5"
absent never.h5 $old.part
