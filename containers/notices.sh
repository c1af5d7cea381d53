#!/usr/bin/env bash
# notices.sh [trainer]: the copyright notices and licences of all libraries that the programs contain, or the trainer alone,
# to stdout: of each Debian package in the table of NOTICE.md, in the version that is installed here, and once the licences
# that they refer to.
set -eu
cd "$(dirname "$0")/.."
rows=$(grep '^|' NOTICE.md)
[ "${1-}" != trainer ] || rows=$(grep -E '\| all four|`samebits`' <<<"$rows")
# libgcc-*-dev is that of this compiler
packages=$(sed -n 's/^|.*| `\([a-z0-9.+*-]*-dev\)` |.*/\1/p' <<<"$rows" | sed "s/\*/$(gcc -dumpversion)/")
[ -n "$packages" ] || { echo 'NOTICE.md: no package in its table' >&2; exit 1; }

# notice PACKAGE: the file of its copyright, or of another package of the same source: Ubuntu's libssl-dev has a link to nowhere
notice() {
    local source name
    source=$(dpkg-query -W -f '${source:Package}' "$1" 2>/dev/null) || return 0
    for name in "$1" $(dpkg-query -W -f '${source:Package} ${Package}\n' | sed -n "s/^$source //p"); do
        if [ -r "/usr/share/doc/$name/copyright" ]; then echo "/usr/share/doc/$name/copyright"; return; fi
    done
}

collect() {
    local package text
    cat LICENSE
    for package in $packages; do
        text=$(notice "$package")
        [ -n "$text" ] || { echo "$package: not installed, so its notices are not here" >&2; exit 4; }
        printf '\n==== %s %s\n\n' "$package" "$(dpkg-query -W -f '${Version}' "$package")"
        cat "$text"
    done
}

notices=$(collect)
printf '%s\n' "$notices"
for licence in $(grep -oE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' <<<"$notices" | sort -u); do
    [ -r "$licence" ] || continue
    printf '\n==== %s\n\n' "$licence"
    cat "$licence"
done
