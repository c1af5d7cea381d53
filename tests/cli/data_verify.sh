# What verify finds: another content, damage in one byte of one chunk, a file cut short, files of other kinds.
samebits-data synth walk --size 48x32 --frames 20 -o walk.h5
expect 0 'walk.h5: walk, 20 frames of 48x32, 1 sequence, digest' samebits-data verify walk.h5
digest=$(samebits-data verify walk.h5 | sed 's/.*digest //')
expect 0 "$digest" samebits-data verify walk.h5 --digest "$digest"
expect 7 "its digest is $digest, not 0{32}: another content" \
    samebits-data verify walk.h5 --digest 00000000000000000000000000000000
expect 0 "$digest" samebits-data verify walk.h5 --digest "${digest^^}" # as some programs write it
other=${digest%?}g
expect 2 "digest wants 32 hex digits, not '$other'" samebits-data verify walk.h5 --digest "$other"
expect 2 "digest wants 32 hex digits, not 'abc'" samebits-data verify walk.h5 --digest abc

size=$(stat -c %s walk.h5)
cp walk.h5 damaged.h5
printf 'XXXX' | dd of=damaged.h5 bs=1 seek=$((size / 2)) conv=notrunc 2>dd.log
expect 7 'damaged.h5: damaged: the SHA-256 of its bytes is [0-9a-f]{16}..., and its seal says [0-9a-f]{16}...$' samebits-data verify damaged.h5
make_file reseal damaged.h5 # then the chunk's own checksum is what is left
expect 7 'damaged.h5: rows [0-9]+ to [0-9]+ of /frames cannot be read: damaged' samebits-data verify damaged.h5
head -c $((size / 2)) walk.h5 >cut.h5
expect 7 'cut.h5: has [0-9]+ bytes, and its seal says [0-9]+: cut short' samebits-data verify cut.h5
{ printf 'MATLAB 7.3 MAT-file%493s' ''; printf '\211HDF\r\n\032\n'; head -c 600 /dev/zero; } >matlab.h5
expect 7 'matlab.h5: an HDF5 file without a seal, after a block of another program such as MATLAB' samebits-data verify matlab.h5
echo text >text.h5
expect 7 'text.h5: not a sealed file of samebits, or damaged in its first bytes' samebits-data verify text.h5
expect 2 'none.h5: No such file or directory' samebits-data verify none.h5
expect 7 'text.h5: not a sealed file of samebits, or damaged in its first bytes' samebits-data verify text.h5 walk.h5 cut.h5
expect 2 'wants FILE.h5' samebits-data verify
