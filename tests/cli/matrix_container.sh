# The real thing: an image of the built trainer, and cells that run in it, offline, with the bits they have outside.
. "$SB_SOURCE/tests/support/container_image.sh"
# the same sources are the same image
build >again
same built again

cat >hw.yaml <<'END'
hardware: [{name: any}, {name: i5-4590, cpu: 'i5-4590( |$)'}]
END
cat >small.yaml <<'END'
hardware: hw.yaml
data:
  - {name: walk, make: synth walk --size 48x32 --frames 80 --seed 1}
  - {name: digits, make: synth digits --images 200 --test 20 --seed 1}
studies:
  - name: prednet
    options: {model: prednet, data: walk, updates: 3, window: 4, channels: '3,8'}
    seeds: 1
    axes: {target: [copy, shared]}
    zip:
      - {backend: native, hardware: any, threads: 2}
      - {backend: openblas, hardware: i5-4590, threads: 4, blas_kernel: Sandybridge}
  - name: autoencoder
    options: {model: autoencoder, data: digits, updates: 10, target: copy, backend: native, hardware: any}
    seeds: 1
END
matrix=samebits-matrix
expect 0 '^engine: none; there is no lock file containers/matrix.lock$' $matrix run -f small.yaml --results outside -j 2
expect 0 '^containers/matrix.lock: 1 image, 2 data sets$' $matrix image lock -f small.yaml
id=$(sed -n 's/^ *id: //p' containers/matrix.lock)
expect 0 '^cpu: as locked$' $matrix image verify

# inside and outside: the same bits, and the image and the program on record
expect 0 '^engine: podman, the first that starts' $matrix run -f small.yaml -j 2
equal_runs() { # ONE OTHER N: the N runs of the other have the bits of the one's
    local run n=0
    while read -r run; do
        expect 0 '^same bits' samebits diff "$1/$run" "$2/$run"
        n=$((n + 1))
    done < <(cd "$2" && find runs -name '*.h5')
    [ $n = $3 ] || { echo "FAILED: $n runs in $2, wanted $3"; exit 1; }
}
equal_runs outside results 5
run=$(find results/runs/prednet/walk/native/any/copy -name '*.h5')
samebits diff "outside/${run#results/}" "$run" >differences
grep -q "container .*$id" differences || { cat differences; exit 1; }
build_id=$(readelf -n "$trainer" | sed -n 's/^ *Build ID: //p')
grep -qx " *build_id: $build_id" containers/matrix.lock
grep -aq "$build_id" "$run"
[ "$(stat -c %u "$run")" = "$(id -u)" ]

# what runs in a container has no capabilities, none to be gained, and gains no privileges; it sees no network but itself,
# writes nowhere, and starts no more than 1024 processes
mkdir other
cat >other/status.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void show(const char *path)
{
    FILE *file = fopen(path, "r");
    for (int c; file && (c = getc(file)) != EOF;) putchar(c);
}

int main(void)
{
    int n = 0, pipes[2];
    show("/proc/self/status");
    show("/proc/net/dev");
    printf("Writes: %d %d\n", open("/new", O_CREAT | O_WRONLY, 0600) >= 0, open("/status", O_WRONLY) >= 0);
    fflush(stdout);
    if (pipe(pipes) != 0) return 1;
    for (pid_t child; n < 4000 && (child = fork()) >= 0; n++) /* each lives until we do */
        if (child == 0) return close(pipes[1]) + (int)read(pipes[0], &n, 1);
    printf("Processes: %d\n", n + 1);
    return 0;
}
END
if gcc -static -o other/status other/status.c 2>/dev/null; then
    printf 'FROM scratch\nCOPY status /status\nENTRYPOINT ["/status"]\n' >other/Containerfile
    status=$(podman build -q --network=none other)
    words=$($matrix run -f small.yaml --results dry -n prednet/walk/native/any/copy --engine podman --dry-run 2>/dev/null |
        grep -m 1 -o "podman run .* --memory-swap=[0-9]*b")
    $words "$status" >said
    for set in Inh Prm Eff Bnd Amb; do grep -q "^Cap$set:\s*0*$" said || { cat said; exit 1; }; done
    grep -q '^NoNewPrivs:\s*1$' said || { cat said; exit 1; }
    grep -qx 'Writes: 0 0' said && grep -qx 'Processes: 1024' said || { cat said; exit 1; }
    [ "$(sed -n 's/^ *\([a-z0-9]*\):.* 0 .*/\1/p' said | grep -v '^Writes')" = lo ] || { cat said; exit 1; }
    podman rmi -f "$status" >/dev/null
fi

