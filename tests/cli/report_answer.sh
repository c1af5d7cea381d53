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
expect 0 '^Does the target buffer or the hardware change what the network learns\?$' answer three
also '^Whether the shared target buffer changes the final loss of prednet 3 8 on walk, 20 updates is not decided\. The last-frame loss with the shared target is 1\.[0-9]+ times that with the copied target \(3 pairs\)\. Whether'
also '\. Whether i5-4590 differs from native is not decided\.$'
also '^Does another CPU end .*\? Not decided\. The last-frame loss of i5-4590 is [01]\.[0-9]+ times that of native \(3 pairs, emulated\)\. 3 pairs cannot'
also '^Not answered: whether a GPU differs from a CPU\. No study here has run on both\.$'
if grep -q 'interval' expect.out; then echo "FAILED: an interval of three pairs"; exit 1; fi
fake_results one --settings 1 --seeds 1 --updates 20 --no-runs
expect 0 '^Does the shared target buffer .*\? Not decided\. .*\(1 pair\)\. One pair says nothing about spread\.$' answer one
also ' No two machines were compared\.$'

# Eight decide on the buffer. Of the hardware, what two machines or bits as equal as these say.
fake_results eight --settings 8 --seeds 8 --updates 20 --no-runs
expect 0 '^The shared target buffer raises the final loss of prednet 3 8 on walk, 20 updates\. The last-frame loss with .* \(95 % interval .*, 8 pairs\)\. Whether' answer eight
also '^Does the shared target buffer give the same final loss as the copied one\? No\. .*, 8 pairs\)\. p = 0\.00781, adjusted 0\.00781\.$'
also 'Whether native-cuda on gtx-1080, cublas on gtx-1080, cudnn on gtx-1080, i5-4590, .* and ryzen-5-3600 differ from native is not decided\.$'
if grep -q '^Not answered' expect.out; then echo "FAILED: a gap where a GPU was compared"; exit 1; fi
change eight '$7 == "gtx-1080" && $5 == "cudnn" { $22 *= 1.3; $23 *= 1.3 }'
expect 0 '\. cudnn on gtx-1080 differs from native\. Whether native-cuda on gtx-1080, cublas on gtx-1080, i5-4590.* differ from native is not decided\.$' answer eight
also '^Does a GPU end at the loss of the reference\? No\. The last-frame loss of cudnn on gtx-1080 is 1\.[23][0-9]* times that of native \(95 % interval .*, 8 pairs\)\. p = .*adjusted'
also '^Does a GPU end .*\? Not decided\. .* of cublas on gtx-1080 is .* \(.*8 pairs\)\. No difference'
change eight '$7 ~ /^i[57]-/ { $24 = sprintf("%s%08d", $11 == "copy" ? "c0" : "5a", $12) } $7 == "i5-4590" { last[$11 $12] = $22; mean[$11 $12] = $23 }
    $7 == "i7-6800k" { $22 = last[$11 $12]; $23 = mean[$11 $12] }'
expect 0 '^Does another CPU end .*\? Not decided\. .* of i5-4590, i7-6800k is .*, emulated\)' answer eight
samebits-report write --only numbers -i eight -o numbers >/dev/null 2>&1
grep -q '^prednet.openblas-i5-4590.over-native.copy.loss-last,' numbers/numbers.csv # the twin has no number of its own
if grep -q '^prednet.openblas-i7-6800k.over-' numbers/numbers.csv; then echo "FAILED: the same bits twice"; exit 1; fi

# The bits of the reference, and nothing but CPUs.
fake_results two --settings 2 --seeds 8 --updates 20 --no-runs
change two '$5 == "native" { weights[$11 $12] = $24; loss[$11 $12] = $22; mean[$11 $12] = $23 }
    $5 == "openblas" { $24 = weights[$11 $12]; $22 = loss[$11 $12]; $23 = mean[$11 $12] }'
expect 0 '^The shared target buffer .*\)\. i5-4590 ends with the same bits as native \(8 pairs of runs\)\.$' answer two
also '^Does another CPU end .*\? Yes\. The weights of i5-4590 are those of native \(8 pairs, emulated\)\. Weights and losses of all 8 pairs are equal\.$'

