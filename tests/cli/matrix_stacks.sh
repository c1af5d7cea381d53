# The stacks: the packages of each are fetched by their checksums and laid beside the sources; the Containerfile is filled
# in; what an image takes of a package is unpacked. With stand-ins for the packages, which are hundreds of megabytes, and
# for podman, which keeps what it was given to build.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
cp "$SB_BUILD/bin/samebits-data" bin/
cat >bin/podman <<'END'
#!/bin/sh
case "$1 $2" in
"image inspect")
    for word; do stack=${word##*:}; done
    [ -e "built/$stack" ] || { echo "Error: $stack: image not known" >&2; exit 125; }
    case $4 in *Size*) echo 123456789 ;; *) sha256sum <"built/$stack/Containerfile" | cut -d' ' -f1 ;; esac ;;
"--version ") echo "podman version 1" ;;
"build "*)
    echo "$*" >>podman.log
    case "$*" in *"${BROKEN:-no such word}"*) exit 125 ;; esac
    for word; do context=$word; done
    mkdir -p built && rm -rf "built/${context##*/}" && cp -r "$context" built/ ;;
esac
END
chmod +x bin/podman

# a clone, with a list of stand-ins for every package that the rows name, in a folder that serves as the mirror
mkdir -p clone/cmake clone/src/core mirror
cp -r "$SB_SOURCE/containers" clone/
cp "$SB_SOURCE"/{LICENSE,NOTICE.md,CMakeLists.txt,CMakePresets.json} clone/
cp "$SB_SOURCE/cmake/revision.sh" clone/cmake/
lock=clone/containers/packages.lock
awk '/^[a-z]/ { print $1 }' "$SB_SOURCE/containers/packages.lock" | sort -u >packages
[ "$(wc -l <packages)" -ge 14 ]
echo '# PACKAGE BYTES SHA256 FILE ADDRESS' >$lock
while read -r package; do
    for part in one two; do
        file=$package.$part-1.0-py3-none-any.whl
        echo "$package $part" >mirror/$file
        echo "$package $(stat -c %s mirror/$file) $(sha256sum <mirror/$file | cut -d' ' -f1) $file https://nowhere.invalid/" >>$lock
    done
done <packages

build="$matrix image build --source clone --cache store"
expect 0 '^cpu sha256:' $build
[ ! -e store/packages ] # cpu needs none
expect 4 'not in the cache, and --offline forbids the net; give --mirror DIR$' $build cuda-13 --offline
expect 0 '^cuda-13 sha256:[0-9a-f]{64}$' $build cuda-13 --mirror mirror
also '^podman build --timestamp=0 -f [^ ]* -t localhost/samebits-build:cuda-13 --build-arg=REVISION=.* store/context/cuda-13$'
also '^podman build --timestamp=0 --omit-history .*-t localhost/samebits:cuda-13 --build-arg=BUILT=localhost/samebits-build:cuda-13 '
[ ! -e store/context/cuda-13 ] # gone once it is built
same mirror/nvcc-13.0.two-1.0-py3-none-any.whl built/cuda-13/packages/nvcc-13.0/nvcc-13.0.two-1.0-py3-none-any.whl
[ "$(ls built/cuda-13/packages)" = "$(printf '%s\n' cublas-13.0 cudnn-9.28-cuda-13 nvcc-13.0)" ]
for name in src/core cmake/revision.sh containers/unpack.sh containers/Containerfile.strip LICENSE; do [ -e "built/cuda-13/$name" ]; done

# every stack's Containerfile names what its row says, and nothing of the template is left in it
rm -r built
expect 0 '^cuda-11.8-cudnn-9.10 sha256:' $build all --mirror mirror
[ "$(ls built | wc -l)" = "$($matrix image list | tail -n +2 | wc -l)" ]
if grep '@' built/*/Containerfile; then echo "FAILED: the template is not filled in"; exit 1; fi
grep -qx 'FROM scratch' built/cpu/Containerfile
if grep -q packages/ built/cpu/Containerfile; then echo "FAILED: the stack cpu wants packages"; exit 1; fi
# nvcc's process number in a name would make each build another image
printf '.file "tmpxft_%08x_00000000-6_kernels_cuda.compute_90.cudafe1.cpp"\n.globl _start\n_start: ret\n' 511 >named.s
gcc -nostdlib -static -o named named.s
readelf -sW named | grep -q ' FILE .* tmpxft_000001ff_'
eval "$(sed -n 's,^RUN \(objcopy .*\) /image/samebits .*,\1 named,p' built/cuda-13/Containerfile)"
if readelf -sW named | grep tmpxft; then echo "FAILED: the trainer of an image names a process number"; exit 1; fi
grep -qx 'COPY packages/cudnn-8.5-cuda-11 /packages' built/cuda-11.8-cudnn-8.5/Containerfile
grep -q 'SAMEBITS_CUBLAS=/opt/samebits/lib/libcublas.so.12 SAMEBITS_CUDNN=/opt/samebits/lib/libcudnn.so.9$' \
    built/cuda-12.9/Containerfile
cat built/*/Containerfile | sed -n 's,^COPY packages/\([^ ]*\) .*,\1,p' | sort -u >used
same packages used # the real list has each package that a row names, and no other

