#!/usr/bin/env bash
# install.sh [--check|--list] [SECTION...|--but SECTION]: the packages of packages.txt (all sections, those named, or all
# but one) that are missing here are listed and installed, by root or through sudo where it asks for no password;
# elsewhere the line to type is printed. --check only lists them; --list names all of them, here or not.
# Exit codes: 0 all are here, 2 usage, 4 some are missing.
set -eu
export LC_ALL=C # one order of names for sort and comm
list=$(dirname "$0")/packages.txt

# names SECTION...: the packages of these sections, of all but $but where none is named
names() {
    awk -v wanted=" $* " -v but="$but" '/^## / { take = wanted == "  " ? $2 != but : index(wanted, " " $2 " ") }
                          /^[a-z0-9]/ && take { print $1 }' "$list" | sort -u
}

# absent NAME...: those that are not installed
absent() {
    printf '%s\n' "$@" |
        comm -23 - <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | sort -u)
}

mode=install
case "${1-}" in --check|--list) mode=${1#--} && shift ;; esac
but=
if [ "${1-}" = --but ] && [ $# = 2 ]; then but=$2 && shift; fi
for section; do
    if ! grep -qx "## $section" "$list"; then
        echo "$list: no section '$section'; there are:" $(sed -n 's/^## //p' "$list") >&2
        exit 2
    fi
done
if [ -n "$but" ]; then shift; fi
if [ "$mode" = list ]; then
    names "$@"
    exit 0
fi
if ! command -v dpkg-query >/dev/null; then
    echo "packages: this is not Debian, so nothing was checked; $list names what is needed" >&2
    exit 0
fi
wanted=$(names "$@")
missing=$(absent $wanted | tr '\n' ' ')
missing=${missing% }
if [ -z "$missing" ]; then
    echo "packages: all $(echo "$wanted" | wc -l) of $list are installed"
    exit 0
fi
if [ "$mode" = check ]; then
    echo "packages: missing: $missing"
    exit 4
fi

install="apt-get install -y --no-install-recommends $missing"
if [ "$(id -u)" = 0 ]; then
    may=env
elif sudo -n true 2>/dev/null; then
    may='sudo env'
else
    echo "packages: missing, and installing needs root; type this, then the same make again:" >&2
    echo "sudo apt-get update && sudo $install" >&2
    exit 4
fi
echo "packages: missing, installed now: $missing"
apt="$may DEBIAN_FRONTEND=noninteractive"
# shellcheck disable=SC2086
if ! { (set -x; $apt apt-get update -q && $apt $install -q) </dev/null; }; then
    echo "packages: apt-get failed, see above; with these installed by other means the build goes on: $missing" >&2
    exit 4
fi
