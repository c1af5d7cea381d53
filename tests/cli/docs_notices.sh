# Every library that is linked as an archive, or compiled in as headers, is in NOTICE.md by the package it comes from, and
# 'make notices' has its copyright and every licence in full.
command -v dpkg-query >/dev/null || { echo 'skipped: the list is of Debian packages'; exit 77; }

# package FILE: the one that a file belongs to
package() { dpkg-query -S "$(realpath "$1")" | sed '/^diversion by /d; s/[:,].*//' | head -n 1; }

compiler=$(gcc -dumpversion)
# noted FILE: its package is in the table
noted() {
    local name
    name=$(package "$1")
    sed "s/libgcc-\*/libgcc-$compiler/" "$SB_SOURCE/NOTICE.md" | grep -q "^|.*| \`$name\` |" || { echo "FAILED: NOTICE.md lacks $name, of $1"; exit 1; }
    echo "ok: $name, of $1"
}

archives=$(sed -n 's,^SB_[A-Z0-9]*_ARCHIVE:FILEPATH=\(/.*\),\1,p' "$SB_BUILD/CMakeCache.txt") # one that is not here is not linked
[ "$(wc -w <<<"$archives")" -ge 10 ]
for file in $archives "$(gcc -print-libgcc-file-name)" "$(gcc -print-file-name=libc.a)" \
    /usr/include/xxhash.h /usr/include/Random123/philox.h; do
    noted "$file"
done

"$SB_SOURCE/containers/notices.sh" >notices.txt
for name in $(sed -n 's/^|.*| `\([a-z0-9.+*-]*-dev\)` |.*/\1/p' "$SB_SOURCE/NOTICE.md" | sed "s/\*/$compiler/") Apache-2.0 LGPL-2.1 GPL-3; do
    grep -qE "^==== (.*/)?$name( |\$)" notices.txt || { echo "FAILED: no notices of $name"; exit 1; }
done
