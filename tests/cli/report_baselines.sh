# What learns nothing beside what learned: baselines.csv in numbers, figure and page; without it all is as before.
need() { command -v "$1" >/dev/null || { echo "skipped: no $1"; exit 77; }; }
need gnuplot

fake_results results --settings 2 --seeds 3 --updates 50 --no-runs
report() { samebits-report "$@" -i results >said 2>&1; }
report write --only numbers -o without
report write --only figures -o figures-without
lacks() { # PATTERN FILE...
    if grep "$@"; then echo "FAILED: $1"; exit 1; fi
}
lacks 'baseline\|over-repeat' without/numbers.csv
lacks 'set arrow from first' figures-without/final-prednet-walk.gp

# beside these runs 0.001 would be better than all, 0.002 than some, 0.3 than none
rows() { # DIGEST UPDATES
    local loss
    for loss in repeat-last:0.001 linear:0.003 mean-frame:0.3 of-a-later-program:1; do
        echo "walk,$1,20,$2,${loss%:*},${loss#*:},0.002,0.0004"
    done
}
table() { { echo data,data_digest,window,updates,baseline,loss_last,loss_mean,change; cat; } >results/baselines.csv; seal results; }
{ rows feedfeed 50; rows feedfeed 60; rows 0badc0de 50; } | sed '5,$s/0.001/7/' | table
expect 0 '' samebits-report write --only numbers -i results -o numbers
value() { awk -F, -v label="$1" '$1 == label { print $3, $4, $5 }' numbers/numbers.csv; }
[ "$(value prednet.baseline.repeat-last.loss-last | tr -d ' ')" = 0.001 ]
[ "$(value prednet.baseline.linear.loss-last | tr -d ' ')" = 0.003 ]
[ "$(value prednet.baseline.mean-frame.loss-mean | tr -d ' ')" = 0.002 ]
by_hand() { # COLUMN BASELINE [TARGET SETTING]: mean, least and most over the baseline
    awk -F, -v at="$1" -v baseline="$2" -v target="${3-}" -v backend="${4-}" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        (!target || $c["target"] == target) && (!backend || $c["backend"] == backend) {
            x = $c[at] / baseline; sum += x; n++; if (n == 1 || x < low) low = x; if (x > high) high = x }
        END { printf "%.6g %.6g %.6g\n", sum / n, low, high }' results/cells.csv
}
[ "$(value prednet.over-repeat-last.loss-last)" = "$(by_hand loss_last 0.001)" ]
[ "$(value prednet.over-mean-frame.loss-last)" = "$(by_hand loss_last 0.3)" ]
[ "$(value prednet.over-linear.loss-mean)" = "$(by_hand loss_mean 0.002)" ]
[ "$(value prednet.native.shared.loss-last.over-repeat-last)" = "$(by_hand loss_last 0.001 shared native)" ]
lacks later-program numbers/numbers.csv
expect 0 'over that of the baseline repeat-last; low and high' samebits-report trace prednet.over-repeat-last.loss-last -i results

# figure and page; the sentence is as strong as the numbers
expect 0 '' samebits-report write --only figures -i results -o figures
[ "$(grep -c 'set arrow from first 0.001, ' figures/final-prednet-walk.gp)" = 2 ] # a strip each
svg_check figures/*.svg
page() { samebits-report write -i results -o page >said 2>&1 && tr -d '\n' <page/index.html >page.txt; }
page
grep -q 'Every run predicts worse than repeating the last frame' page.txt
[ "$(grep -o 'Last-frame loss without learning: repeat-last 0.001, mean-frame 0.3, linear 0.003\.' page.txt | wc -l)" = 2 ]
[ "$(grep -o '<td[^>]*>mean-frame' page.txt | wc -l)" = 2 ] # a row for each loss
rows feedfeed 50 | sed 's/0.001/0.3/' | table
page
grep -q 'Every run predicts better than repeating' page.txt
middle=$(by_hand loss_last 1 | cut -d' ' -f1)
rows feedfeed 50 | sed "s/0.001/$middle/" | table
page
grep -q 'Some runs predict better than repeating' page.txt

# a video that stands still has nothing to be above
rows feedfeed 50 | sed 's/0.001/0/' | table
expect 0 '' samebits-report write --only numbers -i results -o numbers
[ "$(value prednet.baseline.repeat-last.loss-last | tr -d ' ')" = 0 ]
[ -z "$(value prednet.over-repeat-last.loss-last)" ]

# what makes no sense
bad() { # PATTERN ROW
    echo "$2" | table
    expect 7 "^results/baselines.csv:2: $1" samebits-report write --only numbers -i results -o numbers
}
bad 'loss_last of -1' 'walk,feedfeed,20,50,linear,-1,1,1'
bad 'loss_mean of nan' 'walk,feedfeed,20,50,linear,1,nan,1'
bad "window wants a whole number, not 'x'" 'walk,feedfeed,x,50,linear,1,1,1'
rows feedfeed 50 | table
sed -i 's/0.003/0.004/' results/baselines.csv
expect 7 'results/baselines.csv: changed since it was collected' samebits-report write --only numbers -i results -o numbers
