#!/usr/bin/env bash
# sysroot.sh ARCH FOLDER: the trainer's libraries as Debian builds them for ARCH (arm64, riscv64 or s390x), downloaded with
# their signatures checked and unpacked into FOLDER, where toolchain.cmake looks for them. Nothing is installed on this
# machine, its apt and dpkg are left as they are, and no root is needed. Done once: the same command again does nothing.
# DEBIAN=URL names another mirror.
# Exit codes: 0 the folder is complete, 2 usage, 4 something is missing here or on the mirror.
set -eu
here=$(dirname "$(realpath "$0")")
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
case "$#,${1-}" in
    2,arm64|2,s390x) suite=bookworm runtime= ;;
    2,riscv64) suite=trixie runtime=libgcc-14-dev ;; # a release architecture since Debian 13, built by gcc 14
    *) echo "usage: sysroot.sh arm64|riscv64|s390x FOLDER" >&2; exit 2 ;;
esac
arch=$1 folder=$2

fail() {
    echo "$folder: $*" >&2
    exit 4
}

packages="${runtime:+$runtime }$("$here/../../containers/install.sh" --list trainer | tr '\n' ' ')"
wanted="$arch of $suite: $packages"
if [ "$(cat "$folder/packages" 2>/dev/null)" = "$wanted" ]; then exit 0; fi
for tool in apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || fail "no $tool here; it takes a Debian or a Debian container to unpack Debian's packages"
done
[ -f "$keyring" ] || fail "no $keyring here, which the downloads are checked with; install the package debian-archive-keyring"

# The list of what is in it, empty until all of it is.
if [ -e "$folder" ] && [ ! -e "$folder/packages" ]; then fail "there is something else; remove it, or name another folder"; fi
rm -rf "$folder"
mkdir -p "$folder"/apt/{lists/partial,archives/partial}
: >"$folder/packages"
folder=$(realpath "$folder") apt=$folder/apt
: >"$apt/status"
echo "deb [signed-by=$keyring] ${DEBIAN:-http://deb.debian.org/debian} $suite main" >"$apt/sources.list"
cat >"$apt/apt.conf" <<END
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Sandbox::User "root";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
END
export APT_CONFIG=$apt/apt.conf
echo "$folder: fetching $packages(Debian $suite, $arch)"
apt-get update -q >"$apt/log" 2>&1 || fail "apt-get cannot read the mirror's lists: $(tail -n 1 "$apt/log")"
# shellcheck disable=SC2086
(cd "$apt/archives" && apt-get download -q $packages) >>"$apt/log" 2>&1 || fail "apt-get cannot download: $(tail -n 1 "$apt/log")"
for package in "$apt"/archives/*.deb; do dpkg-deb -x "$package" "$folder"; done
rm -rf "$apt"
echo "$wanted" >"$folder/packages"
