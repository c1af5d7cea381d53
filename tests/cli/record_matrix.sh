# A study of a program that records itself: its metrics are those of the recording, and so are the bits.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
cp "$SB_BUILD/bin/samebits" bin/ # diff reads recordings
export SAMEBITS_LIBRARY=$SB_LIBRARY PYTHONPATH=$SB_SOURCE/python PYTHONDONTWRITEBYTECODE=1
cat >train.py <<'EOF'
import sys
import samebits
from samebits import _library as library

seed, order, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
r = samebits.Recording(path, "a program")
r.names(library.WEIGHTS, ["w"])
for u in range(5):
    r.begin(u)
    r.hash(library.WEIGHTS, 0, bytes([seed + u + (u > 2 and order == "other")] * 16))
    if u:
        r.value("loss", seed / (u + 1))
    r.end()
r.close(order != "cut")
EOF
cat >any.yaml <<'EOF'
studies:
  - name: toy
    command: python3 train.py {seed} {order} {run}
    files: [train.py]
    metrics: [{name: loss}]
    seeds: 2
    axes: {order: [given, other]}
EOF
expect 0 '^run: 4 complete$' $matrix run -f any.yaml
expect 0 '^repeated .*, the same bits$' $matrix run -f any.yaml --again -n order=given/s001
$matrix collect -f any.yaml -o out
grep -q '^name,hash,study,seed,order,loss,updates,diverged,weights,output,evidence$' out/cells.csv
count 1 '^toy/order=given/s001,[0-9a-f]*,toy,1,given,0.2,4,,[0-9a-f]{32},[0-9a-f]{64},measured$' out/cells.csv
expect 0 '^(undetermined|different|equivalent) ' samebits-report judge out/cells.csv --by order --metric loss
run() { ls "results/runs/toy/order=$1/s001/"*.run; }
expect 1 'update 3' samebits diff "$(run given)" "$(run other)"

# what is not closed is not finished; what lacks the metric is told
sed 's/given, other/cut/' any.yaml >cut.yaml
expect 1 'exit code 0, but: .*run: the recording was not finished; the program has to close it$' $matrix run -f cut.yaml
sed 's/name: loss/name: error/; s/name: toy/name: error/' any.yaml >error.yaml
expect 1 "exit code 0, but: .*run: has no value of 'error', which metrics of study 'error' promises$" $matrix run -f error.yaml

# other bits: the command that shows where is 'samebits diff'
sed -i '/files:/d' any.yaml
rm -r results
expect 0 '^run: 4 complete$' $matrix run -f any.yaml
sed -i 's/seed + u/seed + u + 100/' train.py
expect 1 '^differs .*, not the same bits$' $matrix run -f any.yaml --again -n order=given/s001
also '^  where: .*samebits diff '
