# The choice of an engine, with stand-ins for podman, docker and apptainer: scripts that start the stand-in trainer.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
export FAKE_JOURNAL=$PWD/journal
id=sha256:$(printf '1%.0s' $(seq 64))
other=sha256:$(printf '2%.0s' $(seq 64))

# Only the tools that the tests and the stand-ins need are on PATH, so that no real engine is.
mkdir tools
for tool in bash cat chmod cut dirname env find grep ln mkdir rm sed seq sh sha256sum sleep tar; do
    ln -s "$(command -v $tool)" tools/
done
PATH=$PWD/bin:$PWD/tools

# engine NAME: knows the image $IMAGE under its id and its tag, and starts containers unless BROKEN
engine() {
    cat >bin/$1 <<'END'
#!/bin/sh
case "$1 $2" in
"image inspect")
    [ "${DAEMON-}" != none ] || { echo "Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?" >&2 && exit 1; }
    for word; do last=$word; done
    case $last in
    $IMAGE | localhost/*) [ "${IMAGE-}" ] && echo "$IMAGE" && exit 0 ;;
    esac
    echo "Error: $last: image not known" >&2
    exit 125 ;;
"--version ") echo "${0##*/} version 1" ;;
"kill --signal=KILL") echo "$0 $*" >>engine.log ;;
*)
    if [ "${BROKEN-}" ]; then
        printf 'WARN[0000] of no interest\nLimits are ignored\nError: %s\nmore\n' "${BROKEN_BY-cgroups are not to its taste}" >&2
        exit 126
    fi
    echo "$0 $*" >>engine.log
    while [ $# -gt 0 ] && [ "$1" != info ] && [ "$1" != train ]; do shift; done
    [ "$1" != info ] || { echo "  build_id         0123456789abcdef"; exit 0; }
    exec "$(dirname "$0")/samebits" "$@" ;;
esac
END
    chmod +x bin/$1
}
lock() { # STACK ID
    mkdir -p containers
    printf 'images:\n  - {stack: %s, id: %s, build_id: 0123456789abcdef, revision: abc}\n' $1 $2 >containers/matrix.lock
}

# no lock: none, unless an engine is asked for
expect 2 '^samebits-matrix run: --engine wants .*auto\|none\|podman\|docker\|apptainer.*lxc' \
    $matrix run -f small.yaml --engine lxc
expect 4 '^--engine podman wants a lock file, and containers/matrix.lock is not here; .*image build' \
    $matrix run -f small.yaml --engine podman
expect 4 '^my.lock: no such lock file; .*image lock' $matrix run -f small.yaml --lock my.lock
absent results journal
expect 0 '^run: 1 complete$' $matrix run -f small.yaml -n copy/s001
if grep -q '^engine:' expect.out; then echo 'FAILED: nothing asked for an engine'; exit 1; fi
expect 0 'none: there is no lock file of images' $matrix doctor -f small.yaml

# a lock that cannot be read is no lock, whatever the engine
mkdir containers
printf 'images:\n  - stack: cpu\n    id: [1,\n' >containers/matrix.lock
for name in auto none podman; do
    expect 7 '^containers/matrix.lock:[34]: not YAML: .*image lock' $matrix run -f small.yaml --engine $name
done
lock cpu sha256:12
expect 7 '^containers/matrix.lock:2: id wants sha256: and 64 digits' $matrix run -f small.yaml

# engines that are not installed: what to install, or which other one
lock cpu $id
for name in podman docker apptainer; do
    expect 4 "^$name: not installed here; install .*, or choose another --engine" \
        $matrix run -f small.yaml --engine $name
done
expect 0 '^engine: none; podman: not installed.*; docker: not installed.*; apptainer: not installed' \
    $matrix run -f small.yaml -n copy/s002
expect 4 'none of podman, docker and apptainer is installed here' $matrix image lock
count 2 begin journal

# podman, as it should be; what a container sees
export IMAGE=$id
engine podman
expect 0 '^engine: podman, the first that starts the images of containers/matrix.lock, revision abc$' \
    $matrix run -f small.yaml -n copy/s003
name='--name=samebits-[0-9a-f]\{8\}-[0-9a-f]\{8\}' data=$PWD/cache/data/walk- bind=--mount=type=bind,src
cell=$PWD/results/runs/p/walk/native/any/copy/s003
grep -q -- "podman run .* $name .*$bind=$data.*,ro $bind=$cell,dst=.* $id train --data $data" engine.log
expect 0 '^run: 1 complete' $matrix run -f small.yaml -n shared/s001 --engine podman
expect 0 '^engine: none$|^run: 1 complete' $matrix run -f small.yaml -n shared/s002 --engine none
count 2 'podman run.* train ' engine.log
expect 0 " podman run .* $id train " $matrix run -f small.yaml -n shared/s003 --dry-run
# nothing left to run: no engine is asked
BROKEN=yes expect 0 '^1 cell: 1 complete$' $matrix run -f small.yaml -n copy/s003 --engine podman

