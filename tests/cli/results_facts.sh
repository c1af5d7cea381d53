# Facts of the shipped tables that are no single number: rates that were chosen, runs that broke, weights that are the same.
fail() { echo "FAILED: $*"; exit 1; }
largebatch=$SB_SOURCE/results/largebatch gpu=$SB_SOURCE/results/gpu natural=$SB_SOURCE/results/natural

# Learning rates: the fewest held-out images wrong, of equals the smaller. matrix/largebatch.yaml has these rates.
chosen() { # OPTIMIZER BATCH: "RATE WRONG RUNS"
    awk -F, -v of="$1" -v batch="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { split($at["study"], part, "-"); name = part[1] == "tuned" ? "nesterov" : part[1] }
        name == of && part[2] == batch {
            wrong = sprintf("%.0f", 5000 * (1 - $at["validation_accuracy"])) + 0; rate = $at["lr"] + 0
            if (!n++ || wrong < least || (wrong == least && rate < best)) { least = wrong; best = rate } }
        END { printf "%g %d %d\n", best, least, n }' "$SB_SOURCE/results/largebatch/rates/cells.csv"
}
for optimizer in sgd nesterov adam lars lamb; do
    for batch in 32 512 1024 2048 4096; do
        read -r rate _ _ <<<"$(chosen $optimizer $batch)"
        grep -qE "name: $optimizer-$batch,.* lr: '$rate'" "$SB_SOURCE/matrix/largebatch.yaml" || fail "matrix/largebatch.yaml: $optimizer $batch is not $rate"
    done
done

# The rate of matrix/largebatch/sgd.yaml: the fewest wrong over three seeds
best=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { sum[$at["lr"] + 0] += 1 - $at["validation_accuracy"] }
    END { for (rate in sum) if (!best || sum[rate] < sum[best]) best = rate; print best }' "$SB_SOURCE/results/largebatch/sgd-rates/cells.csv")
grep -q "batch: 4096, lr: '$best'" "$SB_SOURCE/matrix/largebatch/sgd.yaml" || fail "matrix/largebatch/sgd.yaml: SGD at 4096 is not $best"

# Runs that broke, with a tenth of the images wrong or more
broken() { # STUDIES: "BROKEN of RUNS"
    awk -F, -v of="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["study"] ~ of { n++; broken += $at["accuracy"] < 0.9 } END { print broken + 0 " of " n }' "$largebatch/cells.csv"
}
[ "$(broken '^(lars|adam|lamb)-')" = '0 of 90' ] || fail "LARS, Adam, LAMB: $(broken '^(lars|adam|lamb)-') broke"
[ "$(broken '^(sgd|nesterov)-')" = '10 of 60' ] || fail "SGD, Nesterov: $(broken '^(sgd|nesterov)-') broke"

# The H200: margins that come from few seeds, and pairs with the same weights
samebits-report claims -i "$gpu" >gpu.txt 2>/dev/null
grep -q 'margin of 19.9 % comes from one or two of its 6 seeds (3.55 % without them)' gpu.txt || fail "the margin at the published size"
grep -q 'margin of 1.28 % comes from one or two of its 8 seeds (0.362 % without them)' gpu.txt || fail "the margin at 48x32"
same_weights() { # FILE... : pairs of native-cuda and native of one data set, arithmetic, target and start, and how many have the same weights
    awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["model"] != "prednet" || $at["ulp"] + 0 || $at["updates"] != 250 { next }
        { key = $at["data_digest"] " " $at["channels"] " " $at["arithmetic"] " " $at["target"] " " $at["seed"] }
        FILENAME == ARGV[1] && $at["backend"] == "native-cuda" { cuda[key] = $at["weights"] }
        FILENAME == ARGV[ARGC - 1] && $at["backend"] == "native" { native[key] = $at["weights"] }
        END { for (key in cuda) if (key in native) { n++; same += cuda[key] == native[key] }; print same + 0, "of", n + 0 }' "$@"
}
[ "$(same_weights "$gpu/cells.csv" "$gpu/cells.csv")" = '28 of 28' ] || fail "the same bits: $(same_weights "$gpu/cells.csv" "$gpu/cells.csv")"
[ "$(same_weights "$gpu/cells.csv" "$natural/cells.csv")" = '24 of 24' ] || fail "with natural: $(same_weights "$gpu/cells.csv" "$natural/cells.csv")"
echo "ok: rates, broken runs, margins and weights"
