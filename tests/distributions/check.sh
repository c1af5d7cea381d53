#!/usr/bin/env bash
# check.sh OUT [NAME...]: README's quick start on bare Debian 12, Debian 13 and Ubuntu 24.04, or on those named. Each release
# gets a root by mmdebstrap with git and make, and a clone of the last commit in it; inside.sh does the rest. Afterwards the
# root is removed. OUT keeps the logs, OUT/table.txt has a line for each release. QUICK=1 leaves out the second command.
# DEBIAN=URL and UBUNTU=URL name other mirrors. An ordinary user needs user namespaces and numbers in /etc/subuid.
# Exit codes: 0 all passed, 1 something failed, 2 usage, 4 something is missing here.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
source=$(realpath "$here/../..")
keyrings=/usr/share/keyrings

# name, suite, mirror, keyring, components
releases() {
    cat <<END
debian-12 bookworm ${DEBIAN:-http://deb.debian.org/debian} debian-archive-keyring.gpg main
debian-13 trixie ${DEBIAN:-http://deb.debian.org/debian} debian-archive-keyring.gpg main
ubuntu-24.04 noble ${UBUNTU:-http://archive.ubuntu.com/ubuntu} ubuntu-archive-keyring.gpg main,universe
END
}

# fail CODE SENTENCE
fail() {
    echo "distributions: $2" >&2
    exit "$1"
}

# Only root, or a user who has a range of users, may own what a root holds.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else mmdebstrap --unshare-helper "$@"; fi
}

# What a root holds belongs to its own users, the folder around it to this one.
remove_root() {
    [ ! -d "$1" ] || as_root find "$1" -mindepth 1 -delete
    rm -rf "$1"
}

look_around() {
    command -v mmdebstrap >/dev/null || fail 4 'mmdebstrap makes the roots and is not here: apt-get install mmdebstrap'
    as_root unshare --mount --pid --fork true 2>"$out/namespaces.log" ||
        fail 4 "a root is entered as root or in user namespaces, and neither works here: $(tail -n 1 "$out/namespaces.log")"
    git -C "$source" bundle create "$work/checkout.bundle" HEAD 2>"$out/bundle.log" ||
        fail 4 "$source cannot be cloned: $(tail -n 1 "$out/bundle.log")"
    [ -z "$(git -C "$source" status --porcelain)" ] || echo "distributions: what is not committed is not in the clones" >&2
}

# bootstrap FOLDER LOG SUITE MIRROR option...
bootstrap() {
    local folder=$1 log=$2 suite=$3 mirror=$4
    shift 4
    mmdebstrap "$@" "$suite" "$folder" "$mirror" >"$log" 2>&1 || fail 4 "no root of $suite from $mirror: $(tail -n 1 "$log"); $log"
}

# Debian 12 has no package of Ubuntu's keys. That of Debian 13 is unpacked.
fetch_ubuntu_keys() {
    bootstrap "$work/keys" "$out/keys.log" trixie "${DEBIAN:-http://deb.debian.org/debian}" --variant=extract --include=ubuntu-keyring
    keyring=$work/keys$keyrings/$1
}

make_root() {
    local name=$1 suite=$2 mirror=$3 keyring=$keyrings/$4 components=$5
    if [ ! -f "$keyring" ]; then
        [ "$4" = ubuntu-archive-keyring.gpg ] || fail 4 "no $keyring here: apt-get install debian-archive-keyring"
        fetch_ubuntu_keys "$4"
    fi
    bootstrap "$work/$name" "$out/$name/root.log" "$suite" "$mirror" --variant=apt --keyring="$keyring" --components="$components" \
        --include=ca-certificates,git,make
}

# In the root as its own root, with nothing of this machine's environment but a proxy. No process outlives the shell.
enter() {
    as_root unshare --mount --pid --fork --kill-child sh -c '
        root=$1 && shift
        mount --bind "$root" "$root" && mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" &&
        mount --rbind /dev "$root/dev" && cp /etc/resolv.conf "$root/etc/" && cd "$root" && exec chroot "$root" "$@"' sh "$@"
}

# check NAME SUITE...: its line of the table
check() {
    local name=$1 root=$work/$1
    mkdir -p "$out/$name"
    echo "$name: a root by mmdebstrap" >&2
    make_root "$@"
    as_root cp "$work/checkout.bundle" "$here/inside.sh" "$root/root/"
    enter "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
        ${http_proxy:+http_proxy="$http_proxy"} QUICK="${QUICK-}" JOBS="${JOBS-}" \
        bash /root/inside.sh </dev/null >"$out/$name/inside.log" 2>&1 || failed=1
    as_root tar -C "$root/root" -cf - out | tar -C "$out/$name" --strip-components=1 -xf -
    remove_root "$root"
    cat "$out/$name/row" >>"$out/table.txt" || { echo "$name: no end, see $out/$name/inside.log" | tee -a "$out/table.txt" >&2; failed=1; }
}

[ $# -ge 1 ] || fail 2 'usage: check.sh OUT [NAME...]'
out=$1 && shift
for name; do
    releases | grep -q "^$name " || fail 2 "no release '$name'; there are: $(releases | cut -d' ' -f1 | paste -sd' ')"
done
rm -rf "$out" && mkdir -p "$out"
out=$(realpath "$out")
work=$(mktemp -d "${TMPDIR:-/tmp}/samebits-distributions.XXXXXX")
chmod 755 "$work"
trap 'for root in "$work"/*/; do remove_root "$root"; done; rm -rf "$work"' EXIT
look_around
failed=0
bash "$here/inside.sh" head >"$out/table.txt"
while read -r -a release; do
    [ $# = 0 ] || [[ " $* " = *" ${release[0]} "* ]] || continue
    check "${release[@]}"
done < <(releases)
cat "$out/table.txt"
echo "the logs: $out"
exit $failed
