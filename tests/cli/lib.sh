# What the command-line tests share. A test stops at its first failed expectation.

# expect CODE 'PATTERN' command...: the exit code, and a (grep -E) pattern somewhere in what it printed
expect() {
    local code=$1 pattern=$2 got=0
    shift 2
    "$@" >expect.out 2>&1 || got=$?
    if [ "$got" != "$code" ] || ! grep -qE -- "$pattern" expect.out; then
        echo "FAILED: $*"
        echo "  wanted exit code $code and /$pattern/; got $got and:"
        sed 's/^/  | /' expect.out
        exit 1
    fi
    echo "ok: $* -> $got"
}

# also 'PATTERN': somewhere in what the last expected command printed, too
also() {
    grep -qE -- "$1" expect.out && return
    echo "FAILED: the same command, wanted also /$1/; it printed:"
    sed 's/^/  | /' expect.out
    exit 1
}

# lacks FILE 'PATTERN': no line of it has the (grep -E) pattern
lacks() {
    [ -f "$1" ] || { echo "FAILED: no file $1"; exit 1; }
    if grep -nE -- "$2" "$1"; then echo "FAILED: /$2/ in $1"; exit 1; fi
}

# absent FILE...: none of them was left behind
absent() {
    for file; do
        if [ -e "$file" ]; then echo "FAILED: $file was left behind"; exit 1; fi
    done
}

# same A B: two files, byte for byte
same() {
    cmp "$1" "$2" || { echo "FAILED: $1 and $2 differ"; exit 1; }
}

# For awk -v seed=NUMBER: chance() is a number in [0, 1], the same ones everywhere. rand() is another in each awk, and that of
# Ubuntu 24.04 does not repeat itself after srand().
chance='function chance() { seed = (seed * 16807 + 12345) % 2147483647; return seed / 2147483647 }'

# seal DIR: the tables in it, and claims, as if they had been collected so
seal() {
    sed -i "s/^complete,.*/complete,$(($(wc -l <"$1/cells.csv") - 1)),/" "$1/coverage.csv"
    (cd "$1" && find . -maxdepth 1 \( -name '*.csv' -o -name claims.yaml \) | sort | xargs sha256sum | sed 's/ \.\// /' >SHA256SUMS)
}

# printed RESULTS LABEL: the text of a number; numbers.csv, which has all of them, is written once for each folder
printed() {
    local numbers=$test_folder/numbers-of-${1//[^a-z0-9-]/_}
    [ -e "$numbers" ] || samebits-report write --only numbers -i "$1" -o "$numbers" >/dev/null 2>&1 || return
    sed -nE "s/^$2,(\"([^\"]*)\"|([^,]*)),.*/\2\3/p" "$numbers/numbers.csv"
}
