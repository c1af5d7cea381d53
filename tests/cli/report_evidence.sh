# results/evidence, whose claims were registered in its runs: verdicts, pictures and the numbers of its README are what
# its tables give.
command -v gnuplot >/dev/null || { echo "skipped: no gnuplot"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }
cp -r "$SB_SOURCE/results" .
mkdir paper; cp "$SB_SOURCE/paper/claims-evidence.yaml" paper/
evidence=results/evidence claims="--claims paper/claims-evidence.yaml"

expect 0 'registered before its runs' samebits-report claims -i $evidence $claims --csv said
same said/claims.csv $evidence/claims.csv
same said/components.csv $evidence/components.csv
# No rule was changed behind the runs: of no claim that has runs they all are older than it.
if grep -q ',formulated after its runs,' $evidence/claims.csv; then fail "a claim is not registered in its runs"; fi

samebits-report figures -i $evidence -o figures >drawn.txt 2>&1 || { cat drawn.txt; exit 1; }
if [ "$(gnuplot --version)" = 'gnuplot 5.4 patchlevel 4' ]; then
    for picture in $evidence/*.svg; do same figures/"${picture##*/}" "$picture"; done
fi

# Every row of the README's tables: pairs, ratio, median, range without one, baseline
of_evidence() { printed $evidence "$1"; }
n=0
while IFS='|' read -r _ words pairs ratio median without baseline alone outcome _; do
    study=$(sed -n 's/.*`\(.*\)`.*/\1/p' <<<"$words")
    label=$study.native.shared-over-copy.loss-last
    said="$(of_evidence "$label") $(of_evidence "$label.median") $(of_evidence "$label.without-one") $(of_evidence "$study.baseline.repeat-last.loss-last")"
    [ "$(xargs <<<"$ratio $median $without $baseline")" = "$said" ] || fail "README of $study: $ratio $median $without $baseline; tables: $said"
    [ "$(xargs <<<"$outcome")" = 'pooled below' ] ||
        grep -q "^buffer-$study,samebits,$(xargs <<<"$outcome")," $evidence/claims.csv || fail "README says $outcome of $study"
    wanted=$(awk -v where="name=buffer-$study" -v column=p_claim -f "$SB_SOURCE/tests/support/csv_cell.awk" $evidence/claims.csv) || wanted= # a video of a pool has no claim of its own
    [ -z "${alone// /}" ] || [ "$(printf '%.3g' "$wanted")" = "${alone// /}" ] || fail "README says p = $alone of $study, the table $wanted"
    [ -n "$pairs" ]
    n=$((n + 1))
done < <(grep -E '^\| .*`[a-z0-9-]+` \| [0-9]+ \| [0-9]' $evidence/README.md)
# and of the table of what varies the effect
while IFS=, read -r _ component draws df sd share; do
    case $component in data) words='video in an order' ;; video | order) words="of that, $component" ;; *) words=$component ;; esac
    line=$(grep -F "| $words |" $evidence/README.md)
    said="$draws $df $(printf '%.3f %.2f' "$sd" "$share")"
    [ "$(cut -d'|' -f3- <<<"$line" | tr -d '|' | xargs)" = "$(xargs <<<"${said/#0 /}")" ] || fail "README of $component: $line; tables: $said"
done < <(tail -n +2 $evidence/components.csv)
[ "$n" -ge 12 ] || fail "only $n rows of the README were found"
echo "ok: $n rows"

# The way of the long runs: geometric mean over the starts, of the losses of the last fifth up to an update
said=$(awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
    FILENAME ~ /cells/ {
        if ($at[FILENAME, "study"] == "long")
            run[$at[FILENAME, "hash"]] = $at[FILENAME, "target"] " " $at[FILENAME, "seed"]
        next
    }
    $1 in run {
        for (k = split("250 500 1000 1500 2000 2500", end, " "); k; k--)
            if ($2 > 0.8 * end[k] && $2 <= end[k]) { sum[run[$1], k] += $3; n[run[$1], k]++ }
    }
    END {
        for (k = 1; k <= 6; k++) {
            logs = 0
            for (s = 1; s <= 6; s++)
                logs += log(sum["shared " s, k] / n["shared " s, k]) - log(sum["copy " s, k] / n["copy " s, k])
            printf "%s%.2f", (k > 1 ? " | " : ""), exp(logs / 6)
        }
    }' $evidence/cells.csv $evidence/curves.csv)
grep -qxF "| shared / copied, six starts | $said |" $evidence/README.md || fail "README of the long runs; tables: $said"
