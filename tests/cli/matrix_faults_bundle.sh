# A system call of `bundle`, or of a program that it calls, that fails: the bundle that was there before or a whole new
# one, never exit code 0 over another, and the same bytes from the same command afterwards.
. "$SB_SOURCE/tests/cli/faults.sh"
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
cp "$SB_BUILD/bin/samebits-data" bin/
printf '#!/bin/sh\n' >bin/samebits # goes into the bundle; nothing trains here
strip bin/samebits-matrix          # so does this one
sed -i 's/synth walk/& --size 16x16 --frames 8/' small.yaml

# an engine that knows one image, whose archive is that of its configuration
mkdir image
echo '{"architecture": "amd64"}' >image/config
id=$(sha256sum image/config | cut -d' ' -f1)
mv image/config image/$id.json
echo "[{\"Config\":\"$id.json\",\"RepoTags\":[],\"Layers\":[]}]" >image/manifest.json
tar -C image -cf image.tar manifest.json $id.json
cat >bin/podman <<END2
#!/bin/sh
case "\$1 \$2" in
"image inspect") echo sha256:$id ;;
"save -o") cp "$PWD/image.tar" "\$3" ;;
esac
END2
chmod +x bin/podman
printf 'images:\n  - {stack: cpu, id: sha256:%s, build_id: 0123456789abcdef, revision: abc}\n' $id >small.lock

bundle="samebits-matrix bundle -f small.yaml --engine podman --lock small.lock --data data -o out/study.tar"
mkdir out
expect 0 '^out/study.tar: 1 image, 1 data set' $bundle
mv out/study.tar wanted.tar
expect 0 'every file is as its manifest says' samebits-matrix unbundle wanted.tar -o new
[ "$(find new -type f | wc -l)" = 9 ]
same image.tar new/containers/cpu.tar
echo 'of before' >start/study.tar

judge_bundle() {
    { [ "$1" = broken ] && grep -qsx 'of before' out/study.tar; } || cmp wanted.tar out/study.tar
}
cause_of='tar: .*Bad file descriptor' # where tar could not open its archive, it reads it all the same
walk 'bundle' 6 judge_bundle $bundle

# The archive is begun here, before tar goes on with it.
for kind in openat write; do
    one_case EIO "$(grep -m1 " $kind .*study.tar.part" calls.all | cut -d' ' -f1)" judge_bundle $bundle
done
