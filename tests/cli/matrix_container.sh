# The real thing: an image of the built trainer, and cells that run in it, offline, with the bits they have outside.
. "$SB_SOURCE/tests/support/container_image.sh"
# the same sources are the same image
build >again
same built again
. "$SB_SOURCE/tests/support/container_study.sh"

# inside and outside: the same bits, and the image and the program on record
expect 0 '^engine: podman, the first that starts' $matrix run -f small.yaml -j 2
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
mkdir kept; mv "$run" kept/
expect 0 '^run: 1 complete' $matrix run -f small.yaml -n prednet/walk/native/any/copy/s001 --engine podman
expect 0 '^same bits' samebits diff kept/*.h5 "$run"

# docker, where its daemon is: the same image, the same bits
if docker info >/dev/null 2>&1 && ! docker image inspect $tag >/dev/null 2>&1; then
    mkdir docker
    podman save -o docker/cpu.tar $tag
    docker load -q -i docker/cpu.tar
    expect 0 '^run: 1 complete' \
        $matrix run -f small.yaml -n prednet/walk/native/any/copy --engine docker --results in-docker
    docker rmi -f $tag >/dev/null
    expect 0 '^same bits' samebits diff "outside/${run#results/}" "in-docker/${run#results/}"
else
    echo "not run: docker (no daemon answers, or it has an image of this name)"
fi
