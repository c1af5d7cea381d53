# The answer in sentences: as strong as the verdicts and no stronger, in each state that hardware and buffer can be in.
answer() { samebits-report answer -i "$@"; }

# change DIR 'AWK': rows of cells.csv rewritten, and the tables sealed again
change() {
    awk -F, -v OFS=, "$2"' 1' "$1/cells.csv" >cells.new
    mv cells.new "$1/cells.csv"
    for table in curves timing; do
        awk -F, 'NR == FNR { has[$2]; next } FNR == 1 || $1 in has' "$1/cells.csv" "$1/$table.csv" >table.new
        mv table.new "$1/$table.csv"
    done
    seal "$1"
}

expect 2 'wants -i' samebits-report answer
expect 5 'holds no cells.csv' answer .

# Three pairs decide nothing and have no interval.
fake_results three --settings 2 --seeds 3 --updates 20 --no-runs
expect 0 '^That is not decided yet: .* was 1\.[0-9]+ times as high \(3 pairs of runs of 20 updates; p = 0.25; verdict: undetermined, as 3' \
    answer three
also '^With the copied buffer, i5-4590 \(emulated\) ended at [01]\.[0-9]+ times the loss of native \(3 pairs; undetermined'
also '^Not answered: whether a GPU ends like a CPU, because no GPU has run\. The network of the published size has not run'
if grep -q 'interval' expect.out; then echo "FAILED: an interval of three pairs"; exit 1; fi
fake_results one --settings 1 --seeds 1 --updates 20 --no-runs
expect 0 'undetermined, as one pair says nothing about spread' answer one

# Eight decide on the buffer. Of the hardware, what two machines or bits as equal as these say.
fake_results eight --settings 8 --seeds 8 --updates 20 --no-runs
expect 0 '^Between the GPUs and the CPU compared that is not decided, but a target buffer .* changes it: it multiplies' answer eight
also 'by 1\.[0-9]+ \(95 % interval 1\.[0-9]+ to 1\.[0-9]+; 8 pairs of runs of 20 updates; p = 0\.00781; verdict: different\)\.$'
also '^Not answered: how the published runs ended'
change eight '$7 == "gtx-1080" && $5 == "cudnn" { $22 *= 1.3; $23 *= 1.3 }'
expect 0 '^Between some of the GPUs and the CPU compared a difference was seen, and a target buffer .* makes one, too' answer eight
also '^With the copied buffer, cudnn on gtx-1080 ended at 1\.[23][0-9]* times the loss of native \(8 pairs; different: adj'
also '; native-cuda on gtx-1080 and cublas on gtx-1080 ended at .* \(8 pairs each; undetermined'
change eight '$7 ~ /^i[57]-/ { $24 = sprintf("%s%08d", $11 == "copy" ? "c0" : "5a", $12) } $7 == "i5-4590" { last[$11 $12] = $22; mean[$11 $12] = $23 }
    $7 == "i7-6800k" { $22 = last[$11 $12]; $23 = mean[$11 $12] }'
expect 0 '\. i5-4590, i7-6800k and ryzen-5-3600 \(emulated\)' answer eight
samebits-report numbers -i eight -o numbers >/dev/null 2>&1
grep -q '^prednet.openblas-i5-4590.over-native.copy.loss-last,' numbers/numbers.csv # the twin has no number of its own
if grep -q '^prednet.openblas-i7-6800k.over-' numbers/numbers.csv; then echo "FAILED: the same bits twice"; exit 1; fi

# The bits of the reference, and nothing but CPUs.
fake_results two --settings 2 --seeds 8 --updates 20 --no-runs
change two '$5 == "native" { weights[$11 $12] = $24; loss[$11 $12] = $22; mean[$11 $12] = $23 }
    $5 == "openblas" { $24 = weights[$11 $12]; $22 = loss[$11 $12]; $23 = mean[$11 $12] }'
expect 0 '^Not between the emulated CPU and the reference, but a target buffer' answer two
also '^With the copied buffer, i5-4590 \(emulated\) ended with the same bits as native \(8 pairs\)\.$'

