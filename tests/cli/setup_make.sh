# The Makefile with the programs of this build ('-o' takes a target for done), in a folder without data.
cp "$SB_SOURCE"/Makefile "$SB_SOURCE"/Makefile.repro .
ln -s "$SB_SOURCE/matrix" matrix
export SAMEBITS_CACHE=$PWD/cache
unset MAKEFLAGS MAKELEVEL DISPLAY WAYLAND_DISPLAY
make="make -o build BUILD=$SB_BUILD"

expect 0 '^make demo  *the whole way' make
for target in demo repro cell data build check test gpu-check gpu-pack bench doctor deps docs notices clean; do
    grep -q "^make $target " expect.out || { echo "FAILED: make help is silent about $target"; exit 1; }
done

# no data: the sentence names the ways out, and make keeps the code of the program
expect 2 '^make: .* Error 4$' $make repro
for word in --mirror cache/fpsi "'make demo'"; do
    grep -q -- "the data set fpsi cannot be made.*$word" expect.out || { sed 's/^/  | /' expect.out; exit 1; }
done
absent results/paper
expect 2 '^nowhere: no such folder; FPSI= wants' $make repro FPSI=nowhere
expect 2 "^make cell: wants CELL=; .*samebits-matrix list -f matrix/paper.yaml' names them" make cell
expect 2 'Error 5$' $make cell MATRIX=matrix/demo.yaml CELL=no/such/cell
expect 2 "or make cell MATRIX=matrix/demo.yaml CELL=prednet/walk/native/any/copy/s001$" \
    $make cell CELL=prednet/walk/native/any/copy/s001

# FPSI= is a link in the cache, and can be given again
mkdir videos
expect 2 'Error 4$' $make repro FPSI=videos
expect 2 'Error 4$' $make repro FPSI=videos
[ "$(readlink cache/fpsi)" = "$PWD/videos" ]

# some cells failed (1) or could not run (3): the others are reported, the code stays; without data (4) nothing is
mkdir -p fake/bin
printf '#!/bin/sh\necho "matrix $1" >>log\n[ "$1" != run ] || exit $RUN_EXIT\n' >fake/bin/samebits-matrix
printf '#!/bin/sh\necho "layers $3" >>log\n' >fake/bin/samebits
printf '#!/bin/sh\necho "report $1" >>log\n' >fake/bin/samebits-report
chmod +x fake/bin/*
for code in 0 1 3 4; do
    : >log
    export RUN_EXIT=$code
    case $code in
    0) expect 0 "^the result: $PWD/results/demo/report/index.html$" make -o build BUILD=fake demo ;;
    *) expect 2 "Error $code$" make -o build BUILD=fake demo ;;
    esac
    wanted='matrix run,matrix collect,layers prednet,layers autoencoder,report html'
    [ $code != 4 ] || wanted='matrix run'
    [ "$(paste -sd, log)" = "$wanted" ] || { echo "FAILED: after code $code there ran $(paste -sd, log)"; exit 1; }
done
