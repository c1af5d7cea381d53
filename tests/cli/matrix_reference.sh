# The reference that ships: cells of the demo, trained here by this build, have its bits.
cells=(-n autoencoder/digits/native/any/copy/s001 -n prednet/walk/native/any/shared/s001
       -n autoencoder/digits/openblas/i5-4590/copy/s002 -n resnet9/shapes/native/any/copy/s001 -n gpt/text/native/any/copy/s001)
demo=$SB_SOURCE/matrix/demo.yaml
samebits-matrix run -f "$demo" "${cells[@]}" --data data >run.log 2>&1 || { cat run.log; exit 1; }
# Another OpenBLAS than the reference's may have other bits; native has them everywhere.
expect 0 "^the reference's bits: native 4 of 4; openblas (1 of 1|0 of 1, of another .*, not promised)$" \
    samebits-matrix compare -f "$demo" "${cells[@]}" --data data --reference "$SB_SOURCE/results/demo-reference"

# All of the reference is whole, its traces, too, and its finding is decided.
expect 0 '' samebits-report answer -i "$SB_SOURCE/results/demo-reference"
also 'raises the final loss .*, 8 pairs\)'
[ "$(ls "$SB_SOURCE"/results/demo-reference/traces/*.h5 | wc -l)" = 9 ]
for trace in "$SB_SOURCE"/results/demo-reference/traces/*.h5; do
    expect 0 'the same bits in all [0-9]+ operations' samebits bisect "$trace" "$trace"
done
