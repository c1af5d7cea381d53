# --json of samebits-matrix, on cells in every state that a test can make.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
. "$SB_SOURCE/tests/cli/json_keys.sh"

# list
prints 0 list.json $matrix list -f small.yaml
prints 0 gpu.json $matrix list -f "$SB_SOURCE/matrix/gpu.yaml"
sed 's/^    seeds: 3$/&\n    exclude: [{target: shared, reason: "said \\"so\\""}]/' small.yaml >excluded.yaml
prints 0 excluded.json $matrix list -f excluded.yaml --excluded
keys samebits-matrix list list.json gpu.json excluded.json
count 6 '"name": "p/walk' list.json

# a failed cell, one of other factors, complete ones
FAKE_FAIL=copy/s002 $matrix run -f small.yaml -n copy >/dev/null 2>&1 || true
sed 's/updates: 12/updates: 14/' small.yaml >changed.yaml
prints 3 status.json $matrix status -f small.yaml
count 2 '"name": .*"state": "complete", ' status.json
count 1 '"state": "failed", .*invented failure' status.json
prints 0 plan.json $matrix plan -f changed.yaml
keys samebits-matrix plan plan.json
prints 0 failed.json $matrix status -f small.yaml copy/s002
prints 0 stale.json $matrix status -f changed.yaml copy/s001
prints 0 complete.json $matrix status -f small.yaml copy/s001
prints 0 begun.json $matrix status -f small.yaml shared/s001
keys samebits-matrix status status.json failed.json stale.json complete.json begun.json
count 2 '"updates": 12,' complete.json
count 1 '"key": "updates", "before": "12", "after": "14"' stale.json

# the run that a stale cell had before is damaged: its facts are unknown
echo rubbish >"$(ls results/runs/p/walk/native/any/copy/s001/*.h5)"
prints 7 damaged.json $matrix status -f changed.yaml copy/s001
count 1 '"name": .*"state": "stale", ' damaged.json
count 1 '^"cell": null,$' damaged.json

prints 0 doctor.json $matrix doctor -f small.yaml
prints 4 none.json $matrix doctor -f "$SB_SOURCE/matrix/gpu.yaml"
keys samebits-matrix doctor doctor.json none.json

# a command that makes no sense prints no half document
expect 2 'unknown option' $matrix status -f small.yaml --jsn
got=0
$matrix status -f absent.yaml --json >absent.json 2>/dev/null || got=$?
[ "$got" != 0 ]
[ ! -s absent.json ]
