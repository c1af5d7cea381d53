# The Makefile with the programs of this build ('-o' takes a target for done), in a folder without data.
cp "$SB_SOURCE"/Makefile "$SB_SOURCE"/Makefile.repro .
ln -s "$SB_SOURCE/matrix" matrix
export SAMEBITS_CACHE=$PWD/cache
unset DISPLAY WAYLAND_DISPLAY
make="make -o build BUILD=$SB_BUILD"

expect 0 '^make demo  *the whole way' make
for target in demo repro cell data build check test test-at-length test-clang test-cross test-distributions gpu-check gpu-pack fuzz bench doctor install package deps docs notices clean; do
    grep -q "^make $target " expect.out || { echo "FAILED: make help is silent about $target"; exit 1; }
done

# no data: the sentence names the ways out, and make keeps the code of the program
lacks='could not run without their data: the data set fpsi is not here: the FPSI videos are no longer served; '
sed -e '/name: autoencoder/,$d' -e '/^claims:/d' "$SB_SOURCE/matrix/paper.yaml" | sed "s|hardware.yaml|$PWD/matrix/&|" >prednet.yaml
expect 2 '^make: .* Error 4$' $make repro MATRIX=prednet.yaml
grep -q "^80 of 336 cells $lacks.* into cache/fpsi (make repro FPSI=DIR); 'make demo' needs none\$" expect.out
absent results/prednet

# a part of the data: what can run runs, the others are counted on the page, and make keeps that code, too
sed -e '/name: autoencoder/,$d' -e '/^claims:/d' -e '/openblas\|cublas\|cudnn/d' -e "s/updates: 250/updates: 3/; s/seeds: 8/seeds: 1/; s/window: 20/window: 2/; s/'3,48,96,192'/'3,4'/" \
    -e "s|hardware.yaml|$PWD/matrix/&|" -e 's|^data:|&\n  - {name: walk, make: synth walk --size 16x16 --frames 100 --seed 1}|' \
    "$SB_SOURCE/matrix/paper.yaml" >part.yaml
cat >>part.yaml <<'END'
  - name: small
    options: {model: prednet, data: walk, updates: 3, window: 20, channels: '3,4'}
    seeds: 1
    axes: {target: [copy, shared]}
    zip: [{backend: native, hardware: any, threads: 1}]
END
expect 2 '^make: .* Error 3$' $make repro MATRIX=part.yaml
also '^run: 2 complete$'
also "^2 of 4 cells $lacks"
also "^the result: $PWD/results/part/report/index.html\$"
grep -q '2 cells, data missing: the data set fpsi is not here: the FPSI videos are no longer served' \
    results/part/report/index.html
grep -q '2 of 4 cells could not run without their data' results/part/report/index.html
expect 2 '^nowhere: no such folder; FPSI= wants' $make repro FPSI=nowhere
expect 2 "^make cell: wants CELL=; .*samebits-matrix list -f matrix/demo.yaml' names them" make cell
expect 2 'Error 5$' $make cell MATRIX=matrix/demo.yaml CELL=no/such/cell
expect 2 "or make cell MATRIX=matrix/demo.yaml CELL=prednet/walk/native/any/copy/s001$" \
    $make cell MATRIX=matrix/paper.yaml CELL=prednet/walk/native/any/copy/s001

# FPSI= is a link in the cache, and can be given again
mkdir videos
expect 2 'Error 4$' $make repro MATRIX=prednet.yaml FPSI=videos
expect 2 'Error 4$' $make repro MATRIX=prednet.yaml FPSI=videos
[ "$(readlink cache/fpsi)" = "$PWD/videos" ]

# with the study's own selection of frames in the place of its videos everything runs
rm cache/fpsi
for i in 0 1 2 3 4 5 6; do mkdir -p selection/day1; make_clip selection/day1/frame_$i.jpg 1 160x120 mjpeg; done
expect 0 "^the result: $PWD/results/part/report/index.html\$" $make repro MATRIX=part.yaml FPSI=selection
also "/cache/fpsi: the study's selection of frames: 1 sequence, 7 files, from 1 folder by name"
also '^run: 2 complete$'

# some cells failed (1) or could not run (3): the others are reported, the code stays; without data (4) nothing is
mkdir -p fake/bin
printf '#!/bin/sh\necho "matrix $1" >>log\n[ "$1" != run ] || exit $RUN_EXIT\n[ "$1" != compare ] || exit ${COMPARE_EXIT-0}\n' >fake/bin/samebits-matrix
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
    wanted='matrix run,matrix collect,layers prednet,layers autoencoder,report write,report answer'
    [ $code != 4 ] || wanted='matrix run'
    [ "$(paste -sd, log)" = "$wanted" ] || { echo "FAILED: after code $code there ran $(paste -sd, log)"; exit 1; }
done

# with a reference of its matrix at hand, the demo says how many cells have its bits; that some differ is no failure
mkdir -p results/demo-reference
export RUN_EXIT=0 COMPARE_EXIT
for COMPARE_EXIT in 0 1 3 5; do
    : >log
    expect 0 "^the result: " make -o build BUILD=fake demo
    [ "$(tail -n 1 log)" = 'matrix compare' ] || { echo "FAILED: there ran $(paste -sd, log)"; exit 1; }
done
COMPARE_EXIT=7
expect 2 'Error 1$' make -o build BUILD=fake demo

# compare is of the demo unless MATRIX says otherwise; that bits differ fails it only where FAIL_ON asks
COMPARE_EXIT=3
: >log
expect 0 'compare -f matrix/demo.yaml .* results/demo-reference --tables results/mine/demo --fail-on nothing -- -o results/mine/demo/compare ' \
    make -o build BUILD=fake compare
[ "$(paste -sd, log)" = 'matrix run,matrix collect,matrix compare' ] || { cat log; exit 1; }
expect 0 ' results/natural --tables results/mine/natural ' make -o build BUILD=fake compare MATRIX=matrix/natural.yaml
COMPARE_EXIT=1
expect 2 'Error 1$' make -o build BUILD=fake compare FAIL_ON=different
also ' --fail-on different '
