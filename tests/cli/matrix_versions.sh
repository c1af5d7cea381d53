# Three versions of cuDNN as values of an axis: each cell in the image of its stack; planned, locked, bundled, unpacked
# elsewhere without a network, planned again and loaded. The images hold the trainer of this build, which has no cuDNN: which
# image a cell gets is what counts here.
. "$SB_SOURCE/tests/support/container_image.sh"
cat >hw.yaml <<'END'
hardware: [{name: any}, {name: gtx-1080, gpu: 'GTX 1080$', sm: 61}]
END
cat >versions.yaml <<'END'
hardware: hw.yaml
data:
  - {name: walk, make: synth walk --size 48x32 --frames 60 --seed 1}
studies:
  - name: versions
    options: {model: prednet, data: walk, updates: 2, window: 4, channels: '3,8', target: copy, backend: cudnn, hardware: gtx-1080}
    seeds: 1
    axes: {cudnn_version: ['8.5', '8.9', '9.10']}
END
matrix=samebits-matrix
stacks='cuda-11.8 cuda-11.8-cudnn-8.5 cuda-11.8-cudnn-9.10'
strip context/samebits # three copies are written and read several times
for stack in $stacks; do
    build --label stack=$stack -t localhost/samebits:$stack >/dev/null
done
podman rmi -f $tag >/dev/null
expect 0 '^containers/matrix.lock: 3 images, 0 data sets$' $matrix image lock
for stack in $stacks; do grep -q "stack: $stack$" containers/matrix.lock; done
[ "$(grep -c ' id: ' containers/matrix.lock)" = "$(grep ' id: ' containers/matrix.lock | sort -u | wc -l)" ]

$matrix plan -f versions.yaml >planned
grep -q '^versions/walk/cudnn-8.9/gtx-1080 .* needs gpu, here is none' planned
expect 0 '^versions.tar: 3 images, 1 data set' $matrix bundle -f versions.yaml -o versions.tar
podman rmi -fa >/dev/null
expect 0 'every file is as its manifest says' $matrix unbundle versions.tar -o elsewhere
cd elsewhere
bin/samebits-matrix plan -f matrix/versions.yaml >../again
same ../planned ../again

# podman refuses an archive one byte of whose layer is another one, and loads nothing of it
cp containers/cuda-11.8.tar altered.tar
chmod u+w altered.tar
python3 - <<'EOF'
import tarfile
with tarfile.open("altered.tar") as archive:
    layer = max(archive.getmembers(), key=lambda member: member.size)
with open("altered.tar", "r+b") as file:
    at = layer.offset_data + layer.size // 2
    file.seek(at)
    byte = file.read(1)[0]
    file.seek(at)
    file.write(bytes([byte ^ 1]))
EOF
expect 125 'Digest did not match' podman load -q -i altered.tar
[ -z "$(podman images -aq)" ] || { echo 'FAILED: an altered image is loaded'; podman images -a; exit 1; }
rm altered.tar

for stack in $stacks; do podman load -q -i containers/$stack.tar >/dev/null; done
expect 0 '^again.lock: 3 images' bin/samebits-matrix image lock --lock again.lock
same again.lock containers/matrix.lock
