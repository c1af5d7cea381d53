# The Debian package of this build: what the checker of packages says, and a cell of the demo from its unpacked files alone.
command -v dpkg-deb >/dev/null || { echo 'skipped: this is not Debian'; exit 77; }
cmake --build "$SB_BUILD" --target manuals >build.log 2>&1 || { cat build.log; exit 1; }
(cd "$SB_BUILD" && cpack -B "$OLDPWD/package") >cpack.log 2>&1 || { cat cpack.log; exit 1; }
if command -v lintian >/dev/null; then
    lintian --fail-on error,warning,info package/*.deb >lintian.log 2>/dev/null || { cat lintian.log; exit 1; }
    if grep -v '^N:' lintian.log; then echo 'FAILED: lintian says more than notes'; exit 1; fi
else
    echo 'not checked: lintian is not here'
fi
dpkg-deb -x package/*.deb root

# make install leaves the same
DESTDIR=$PWD/install cmake --install "$SB_BUILD" --prefix /usr >/dev/null
diff <(cd root && find . -type f | sort) <(cd install && find . -type f | sort)

PATH=$PWD/root/usr/bin:/usr/bin:/bin
share=$PWD/root/usr/share/samebits
cell='-n autoencoder/digits/native/any/copy/s001'
samebits-matrix run -f "$share/matrix/demo.yaml" $cell --data data >run.log 2>&1 || { cat run.log; exit 1; }
expect 0 "^1 of 1 cell has the reference's bits$" \
    samebits-matrix match -f "$share/matrix/demo.yaml" $cell --data data --reference "$share/results/demo-reference"
expect 0 'samebits 0\.[0-9]' samebits --version