# No pair, no second machine; both alone.
change two 'NR > 1 && ($11 == "shared" || $5 == "openblas") { next }'
expect 0 '^No two machines were compared, and no two runs differ in the target buffer alone\.$' answer two
if grep -qE '^(Does|Supported|Refuted|Undetermined)' expect.out; then echo "FAILED: a sentence about hardware that was not compared"; exit 1; fi
fake_results none --settings 1 --seeds 8 --updates 20 --no-runs
expect 0 '^The shared target buffer raises .*\)\. No two machines were compared\.$' answer none
change none '$11 == "shared" { $22 /= 3 }'
expect 0 '^The shared target buffer lowers the final loss of prednet 3 8 .* is 0\.[45][0-9]* times .* \(95 % interval 0\.[3-6].* to 0\.' answer none
change none '$11 == "shared" { $22 *= 9 }'
expect 0 '^The shared target buffer raises .* is [34]\.[0-9]+ times that .* \(95 % interval [0-9.]+ to [0-9.]+, 8' answer none

# The results that ship: the numbers, and which sentence comes first. Other words break nothing.
shipped() { samebits-report answer -i "$SB_SOURCE/results/$1" "${@:2}" 2>/dev/null >answer.txt; }
holds() { sed -n "$1p" answer.txt | grep -qE -- "$2" || { echo "FAILED: line $1 has no '$2':"; cat answer.txt; exit 1; }; }
also_holds() { grep -qE -- "$1" answer.txt || { echo "FAILED: no '$1':"; cat answer.txt; exit 1; }; }
shipped natural --claims "$SB_SOURCE/paper/claims.yaml"
holds 2 ' is 1\.83 times that with .* \(95 % interval 1\.32 to 4\.55, 6 pairs\)\. .*i5-4590, i5-7600k, i7-6800k and ryzen5-3600 .* not decided'
holds 3 '^Does the shared .*\? No\. .* p = 0\.0312'
holds 4 '^Does another CPU .*\? Not decided\. .* i5-4590.* 1\.00[12] times that of native \(95 % interval .*, 6 pairs, emulated\)\.'
also_holds '0\.46 % .*0\.998 to 1\.015'
shipped demo-reference --claims "$SB_SOURCE/paper/claims.yaml"
holds 2 ' is 1\.10 times that with .* \(95 % interval 1\.05 to 1\.15, 8 pairs\)\. .* is not decided\.'
also_holds '^Does another CPU .*\? Not decided\. .*2 pairs, emulated\)\. 2 pairs cannot'
# Results that carry their own claims answer what these ask: the question, its answer, then each claim.
shipped largebatch/sgd
holds 1 '^What does SGD lose .*\?$'
holds 2 '^The test error of sgd-4096 is 3\.12 times that of sgd-32 \(95 % interval 2\.80 to 3\.75, 6 pairs\)\. Both claims'
holds 3 '^Supported: .* 3\.12 .*6 pairs\)\. One-sided p = 0\.0156\.$'
shipped gpu
holds 2 '^native-cuda ends with the same bits as native \(28 pairs of runs\)\. Whether cudnn and cublas differ from native is not decided\. 5 of'
shipped evolution
holds 2 '^openblas ends with the same bits as native \(60 pairs'
shipped cifar10
holds 2 '^openblas ends within the claimed margin of native\. '
shipped lbfgs
holds 2 '^Whether openblas differs from native is not decided\. '
if grep -E '(^|[^0-9.,])0 (measured|with|emulated|imitated)' answer.txt; then echo "FAILED: a count of nothing"; exit 1; fi
expect 0 '^1 of the 7 claims of this study is not supported, 6 undetermined; all were registered before their runs\.$' answer "$SB_SOURCE/results/largebatch"
[ "$(grep -cE '^(Not supported|Undetermined): .*95 % interval .*6 pairs' expect.out)" = 7 ]
[ "$(grep -cE 'alone \(p = .*as one of the 7 tested claims of this question' expect.out)" = 6 ]
# Of many studies of one network the longest speaks, and of one length the one that is most like the published one.
speaks() { # RESULTS STUDY
    local ratio
    ratio=$(samebits-report trace "$2.native.shared-over-copy.loss-last" -i "$1" 2>/dev/null | sed -n 's/^  printed   \([0-9.]*\) .*/\1/p')
    [ "$ratio" ]
    expect 0 "the final loss of prednet 3 8 16 32 on .* with the shared target is $ratio times" samebits-report answer -i "$1" \
        --claims "$SB_SOURCE/paper/claims.yaml" # which asks of the hardware, not what evidence.claims.yaml does
}
speaks "$SB_SOURCE/results/evidence" long
cp -r "$SB_SOURCE/results/evidence" shorter
rm shorter/distances.csv # of runs that go
change shorter '$3 == "long" { next }'
speaks shorter window-20
expect 0 '^  printed   1.001 \[' samebits-report trace cpus.openblas-i5-4590.over-native.copy.loss-last -i "$SB_SOURCE/results/natural"
