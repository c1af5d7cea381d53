# Containers that are stopped, images that are saved, lost and others than locked, and bundles, which hold it all: with a real engine.
. "$SB_SOURCE/tests/support/container_image.sh"
. "$SB_SOURCE/tests/support/container_study.sh"
build_id=$(readelf -n "$trainer" | sed -n 's/^ *Build ID: //p')

# stopped by a signal it ends at a checkpoint, and goes on from there to the same bits
sed 's/updates: 3/updates: 40, checkpoint_every: 2/' small.yaml >long.yaml
long='-f long.yaml -n prednet/walk/native/any/copy'
expect 0 '^run: 1 complete' $matrix run $long --engine none --results undisturbed
$matrix run $long --engine podman --results stopped 2>stopped.out &
runner=$!
for _ in $(seq 1000); do
    if grep -qs 'prednet [1-9]' stopped/runs/prednet/walk/native/any/copy/s001/*.log; then break; fi
    sleep 0.01
done
kill -TERM $runner
code=0 && wait $runner || code=$?
cat stopped.out
[ $code = 143 ] || { echo "FAILED: a stopped run ended with $code"; exit 1; }
grep -q '^stopped  ' stopped.out
expect 0 '^run: 1 complete' $matrix run $long --engine podman --results stopped
run=$(cd stopped && find runs -name '*.h5')
expect 0 '^same bits' samebits diff "undisturbed/$run" "stopped/$run"

# one that stands still is ended with its container, and goes on, too
$matrix run $long --engine podman --results still --grace 1 2>still.out &
runner=$!
for _ in $(seq 1000); do
    trainer=$(pgrep -f "^/samebits train .*$test_folder/still/" || true)
    if [ "$trainer" ] && grep -qs 'prednet [1-9]' still/runs/prednet/walk/native/any/copy/s001/*.log; then break; fi
    sleep 0.01
done
kill -STOP $trainer
kill -TERM $runner
code=0 && wait $runner || code=$?
[ $code = 143 ] || { echo "FAILED: a stopped run ended with $code"; cat still.out; exit 1; }
grep -q '^stopped  .*killed: asked to stop, it did not within 1 s' still.out
if kill -0 $trainer 2>/dev/null; then echo "FAILED: the trainer is still in its container"; exit 1; fi
expect 0 '^run: 1 complete' $matrix run $long --engine podman --results still
expect 0 '^same bits' samebits diff "undisturbed/$run" "still/$run"

# saved, removed, loaded: the same image
podman save -o containers/cpu.tar $tag
podman rmi -f $tag >/dev/null
expect 4 "'samebits-matrix image build cpu' makes the image" $matrix run -f small.yaml --engine podman --results none
expect 0 '^engine: none; podman: .*; docker: ' env PATH="$SB_BUILD/bin:$(dirname "$(command -v podman)")" \
    DOCKER_HOST=unix:///nowhere $matrix run -f small.yaml --results nothing -n autoencoder
podman load -q -i containers/cpu.tar

# a bundle holds it all; elsewhere it runs by itself
expect 0 'study.tar: 1 image, 2 data sets' $matrix bundle -f small.yaml -o study.tar
expect 0 '^again.tar: 1 image' $matrix bundle -f small.yaml -o again.tar
same study.tar again.tar
rm again.tar
absent study.tar.part study.tar.stage
expect 0 'every file is as its manifest says' $matrix unbundle study.tar -o elsewhere
(cd elsewhere && sha256sum --quiet -c MANIFEST)
podman rmi -f $tag >/dev/null
(
    cd elsewhere
    PATH=$(dirname "$(command -v podman)"):/usr/sbin:/usr/bin:/bin
    podman load -q -i containers/cpu.tar
    expect 0 '^run: 2 complete' bin/samebits-matrix run -f matrix/small.yaml --engine podman -n 'native/any/copy'
)
equal_runs outside elsewhere/results 2

# another image under the name, another program in it, other data: said, and not run
printf 'LABEL other=yes\n' >>context/Containerfile
build >/dev/null
podman rmi -f "${id#sha256:}" >/dev/null
expect 7 'podman: the image of stack cpu is .*, the lock says' $matrix run -f small.yaml --engine podman --results none
expect 7 'podman: the image of stack cpu is .*, the lock says' $matrix run -f small.yaml --results none
podman load -q -i containers/cpu.tar
sed -i "s/build_id: .*/build_id: 0123456789abcdef/" containers/matrix.lock
expect 0 "^note .*the trainer's build id is $build_id, the lock says 0123456789abcdef$" \
    $matrix run -f small.yaml -n autoencoder --engine podman --results noted
grep -q "build id is $build_id" noted/runs/autoencoder/digits/native/any/copy/s001/*.log
sed -i 's/digest: .*/digest: 0123456789abcdef0123456789abcdef/' containers/matrix.lock
expect 7 'its content is .*, containers/matrix.lock says' $matrix run -f small.yaml --results none
expect 7 'its content is' $matrix bundle -f small.yaml -o never.tar
absent none never.tar never.tar.part never.tar.stage

# a damaged bundle is nothing, and leaves nothing
head -c 20000000 study.tar >cut.tar
expect 7 '^cut.tar: has 20000000 bytes, and its seal says [0-9]+: cut short$' $matrix unbundle cut.tar -o cut
mkdir -p altered
tar -xf study.tar -C altered
rm altered/samebits-bundle/SEAL
alter() { tar -cf altered.tar -C altered samebits-bundle && make_file frame altered.tar bundle; }
echo '# changed' >>altered/samebits-bundle/matrix/small.yaml
alter
expect 7 "altered.tar: .*the manifest does not hold, first at 'matrix/small.yaml'" $matrix unbundle altered.tar -o cut
tar -xf study.tar -C altered
rm altered/samebits-bundle/SEAL
touch altered/samebits-bundle/unnamed
alter
expect 7 "the manifest does not hold, first at 'unnamed'" $matrix unbundle altered.tar -o cut
rm altered/samebits-bundle/unnamed
ln -s /etc/passwd altered/samebits-bundle/link
alter
expect 7 "holds 'samebits-bundle/link', which is no plain file or folder of samebits-bundle" $matrix unbundle altered.tar -o cut
absent cut cut.part
expect 2 'elsewhere: is there already' $matrix unbundle study.tar -o elsewhere
expect 2 'nothing.tar: No such file or directory' $matrix unbundle nothing.tar
