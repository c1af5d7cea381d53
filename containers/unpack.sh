#!/bin/sh
# unpack.sh compiler|libraries FOLDER ROOT: what a stack needs of the packages in FOLDER, below ROOT, with their licences
# in ROOT/licences. It runs while an image is built (Containerfile.in).
#   compiler   nvcc with headers and the static runtime: Debian packages keep their places, wheels go to /usr/local/cuda
#   libraries  the shared libraries of wheels, into /opt/samebits/lib
set -eu
kind=$1 folder=$2 root=$3
mkdir -p "$root/licences"

# Of CUDA's own development package the runtime and the headers alone: the rest is 2.7 GB of libraries.
unpack_deb() {
    dpkg-deb --fsys-tarfile "$1" |
        tar -x -C "$root" --exclude='*/libc[!u]*' --exclude='*/libcu[!dl]*' --exclude='*/x86_64-linux-gnu/lib[!c]*'
    name=$(dpkg-deb --field "$1" Package)
    cp "$root/usr/share/doc/$name/copyright" "$root/licences/$name.txt"
}

# Wheels say what they are in NAME-VERSION.dist-info, where the licence is.
unpack_wheel() {
    unzip -q -o "$1" -d "$root/wheel"
    info=$(cd "$root/wheel" && echo ./*.dist-info)
    name=${info#./}
    find "$root/wheel/$info" -iname '*license*.txt' -exec cp {} "$root/licences/${name%.dist-info}.txt" \;
    [ -s "$root/licences/${name%.dist-info}.txt" ] || { echo "unpack.sh: $1: no licence in it" >&2 && exit 1; }
    if [ "$kind" = compiler ]; then
        mkdir -p "$root/usr/local/cuda"
        cp -a "$root"/wheel/nvidia/*/. "$root/usr/local/cuda/"
    else
        mkdir -p "$root/opt/samebits/lib"
        find "$root/wheel/nvidia" -name 'lib*.so*' ! -name 'libnvblas*' -exec mv {} "$root/opt/samebits/lib/" \;
    fi
    rm -r "$root/wheel"
}

for file in "$folder"/*; do
    case $file in
    *.deb) unpack_deb "$file" ;;
    *.whl) unpack_wheel "$file" ;;
    *) echo "unpack.sh: $file: neither a Debian package nor a wheel" >&2 && exit 1 ;;
    esac
done
if [ -d "$root/usr/local/cuda" ]; then # as an installed CUDA looks
    cd "$root/usr/local/cuda"
    chmod -R a+rX,u+w .
    for folder in bin nvvm/bin; do [ ! -d $folder ] || find $folder -type f -exec chmod 755 {} +; done
    ln -s lib lib64
    for library in lib/lib*.so.*; do ln -s "${library##*/}" "${library%%.so*}.so"; done
fi
if [ "$kind" = libraries ]; then # and for system.sh, what they are called and what they want
    cd "$root/opt/samebits/lib"
    chmod 644 -- *
    ls >"$root.has"
    readelf -dW -- * | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u >"$root.wants"
fi
chmod -R a+rX "$root/licences"
