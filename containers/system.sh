#!/bin/sh
# system.sh ROOT FOLDER...: the C library, and whatever else of Debian the libraries want that unpack.sh has listed in the
# folders, below ROOT, with the copyright notices in ROOT/licences. It runs while an image is built (Containerfile.in). A
# library that neither they nor Debian have fails it, but for the GPU's driver, which comes from the machine: cuDNN 8 asks
# for it by the name libcuda.so, under which not every machine hands it over, so that a library of that name, which does
# nothing but want the driver's libcuda.so.1, lies beside the others.
set -eu
root=$1
shift
mkdir -p "$root/licences"
export LC_ALL=C

# locate NAME: where Debian has it
locate() {
    for folder in /lib64 /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu; do
        [ ! -e "$folder/$1" ] || { echo "$folder/$1" && return; }
    done
    echo "system.sh: no library has $1, which one of them wants" >&2
    return 1
}

take() {
    mkdir -p "$root${1%/*}"
    cp -L "$1" "$root$1"
    package=$(dpkg -S "$1" "$(readlink -f "$1")" 2>/dev/null | sed -n '/^diversion by /!{s/:.*//p;q}')
    cp "/usr/share/doc/$package/copyright" "$root/licences/$package.txt"
}

lists=$(mktemp -d)
trap 'rm -r "$lists"' EXIT
{ for folder; do cat "$folder/unpacked.has"; done; echo libcuda.so.1; } >"$lists/has"
{ for folder; do cat "$folder/unpacked.wants"; done; echo ld-linux-x86-64.so.2; } | sort -u |
    grep -vxFf "$lists/has" >"$lists/names"
while read -r name; do
    file=$(locate "$name")
    take "$file"
    ldd "$file" | sed -n 's/^\t.* => \(\/[^ ]*\) (.*/\1/p' >"$lists/more" # what Debian's own want in turn
    while read -r file; do take "$file"; done <"$lists/more"
done <"$lists/names"

mkdir -p "$root/opt/samebits/lib"
gcc -shared -nostdlib -Wl,-soname,libcuda.so.1 -o "$lists/libcuda.so.1" -x c /dev/null
gcc -shared -nostdlib -Wl,-soname,libcuda.so -Wl,--no-as-needed -o "$root/opt/samebits/lib/libcuda.so" \
    -L "$lists" -l:libcuda.so.1
