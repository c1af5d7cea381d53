# The rates that ship: intervals hold what docs/claims.md says of them, tests reject no more often, the words of verdicts
# come where they should; and a short simulation agrees with them, 200 trials within 5 standard deviations.
fail() { echo "FAILED: $*"; exit 1; }
shipped=$SB_SOURCE/results/checks/statistics/rates.csv
# rates KIND NAME WHAT TEST: of the promised distributions each rate fulfils TEST, and there are any
rates() {
    awk -F, -v kind="$1" -v name="$2" -v what="$3" '
        $1 == kind && $2 == name && $5 == what && ($3 ~ /^(normal|skewed|heavy-tailed)$/ || $3 !~ /clusters|skewed|outliers|normal|heavy/) { n++; r = $7; if (!('"$4"')) bad = bad "\n  " $0 }
        END { if (!n) bad = "\n  no rate"; if (bad) print kind ", " name ", " what ":" bad; exit bad != "" }' "$shipped" ||
        fail "the rates that ship: $1 of $2"
}
rates interval mean 'holds the truth' 'r >= 0.93'
rates interval 'difference of two means' 'holds the truth' 'r >= 0.93'
rates interval 'mean over data sets and starts' 'holds the truth' 'r >= 0.925' # less than 0.945 of skewed ones alone
rates interval 'new data set' 'holds the truth' 'r >= 0.925'
rates test 'sign flips of pairs' 'rejects the truth' 'r <= 0.055'
rates test 'rank sums' 'rejects the truth' 'r <= 0.055'
rates test 'any of a family of 4 (Holm)' 'rejects the truth' 'r <= 0.055'
rates test 'equivalence of pairs a margin apart' 'rejects the truth' 'r <= 0.05'
rates test 'equivalence of two samples a margin apart' 'rejects the truth' 'r <= 0.05'
rates test 'equivalence of values a margin above 0' 'rejects the truth' 'r <= 0.1' # far more of values skewed that way
rates interval margin 'holds the truth' 'r >= 0.87' # less than it is called by, and said so
rates interval 'least margin without one seed' 'lies below the truth' 'r >= 0.87'
rates test 'equivalence of pairs an estimated margin apart' 'rejects the truth' 'r <= 0.05'

# Verdicts that are false: at most 5 % in each of twelve shapes, but for three standard deviations of a rate.
awk -F, '$1 == "false" { n++; shape[$3] = 1; if ($7 > 0.0565) { print; bad = 1 } }
    END { for (s in shape) shapes++; exit bad || n != 5 * 12 * 5 || shapes != 12 }' "$shipped" || fail "verdicts that are false"
# The exact interval of a rate lies above 5 % no more often than chance puts it there.
awk -F, '$1 == "false" && $9 > 0.05 { n++ } END { exit n > 1 }' "$shipped" || fail "more false verdicts than chance gives"
awk -F, 'NR > 1 && !($9 <= $7 && $7 <= $10) { exit 1 }' "$shipped" || fail "a rate outside its interval"
given() { # NAME WHAT TEST: of normal values from 6 pairs on
    awk -F, -v name="$1" -v what="$2" '$1 == "given" && $2 == name && $5 == what && $3 == "normal" && $4 > 5 { n++; r = $7; if (!('"$3"')) bad = 1 }
        END { exit bad || n != 4 }' "$shipped" || fail "verdicts that are given: $1, $2"
}
given 'arms alike; the margin 20 / root of n' equivalent 'r > 0.9'
given 'arms 8 / root of n apart' different 'r > 0.9'
given 'arms 8 / root of n apart' supported 'r > 0.9'

expect 0 '^interval +mean +holds the truth +9[0-9]\.' simulate_rates 200 short
also '^test +rank sums'
[ "$(head -n 1 "$shipped")" = "$(head -n 1 short/rates.csv)" ] || fail "another head"
cut -d, -f1-6 "$shipped" >shipped.rows
cut -d, -f1-6 short/rates.csv >short.rows
cmp shipped.rows short.rows || fail "other rows than those that ship"
paste -d, "$shipped" short/rates.csv | awk -F, '
    NR > 1 { p = $7; sd = sqrt((p * (1 - p) + 0.0005) / 200); if ((p - $17) ^ 2 > 25 * sd * sd) { print; bad = 1 } }
    END { exit bad }' || fail "rates that are not those that ship"
simulate_rates 200 again >/dev/null 2>&1
cmp short/rates.csv again/rates.csv || fail "another run, other rates"
expect 2 'TRIALS' simulate_rates 0 none
absent none
