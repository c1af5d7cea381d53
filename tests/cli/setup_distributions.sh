# 'make test-distributions' with an mmdebstrap and an unshare of our own: which releases it makes, in which order, with which
# keys, and what becomes of a failure. What it does in a release is run by hand, in hours.
check=$SB_SOURCE/tests/distributions/check.sh
mkdir bin
cat >bin/mmdebstrap <<'END'
#!/bin/bash
echo "$*" >>"$LOG"
[ "${FAILING-}" = mmdebstrap ] && { echo 'E: no such suite' >&2; exit 1; }
folder=${*: -2:1}
mkdir -p "$folder/root" "$folder/usr/share/keyrings"
touch "$folder/usr/share/keyrings/ubuntu-archive-keyring.gpg"
END
cat >bin/unshare <<'END'
#!/bin/bash
[ "${FAILING-}" = unshare ] && { echo 'unshare: Operation not permitted' >&2; exit 1; }
[ "${*: -1}" = true ] && exit
while [ "$1" != sh ]; do shift; done
root=$5
[ -s "$root/root/checkout.bundle" ] || exit 9
mkdir "$root/root/out"
[ "${FAILING-}" = demo ] && exit 2
echo "row of ${root##*/}, ${*: -1}" >"$root/root/out/row"
END
printf '#!/bin/sh\necho 0\n' >bin/id # as root: mmdebstrap's own helper is not asked
chmod +x bin/*
export LOG=$PWD/mmdebstrap.log TMPDIR=$PWD/roots PATH=$PWD/bin:$PATH
mkdir roots

expect 2 '^distributions: usage: check.sh OUT' "$check"
expect 2 "no release 'sid'; there are: debian-12 debian-13 ubuntu-24.04$" "$check" out sid
absent out
expect 0 '^row of debian-12, /root/inside.sh$' "$check" out
also '^release .*gcc .*the reference'
[ "$(grep -o 'row of [a-z0-9.-]*' expect.out | cut -c8- | paste -sd' ')" = 'debian-12 debian-13 ubuntu-24.04' ]
grep -q ' --components=main,universe .* noble .*/ubuntu-24.04 http' "$LOG"
[ -z "$(ls roots)" ] || { echo 'FAILED: a root was left behind'; exit 1; }

DEBIAN=http://mirror.example/debian expect 0 'row of debian-13' "$check" out debian-13
lacks expect.out 'row of (debian-12|ubuntu)'
tail -n 1 "$LOG" | grep -q ' trixie .* http://mirror.example/debian$'
FAILING=demo expect 1 '^debian-12: no end, see .*/out/debian-12/inside.log$' "$check" out debian-12
FAILING=mmdebstrap expect 4 "^distributions: no root of bookworm from .*: E: no such suite; .*/out/debian-12/root.log" "$check" out debian-12
FAILING=unshare expect 4 'neither works here: unshare: Operation not permitted$' "$check" out debian-12
[ -z "$(ls roots)" ] || { echo 'FAILED: a root was left behind'; exit 1; }

# what it runs in a release is the quick start of README, word for word
sed -n '/^quick_start() {$/,/^}$/p' "$SB_SOURCE/tests/distributions/inside.sh" >quick_start.sh
. ./quick_start.sh
cp "$SB_SOURCE/README.md" .
[ "$(quick_start | paste -sd,)" = 'make demo,make test' ] || { quick_start; exit 1; }