# once fetched they are here; a file that is not the listed one is not taken, and neither is one that was altered
expect 0 '^cuda-12.9 sha256:' $build cuda-12.9 --offline
echo more >>store/packages/cublas-12.9/cublas-12.9.one-1.0-py3-none-any.whl
expect 4 'cublas-12.9.one-1.0-py3-none-any.whl: its sha256 is .* expected: removed, fetched again' $build cuda-12.9 --offline
sed -i 's/one/eno/' mirror/cublas-12.9.one-1.0-py3-none-any.whl
expect 7 'its sha256 is [0-9a-f]{64}, [0-9a-f]{64} expected: another file, removed' $build cuda-12.9 --mirror mirror --offline
sed -i 's/eno/one/' mirror/cublas-12.9.one-1.0-py3-none-any.whl
expect 0 '^cuda-12.9 sha256:' $build cuda-12.9 --mirror mirror --offline
for step in samebits-build:cpu omit-history; do BROKEN=$step expect 1 '^podman build: exit code 125$' $build cpu; done

# the table for people
expect 0 '^stack +cards +chosen +driver +cuDNN +image$' $matrix image list
also '^cpu +- +no card +- +- +sha256:[0-9a-f]{12}\.\.\., 123 MB$'
also '^cuda-11.8-cudnn-8.5 +5.0 to 8.6 +- +>=450 +8.5.0 '
also '^cuda-13 +from 7.5 +newer +>=580 +9.28.1 '
rm -r built/cpu
expect 0 '^cpu .* not here$' $matrix image list

# a cuDNN that a matrix names chooses the stack, and which card it cannot serve is a reason like any other
cat >versions.yaml <<'END'
hardware: hw.yaml
data: [{name: walk, make: synth walk --seed 1}]
studies:
  - name: v
    options: {model: prednet, updates: 2, window: 2, channels: '3,8', data: walk, target: copy, backend: cudnn, hardware: gtx-1080}
    seeds: 1
    axes: {cudnn_version: ['8.5', '9.10', '9.28', '7.6']}
END
expect 0 '^v/walk/cudnn-9.28/gtx-1080 +absent .* cuDNN 9.28 \(stack cuda-12.9-cudnn-9.28\) has code for compute capabilities 7.5 to 9.0, not for 6.1$' \
    $matrix plan -f versions.yaml
also "^v/walk/cudnn-7.6/gtx-1080 +absent .* no stack has cuDNN 7.6; 'samebits-matrix image list' names those that there are$"
also '^v/walk/cudnn-8.5/gtx-1080 +absent .* needs gpu, here is none$'
$matrix list -f versions.yaml >cells
count 4 '^v/walk/cudnn-[0-9.]*/gtx-1080/copy/s001 ' cells
expect 0 'cuDNN 9.28 .* has code for' $matrix status -f versions.yaml v/walk/cudnn-9.28/gtx-1080/copy/s001
sed -i 's/backend: cudnn/backend: cublas/' versions.yaml # versions that would make no difference
expect 2 'cudnn_version: backend cublas has no cudnn_version; backend cudnn has it' $matrix plan -f versions.yaml

# the study of versions that is shipped: what cannot be is said of its cells, and of no others
$matrix list -f "$SB_SOURCE/matrix/cudnn.yaml" >cells
count 90 '^cudnn/walk/cudnn-(8.5|8.9|9.0|9.10|9.28)/' cells
for cell in 9.28/gtx-1080 8.5/h200; do
    expect 0 "cuDNN ${cell%/*} .* has code for" $matrix status -f "$SB_SOURCE/matrix/cudnn.yaml" cudnn/walk/cudnn-$cell/copy/s001
done
for cell in 9.10/gtx-1080 8.9/h200 9.28/rtx-2080-ti; do
    expect 0 'needs (gpu|a GPU)' $matrix status -f "$SB_SOURCE/matrix/cudnn.yaml" cudnn/walk/cudnn-$cell/copy/s001
