# tests/peer/bench.py, which compares samebits with PyTorch: its table, with a stand-in for PyTorch that computes nothing.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }

mkdir -p absent peer/torch/nn
echo 'raise ImportError' >absent/torch.py
cat >peer/torch/__init__.py <<'END'
__version__ = "stand-in"

class Anything:
    def __getattr__(self, name): return self
    def __call__(self, *a, **k): return self

def __getattr__(name): return Anything()
END
cat >peer/torch/nn/__init__.py <<'END'
from torch import Anything

class Module: pass

def __getattr__(name): return Anything()
END
cp peer/torch/nn/__init__.py peer/torch/nn/functional.py

bench="python3 $SB_SOURCE/tests/peer/bench.py --samebits $(command -v samebits) -o table.csv"
code=0
PYTHONPATH=$PWD/absent $bench 2>error || code=$?
[ "$code" = 4 ]
grep -q PyTorch error
[ ! -e table.csv ]

export PYTHONPATH=$PWD/peer
peer="python3 $SB_SOURCE/tests/peer/bench.py"
expect 2 '^nowhere: no program; ' $peer --samebits nowhere -o table.csv
expect 2 '^nowhere: no program; ' $bench --before nowhere
expect 2 '^absent/none/table\.csv: cannot be written; ' $bench -o absent/none/table.csv
printf '#!/bin/sh\necho "a reason" >&2\nexit 7\n' >failing
chmod +x failing
expect 1 '^a reason$' $peer --samebits ./failing -o table.csv --only mlp-256 --threads 1 --rounds 1
also 'failing bench .*: exit code 7$'
absent table.csv
$bench --before "$(command -v samebits)" --only mlp-256 autoencoder-1 --threads 1 --rounds 2 --cpu | tee printed
[ "$(grep -c '^| [ma]' printed)" = 2 ]
grep -qx '# pytorch: stand-in' table.csv
grep -q '^# revision: ' table.csv
[ "$(grep -c '^# isa: ' table.csv)" = 1 ]
grep -qx '# isa of the comparison: the best' table.csv
# every measure of both networks, with numbers above 0
for measure in pytorch before now limit ratio_to_pytorch ratio_to_before share_of_limit; do
    [ "$(awk -F, -v m="$measure" '$5 == m && $6 > 0 && $7 > 0 && $8 >= $7' table.csv | wc -l)" = 2 ]
done
