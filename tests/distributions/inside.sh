#!/usr/bin/env bash
# inside.sh, in a bare release as its root: what README's quick start does in a clone of /root/checkout.bundle, then the
# tests of what depends on the release's libraries, then the Debian package, installed. /root/out/row has the line of the
# table, /root/out/*.log what was printed. 'inside.sh head' prints the table's head.
# Exit code: that of the first command that failed.
set -u
form='%-13s %-7s %-7s %-9s %-8s %11s %11s %11s %11s  %-44s %s\n'
if [ "${1-}" = head ]; then
    # shellcheck disable=SC2059
    printf "$form" release gcc HDF5 libav OpenBLAS 'make demo' 'make test' 'short test' package "the reference's bits" 'exit code'
    exit
fi
out=/root/out
code=0
mkdir -p $out

# timed NAME COMMAND: its seconds are in $seconds, "not run" after a failure that it builds on
timed() {
    local started=$SECONDS failed=0
    echo "$2"
    bash -c "$2" >"$out/$1.log" 2>&1 || failed=$?
    seconds="$((SECONDS - started)) s"
    if [ $failed != 0 ]; then
        seconds="$seconds, $failed"
        tail -n 20 "$out/$1.log"
        [ $code != 0 ] || code=$failed
    fi
}

# version PACKAGE: without the parts that a distribution adds
version() {
    dpkg-query -W -f '${Version}' "$1" 2>/dev/null | sed 's/^[0-9]*://; s/[-+].*//'
}

# The commands of the quick start, word for word.
quick_start() {
    sed -n '/^## Quick start/,/^    make test/s/^    \(make [^#]*[^ #]\)  *#.*/\1/p' README.md
}

cd /root && git clone -q -c advice.detachedHead=false checkout.bundle samebits && cd samebits || exit
. /etc/os-release
mapfile -t commands < <(quick_start)
[ ${#commands[@]} = 2 ] || { echo "README's quick start has not two commands: ${commands[*]}"; exit 2; }
timed demo "${commands[0]}"
demo=$seconds test='left out'
bits=$(sed -n "s/^the reference's bits: //p" $out/demo.log)
if [ -z "$QUICK" ]; then
    timed test "${commands[1]}"
    test=$seconds
else
    echo 'QUICK: the short test alone'
fi
timed short 'cmake --preset ci && cmake --build --preset ci && ctest --test-dir build/ci -L "^distribution$" -j $(nproc) --output-on-failure'
short=$seconds
timed package 'make package && apt-get install -y --no-install-recommends ./build/cpu/package/*.deb && cd / && samebits --version &&
    samebits-matrix list -f /usr/share/samebits/matrix/demo.yaml && samebits-data list && samebits-report --version'
# shellcheck disable=SC2059
printf "$form" "$ID-$VERSION_ID" "$(gcc -dumpfullversion)" "$(version libhdf5-dev)" "$(version libavcodec-dev)" \
    "$(version libopenblas-pthread-dev)" "$demo" "$test" "$short" "$seconds" "${bits:-none}" $code | tee $out/row
exit $code