done

# what a list may say
list() { printf '%s\n' "$1" >list; }
digest=$(sha256sum <mirror/cublas-12.9.one-1.0-py3-none-any.whl | cut -d' ' -f1)
fetch="samebits-data fetch --cache other --mirror mirror --offline --list list"
list "a 16 $digest cublas-12.9.one-1.0-py3-none-any.whl https://nowhere.invalid/ # words"
expect 0 '^other/packages/a/cublas-12.9.one-1.0-py3-none-any.whl$' $fetch a
expect 2 "^list: no package 'b'$" $fetch a b
expect 2 '^nothing: no such file' samebits-data fetch --list nothing a
list "a 16 $digest x.whl"
expect 7 '^list:1: wants PACKAGE BYTES SHA256 FILE ADDRESS$' $fetch a
for words in "a/b 16 $digest x https://a/:PACKAGE wants" "a -1 $digest x https://a/:BYTES wants" "a 16 12 x https://a/:SHA256" \
    "a 16 $digest ../x https://a/:FILE" "a 16 $digest x https://a:ADDRESS" "a 16 $digest x file:///etc/:ADDRESS"; do
    list "# a comment
${words%:*}"
    expect 7 "^list:2: ${words##*:}" $fetch a
done
expect 2 "wants one NAME, not also 'walk'" samebits-data fetch mnist walk

# what of a package goes into an image: libraries and licences, not the rest
mkdir -p wheel/nvidia/cublas/lib wheel/nvidia/cublas/include wheel/two-1.0.dist-info/licenses
echo 'int one(void) { return 1; }' | gcc -shared -fPIC -x c -o wheel/nvidia/cublas/lib/libcublas.so.12 - -Wl,--no-as-needed -lm
cp wheel/nvidia/cublas/lib/libcublas.so.12 wheel/nvidia/cublas/lib/libnvblas.so.12
echo '/* */' >wheel/nvidia/cublas/include/cublas.h
echo 'The licence' >wheel/two-1.0.dist-info/licenses/License.txt
mkdir package
(cd wheel && python3 -m zipfile -c ../package/two-1.0-py3-none-any.whl nvidia two-1.0.dist-info)
sh "$SB_SOURCE/containers/unpack.sh" libraries package "$PWD/unpacked"
[ "$(cd unpacked && find . -type f | sort)" = "$(printf '%s\n' ./licences/two-1.0.txt ./opt/samebits/lib/libcublas.so.12)" ]
same wheel/nvidia/cublas/lib/libcublas.so.12 unpacked/opt/samebits/lib/libcublas.so.12
[ "$(cat unpacked.has)" = libcublas.so.12 ]
grep -qx libm.so.6 unpacked.wants
sh "$SB_SOURCE/containers/unpack.sh" compiler package "$PWD/tools"
[ -f tools/usr/local/cuda/include/cublas.h ]
[ "$(readlink tools/usr/local/cuda/lib64)" = lib ]
[ "$(readlink tools/usr/local/cuda/lib/libcublas.so)" = libcublas.so.12 ]
rm -r wheel/two-1.0.dist-info/licenses
mkdir bare
(cd wheel && python3 -m zipfile -c ../bare/two-1.0-py3-none-any.whl nvidia two-1.0.dist-info)
expect 1 'two-1.0-py3-none-any.whl: no licence in it' sh "$SB_SOURCE/containers/unpack.sh" libraries bare "$PWD/bare-root"
echo no >package/three.txt
expect 1 'three.txt: neither a Debian package nor a wheel' sh "$SB_SOURCE/containers/unpack.sh" libraries package "$PWD/none"

# what they want of Debian comes along with its notices; what nobody has is said
mkdir lists; cp unpacked.has unpacked.wants lists/
sh "$SB_SOURCE/containers/system.sh" "$PWD/system" lists
[ -f system/lib64/ld-linux-x86-64.so.2 ]
[ -f system/lib/x86_64-linux-gnu/libm.so.6 ]
[ -s system/licences/libc6.txt ]
readelf -d system/opt/samebits/lib/libcuda.so >dynamic # the driver under its other name
grep -q 'NEEDED.*\[libcuda.so.1\]' dynamic
echo libnowhere.so.1 >>lists/unpacked.wants
expect 1 'system.sh: no library has libnowhere.so.1, which one of them wants' sh "$SB_SOURCE/containers/system.sh" "$PWD/other-system" lists
