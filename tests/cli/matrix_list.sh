# list: the real matrix files, and the exit code and sentence of each kind of misuse.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"

$matrix list -f "$SB_SOURCE/matrix/demo.yaml" >demo.txt 2>/dev/null
count 18 '^prednet/walk/' demo.txt
count 2 '^prednet/walk/openblas/i5-4590/copy/s00[12] /[0-9a-f]{8} ' demo.txt
count 6 '^autoencoder/digits/.*/copy/' demo.txt

# every published row, once per study, target, library and seed
$matrix list -f "$SB_SOURCE/matrix/paper.yaml" >paper.txt 2>/dev/null
count 744 . paper.txt
[ "$(sort paper.txt | uniq -d | wc -l)" = 0 ]
for row in native/any openblas/i5-4590 openblas/i7-6800k openblas/i5-7600k openblas/ryzen5-3600 \
    {cublas,cudnn}/{gtx-750-ti,gtx-970,gtx-1080,gtx-1080-ti,rtx-2080-ti,rtx-2060-super,rtx-2070-super,titan-rtx}; do
    count 16 "^prednet/fpsi/$row/(copy|shared)/s00[1-8] " paper.txt
    count 8 "^autoencoder/mnist/$row/copy/s00[1-8] " paper.txt
    count 8 "^autoencoder-batch100/mnist/$row/copy/s00[1-8] " paper.txt
done
$matrix list -f "$SB_SOURCE/matrix/paper.yaml" --excluded >excluded.txt
count 336 '^autoencoder(-batch100)?/mnist/.*/shared/s00[1-8] /[0-9a-f]{8} one step per update' excluded.txt
count 336 . excluded.txt
count 72 '^(prednet|autoencoder|autoencoder-batch100)-ulp/(fpsi|mnist)/native/any/copy/s00[1-8]u0[1-3] ' paper.txt
[ -z "$($matrix list -f small.yaml --excluded)" ]

# the study with a GPU: 52 cells on CPUs, 94 on a card that is here or missing
$matrix list -f "$SB_SOURCE/matrix/gpu.yaml" >gpu.txt 2>/dev/null
count 52 '/(native|openblas)/[a-z0-9-]*/(copy|shared)/s00[1-8](u0[1-3])? .* (measured|emulated)$' gpu.txt
count 94 '/(native-cuda|cublas|cudnn)/h200/(copy|shared)/s00[1-8](u0[1-3])? .* (measured|absent)$' gpu.txt
if ! [ -e /proc/driver/nvidia/version ] && ! command -v nvidia-smi >/dev/null; then
    count 94 ' absent$' gpu.txt
    expect 0 '^hardware missing: needs gpu, here is none$' $matrix status -f "$SB_SOURCE/matrix/gpu.yaml" \
        gpu/natural/cudnn/h200/copy/s001
    # where the kernel shows no card, the driver's program is asked
    mkdir smi
    printf '#!/bin/sh\necho "NVIDIA H200, 580.159.04"\n' >smi/nvidia-smi
    chmod +x smi/nvidia-smi
    PATH=$PWD/smi:$PATH $matrix list -f "$SB_SOURCE/matrix/gpu.yaml" >gpu.txt 2>/dev/null
    count 94 '/(native-cuda|cublas|cudnn)/h200/.* measured$' gpu.txt
fi

# what it left open: longer trainings, more seeds of cuBLAS with replicates of native-cuda, and branches off and on
$matrix list -f "$SB_SOURCE/matrix/gpu/long.yaml" >long.txt 2>/dev/null
count 12 '^gpu-full-long/natural160/native-cuda/h200/(copy|shared)/s00[1-6] ' long.txt
count 40 '^gpu-full-cublas-20/natural160/(native-cuda|cublas)/h200/copy/s0[0-2][0-9] ' long.txt
count 60 '^gpu-full-cublas-20-ulp/natural160/native-cuda/h200/copy/s0(0[1-9]|1[0-9]|20)u0[1-3] ' long.txt
count 2 '^gpu-branches-(off|on)/natural160/native-cuda/h200/copy/s001 ' long.txt
count 114 . long.txt

# filters speak on stderr, cells on stdout
expect 0 "^-n 'shared': 3 of 6 cells left out$" $matrix list -f small.yaml -n shared -x s002
expect 0 "^-x 's002': 1 of 3 cells left out$" $matrix list -f small.yaml -n shared -x s002
$matrix list -f small.yaml -n shared -x s002 >two.txt 2>/dev/null
count 2 '^p/walk/native/any/shared/s00[13] /[0-9a-f]{8} measured$' two.txt
hash=$(sed -n 's/.* \(\/[0-9a-f]*\) .*/\1/p;q' two.txt)
expect 0 'p/walk/native/any/shared/s001' $matrix list -f small.yaml -n "$hash"

