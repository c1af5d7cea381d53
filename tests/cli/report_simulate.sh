# The rates that ship: intervals hold what docs/claims.md says of them, tests reject no more often, the words of verdicts
# come where they should; and a short simulation agrees with them, 200 trials within 5 standard deviations.
fail() { echo "FAILED: $*"; exit 1; }
shipped=$SB_SOURCE/results/statistics/rates.csv
# rates KIND NAME WHAT TEST: of the promised distributions each rate fulfils TEST, and there are any
rates() {
    awk -F, -v kind="$1" -v name="$2" -v what="$3" '
        $1 == kind && $2 == name && $5 == what && $3 !~ /^(two clusters|strongly skewed)$/ { n++; r = $7; if (!('"$4"')) bad = bad "\n  " $0 }
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
rates verdict 'the same bits' 'same bits' 'r == 1'
rates verdict 'four margins apart' equivalent 'r < 0.01'
rates verdict 'a margin apart' equivalent 'r <= 0.05'

expect 0 '^interval +mean +holds the truth +9[0-9]\.' samebits-report simulate --trials 200 -o short
also '^test +rank sums'
[ "$(head -n 1 "$shipped")" = "$(head -n 1 short/rates.csv)" ] || fail "another head"
cut -d, -f1-6 "$shipped" >shipped.rows
cut -d, -f1-6 short/rates.csv >short.rows
cmp shipped.rows short.rows || fail "other rows than those that ship"
paste -d, "$shipped" short/rates.csv | awk -F, '
    NR > 1 { p = $7; sd = sqrt((p * (1 - p) + 0.0005) / 200); if ((p - $15) ^ 2 > 25 * sd * sd) { print; bad = 1 } }
    END { exit bad }' || fail "rates that are not those that ship"
samebits-report simulate --trials 200 -o again >/dev/null 2>&1
cmp short/rates.csv again/rates.csv || fail "another run, other rates"
expect 2 'trials' samebits-report simulate --trials 0 -o none
absent none
