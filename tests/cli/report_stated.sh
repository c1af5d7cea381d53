# The numbers that the texts of results state in words are those that the shipped tables give.
fail() { echo "FAILED: $*"; exit 1; }
natural=$SB_SOURCE/results/natural demo=$SB_SOURCE/results/demo-reference
words() { tr -s ' \n' '  ' <"$1"; } # a sentence may run over lines
# states FILE TEXT
states() { words "$SB_SOURCE/$1" | grep -qF -- "$2" || fail "$1 does not state '$2'"; }
interval() { sed 's/.*\[\(.*\), \(.*\)\]/\1 to \2/' <<<"$1"; }

# The demo's finding, and the study's
full=$(printed "$natural" full.native.shared-over-copy.loss-last)
states results/demo-reference/README.md "by $(printed "$demo" prednet.native.shared-over-copy.loss-last), eight of eight pairs"

# The same with six other starts, and one rounding beside it
again=full-again.native.shared-over-copy.loss-last
of_full() { printed "$SB_SOURCE/results/full" "$1"; }
states results/full/README.md "| $(of_full $again) | $(of_full $again.median) | $(of_full $again.without-one) |"
states results/full/README.md "| $(printed "$natural" full.native.shared-over-copy.loss-last) | $(printed "$natural" full.native.shared-over-copy.loss-last.median) | $(printed "$natural" full.native.shared-over-copy.loss-last.without-one) |"
chances=$(of_full $again.separated)
states results/full/README.md "in $(cut -c3-4 <<<"$chances") % (normal logarithms) or ${chances##*.} % (drawing from the runs)"
states results/full/README.md "at $(of_full full-again.native.copy.loss-last.over-repeat-last | sed 's/ .*//') times that loss"
for source in target seed ulp; do states results/full/README.md "| $(of_full spread.full-again.$source.loss-last) |"; done
chances=$(of_full $again.separated)
# ... how far its networks are from repeating the last frame, the least and the most of both tables
of_first=$(printed "$natural" full.native.copy.loss-last.over-repeat-last) of_second=$(of_full full-again.native.copy.loss-last.over-repeat-last)
far=$(printf '%s %s\n' "$of_first" "$of_second" | tr -d '()' | awk '{ low = $2 < $6 ? $2 : $6; high = $4 > $8 ? $4 : $8; printf "%.1f to %.1f", low, high }')
# ... its effect over two frames and under imitated rules, and the CPUs start by start
evidence=$SB_SOURCE/results/evidence
round() { printed "$evidence" "$1.native.shared-over-copy.loss-last" | sed 's/\[\(.*\), \(.*\)\]/(\1 to \2)/'; }
single=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["study"] != "cpus" || $at["model"] != "prednet" || $at["target"] != "copy" || $at["ulp"] + 0 { next }
    $at["backend"] == "native" { of[$at["seed"]] = $at["loss_last"] }
    $at["hardware"] != "any" { n++; seed[n] = $at["seed"]; loss[n] = $at["loss_last"] }
    END { for (k = 1; k <= n; k++) { r = loss[k] / of[seed[k]]; if (k == 1 || r < least) least = r; if (r > most) most = r }
        printf "%.3f to %.3f", least, most }' "$natural/cells.csv")
states docs/claims.md "full/native shared over copy: $full"

