# The Debian package of this build: what the checker of packages says, its dependencies, and from its unpacked files alone a
# cell of the demo and the results that the manuals name.
command -v dpkg-deb >/dev/null || { echo 'skipped: this is not Debian'; exit 77; }
for program in file dpkg-shlibdeps; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
cmake --build "$SB_BUILD" --target manuals >build.log 2>&1 || { cat build.log; exit 1; }
(cd "$SB_BUILD" && cpack -B "$OLDPWD/package") >cpack.log 2>&1 || { cat cpack.log; exit 1; }
if command -v lintian >/dev/null; then
    lintian --fail-on error,warning,info package/*.deb >lintian.log 2>/dev/null || { cat lintian.log; exit 1; }
    if grep -v '^N:' lintian.log; then echo 'FAILED: lintian says more than notes'; exit 1; fi
else
    echo 'not checked: lintian is not here'
fi
dpkg-deb -x package/*.deb root

# it is of the release that built it: version, and the packages of the libraries that the programs ask for
. /etc/os-release
expect 0 "^0\.[0-9.]*-1~$ID$VERSION_ID\$" dpkg-deb -f package/*.deb Version
dpkg-deb -f package/*.deb Depends >depends
for library in avformat avcodec swscale avutil gsl; do
    number=$(LC_ALL=C objdump -p root/usr/bin/samebits-* | sed -n "s/^ *NEEDED  *lib$library\.so\.//p")
    expect 0 "(^|, )lib$library(-extra)?$number(t64)? " cat depends
done

# make install leaves the same
DESTDIR=$PWD/install cmake --install "$SB_BUILD" --prefix /usr >/dev/null
diff <(cd root && find . ! -type d | sort) <(cd install && find . ! -type d | sort)

PATH=$PWD/root/usr/bin:/usr/bin:/bin
share=$PWD/root/usr/share/samebits documents=$PWD/root/usr/share/doc/samebits
cell='-n autoencoder/digits/native/any/copy/s001'
samebits-matrix run -f "$share/matrix/demo.yaml" $cell --data data >run.log 2>&1 || { cat run.log; exit 1; }
expect 0 "^the reference's bits: native 1 of 1$" \
    samebits-matrix compare -f "$share/matrix/demo.yaml" $cell --data data --reference "$share/results/demo-reference"
expect 0 'samebits 0\.[0-9]' samebits --version

# every folder of the sources' results that a manual or a manual page names is there, with all that the sources have of it
{ cat "$documents"/*.md "$documents"/docs/*.md; zcat root/usr/share/man/man1/*; } |
    grep -ohE 'results/[a-z0-9-]+(/[a-z0-9-]+)?' | sort -u >named
n_named=0
while read -r folder; do
    [ -f "$SB_SOURCE/$folder/README.md" ] || continue # a place for results of the reader's own
    same "$SB_SOURCE/$folder/README.md" "$share/$folder/README.md"
    n_named=$((n_named + 1))
done <named
[ $n_named -ge 10 ] || { echo "FAILED: the manuals name $n_named folders of results"; exit 1; }
while read -r file; do
    same "$SB_SOURCE/results/$file" "$share/results/$file"
    same "$SB_SOURCE/results/$file" "$documents/results/$file"
done < <(cd "$SB_SOURCE/results" && sed 's/^[0-9a-f]*  *//; s,^,natural/,' natural/SHA256SUMS)

# in that folder the manuals' commands work as in a clone
cd "$share"
samebits-report claims -i results/natural >"$test_folder/claims.out" 2>&1 || { cat "$test_folder/claims.out"; exit 1; }
samebits-report trace full.native.shared-over-copy.loss-last -i results/natural >"$test_folder/trace.out" 2>&1 || { cat "$test_folder/trace.out"; exit 1; }
