# The published runs without their weights: each holds, has the final weights that the tables say, and is repeated here.
verified=$(samebits verify "$SB_SOURCE"/results/*/chains "$SB_SOURCE"/results/*/*/chains)
n=0
while read -r study name hash weights; do
    chain=$(grep "/$study/chains/$name.h5: run without its weights: holds, " <<<"$verified") || {
        echo "FAILED: no $study/chains/$name.h5 that holds"
        exit 1
    }
    if [ "${chain##* }" != "$weights" ]; then echo "FAILED: $chain, and cells.csv has $weights for $hash"; exit 1; fi
    n=$((n + 1))
done < <(
    cd "$SB_SOURCE/results"
    column='NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }'
    awk -F, "$column"' $at["study"] == "prednet" && $at["backend"] == "native" {
        printf "demo-reference %s-s%03d %s %s\n", $at["target"], $at["seed"], $at["hash"], $at["weights"] }' \
        demo-reference/cells.csv
    awk -F, "$column"' $at["study"] == "window-20" {
        printf "evidence window-20-%s-s%03d %s %s\n", $at["target"], $at["seed"], $at["hash"], $at["weights"] }' \
        evidence/cells.csv
    awk -F, "$column"' $at["study"] ~ /^(sgd|lars|nesterov)-4096$/ && $at["seed"] == 1 {
        printf "largebatch %s-s%03d %s %s\n", $at["study"], $at["seed"], $at["hash"], $at["weights"] }' \
        largebatch/cells.csv
    awk -F, "$column"' $at["study"] == "gpu-full" && $at["backend"] == "native-cuda" {
        printf "gpu full-%s-s%03d %s %s\n", $at["target"], $at["seed"], $at["hash"], $at["weights"] }
        $at["study"] == "gpu" && $at["backend"] == "native-cuda" && $at["seed"] < 3 {
        printf "gpu %s-s%03d %s %s\n", $at["target"], $at["seed"], $at["hash"], $at["weights"] }' \
        gpu/cells.csv
    awk -F, "$column"' $at["study"] ~ /^h100(-again)?$/ {
        printf "gpu/h100 %s-%s-s%03d %s %s\n", $at["study"], $at["backend"], $at["seed"], $at["hash"], $at["weights"] }' \
        gpu/h100/cells.csv
    awk -F, "$column"' { printf "cifar10/resnet9 %s-s%03d %s %s\n", $at["study"], $at["seed"], $at["hash"], $at["weights"] }' \
        cifar10/resnet9/cells.csv
    awk -F, "$column"' $at["seed"] == 5 {
        printf "trained %s-s%03d %s %s\n", $at["target"], $at["seed"], $at["hash"], $at["weights"] }' \
        trained/cells.csv
    awk -F, "$column"' $at["seed"] == 11 && $at["study"] ~ /^gpt(-gpu)?$/ {
        printf "gpt %s-s%03d %s %s\n", $at["study"] == "gpt" ? "native" : "gpu", $at["seed"], $at["hash"], $at["weights"] }' \
        gpt/cells.csv
    awk -F, "$column"' $at["study"] == "public-small" && $at["seed"] == 1 {
        printf "public %s-%s-s%03d %s %s\n", $at["study"], $at["target"], $at["seed"], $at["hash"], $at["weights"] }
        $at["study"] == "public-cpus" && $at["backend"] == "native" && $at["seed"] == 1 {
        printf "public %s-native-s%03d %s %s\n", $at["study"], $at["seed"], $at["hash"], $at["weights"] }' \
        public/cells.csv
)
echo "$n runs"
[ "$n" = 74 ]
[ "$(wc -l <<<"$verified")" = 74 ]

# Recorded on a GPU: without one, the sentence names the backend that has the same bits on a CPU.
if ! [ -e /proc/driver/nvidia/version ]; then
    expect 4 "full-copy-s001.h5: recorded with native-cuda, which cannot run here: .*; '--backend native' trains it on the CPU, with the same bits$" \
        samebits replay "$SB_SOURCE/results/gpu/chains/full-copy-s001.h5" --data none.h5
    expect 2 'none.h5: No such file' samebits replay "$SB_SOURCE/results/gpu/chains/full-copy-s001.h5" --data none.h5 --backend native
fi
samebits-data synth walk --size 48x32 --frames 2000 --seed 1 -o walk.h5 >synth.out
for target in copy shared; do
    expect 0 '^the same bits here over 2 entries, up to update 20$' \
        samebits replay "$SB_SOURCE/results/demo-reference/chains/$target-s001.h5" --data walk.h5 --updates 20 --quiet
done