# a container whose trainer does not stop is ended by its name: it would outlive the engine's own process
FAKE_DEAF=copy/s001 $matrix run -f small.yaml -n copy/s001 --engine podman --results deaf --grace 1 >deaf.log 2>&1 &
wait_for compgen -G 'deaf/runs/p/walk/native/any/copy/s001/*.h5.journal' >/dev/null
kill -TERM $!
wait $! || [ $? = 143 ]
count 1 '^stopped .*killed: asked to stop, it did not within 1 s' deaf.log
named=$(sed -n 's/.* --name=\([^ ]*\).*deaf.*/\1/p' engine.log)
count 1 "podman kill --signal=KILL $named\$" engine.log
grep -q 'podman kill' deaf/runs/p/walk/native/any/copy/s001/*.log

# a path that no engine could be told
mkdir 'a,b'
expect 2 'a,b/.*: a container cannot be given a path with a comma or a quote' \
    $matrix run -f small.yaml -n shared/s003 --results 'a,b' --engine podman

# it cannot start containers: said; auto takes the next that can
BROKEN=yes expect 4 \
    '^podman cannot start a container here: podman: exit code 126: Error: cgroups are not to its taste$' \
    $matrix run -f small.yaml -n shared/s003 --engine podman
# where the reason has a known remedy, the sentence names it
for reason in 'error setting rlimits for ready process' 'this version of crun: cgroups in hybrid mode not supported'; do
    for command in "run -f small.yaml -n shared/s003 --engine podman" "image lock"; do
        BROKEN=yes BROKEN_BY=$reason expect 4 "^podman cannot start a container here \\(try it with \
CONTAINERS_CONF=\\\$PWD/containers/sandbox.conf: containers/README.md\\): podman: exit code 126: Error: $reason$" $matrix $command
    done
done
[ -s "$SB_SOURCE/containers/sandbox.conf" ]
reason='keep-id requires additional UIDs or GIDs defined in /etc/subuid and /etc/subgid to function correctly'
BROKEN=yes BROKEN_BY=$reason expect 4 "^podman cannot start a container here \(usermod --add-subuids .*\): podman: .* Error: $reason$" \
    $matrix image lock
engine docker
sed -i '2iBROKEN=yes' bin/podman
expect 0 '^engine: docker, the first that starts' $matrix run -f small.yaml -n shared/s003
grep -q 'docker run .* train ' engine.log

# docker without its daemon: no image can be built there, so what is said is not to build one
DAEMON=none expect 4 \
    '^docker: exit code 1: Cannot connect to the Docker daemon at .* running\?; start its daemon, or choose another --engine$' \
    $matrix run -f small.yaml -n shared/s001 --engine docker --results never

# an image that is not the locked one is not run; one that is not there is named
lock cpu $other
for name in auto podman; do
    expect 7 'podman: the image of stack cpu is sha256:1111.*, the lock says sha256:2222.*image lock' \
        $matrix run -f small.yaml --engine $name --results never
done
IMAGE= expect 4 "podman: .*image not known; 'samebits-matrix image build cpu' makes the image" \
    $matrix run -f small.yaml --engine podman --results never
lock cuda-13 $id
expect 4 "^containers/matrix.lock: names no image of stack cpu \(.*\); 'samebits-matrix image build cpu'" \
    $matrix run -f small.yaml --engine podman --results never
[ -z "$(find never -name '*.h5' 2>/dev/null)" ]

# apptainer keeps no images: the archive beside the lock is the image
rm bin/podman bin/docker
engine apptainer
lock cpu $id
expect 4 'containers/cpu.tar: no such file' $matrix run -f small.yaml --engine apptainer --results sif
mkdir archive
printf '{"a":1}' >archive/config.json
echo '[{"Config":"config.json"}]' >archive/manifest.json
tar -cf containers/cpu.tar -C archive config.json manifest.json
expect 7 'apptainer: the image of stack cpu is sha256:015abd7f5cc5.*, the lock says' \
    $matrix run -f small.yaml --engine apptainer --results sif
lock cpu sha256:015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862
expect 0 '^engine: apptainer, the first' $matrix run -f small.yaml --results sif -n copy/s001
grep -q "apptainer exec .* docker-archive:$PWD/containers/cpu.tar /samebits train " engine.log
expect 4 'apptainer: it runs saved images as they are' $matrix image build --source "$SB_SOURCE"

# misuse of the verbs
expect 2 'wants a verb' $matrix image
expect 2 "unknown verb 'paint'" $matrix image paint
expect 2 "unknown software stack 'gpu', did you mean 'cpu'\?" $matrix image lock gpu
expect 2 "stack 'cpu' is named twice" $matrix image lock cpu cpu
engine podman
expect 2 'nowhere/containers/Containerfile.in: no such file; --source wants' $matrix image build --source nowhere
expect 2 'wants -o FILE' $matrix bundle -f small.yaml
