# What docs/trackers.md shows: its Python reads the csv of a run, and its workflow is YAML whose commands exist.
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
samebits-data synth walk --size 16x8 --frames 60 -o walk.h5 2>&1
samebits train --data walk.h5 --channels 3,4 --updates 5 --quiet -o run.h5
samebits export run.h5 -o run.csv

# The three trackers, each stood in for by what counts its calls.
mkdir -p modules/torch/utils
touch modules/torch/__init__.py modules/torch/utils/__init__.py
cat >modules/count.py <<'END'
calls = []

class Log:
    def __init__(self, *arguments, **settings): pass
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def add_scalar(self, name, value, step): calls.append((step, name, value))
    def log(self, numbers, step):
        for name, value in numbers.items(): calls.append((step, name, value))

log_metrics = lambda numbers, step: Log().log(numbers, step)
init = start_run = SummaryWriter = Log
END
printf 'from count import *\n' | tee modules/mlflow.py modules/wandb.py >modules/torch/utils/tensorboard.py
awk '/^```/ { writing = $0 == "```python"; n += writing; next } writing { print >("block" n ".py") }' "$SB_SOURCE/docs/trackers.md"
for block in 1 2 3; do
    { cat block$block.py; printf '\nimport count\nprint(len(count.calls), sorted(count.calls)[0][:2])\n'; } >run$block.py
    expect 0 "^20 \(1, 'grad_norm'\)$" env PYTHONPATH=modules PYTHONDONTWRITEBYTECODE=1 python3 run$block.py
done
grep -q "^def assert_same_bits(" "$SB_SOURCE/python/samebits/testing.py"
grep -q "^from samebits.testing import assert_same_bits$" block4.py
absent block5.py

# The workflows: every command that they run is one of this tree.
python3 -c 'import yaml' 2>/dev/null || { echo 'skipped: the workflows; no python3-yaml'; exit 77; }
adapter=$SB_SOURCE/python/samebits
fail() { echo "FAILED: $*"; exit 1; }

# target NAME: of make
target() { grep -qE "^$1:" "$SB_SOURCE"/Makefile* || fail "no target $1"; }

# workflow FILE KNOWN: at least so many of its steps are commands of this tree
workflow() {
    local n=0 program first rest option
    python3 - "$SB_SOURCE/docs/$1" >steps <<'END'
import sys, yaml
workflow = yaml.safe_load(open(sys.argv[1]))
for job in workflow["jobs"].values():
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), step
        print(step.get("run", "uses " + step.get("uses", "")))
END
    [ "$(wc -l <steps)" -ge 6 ]
    while read -r program first rest; do
        case "$program $first" in
        'make -C') for option in ${rest#* }; do target "$option"; done ;;
        make\ *) target "$first" ;;
        build/cpu/bin/*) $(basename "$program") "$first" --help >help.out || fail "no verb $first" ;;
        'venv/bin/python -m')
            for option in $(grep -oE -- '--[a-z]+' <<<"$rest"); do
                grep -qF "\"$option\"" "$adapter/__main__.py" || fail "python -m samebits has no $option"
            done ;;
        'venv/bin/python -c')
            grep -q "^def $(sed 's/.* import \([a-z_]*\);.*/\1/' <<<"$rest")(" "$adapter/testing.py" || fail "no function of $rest" ;;
        apt-get\ * | git\ * | uses\ * | 'python3 -m' | venv/bin/pip\ *) continue ;;
        *) fail "a step of an unknown kind: $program $first" ;;
        esac
        n=$((n + 1))
    done <steps
    [ "$n" -ge "$2" ] || fail "$1: $n commands of this tree"
    echo "ok: $1, $n commands of this tree"
}
workflow github-actions.yml 3
workflow github-actions-bits.yml 4
for option in -f --reference; do
    samebits-matrix compare --help | grep -qE -- "(^| )$option[ ,]" || fail "compare has no $option"
done