expect 5 "^small.yaml: no cell selected; '.* list -f small.yaml' shows all 6$" $matrix list -f small.yaml -n nothing
expect 5 "no cell selected, did you mean 'p/walk/native/any/copy/s001'\?;" $matrix list -f small.yaml -n walk/natvie/any/cpoy
expect 5 "no cell selected, did you mean 'p/walk/native/any/shared/s002'\?;" $matrix status -f small.yaml p/walk/native/any/shard/s002
# a cell of another matrix in the same folder: which one, and the command
sed 's/name: p$/name: q/' small.yaml >other.yaml
expect 5 "^small.yaml: no cell selected, but other.yaml has 1 cell of that name: samebits-matrix status -f other.yaml \
-n q/walk/native/any/copy/s001, or make cell MATRIX=other.yaml CELL=q/walk/native/any/copy/s001$" \
    $matrix status -f small.yaml -n q/walk/native/any/copy/s001
expect 5 "other.yaml has 1 cell of that name: samebits-matrix status -f other.yaml q/walk/native/any/copy/s001, or" \
    $matrix status -f small.yaml q/walk/native/any/copy/s001
expect 5 "other.yaml has 3 cells .*: samebits-matrix list -f other.yaml -n '\^q/\.\*copy' -x s009$" \
    $matrix list -f small.yaml -n '^q/.*copy' -x s009
rm other.yaml
expect 2 "filter '\(' is no regular expression" $matrix list -f small.yaml -n '('
expect 2 'samebits-matrix list: wants -f FILE' $matrix list
expect 2 'absent.yaml: No such file or directory' $matrix list -f absent.yaml
expect 2 "samebits-matrix list: unknown option '--filter'" $matrix list -f small.yaml --filter x
expect 2 "samebits-matrix: unknown verb 'lst'" $matrix lst
expect 2 'samebits-matrix: wants a verb' $matrix
expect 2 'samebits-matrix run: --jobs wants a whole number in \[1, 1024\], not' $matrix run -f small.yaml -j 0
expect 0 'exit codes' $matrix --help
expect 0 '--dry-run' $matrix run --help

sed 's/seeds/seeeds/' small.yaml >typo.yaml
for verb in list run status; do expect 2 "^typo.yaml:8: unknown key 'seeeds', did you mean 'seeds'\?$" $matrix $verb -f typo.yaml; done
expect 2 "^typo.yaml:8: unknown key 'seeeds', did you mean 'seeds'\?$" $matrix collect -f typo.yaml -o out
absent out results cache

# ---- what editors make of a text: the same cells; and a second document is no part of the first ----
$matrix list -f small.yaml >plain.txt
{ printf '\xef\xbb\xbf'; cat small.yaml; } >marked.yaml
sed 's/$/\r/' small.yaml >crlf.yaml
{ echo '# r\303\251seau'; cat small.yaml; } >comment.yaml
{ echo '---'; cat small.yaml; echo '...'; } >marks.yaml
{ cat small.yaml; printf -- '---\n# nothing more\n'; } >empty.yaml
for form in marked crlf comment marks empty; do
    expect 0 '' $matrix list -f $form.yaml
    same plain.txt expect.out
done
lines=$(wc -l <small.yaml)
{ cat small.yaml; echo '---'; cat small.yaml; } >two.yaml
expect 2 "^two.yaml:$((lines + 1)): a second document begins here; write each into a file of its own$" $matrix list -f two.yaml
{ cat small.yaml; printf -- '---\n---\na: b\n'; } >three.yaml
expect 2 "^three.yaml:$((lines + 2)): a second document begins here" $matrix list -f three.yaml
{ cat small.yaml; printf -- '---\na: [\n'; } >broken.yaml
expect 2 '^broken.yaml:[0-9]+: not YAML: ' $matrix list -f broken.yaml
{ cat small.yaml; printf '# caf\xe9\n'; } >latin.yaml
expect 2 "^latin.yaml:$((lines + 1)): not YAML: .*UTF-8.*: perhaps in Latin-1; 'iconv -f ISO-8859-1 " $matrix list -f latin.yaml
expect 2 '^\.: Is a directory$' $matrix list -f .
hardware=$(sed -n 's/^hardware: *//p' small.yaml)
printf 'hardware:\n  - {name: any, cpus: x}\n' >typo-hardware.yaml
sed 's/^hardware:.*/hardware: typo-hardware.yaml/' small.yaml >typo.yaml
expect 2 "^typo-hardware.yaml:[0-9]+: unknown key 'cpus', did you mean 'cpu'\?$" $matrix list -f typo.yaml
{ cat "$hardware"; printf -- '---\nhardware: []\n'; } >typo-hardware.yaml
expect 2 '^typo-hardware.yaml:[0-9]+: a second document begins here' $matrix list -f typo.yaml
printf 'questions: Why?\nclaims: []\n' >claims.yaml
{ echo 'claims: claims.yaml'; cat small.yaml; } >typo.yaml
expect 2 "^claims.yaml:1: unknown key 'questions', did you mean 'question'\?$" $matrix list -f typo.yaml
