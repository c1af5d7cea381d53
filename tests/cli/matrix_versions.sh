# Three versions of cuDNN as values of an axis: each cell in the image of its stack; planned, locked, bundled, unpacked
# elsewhere without a network and planned again; and an image altered by a byte. The images hold the trainer of this build,
# which has no cuDNN: which image a cell gets is what counts here.
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
expect 0 '^cuda-11.8-cudnn-9.10: loaded, as locked, from containers/cuda-11.8-cudnn-9.10.tar$' bin/samebits-matrix image load

# one byte of an archive: of the description of the image, by which it has its id, and of a layer, which has a digest there
archive=containers/cuda-11.8-cudnn-8.5.tar
cp $archive whole.tar
sed -i 's/"stack":"cuda-11.8-cudnn-8.5"/"stack":"cuda-11.8-cudnn-8.6"/' $archive
expect 7 'cuda-11.8-cudnn-8.5.tar: it holds the image sha256:.*, the lock says' bin/samebits-matrix image load cuda-11.8-cudnn-8.5
cp whole.tar $archive
at=$(grep -abo 'own kernels in one written order' $archive | head -n 1 | cut -d: -f1)
[ "$at" ]
printf X | dd of=$archive bs=1 seek="$at" conv=notrunc status=none
podman rmi -fa >/dev/null
expect 7 "^.*cuda-11.8-cudnn-8.5.tar: " bin/samebits-matrix image load cuda-11.8-cudnn-8.5
[ -z "$(podman images -q)" ]