# The table of results/h100: the mean log loss of the runs of each seed, cuDNN over native-cuda
while read -r line; do states results/h100/README.md "$line"; done < <(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["study"] == "h100-again" || $at["target"] != "copy" || $at["ulp"] > 1 { next }
    { n[$at["backend"], $at["seed"]]++; sum[$at["backend"], $at["seed"]] += log($at["loss_last"]) }
    END { for (s = 7; s <= 14; s++) if (n["cudnn", s] == 2 && n["native-cuda", s] == 2)
        printf "| %d | %.3f |\n", s, exp((sum["cudnn", s] - sum["native-cuda", s]) / 2) }' "$SB_SOURCE/results/h100/cells.csv")

# The table of results/full-direct: both losses of each start, and their ratio
losses() { awk -F, -v study="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["study"] == study && $at["target"] == "copy" { print $at["seed"], $at["loss_last"] }' "$SB_SOURCE/results/$1/cells.csv"; }
while read -r start winograd direct; do
    states results/full-direct/README.md "$(awk -v s="$start" -v w="$winograd" -v d="$direct" 'BEGIN { printf "| %d | %.5f | %.5f | %.3f |", s, w, d, d / w }')"
done < <(join <(losses full full-again | sort) <(losses full-direct full-direct | sort))

# The table of distances in results/lbfgs: medians of eight pairs
medians() {
    awk -F, -v study="$1" 'function text(v, s) { s = sprintf(v < 0.01 ? "%.1e" : v < 0.1 ? "%.3f" : "%.2f", v); sub(/e-0/, "e-", s); return s }
        FNR == 1 { file++; next }
        file == 1 { of[$2] = $3; next }
        of[$2] == study && index(" 1 10 20 40 100 500 ", " " $4 " ") { n[$4]++; at[$4, n[$4]] = $6 }
        END { split("1 10 20 40 100 500", updates, " ")
              for (u = 1; u <= 6; u++) { k = updates[u]
                  for (i = 1; i <= 8; i++) for (j = i + 1; j <= 8; j++) if (at[k, j] < at[k, i]) { t = at[k, i]; at[k, i] = at[k, j]; at[k, j] = t }
                  printf " %s |", text((at[k, 4] + at[k, 5]) / 2) } }' \
        "$SB_SOURCE/results/lbfgs/cells.csv" "$SB_SOURCE/results/lbfgs/distances.csv"
}
for study in lbfgs adam adam-batch100; do
    for arm in haswell:Haswell\ kernels skylakex:SkylakeX\ kernels ulp:one\ rounding; do
        states results/lbfgs/README.md "| ${arm#*:} |$(medians "$study-${arm%%:*}")"
    done
done

# The table of results/resnet9: held-out images as eval printed them, test images as the tables and the churn have them
percent() { awk -v n="$1" -v of="$2" 'BEGIN { printf "%.2f", 100 * n / of }'; }
while read -r _ _ _ _ _ _ _ right _ mirrored; do
    start=$((start + 1))
    states results/resnet9/README.md "| $start | $right, $(percent "$right" 5000) % | $mirrored, $(percent "$mirrored" 5000) % |"
    of_test=$(awk -F, -v s="$start" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["study"] == "rung9" && $at["seed"] == s { printf "%.0f", 1000 * $at["accuracy"] }' "$SB_SOURCE/results/resnet9/cells.csv")
    words "$SB_SOURCE/results/resnet9/README.md" | grep -qE "\| $start \| [^|]*\| [^|]*\| [0-9]+ \| $of_test \|" || fail "start $start: $of_test"
    sum=$((${sum:-0} + mirrored))
done <"$SB_SOURCE/results/resnet9/held-out.txt"
[ "$start" = 3 ] || fail "$start starts of resnet9"
states results/resnet9/README.md "**$(percent $sum 15000) %**"

# PyTorch beside ours: how far the losses of two tables are apart.
# "N FIRST MOST-OF-TEN FIRST-BEYOND-1e-3 MOST-OF-EPOCH-0 MOST-OF-MEANS", and mean losses of the epochs, ours / theirs
resnet9=$SB_SOURCE/results/resnet9
apart() { # STUDY RUNG
    hash=$(awk -F, -v study="$1" '$3 == study { print $2; exit }' "$resnet9/cells.csv")
    [ -n "$hash" ] || fail "no cell of $1"
    awk -F, -v hash="$hash" 'function abs(x) { return x < 0 ? -x : x }
        FNR == NR { if ($1 == hash) ours[$2] = $4; next }
        FNR > 1 { if (!($1 in ours)) exit 1
            d = abs($2 - ours[$1]) / ours[$1]; n++
            if (n == 1) first = d
            if (n <= 10 && d > ten) ten = d
            if (!beyond && d > 1e-3) beyond = n
            if (n <= 87 && d > epoch) epoch = d
            a += ours[$1]; b += $2
            if (n % 87 == 0) {
                if (abs(a - b) / 87 > means) means = abs(a - b) / 87
                here = here sep sprintf("%.4f", a / 87); there = there sep sprintf("%.4f", b / 87)
                a = b = 0; sep = ", " } }
        END { printf "%d %.0e %.1e %d %.0f %.4f|%s|%s\n", n, first, ten, beyond, 100 * epoch, means, here, there }' \
        "$resnet9/curves.csv" "$resnet9/pytorch/rung$2.csv" | sed 's/e-0/e-/g'
}
IFS=' |' read -r n first ten beyond epoch means _ <<<"$(apart rung9 9)"
[ "$n" = 870 ] || fail "rung 9 of PyTorch has $n updates"
states results/resnet9/README.md "Rung 9: the first differs by $first of itself, the first ten by $ten at most; by more than 1e-3 first at update $beyond, and by $epoch % at most in the first epoch."
states results/resnet9/README.md "mean loss of each of the ten epochs by $means or less"
for rung in 0 5 7; do
    IFS='|' read -r numbers here there <<<"$(apart rung$rung-beginning $rung)"
    read -r n first ten beyond _ <<<"$numbers"
    [ "$n" = 261 ] || fail "rung $rung of PyTorch has $n updates"
    states results/resnet9/README.md "| $rung | $first | $ten | $beyond | $here | $there |"
done

# The rates of results/largebatch-rates: fewest held-out images wrong, of equals the smaller; and so they stand in matrix/largebatch.yaml
chosen() { # OPTIMISER BATCH: "RATE WRONG RUNS"
    awk -F, -v of="$1" -v batch="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { split($at["study"], part, "-"); name = part[1] == "tuned" ? "nesterov" : part[1] }
        name == of && part[2] == batch {
            wrong = sprintf("%.0f", 5000 * (1 - $at["validation_accuracy"])) + 0; rate = $at["lr"] + 0
            if (!n++ || wrong < least || (wrong == least && rate < best)) { least = wrong; best = rate } }
        END { printf "%g %d %d\n", best, least, n }' "$SB_SOURCE/results/largebatch-rates/cells.csv"
}
for optimiser in SGD Nesterov Adam LARS LAMB; do
    line="| $optimiser |"
    for batch in 32 512 1024 2048 4096; do
        read -r rate wrong n <<<"$(chosen "${optimiser,,}" $batch)"
        line+=" $rate: $wrong of $n |"
        grep -qE "name: ${optimiser,,}-$batch,.* lr: '$rate'" "$SB_SOURCE/matrix/largebatch.yaml" || fail "matrix/largebatch.yaml: $optimiser $batch is not $rate"
    done
    states results/largebatch-rates/README.md "$line"
done

# Those of results/largebatch-sgd-rates: "RATE | WRONG, WRONG, WRONG | MEAN", the best last; it is the rate of matrix/largebatch-sgd.yaml
while IFS='|' read -r rate row; do
    states results/largebatch-sgd-rates/README.md "| $rate |$row|"
    best=$rate
done < <(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { rate = $at["lr"] + 0; n[rate]++; wrong = sprintf("%.0f", 5000 * (1 - $at["validation_accuracy"])); sum[rate] += wrong
        of[rate, $at["seed"]] = wrong }
    END { for (rate in n) { printf "%s| %d, %d, %d | %.1f \n", rate, of[rate, 1], of[rate, 2], of[rate, 3], sum[rate] / n[rate]
            if (!best || sum[rate] < sum[best]) best = rate }
        printf "%s| %d, %d, %d | %.1f \n", best, of[best, 1], of[best, 2], of[best, 3], sum[best] / n[best] }' \
    "$SB_SOURCE/results/largebatch-sgd-rates/cells.csv")
grep -q "batch: 4096, lr: '$best'" "$SB_SOURCE/matrix/largebatch-sgd.yaml" || fail "matrix/largebatch-sgd.yaml: SGD at 4096 is not $best"
states results/largebatch-sgd-rates/README.md "**$best leaves the fewest wrong on the mean**"

# Wrong test images of results/largebatch, start by start
wrong_of() { # STUDY: "59 55 65 65"
    awk -F, -v study="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["study"] == study { wrong = sprintf("%.0f", 10000 * (1 - $at["accuracy"])); printf "%s%s", n++ ? ", " : "", wrong; sum += wrong }
        END { printf " | %.1f\n", n ? sum / n : 0 }' "$SB_SOURCE/results/${2:-largebatch}/cells.csv"
}
for row in SGD:sgd Nesterov:nesterov LARS:lars; do
    for batch in 32 4096; do
        states results/largebatch/README.md "| ${row%:*} | $batch | $(wrong_of ${row#*:}-$batch) |"
    done
done
for row in SGD:sgd:1024 Nesterov:nesterov:512 Nesterov:nesterov:2048; do
    IFS=: read -r title name batch <<<"$row"
    states results/largebatch/README.md "| $title | $batch | $(wrong_of $name-$batch) |"
done
# Runs that broke, by the words of the README: of the layerwise and adaptive ones none, of the others ten, each with a third wrong or more
broken() { # STUDIES: "BROKEN of RUNS"
    awk -F, -v of="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["study"] ~ of { n++; broken += $at["accuracy"] < 0.9 } END { print broken + 0 " of " n }' "$SB_SOURCE/results/largebatch/cells.csv"
}
[ "$(broken '^(lars|adam|lamb)-'), $(broken '^(sgd|nesterov)-')" = "0 of 90, 10 of 60" ] || fail "results/largebatch: $(broken '^(sgd|nesterov)-') broke"
states results/largebatch/README.md "| Adam | 4096 | $(wrong_of adam-4096) |"
states results/largebatch/README.md "| local SGD, 16 shards, 8 steps | 4096 | $(wrong_of local-4096) |"

# And of results/largebatch-sgd
for row in SGD:sgd:32 SGD:sgd:4096 LARS:lars:4096; do
    IFS=: read -r title name batch <<<"$row"
    states results/largebatch-sgd/README.md "| $title | $batch | $(wrong_of $name-$batch largebatch-sgd) |"
done

# Its points, means of pairs and Student's t of six, and its ratios
points() { # STUDY OVER DIGITS [FOLDER]: "0.15 [0.06, 0.23]"
    awk -F, -v more="$1" -v less="$2" -v digits="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { wrong[$at["study"] "," $at["seed"]] = 100 * (1 - $at["accuracy"]) }
        $at["study"] == more { start[++n] = $at["seed"] }
        END {
            if (n != 6) exit 1
            for (s = 1; s <= 6; s++) { d = wrong[more "," start[s]] - wrong[less "," start[s]]; sum += d; squares += d * d }
            mean = sum / 6; half = 2.5706 * sqrt((squares - 6 * mean * mean) / 5 / 6)
            printf "%." digits "f [%." digits "f, %." digits "f]\n", mean, mean - half, mean + half }' "$SB_SOURCE/results/${4:-largebatch}/cells.csv"
}
for study in largebatch largebatch-sgd; do
    samebits-report claims -i "$SB_SOURCE/results/$study" --claims "$SB_SOURCE/paper/claims-$study.yaml" >$study.txt 2>/dev/null
done
ratio() { sed -n "s|.* $1/native copy over $2/native copy: \(.*\]\), n = 6.*|\1|p" "${3:-largebatch}.txt"; } # STUDY OVER [FOLDER]
second=results/largebatch-sgd/README.md
states $second "SGD loses $(points sgd-4096 sgd-32 2 largebatch-sgd) points"
states $second "LARS loses $(points sgd-4096 lars-4096 2 largebatch-sgd) points less"
states $second "at 4096 as at 32 | $(ratio sgd-4096 sgd-32 largebatch-sgd) | supported |"
states $second "more than LARS, by a quarter or more | $(ratio sgd-4096 lars-4096 largebatch-sgd) | supported |"
states results/largebatch/README.md "SGD loses $(points sgd-4096 sgd-32 2 largebatch-sgd) points"
# Its means at all batches; empty where an arm has no six starts
while IFS=: read -r title name; do
    line="| $title |"
    for batch in 32 512 1024 2048 4096; do
        row=$(wrong_of $name-$batch)
        [ "$(tr -cd , <<<"${row%|*}" | wc -c)" = 5 ] && line+="${row##*|} |" || line+=' |'
    done
    states results/largebatch/README.md "$line"
done <<<'SGD:sgd
Nesterov:nesterov
Adam:adam
LARS:lars
LAMB:lamb'
states results/largebatch/README.md "loses $(points local-4096 sgd-32 2 | sed 's/ / points /')"

# The table of intervals in results/statistics
rate() { awk -F, -v values="$1" -v n="$2" '$1 == "interval" && $2 == "mean" && $3 == values && $4 == n { printf "%.3f", $7 }' "$SB_SOURCE/results/statistics/rates.csv"; }
while IFS='=' read -r title values; do
    states results/statistics/README.md "| $title | $(rate "$values" 5) | $(rate "$values" 6) | $(rate "$values" 8) | $(rate "$values" 10) |"
done <<'END'
normal=normal
skewed (exponential)=skewed
heavy-tailed (t with 3 degrees of freedom)=heavy-tailed
two clusters=two clusters
strongly skewed (lognormal, skewness 6)=strongly skewed
END

# The H200: pairs with the same weights, losses, margins, spreads, and times
gpu=$SB_SOURCE/results/gpu
of_gpu() { printed "$gpu" "$1"; }
samebits-report claims -i "$gpu" >gpu.txt 2>/dev/null
grep -q 'margin of 19.9 % comes from one or two of its 6 starts (3.55 % without two)' gpu.txt || fail "the margin at the published size"
grep -q 'margin of 1.28 % comes from one or two of its 8 starts (0.362 % without two)' gpu.txt || fail "the margin at 48x32"
# cuDNN over the mean of four runs of a start: higher in six of six, and not decided
grep -q '1.05 \[1.00, 1.27\], n = 6, p = 0.0312' gpu.txt || fail "cuDNN over the mean of four runs a start"
same_weights() { # FILE... pairs of native-cuda and native of one data set, arithmetic, target and start, and how many have the same weights
    awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["model"] != "prednet" || $at["ulp"] + 0 || $at["updates"] != 250 { next }
        { key = $at["data_digest"] " " $at["channels"] " " $at["arithmetic"] " " $at["target"] " " $at["seed"] }
        FILENAME == ARGV[1] && $at["backend"] == "native-cuda" { cuda[key] = $at["weights"] }
        FILENAME == ARGV[ARGC - 1] && $at["backend"] == "native" { native[key] = $at["weights"] }
        END { for (key in cuda) if (key in native) { n++; same += cuda[key] == native[key] }; print same + 0, "of", n + 0 }' "$@"
}
[ "$(same_weights "$gpu/cells.csv" "$gpu/cells.csv")" = '28 of 28' ] || fail "the same bits: $(same_weights "$gpu/cells.csv" "$gpu/cells.csv")"
states results/gpu/README.md "| $(same_weights "$gpu/cells.csv" "$natural/cells.csv") |"
check=$SB_SOURCE/results/gpu-check/h200
echo "ok: every number that was looked for is stated"
