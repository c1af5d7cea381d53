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
absent block4.py

# The workflow: every command that it runs is one of this tree.
python3 -c 'import yaml' 2>/dev/null || { echo 'skipped: the workflow; no python3-yaml'; exit 77; }
python3 - "$SB_SOURCE/docs/github-actions.yml" >steps <<'END'
import sys, yaml
workflow = yaml.safe_load(open(sys.argv[1]))
for job in workflow["jobs"].values():
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), step
        print(step.get("run", "uses " + step.get("uses", "")))
END
[ "$(wc -l <steps)" -ge 6 ]
n=0
while read -r program argument rest; do
    case $program in
    make) grep -qE "^$argument:" "$SB_SOURCE"/Makefile* || { echo "FAILED: no target $argument"; exit 1; } ;;
    build/cpu/bin/*) $(basename "$program") "$argument" --help >help.out || { echo "FAILED: no verb $argument"; exit 1; } ;;
    apt-get | git | uses) continue ;;
    *) echo "FAILED: a step of an unknown kind: $program"; exit 1 ;;
    esac
    n=$((n + 1))
done <steps
[ "$n" -ge 3 ]
for option in -f --reference; do
    samebits-matrix match --help | grep -qE -- "(^| )$option[ ,]" || { echo "FAILED: match has no $option"; exit 1; }
done
