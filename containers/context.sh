#!/bin/sh
# context.sh SOURCE FOLDER PACKAGES [PACKAGE...]: what an image is built from, as a new FOLDER: the sources of the trainer
# and of this folder, and the packages, which lie in PACKAGES/PACKAGE. 'samebits-matrix image build' calls it.
set -eu
source=$1 folder=$2 packages=$3
shift 3
rm -rf "$folder"
mkdir -p "$folder/packages"
for name in CMakeLists.txt CMakePresets.json LICENSE NOTICE.md cmake containers src; do
    cp -a "$source/$name" "$folder/"
done
for package; do # as links to the same files, where that can be: they are large
    cp -al "$packages/$package" "$folder/packages/" 2>/dev/null || cp -a "$packages/$package" "$folder/packages/"
done