# No pair, no second machine; both alone.
change two 'NR > 1 && ($11 == "shared" || $5 == "openblas") { next }'
expect 0 '^No two machines were compared, and no two runs differ in the target buffer alone\.$' answer two
if grep -q 'copied buffer' expect.out; then echo "FAILED: a sentence about hardware that was not compared"; exit 1; fi
fake_results none --settings 1 --seeds 8 --updates 20 --no-runs
expect 0 '^No two machines were compared, but a target buffer that is shared instead of copied changes it' answer none
change none '$11 == "shared" { $22 /= 3 }'
expect 0 'changes it: it multiplies the final loss of PredNet with channels 3 8 by 0\.[45]' answer none

# The results that ship, word for word.
cat >natural.txt <<'END'
Between the emulated CPUs compared that is not decided, but a target buffer that is shared instead of copied changes it: it multiplies the final loss of PredNet at the published size by 1.83 (95 % interval 1.32 to 4.55; 6 pairs of runs of 250 updates; p = 0.0312; verdict: different).
With the copied buffer, i5-4590, i5-7600k, i7-6800k and ryzen5-3600 (emulated) ended at 1.001 to 1.002 times the loss of native (6 pairs each; undetermined: adjusted p = 1 for a difference, p = 0.21 for equivalence within 0.46 % (90 % interval 0.998 to 1.015); a difference of 0.665 % would have been seen with a power of 80 %; 68 more starts would decide; means of runs a start: 1 and 6).
Not answered: whether a GPU ends like a CPU, because no GPU has run (6 of 17 claims wait for hardware). The CPUs compared were emulated on another one.
END
samebits-report answer -i "$SB_SOURCE/results/natural" --claims "$SB_SOURCE/paper/claims.yaml" >answer.txt 2>/dev/null
same natural.txt answer.txt
# Results that carry their own claims answer what these ask.
cat >sgd.txt <<'END'
What does SGD lose at a large batch with a rate that three starts chose?
Both claims of this study are supported; both were registered before their runs.
Supported: With SGD and a rate that three starts chose, a batch of 4096 leaves at least twice as many test images wrong as one of 32. The test error of sgd-4096 is 3.12 times that of sgd-32 (95 % interval 2.80 to 3.75; 6 pairs; one-sided p = 0.0156).
Supported: At a batch of 4096 SGD, with a rate that three starts chose, leaves more test images wrong than LARS. The test error of sgd-4096 is 2.47 times that of lars-4096 (95 % interval 1.94 to 2.70; 6 pairs; one-sided p = 0.0156).
END
samebits-report answer -i "$SB_SOURCE/results/largebatch-sgd" >answer.txt 2>/dev/null
same sgd.txt answer.txt
expect 0 '^1 of the 7 claims of this study is not supported, 6 undetermined; all were registered before their runs\.$' answer "$SB_SOURCE/results/largebatch"
[ "$(grep -cE '^(Not supported|Undetermined): .*95 % interval .*6 pairs' expect.out)" = 7 ]
[ "$(grep -cE 'alone \(p = .*as one of the 7 tested claims of this question' expect.out)" = 6 ]
# Of many studies of one network the longest speaks, and of one length the one that is most like the published one.
speaks() { # RESULTS STUDY
    local ratio
    ratio=$(samebits-report trace "$2.native.shared-over-copy.loss-last" -i "$1" 2>/dev/null | sed -n 's/^  printed   \([0-9.]*\) .*/\1/p')
    [ "$ratio" ]
    expect 0 "multiplies the final loss of PredNet with channels 3 8 16 32 by $ratio \(" samebits-report answer -i "$1" \
        --claims "$SB_SOURCE/paper/claims.yaml" # which asks of the hardware, not what claims-evidence.yaml does
}
speaks "$SB_SOURCE/results/evidence" long
cp -r "$SB_SOURCE/results/evidence" shorter
rm shorter/distances.csv # of runs that go
change shorter '$3 == "long" { next }'
speaks shorter window-20
expect 0 '^  printed   1.001 \[' samebits-report trace cpus.openblas-i5-4590.over-native.copy.loss-last -i "$SB_SOURCE/results/natural"