# one cell again, alone
mkdir kept && mv "$run" kept/
expect 0 '^run: 1 complete' $matrix run -f small.yaml -n prednet/walk/native/any/copy/s001 --engine podman
expect 0 '^same bits' samebits diff kept/*.h5 "$run"

# docker, where its daemon is: the same image, the same bits
if docker info >/dev/null 2>&1 && ! docker image inspect $tag >/dev/null 2>&1; then
    expect 0 '^cpu: saved as docker/cpu.tar$' $matrix image save -o docker
    expect 0 '^cpu: loaded, as locked, from .*/cpu.tar$' $matrix image load -o docker --engine docker
    expect 0 '^run: 1 complete' \
        $matrix run -f small.yaml -n prednet/walk/native/any/copy --engine docker --results in-docker
    docker rmi -f $tag >/dev/null
    expect 0 '^same bits' samebits diff "outside/${run#results/}" "in-docker/${run#results/}"
else
    echo "not run: docker (no daemon answers, or it has an image of this name)"
fi

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
expect 0 '^cpu: saved as containers/cpu.tar$' $matrix image save
podman rmi -f $tag >/dev/null
expect 4 '^cpu: missing: podman: .*image build cpu' $matrix image verify
expect 4 "'samebits-matrix image build cpu' makes the image" $matrix run -f small.yaml --engine podman --results none
expect 0 '^engine: none; podman: .*; docker: ' env PATH="$SB_BUILD/bin:$(dirname "$(command -v podman)")" \
    DOCKER_HOST=unix:///nowhere $matrix run -f small.yaml --results nothing -n autoencoder
expect 0 '^cpu: loaded, as locked, from .*/cpu.tar$' $matrix image load
expect 0 '^cpu: as locked$' $matrix image verify

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
    expect 0 '^cpu: loaded, as locked, from .*/cpu.tar$' bin/samebits-matrix image load
    expect 0 '^run: 2 complete' bin/samebits-matrix run -f matrix/small.yaml --engine podman -n 'native/any/copy'
)
equal_runs outside elsewhere/results 2

# another image under the name, another program in it, other data: said, and not run
printf 'LABEL other=yes\n' >>context/Containerfile
build >/dev/null
podman rmi -f "${id#sha256:}" >/dev/null
expect 7 '^cpu: differs: podman: the image of stack cpu is sha256:' $matrix image verify
expect 7 'podman: the image of stack cpu is .*, the lock says' $matrix run -f small.yaml --engine podman --results none
expect 7 'podman: the image of stack cpu is .*, the lock says' $matrix run -f small.yaml --results none
expect 7 'the image of stack cpu is' $matrix image save
expect 0 '^cpu: loaded, as locked, from .*/cpu.tar$' $matrix image load
sed -i "s/build_id: .*/build_id: 0123456789abcdef/" containers/matrix.lock
expect 7 "^cpu: differs: the trainer in it has the build id $build_id, the lock says 0123456789abcdef" \
    $matrix image verify
expect 0 "^note .*the trainer's build id is $build_id, the lock says 0123456789abcdef$" \
    $matrix run -f small.yaml -n autoencoder --engine podman --results noted
grep -q "build id is $build_id" noted/runs/autoencoder/digits/native/any/copy/s001/*.log
sed -i 's/digest: .*/digest: 0123456789abcdef0123456789abcdef/' containers/matrix.lock
expect 7 'walk-.*h5: differs: .*its content is .*, containers/matrix.lock says 0123456789abcdef' $matrix image verify
expect 7 'its content is .*, containers/matrix.lock says' $matrix run -f small.yaml --results none
expect 7 'its content is' $matrix bundle -f small.yaml -o never.tar
absent none never.tar never.tar.part never.tar.stage

# a damaged bundle or archive is nothing, and leaves nothing
head -c 20000000 study.tar >cut.tar
expect 7 '^cut.tar: has 20000000 bytes, and its seal says [0-9]+: cut short$' $matrix unbundle cut.tar -o cut
mkdir -p altered && tar -xf study.tar -C altered && rm altered/samebits-bundle/SEAL
alter() { tar -cf altered.tar -C altered samebits-bundle && make_file frame altered.tar bundle; }
echo '# changed' >>altered/samebits-bundle/matrix/small.yaml
alter
expect 7 "altered.tar: .*the manifest does not hold, first at 'matrix/small.yaml'" $matrix unbundle altered.tar -o cut
tar -xf study.tar -C altered && rm altered/samebits-bundle/SEAL && touch altered/samebits-bundle/unnamed
alter
expect 7 "the manifest does not hold, first at 'unnamed'" $matrix unbundle altered.tar -o cut
rm altered/samebits-bundle/unnamed && ln -s /etc/passwd altered/samebits-bundle/link
alter
expect 7 "holds 'samebits-bundle/link', which is no plain file or folder of samebits-bundle" $matrix unbundle altered.tar -o cut
absent cut cut.part
expect 2 'elsewhere: is there already' $matrix unbundle study.tar -o elsewhere
expect 2 'nothing.tar: No such file or directory' $matrix unbundle nothing.tar
head -c 5000000 elsewhere/containers/cpu.tar >containers/cpu.tar
expect 7 'cpu.tar: no tar archive, or cut short' $matrix image load
