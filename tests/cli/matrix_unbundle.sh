# unbundle: an ordinary tar with a manifest comes out as it went in; what could harm the machine is refused at once, and
# nothing of it is left. (A bundle with images and data, made here and run elsewhere: matrix_container.sh.)
matrix=samebits-matrix
top=made/samebits-bundle
remake() {
    rm -rf made; mkdir -p $top/bin $top/cache/data
    echo '#!/bin/sh' >$top/bin/samebits
    chmod 755 $top/bin/samebits
    head -c 300000 /dev/urandom >$top/cache/data/walk.h5
    (cd $top && find . -type f ! -name MANIFEST -printf '%P\n' | sort | xargs sha256sum >MANIFEST)
}
pack() { tar -C made -cf bad.tar "$@" samebits-bundle && make_file frame bad.tar bundle; }
refused() { expect 7 "^bad.tar: $1" timeout 200 $matrix unbundle bad.tar -o new; absent new new.part; }

remake; pack
expect 0 '^new: every file is as its manifest says' $matrix unbundle bad.tar -o new
diff -r $top new
[ "$(stat -c %a new/bin/samebits new/cache/data/walk.h5 | paste -sd,)" = 755,644 ]
expect 2 '^new: is there already' $matrix unbundle bad.tar -o new
rm -r new

plain="which is no plain file or folder of samebits-bundle; nothing was unpacked"
remake; mkfifo $top/bin/pipe; pack;               refused "holds 'samebits-bundle/bin/pipe', $plain"
remake; ln -s /etc/passwd $top/link; pack;        refused "holds 'samebits-bundle/link', $plain"
remake; ln $top/bin/samebits $top/twin; pack;     refused "holds 'samebits-bundle/(twin|bin/samebits)', $plain"
remake; pack --transform 's|^samebits-bundle/bin|samebits-bundle/../../bin|;s|^||' --absolute-names
refused "holds 'samebits-bundle/../../bin.*', $plain"
remake; pack --transform 's|^samebits-bundle|elsewhere|'; refused "holds 'elsewhere/', $plain"
if mknod $top/zero c 1 5 2>/dev/null; then pack;  refused "holds 'samebits-bundle/zero', $plain"; fi
remake; truncate -s 1T $top/hole; pack --sparse;  refused "holds 'samebits-bundle/hole', $plain"
remake; tar -C made -czf bad.tar samebits-bundle; make_file frame bad.tar bundle; refused 'no bundle of a study'
remake; tar -C made -cf bad.tar samebits-bundle; refused 'not a sealed file of samebits, or damaged in its first bytes; one of an older release is unpacked by .tar -xf.'
remake; pack; head -c 200000 bad.tar >cut; mv cut bad.tar; refused 'has 200000 bytes, and its seal says [0-9]+: cut short'
remake; tar -C made -cf - samebits-bundle | head -c 200000 >bad.tar; make_file frame bad.tar bundle; refused 'no bundle of a study, or cut short'
remake; echo >>$top/bin/samebits; pack;           refused "the manifest does not hold, first at 'bin/samebits'"
remake; echo >$top/more; pack;                    refused "the manifest does not hold, first at 'more'"
remake; rm $top/bin/samebits; pack;               refused "the manifest does not hold, first at 'bin/samebits'"
remake; rm $top/MANIFEST; pack;                   refused 'there is no manifest in it'

# setuid, and for all to write: what comes out is an ordinary program of the caller's
remake; chmod 6777 $top/bin/samebits; pack --mode=6777
expect 0 '^new: every' $matrix unbundle bad.tar -o new
[ "$(stat -c %a new/bin/samebits)" = 755 ]

# no archive at all: said at once, where a FIFO would never answer and a device never end
mkfifo pipe
expect 2 '^pipe: not a regular file' timeout 200 $matrix unbundle pipe -o other
expect 2 '^/dev/zero: not a regular file' timeout 200 $matrix unbundle /dev/zero -o other
expect 2 '^made: not a regular file' $matrix unbundle made -o other
expect 2 '^nothing.tar: No such file or directory' $matrix unbundle nothing.tar -o other
absent other other.part
